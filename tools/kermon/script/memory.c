// SPDX-License-Identifier: GPL-2.0
/*
 * Prints PERF_SAMPLE_DATA_SRC as perf script does: "|OP LOAD|LVL L1 hit|SNP None...".
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "script.h"

/* Size of perf's buffer, to which it truncates the text. */
#define TEXT_ROOM	100

static void put_source(FILE *out, uint64_t source)
{
	static const struct {
		const char *name;
		enum kermon_memory part;
	} parts[] = {
		{ "|OP ", KERMON_MEMORY_OPERATION },
		{ "|LVL ", KERMON_MEMORY_LEVEL },
		{ "|SNP ", KERMON_MEMORY_SNOOP },
		{ "|TLB ", KERMON_MEMORY_TRANSLATION },
		{ "|LCK ", KERMON_MEMORY_LOCK },
		{ "|BLK  ", KERMON_MEMORY_BLOCKED },
	};

	fprintf(out, "%16" PRIx64 " ", source);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		fputs(parts[i].name, out);
		kermon_memory_print(out, parts[i].part, source);
	}
}

int script_memory(struct script *script, uint64_t source)
{
	char text[TEXT_ROOM] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");
	size_t size;

	if (!out)
		return -ENOMEM;
	put_source(out, source);
	fclose(out);
	size = strlen(text);
	if (size > script->memory_width)
		script->memory_width = size;
	line_left(&script->line, text, script->memory_width);
	return 0;
}
