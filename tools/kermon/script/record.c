// SPDX-License-Identifier: GPL-2.0
/*
 * Prints records other than samples: the side-band, switches and losses.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "script.h"

static bool is_wanted(const struct script *script,
		      const struct kermon_profile_record *record)
{
	return record->type < 32 && script->records & 1U << record->type;
}

static void print_head(struct script *script,
		       const struct kermon_profile_record *record)
{
	uint64_t mask = script->masks[record->event->index];
	const struct script_head head = {
		.comm = record->comm,
		.mask = mask,
		.time = record->time,
		.pid = record->pid,
		.tid = record->tid,
		.cpu = record->cpu,
		.type = record->type,
		.misc = record->misc,
		.has_frames = script_has_frames(script, record->event, mask),
	};

	script_head(script, &head);
}

int script_record(struct script *script,
		  const struct kermon_profile_record *record)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out;
	bool is_whole;

	if (!is_wanted(script, record))
		return 0;
	out = open_memstream(&text, &size);
	if (!out)
		return -ENOMEM;
	is_whole = kermon_profile_record_text(record, out);
	if (!fclose(out) && is_whole) {
		print_head(script, record);
		line_bytes(&script->line, text, size);
	}
	free(text);
	return line_check();
}
