/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KerMon: the permission of threads, rather than of processes, to execute RDPMC in user
 * mode: TIF_RDPMC.
 */
#ifndef _ASM_X86_KERMON_RDPMC_H
#define _ASM_X86_KERMON_RDPMC_H

#include <linux/jump_label.h>
#include <linux/mmu_context.h>
#include <linux/percpu.h>
#include <linux/thread_info.h>
#include <linux/types.h>
#include <asm/processor-flags.h>
#include <asm/tlbflush.h>

struct task_struct;

#ifdef CONFIG_SCHED_KERMON

/*
 * Whether current may execute RDPMC, whatever its mm permits. Nobody may if root has written
 * 0 to /sys/bus/event_source/devices/cpu/rdpmc; CR4 of all CPUs is updated then.
 */
static inline bool kermon_permits_rdpmc(void)
{
	return test_thread_flag(TIF_RDPMC) &&
	       !static_branch_unlikely(&rdpmc_never_available_key);
}

/*
 * Whether CR4.PCE has to be cleared, as the mm does not permit RDPMC: not if it is clear
 * already, which saves each switch of mm a call. Irqs off.
 */
static inline bool kermon_clears_pce(void)
{
	return this_cpu_read(cpu_tlbstate.cr4) & X86_CR4_PCE &&
	       !kermon_permits_rdpmc();
}

/**
 * kermon_permit_rdpmc() - let the current thread execute RDPMC in user mode
 *
 * Until kermon_forbid_rdpmc(); new threads do not inherit it. It then reads what the counters
 * of its CPU count, for other tasks, too.
 *
 * Context: Process context.
 */
void kermon_permit_rdpmc(void);

/**
 * kermon_forbid_rdpmc() - undo kermon_permit_rdpmc() for the current thread
 *
 * Context: Process context.
 */
void kermon_forbid_rdpmc(void);

/* In fork: @p has been copied from current, and has not run yet. */
static inline void kermon_fork_rdpmc(struct task_struct *p)
{
	clear_ti_thread_flag(task_thread_info(p), TIF_RDPMC);
}

#else

static inline bool kermon_permits_rdpmc(void)
{
	return false;
}

static inline bool kermon_clears_pce(void)
{
	return true;
}

static inline void kermon_fork_rdpmc(struct task_struct *p) { }

#endif /* CONFIG_SCHED_KERMON */

#endif /* _ASM_X86_KERMON_RDPMC_H */
