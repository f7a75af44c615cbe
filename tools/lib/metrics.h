/* SPDX-License-Identifier: GPL-2.0 */
/* What the name of an event says about the meaning of its counts. */
#ifndef KERMON_METRICS_H
#define KERMON_METRICS_H

#include <kermon/report.h>

/**
 * metric_of - kind of an event, and operations for each count
 * @name: as recorded, with or without PMU prefix and modes
 * @metric: filled; its heading points to memory that stays
 */
void metric_of(const char *name, struct kermon_metric *metric);

#endif /* KERMON_METRICS_H */
