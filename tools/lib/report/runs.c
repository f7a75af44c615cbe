// SPDX-License-Identifier: GPL-2.0
/*
 * The runs of a merged file, according to the notes that kermon_merge_write() left in
 * it.
 */
#include <inttypes.h>
#include <stdio.h>

#include "report_private.h"

bool kermon_report_run(const struct kermon_report *report, size_t index,
		       struct kermon_run *run)
{
	const char *note;
	char key[32];
	int at = 0;

	snprintf(key, sizeof(key), "run%zu", index + 1);
	note = kermon_report_note(report, key);
	if (!note || sscanf(note, "%u %u %" SCNu64 " %" SCNu64 " %lf %n",
			    &run->events, &run->dropped, &run->instructions,
			    &run->oncpu, &run->apart, &at) != 5 || !at)
		return false;
	run->file = note + at;
	return true;
}
