// SPDX-License-Identifier: GPL-2.0
/*
 * Clients of kermon-msr-helper that do what they should not.
 *
 *	msr fuzz NUMBER SEED	send random requests; prints how many were sent and executed
 *	msr flood		send requests without reading replies, then wait for a signal
 *	msr hold REG VALUE	set the counter 0 and a register of all CPUs, print the pid, wait for
 *				a signal
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <kermon/msr.h>

#include "msr/private.h"

#define CPUS		2
#define COUNTER_0	0x4c1
#define BURST		10

static uint64_t state;

static uint64_t random_number(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t below(uint64_t limit)
{
	return random_number() % limit;
}

/* Registers of the list, some of whose values are changed, and any others. */
static uint32_t registers[256];
static unsigned int nr_registers;

static void fetch_registers(void)
{
	const struct kermon_msr_options options = {
		.size = sizeof(options),
		.flags = KERMON_MSR_LIST_ONLY,
	};
	const struct kermon_msr_entry *entry;
	struct kermon_msr *msr;

	if (kermon_msr_open(&msr, &options, NULL))
		exit(2);
	while ((entry = kermon_msr_entry(msr, nr_registers)))
		registers[nr_registers++] = entry->reg;
	kermon_msr_close(msr);
}

static struct msr_packet packet;

static bool exchange(int fd, size_t size)
{
	return send(fd, &packet, size, MSG_NOSIGNAL) == (ssize_t)size &&
	       recv(fd, &packet, sizeof(packet), 0) > 0;
}

static size_t make_hello(uint32_t flags)
{
	memset(&packet, 0, sizeof(packet));
	packet.header.type = MSR_HELLO;
	packet.hello.protocol = MSR_PROTOCOL;
	packet.hello.flags = flags;
	packet.hello.cpus[0] = (1 << CPUS) - 1;
	return sizeof(packet.header) + sizeof(packet.hello);
}

static int connect_helper(void)
{
	char path[PATH_MAX];
	int fd = msr_helper_find(path) ? msr_helper_start(path) : -1;

	if (fd < 0 || !exchange(fd, make_hello(KERMON_MSR_WRITE)) ||
	    packet.header.error)
		exit(3);
	return fd;
}

static uint32_t random_register(void)
{
	switch (below(8)) {
	case 0:
		return random_number();
	case 1:
		return below(0x1000);
	case 2:
		return 0xc0000000 | below(0x20000);
	case 3:
		return registers[below(nr_registers)] + below(5) - 2;
	default:
		return registers[below(nr_registers)];
	}
}

/* Sparse values are accepted now and then, random ones hardly ever. */
static uint64_t random_value(void)
{
	return below(2) ? 1ULL << below(64) | 1ULL << below(64) :
	       below(2) ? below(256) : random_number();
}

static size_t random_request(void)
{
	struct kermon_msr_op *op;
	const unsigned int kind = below(1000);

	memset(&packet.header, 0, sizeof(packet.header));
	if (kind == 0) {
		/* not valid, which ends the helper */
		packet.header.type = random_number();
		packet.header.nr = random_number();
		return below(2 * sizeof(packet.header));
	}
	packet.header.type = kind < 20 ? MSR_LIST : kind < 40 ? MSR_RESTORE :
								MSR_BATCH;
	packet.header.index = below(100);
	if (packet.header.type != MSR_BATCH)
		return sizeof(packet.header);
	packet.header.nr = 1 + below(3);
	for (op = packet.ops; op < packet.ops + packet.header.nr; op++)
		*op = (struct kermon_msr_op){
			.cpu = below(50) ? below(CPUS) : random_number(),
			.reg = random_register(),
			.value = random_value(),
			.kind = below(100) ? below(2) : random_number(),
			.reason = random_number(),
			.error = random_number(),
		};
	return sizeof(packet.header) + packet.header.nr * sizeof(*op);
}

static void count_executed(unsigned long executed[2])
{
	if (packet.header.type != MSR_BATCH)
		return;
	for (uint32_t i = 0; i < packet.header.nr; i++)
		if (!packet.ops[i].error)
			executed[packet.ops[i].kind]++;
}

/* A helper that ends has restored everything once its socket is closed. */
static void disconnect(int fd)
{
	shutdown(fd, SHUT_WR);
	while (recv(fd, &packet, sizeof(packet), 0) > 0)
		;
	close(fd);
}

/*
 * Send requests, then receive the replies: two switches for all of them. Return: number of
 * replies; if there are fewer, the next request has ended the helper.
 */
static unsigned long send_burst(int fd, unsigned long number, unsigned long executed[2])
{
	unsigned long replies, sent;
	size_t size;

	for (sent = 0; sent < number; sent++) {
		size = random_request();
		if (send(fd, &packet, size, MSG_NOSIGNAL) != (ssize_t)size)
			break;
	}
	for (replies = 0; replies < sent; replies++) {
		if (recv(fd, &packet, sizeof(packet), 0) <= 0)
			break;
		count_executed(executed);
	}
	return replies;
}

static int fuzz(unsigned long number, uint64_t seed)
{
	unsigned long executed[2] = { 0 }, ended = 0, done = 0, burst, replies;
	int fd;

	state = seed;
	fetch_registers();
	fd = connect_helper();
	while (done < number) {
		burst = number - done < BURST ? number - done : BURST;
		replies = send_burst(fd, burst, executed);
		done += replies;
		if (replies == burst)
			continue;
		disconnect(fd);
		fd = connect_helper();
		ended++;
		done++;
	}
	disconnect(fd);
	printf("%lu requests, %lu reads, %lu writes, %lu helpers ended\n",
	       done, executed[0], executed[1], ended);
	return 0;
}

static int flood(void)
{
	const int fd = connect_helper();
	unsigned long sent = 0;
	int waited;

	for (waited = 0; waited < 10; waited++) {
		memset(&packet, 0, sizeof(packet));
		packet.header.type = MSR_BATCH;
		packet.header.nr = 2;
		packet.ops[0] = (struct kermon_msr_op){
			.reg = 0x186, .value = sent & 0xff, .kind = 1,
		};
		packet.ops[1] = (struct kermon_msr_op){ .reg = 0x10 };
		if (send(fd, &packet, sizeof(packet.header) +
			 2 * sizeof(*packet.ops), MSG_DONTWAIT) < 0) {
			usleep(20000);
		} else {
			sent++;
			waited = 0;
		}
	}
	printf("%lu requests\n", sent);
	fflush(stdout);
	pause();
	return 0;
}

static int hold(uint32_t reg, uint64_t value)
{
	const struct kermon_msr_options options = {
		.size = sizeof(options),
		.flags = KERMON_MSR_WRITE,
	};
	struct kermon_msr_error error;
	struct kermon_msr *msr;
	int cpu;

	if (kermon_msr_open(&msr, &options, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	for (int i = 0; (cpu = kermon_msr_cpu(msr, i)) >= 0; i++)
		if (kermon_msr_write(msr, cpu, COUNTER_0, 1000) ||
		    kermon_msr_write(msr, cpu, reg, value)) {
			fprintf(stderr, "%s\n", kermon_msr_error(msr)->text);
			return 1;
		}
	printf("%d\n", getpid());
	fflush(stdout);
	pause();
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "fuzz"))
		return fuzz(strtoul(argv[2], NULL, 0),
			    strtoull(argv[3], NULL, 0));
	if (argc == 2 && !strcmp(argv[1], "flood"))
		return flood();
	if (argc == 4 && !strcmp(argv[1], "hold"))
		return hold(strtoul(argv[2], NULL, 0),
			    strtoull(argv[3], NULL, 0));
	return 2;
}
