// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the counts of 'perf stat record', a line per event, thread and CPU.
 */
#include "script.h"

static void put_title(struct script *script)
{
	static const char *const numbers[] = { "VAL", "ENA", "RUN", "TIME" };

	line_text(&script->line, "CPU   THREAD");
	for (unsigned int i = 0; i < 4; i++) {
		line_char(&script->line, ' ');
		line_right(&script->line, numbers[i], 15);
	}
	line_text(&script->line, " EVENT\n");
}

static void put_number(struct script *script, uint64_t value)
{
	line_char(&script->line, ' ');
	line_decimal(&script->line, value, 15, ' ');
}

int script_count(struct script *script,
		 const struct kermon_profile_count *count)
{
	if (!script->has_counts)
		put_title(script);
	script->has_counts = true;
	line_signed(&script->line, count->cpu, 3);
	line_char(&script->line, ' ');
	line_signed(&script->line, count->tid, 8);
	put_number(script, count->value);
	put_number(script, count->enabled);
	put_number(script, count->running);
	put_number(script, count->time);
	line_char(&script->line, ' ');
	line_name(&script->line, count->event->name, 0);
	line_char(&script->line, '\n');
	return line_check();
}
