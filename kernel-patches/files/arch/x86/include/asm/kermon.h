/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KerMon: the performance counters between perf, user mode and kermon.ko.
 */
#ifndef _ASM_X86_KERMON_H
#define _ASM_X86_KERMON_H

#include <linux/types.h>

#ifdef CONFIG_SCHED_KERMON

extern bool kermon_counters_taken;

/*
 * Whether a process that perf lets execute RDPMC must not do so now. For
 * switch_mm(), which sets CR4.PCE.
 */
static inline bool kermon_denies_rdpmc(void)
{
	return READ_ONCE(kermon_counters_taken);
}

/**
 * kermon_take_counters() - keep user mode from reading the counters
 *
 * The caller has reserved the counters, so no event of perf counts and nobody
 * has mapped one. KerMon's counters run freely and add up what other tasks did.
 * When this returns no process can execute RDPMC, unless root lets all of them
 * (kermon_counters_public()).
 *
 * Context: Process context, irqs on.
 */
void kermon_take_counters(void);

/**
 * kermon_give_counters() - undo kermon_take_counters()
 *
 * The caller has cleared the counters and has not yet released them.
 *
 * Context: Process context, irqs on.
 */
void kermon_give_counters(void);

/**
 * kermon_clean_counters() - have nobody else write to the counters of this CPU
 *
 * perf leaves the counters of a removed event as they are, and marks them dirty.
 * switch_mm() to a process with RDPMC zeroes those marked. That comes after the
 * hook in prepare_task_switch() has read them for the begin of an interval. So
 * they are zeroed before KerMon reads any: once the counters are reserved, perf
 * marks no other one.
 *
 * Context: The counters are reserved. Irqs off.
 */
void kermon_clean_counters(void);

/**
 * kermon_counters_public() - whether every process may execute RDPMC
 *
 * Return: true if root has written 2 to /sys/bus/event_source/devices/cpu/rdpmc.
 */
bool kermon_counters_public(void);

#else

static inline bool kermon_denies_rdpmc(void)
{
	return false;
}

#endif /* CONFIG_SCHED_KERMON */

#endif /* _ASM_X86_KERMON_H */
