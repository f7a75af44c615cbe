/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KerMon: the performance counters between perf, user mode and kermon.ko.
 */
#ifndef _ASM_X86_KERMON_H
#define _ASM_X86_KERMON_H

#include <linux/compiler.h>
#include <linux/types.h>

#ifdef CONFIG_SCHED_KERMON

extern bool kermon_counters_taken;

/*
 * Whether RDPMC is denied even to processes that perf allows it. Used where
 * switch_mm() decides on CR4.PCE.
 */
static inline bool kermon_denies_rdpmc(void)
{
	return READ_ONCE(kermon_counters_taken);
}

/**
 * kermon_take_counters() - deny RDPMC to user mode from the next switch_mm() on
 *
 * The caller has reserved the counters, so no event of perf counts and nobody has
 * mapped one. kermon_take_cpu() follows on each CPU.
 */
void kermon_take_counters(void);

/**
 * kermon_take_cpu() - make the counters of this CPU KerMon's alone
 *
 * To be called on each CPU, also when it comes online later, before its counters
 * count for KerMon. When it returns, the process that runs here cannot execute
 * RDPMC, unless root lets all of them (kermon_counters_public()), and the counters
 * that perf has left dirty are zeroed: perf would zero them in switch_mm() to a
 * process with RDPMC, which comes after the hook in prepare_task_switch() has read
 * them. While the counters are reserved, perf marks no more of them dirty.
 *
 * Context: Between kermon_take_counters() and kermon_give_counters(). Irqs off.
 */
void kermon_take_cpu(void);

/**
 * kermon_give_counters() - undo kermon_take_counters() on all CPUs
 *
 * The caller has cleared the counters and has not yet released them.
 *
 * Context: Process context, irqs on.
 */
void kermon_give_counters(void);

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
