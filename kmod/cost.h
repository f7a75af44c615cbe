/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What accesses to registers take on this machine, for a model of what a switch
 * costs.
 */
#ifndef KERMON_COST_H
#define KERMON_COST_H

#include <linux/kermon.h>
#include <linux/types.h>

#define COST_RUNS	64	/* of which one tells no more than another */
#define COST_ACCESSES	16	/* in a run, and so long are interrupts off */

/*
 * Times COST_RUNS runs of @kind on this CPU, each in TSC cycles. -EOPNOTSUPP if
 * this machine has no such access. The caller has borrowed the PMU and cannot be
 * migrated. Process context; may sleep.
 */
int cost_measure(enum kermon_access kind, u32 *cycles);

#endif /* KERMON_COST_H */
