/* SPDX-License-Identifier: GPL-2.0 */
/* Reading with all damage collected, as in most tests. */
#ifndef TESTS_UNIT_COLLECTED_H
#define TESTS_UNIT_COLLECTED_H

#include <kermon/report.h>
#include <stdlib.h>

/* Options whose damages are to be freed by kermon_damages_free(). */
static inline struct kermon_report_options collected(void)
{
	struct kermon_report_options options = {
		.size = sizeof(options),
		.damages = kermon_damages_new(NULL, NULL),
	};

	if (!options.damages)
		abort();
	return options;
}

#endif /* TESTS_UNIT_COLLECTED_H */
