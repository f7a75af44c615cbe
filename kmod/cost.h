/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cost of register accesses on this machine, for a model of the cost of a
 * switch.
 */
#ifndef KERMON_COST_H
#define KERMON_COST_H

#include <linux/kermon.h>
#include <linux/types.h>

#define COST_RUNS	64	/* independent measurements */
#define COST_ACCESSES	16	/* per run, with interrupts off */

/*
 * Measure COST_RUNS runs of @kind on this CPU, each in TSC cycles. Returns
 * -EOPNOTSUPP if this machine has no such access. The caller has borrowed the
 * PMU and disabled migration. Process context; may sleep.
 */
int cost_measure(enum kermon_access kind, u32 *cycles);

#endif /* KERMON_COST_H */
