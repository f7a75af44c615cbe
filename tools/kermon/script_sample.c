// SPDX-License-Identifier: GPL-2.0
/*
 * A sample as perf script prints it: programs that read that text read this.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"

#define NSEC	1000000000ULL

static bool has_frames(const struct script *script,
		       const struct kermon_profile_sample *sample,
		       uint32_t mask)
{
	return mask & FIELD_BIT(IP) && !script->no_frames &&
	       sample->fields & PERF_SAMPLE_CALLCHAIN;
}

static void print_task(struct script *script,
		       const struct kermon_profile_sample *sample,
		       uint32_t mask)
{
	struct line *line = &script->line;
	uint32_t number = mask & FIELD_BIT(PID) ? sample->pid : sample->tid;
	char both[32];

	if (mask & FIELD_BIT(COMM)) {
		line_right(line, sample->comm,
			   has_frames(script, sample, mask) ? 0 : 16);
		line_char(line, ' ');
	}
	if (mask & FIELD_BIT(PID) && mask & FIELD_BIT(TID)) {
		snprintf(both, sizeof(both), "%5d/%-5d ", (int)sample->pid,
			 (int)sample->tid);
		line_text(line, both);
	} else if (mask & (FIELD_BIT(PID) | FIELD_BIT(TID))) {
		snprintf(both, sizeof(both), "%5d ", (int)number);
		line_text(line, both);
	}
}

static void print_misc(struct line *line, unsigned int mode)
{
	static const char *const letters[] = {
		[PERF_RECORD_MISC_KERNEL] = "K",
		[PERF_RECORD_MISC_USER] = "U",
		[PERF_RECORD_MISC_HYPERVISOR] = "H",
		[PERF_RECORD_MISC_GUEST_KERNEL] = "G",
		[PERF_RECORD_MISC_GUEST_USER] = "g",
	};
	const char *letter = NULL;

	if (mode < sizeof(letters) / sizeof(letters[0]))
		letter = letters[mode];
	line_left(line, letter ? letter : "", 5);
	line_char(line, ' ');
}

/* The time to show, which may be since another one. */
static uint64_t shown_time(struct script *script, uint64_t time)
{
	uint64_t since = script->since;

	if (script->clock == CLOCK_OF_FILE)
		return time;
	if (!since || script->clock == CLOCK_SINCE_LAST)
		script->since = time;
	return since && since < time ? time - since : 0;
}

static void print_time(struct script *script, uint64_t time)
{
	struct line *line = &script->line;
	uint64_t shown = shown_time(script, time);

	line_decimal(line, shown / NSEC, 5, ' ');
	line_char(line, '.');
	if (script->ns)
		line_decimal(line, shown % NSEC, 9, '0');
	else
		line_decimal(line, shown % NSEC / 1000, 6, '0');
	line_text(line, ": ");
}

static void print_head(struct script *script,
		       const struct kermon_profile_sample *sample,
		       uint32_t mask)
{
	struct line *line = &script->line;

	print_task(script, sample, mask);
	if (mask & FIELD_BIT(CPU)) {
		line_char(line, '[');
		line_decimal(line, sample->cpu, 3, '0');
		line_text(line, "] ");
	}
	if (mask & FIELD_BIT(MISC))
		print_misc(line, sample->mode);
	if (mask & FIELD_BIT(TIME))
		print_time(script, sample->time);
	if (mask & FIELD_BIT(PERIOD)) {
		line_decimal(line, sample->period, 10, ' ');
		line_char(line, ' ');
	}
	if (mask & FIELD_BIT(EVENT)) {
		line_right(line, sample->event->name, script->event_width);
		line_text(line, ": ");
	}
	if (mask & FIELD_BIT(ADDR))
		line_hex(line, sample->addr, 16);
	if (mask & FIELD_BIT(WEIGHT))
		line_decimal(line, sample->weight, 16, ' ');
	if (mask & FIELD_BIT(INS_LAT))
		line_decimal(line, sample->weight2[0], 16, ' ');
}

static int print_frames(struct script *script,
			const struct kermon_profile_sample *sample,
			uint32_t mask)
{
	const struct kermon_frame *frames;
	ssize_t nr = kermon_profile_frames(sample, &frames);
	int err = nr < 0 ? nr : 0;

	line_char(&script->line, '\n');
	for (ssize_t i = 0; i < nr && !err; i++)
		err = script_frame(script, sample, &frames[i], mask);
	return err;
}

/* The frames below each other, or on the same line where the sample is. */
static int print_place(struct script *script,
		       const struct kermon_profile_sample *sample,
		       uint32_t mask)
{
	struct kermon_frame frame = {
		.address = sample->ip,
		.mode = sample->mode,
	};

	if (!(mask & FIELD_BIT(IP)))
		return 0;
	if (has_frames(script, sample, mask))
		return print_frames(script, sample, mask);
	kermon_profile_place(sample, sample->mode, sample->ip, &frame.place);
	line_char(&script->line, ' ');
	return script_place(script, sample, &frame, mask, false);
}

static void print_registers(struct line *line, const char *const *names,
			    const struct kermon_registers *registers)
{
	unsigned int at = 0;

	line_text(line, " ABI:");
	line_decimal(line, registers->abi, 0, ' ');
	line_char(line, ' ');
	for (unsigned int bit = 0; bit < 64; bit++) {
		if (!(registers->mask & 1ULL << bit))
			continue;
		line_right(line, names[bit] ? names[bit] : "unknown", 5);
		line_text(line, ":0x");
		line_hex(line, kermon_word(registers->values, at++), 0);
		line_char(line, ' ');
	}
}

/* 4096 is "4K". */
static void print_page_size(struct line *line, uint64_t size)
{
	static const char units[] = "BKMGTPE";
	const char *unit = units;
	char text[32] = "N/A";

	for (; size >= 1024 && unit[1]; size /= 1024)
		unit++;
	if (size)
		snprintf(text, sizeof(text), "%u%c", (unsigned int)size, *unit);
	line_char(line, ' ');
	line_text(line, text);
}

static void print_tail(struct script *script,
		       const struct kermon_profile_sample *sample,
		       uint32_t mask)
{
	struct line *line = &script->line;

	if (mask & FIELD_BIT(IREGS))
		print_registers(line, script->registers, &sample->registers);
	if (mask & FIELD_BIT(UREGS))
		print_registers(line, script->registers,
				&sample->user_registers);
	if (mask & FIELD_BIT(PHYS_ADDR))
		line_hex(line, sample->phys_addr, 16);
	if (mask & FIELD_BIT(DATA_PAGE_SIZE))
		print_page_size(line, sample->data_page_size);
	if (mask & FIELD_BIT(CODE_PAGE_SIZE))
		print_page_size(line, sample->code_page_size);
	line_char(line, '\n');
}

int script_sample(struct script *script,
		  const struct kermon_profile_sample *sample)
{
	uint32_t mask = script->masks[sample->event->index];
	int err;

	if (!mask)
		return 0;
	print_head(script, sample, mask);
	err = print_place(script, sample, mask);
	if (err)
		return err;
	print_tail(script, sample, mask);
	return line_check();
}
