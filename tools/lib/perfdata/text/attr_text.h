/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KERMON_PERFDATA_ATTR_TEXT_H
#define KERMON_PERFDATA_ATTR_TEXT_H

#include <linux/perf_event.h>
#include <stdio.h>

/* "type 1, size 128, config 0x0, ...": what is 0 is left out. */
void attr_text(FILE *out, const struct perf_event_attr *attr);

#endif /* KERMON_PERFDATA_ATTR_TEXT_H */
