/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counting without perf: KerMon reserves the PMU as a whole and writes its registers.
 *
 * A CPU is taken over when a monitored task first runs there, by the hook that programs
 * it. So CPUs to which no such task comes are never disturbed, and nothing is
 * missed where one does.
 */
#ifndef KERMON_PMU_RAW_H
#define KERMON_PMU_RAW_H

#include <linux/types.h>

#include "pmu.h"

/*
 * Reserve the counters, excluding perf and others, or return -EBUSY; undo that.
 * Process context.
 */
int pmu_raw_reserve(void);
void pmu_raw_release(void);

/* Reserve them and deny RDPMC to others; undo both. No CPU is taken over yet. May sleep. */
int pmu_raw_take(void);
void pmu_raw_give(void);

/*
 * Whether the PMU supports the events of @image, by trying. The PMU is reserved. Any
 * context but NMI.
 */
bool pmu_raw_keeps(const struct pmu_image *image);

/*
 * Program @image on this CPU, writing only registers that differ; false if this CPU is
 * about to go offline. Irqs off.
 */
bool pmu_raw_program(const struct pmu_image *image);

/* This CPU has come online, or is about to go offline. In a thread bound to it. */
void pmu_raw_online(void);
void pmu_raw_offline(void);

#endif /* KERMON_PMU_RAW_H */
