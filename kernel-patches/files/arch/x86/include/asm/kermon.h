/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KerMon: access to the performance counters by perf, user mode and kermon.ko.
 */
#ifndef _ASM_X86_KERMON_H
#define _ASM_X86_KERMON_H

#include <linux/compiler.h>
#include <linux/types.h>

#ifdef CONFIG_SCHED_KERMON

extern bool kermon_counters_taken;

/*
 * Whether RDPMC is denied even to processes to which perf grants it. Checked
 * where switch_mm() decides on CR4.PCE.
 */
static inline bool kermon_denies_rdpmc(void)
{
	return READ_ONCE(kermon_counters_taken);
}

/**
 * kermon_take_counters() - deny RDPMC in user mode from the next switch_mm() on
 *
 * The caller has reserved the counters, so no perf event is counting and no process has
 * one mapped. Follow up with kermon_take_cpu() on each CPU.
 */
void kermon_take_counters(void);

/**
 * kermon_take_cpu() - give KerMon exclusive use of the counters of this CPU
 *
 * Call on each CPU, including CPUs that come online later, before KerMon uses its
 * counters. Afterwards the process running here cannot execute RDPMC, unless root
 * allows that to all processes (kermon_counters_public()), and the counters that perf
 * has left dirty are zero. Otherwise perf would zero them in switch_mm() to a process
 * that may execute RDPMC, after the hook in prepare_task_switch() has read them. While
 * the counters are reserved, perf marks no more of them dirty.
 *
 * Context: Between kermon_take_counters() and kermon_give_counters(). Irqs off.
 */
void kermon_take_cpu(void);

/**
 * kermon_give_counters() - undo kermon_take_counters() on all CPUs
 *
 * The caller has cleared the counters but not yet released them.
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
