// SPDX-License-Identifier: GPL-2.0
/* Prints what a recording has counted when it has ended: kermon run --report. */
#include <errno.h>

#include "request.h"

int ended_print(const struct outcome *outcome, void *data)
{
	const struct request *request = data;
	char *const target[] = { (char *)request->target, NULL };
	struct kermon_report *report;
	struct totals totals = { 0 };
	const int err = totals_add(&totals, outcome, &report);
	const struct totals_view view = {
		.totals = &totals,
		.report = request->report == REPORT_THREADS ? report : NULL,
		.command = request->argv ? request->argv : target,
		.runs = 1,
		.out = stderr,
	};
	int printed = 0;

	if (!err || err == -EBADMSG)
		printed = totals_print_text(&view);
	kermon_report_free(report);
	return printed ? printed : err;
}
