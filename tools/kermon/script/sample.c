// SPDX-License-Identifier: GPL-2.0
/*
 * Prints a sample exactly as perf script does, for programs that parse its output.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"

bool script_has_frames(const struct script *script,
		       const struct kermon_profile_event *event, uint64_t mask)
{
	return mask & FIELD_BIT(IP) && !script->no_frames &&
	       event->attr->sample_type & PERF_SAMPLE_CALLCHAIN;
}

static void print_head(struct script *script,
		       const struct kermon_profile_sample *sample,
		       uint64_t mask)
{
	const struct script_head head = {
		.comm = sample->comm,
		.mask = mask,
		.time = sample->time,
		.pid = sample->pid,
		.tid = sample->tid,
		.cpu = sample->cpu,
		.type = PERF_RECORD_SAMPLE,
		.misc = sample->misc,
		.has_frames = script_has_frames(script, sample->event, mask),
	};

	script_head(script, &head);
}

/* Print the fields of a tracepoint by its format, as the kernel does. */
static int print_trace(struct script *script,
		       const struct kermon_profile_sample *sample)
{
	const char *text;
	ssize_t size = kermon_profile_trace(sample, &text);

	for (ssize_t at = 0; at < size; at += strlen(text + at) + 1) {
		if (at)
			line_text(&script->line, "\\x00");
		line_name(&script->line, text + at, 0);
	}
	return size < 0 ? size : 0;
}

/* Whether the address is that of data: for page faults, it is the accessed address. */
static bool has_data(const struct kermon_profile_sample *sample)
{
	const struct perf_event_attr *attr = sample->event->attr;

	return attr->type == PERF_TYPE_SOFTWARE &&
	       (attr->config == PERF_COUNT_SW_PAGE_FAULTS ||
		attr->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ);
}

static int print_address(struct script *script,
			 const struct kermon_profile_sample *sample,
			 uint64_t mask)
{
	line_hex(&script->line, sample->addr, 16);
	return has_data(sample) ? script_data(script, sample, mask) : 0;
}

/* Print the accessed address, its source and the latency. */
static int print_access(struct script *script,
			const struct kermon_profile_sample *sample,
			uint64_t mask)
{
	struct line *line = &script->line;
	int err = 0;

	if (mask & FIELD_BIT(ADDR))
		err = print_address(script, sample, mask);
	if (!err && mask & FIELD_BIT(DATA_SRC))
		err = script_memory(script, sample->data_src);
	if (mask & FIELD_BIT(WEIGHT))
		line_decimal(line, sample->weight, 16, ' ');
	if (mask & FIELD_BIT(INS_LAT))
		line_decimal(line, sample->weight2[0], 16, ' ');
	return err;
}

static int print_event(struct script *script,
		       const struct kermon_profile_sample *sample,
		       uint64_t mask)
{
	struct line *line = &script->line;
	int err = 0;

	if (mask & FIELD_BIT(PERIOD)) {
		line_decimal(line, sample->period, 10, ' ');
		line_char(line, ' ');
	}
	if (mask & FIELD_BIT(EVENT))
		line_text(line, script->event_names[sample->event->index]);
	if (mask & FIELD_BIT(TRACE))
		err = print_trace(script, sample);
	return err ? err : print_access(script, sample, mask);
}

static int print_frames(struct script *script,
			const struct kermon_profile_sample *sample,
			uint64_t mask)
{
	const struct kermon_frame *frames;
	ssize_t nr = kermon_profile_frames(sample, &frames);
	int err = nr < 0 ? nr : 0;

	line_char(&script->line, '\n');
	for (ssize_t i = 0; i < nr && !err; i++)
		err = script_frame(script, sample, &frames[i], mask);
	return err;
}

/* Print the call chain, one frame per line, or the place of the sample on this line. */
static int print_place(struct script *script,
		       const struct kermon_profile_sample *sample,
		       uint64_t mask)
{
	struct kermon_frame frame = {
		.address = sample->ip,
		.mode = sample->mode,
	};

	if (!(mask & FIELD_BIT(IP)))
		return 0;
	if (script_has_frames(script, sample->event, mask))
		return print_frames(script, sample, mask);
	kermon_profile_place(sample, sample->mode, sample->ip, &frame.place);
	line_char(&script->line, ' ');
	return script_place(script, sample, &frame, mask);
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

/* Print 4096 as "4K". */
static void print_page_size(struct line *line, uint64_t size)
{
	char text[KERMON_PAGE_SIZE_TEXT];

	kermon_page_size_text(size, text);
	line_char(line, ' ');
	line_text(line, text);
}

static int print_tail(struct script *script,
		      const struct kermon_profile_sample *sample,
		      uint64_t mask)
{
	struct line *line = &script->line;
	int err = 0;

	if (mask & FIELD_BIT(IREGS))
		print_registers(line, script->registers, &sample->registers);
	if (mask & FIELD_BIT(UREGS))
		print_registers(line, script->registers,
				&sample->user_registers);
	if (mask & (FIELD_BIT(BRSTACK) | FIELD_BIT(BRSTACKSYM)))
		err = script_branches(script, sample, mask);
	if (mask & FIELD_BIT(PHYS_ADDR))
		line_hex(line, sample->phys_addr, 16);
	if (mask & FIELD_BIT(DATA_PAGE_SIZE))
		print_page_size(line, sample->data_page_size);
	if (mask & FIELD_BIT(CODE_PAGE_SIZE))
		print_page_size(line, sample->code_page_size);
	line_char(line, '\n');
	return err;
}

int script_sample(struct script *script,
		  const struct kermon_profile_sample *sample)
{
	uint64_t mask = script->masks[sample->event->index];
	int err;

	if (!mask)
		return 0;
	print_head(script, sample, mask);
	err = print_event(script, sample, mask);
	if (!err)
		err = print_place(script, sample, mask);
	if (!err)
		err = print_tail(script, sample, mask);
	return err ? err : line_check();
}
