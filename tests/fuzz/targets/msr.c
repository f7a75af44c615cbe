// SPDX-License-Identifier: GPL-2.0
/*
 * What a client can send to kermon-msr-helper, and what the file of saved values can
 * contain: nothing but what the allow-list permits is ever written, and at the end the
 * registers are as they were. The input is the flags, the beginning of that file, and
 * packets, each behind its size.
 */
#include <string.h>
#include <sys/mman.h>

#include "helper/keeper.h"

#include "../input.h"

#define CPUS		2
#define REGISTERS	64
/* A register without a value, beyond the end of the file. */
#define MISSING		"0x00000050 0xffffffffffffffff # MISSING\n"

static const char list[] =
	"0x00000010 0x0000000000000000 # READ\n"
	"0x00000011 0x00000000ffff00ff # PART\n"
	"0x00000012 0xffffffffffffffff # ALL\n"
	"0x00000014 0x000000000000ffff # CLEARS zero=0xff0000\n"
	"0x0000003f 0x000000000000000f # LAST\n"
	MISSING;

static struct keeper keeper;

static uint64_t initial(uint32_t cpu, uint32_t reg)
{
	return (reg + 1) * 0x0123456789abcdefULL ^ cpu;
}

static void set_up(uint32_t flags, const uint8_t *saved, size_t size)
{
	uint64_t value;

	allowlist_parse(&keeper.list, list, sizeof(list) - 1);
	registers_init(&keeper.registers, "");
	keeper.registers.step = sizeof(value);
	keeper.flags = flags;
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		keeper.registers.fds[cpu] = memfd_create("cpu", MFD_CLOEXEC);
		for (uint32_t reg = 0; reg < REGISTERS; reg++)
			registers_write(&keeper.registers, cpu, reg,
					initial(cpu, reg));
	}
	promise(!state_open(&keeper.state, memfd_create("state", MFD_CLOEXEC)));
	memcpy(keeper.state.slots, saved, size);
}

/* Bits that were changed although they may not be written. */
static uint64_t wrong_bits(uint32_t cpu, uint32_t reg)
{
	const struct kermon_msr_entry *entry = allowlist_find(&keeper.list, reg);
	uint64_t value = 0;

	promise(!registers_read(&keeper.registers, cpu, reg, &value));
	return (value ^ initial(cpu, reg)) &
	       (entry ? ~(entry->mask | entry->zero) : UINT64_MAX);
}

static void check_all(void)
{
	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		for (uint32_t reg = 0; reg < REGISTERS; reg++)
			promise(!wrong_bits(cpu, reg));
}

/* Nothing that is to be kept, or came from the file: the registers are as they were. */
static void check_restored(void)
{
	uint64_t value;

	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		for (uint32_t reg = 0; reg < REGISTERS; reg++) {
			registers_read(&keeper.registers, cpu, reg, &value);
			promise(value == initial(cpu, reg));
		}
}

static void send_packets(const uint8_t *data, size_t size)
{
	struct msr_packet *packet;
	size_t length, replied;

	while (size > 2) {
		length = data[0] | data[1] << 8;
		data += 2;
		size -= 2;
		if (length > size)
			length = size;
		if (length > sizeof(*packet))
			length = sizeof(*packet);
		packet = calloc(1, sizeof(*packet));
		memcpy(packet, data, length);
		replied = keeper_answer(&keeper, packet, length);
		promise(replied <= sizeof(*packet));
		input_touch(packet, replied);
		free(packet);
		data += length;
		size -= length;
		if (!replied)
			break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t saved;

	if (size < 2)
		return 0;
	saved = data[1] < size - 2 ? data[1] : size - 2;
	set_up(data[0] & 3, data + 2, saved);
	keeper_recover(&keeper, 0);
	send_packets(data + 2 + saved, size - 2 - saved);
	check_all();
	keeper_end(&keeper);
	check_all();
	if (!saved && !(data[0] & KERMON_MSR_KEEP))
		check_restored();
	state_close(&keeper.state);
	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		registers_close(&keeper.registers, cpu);
	return 0;
}
