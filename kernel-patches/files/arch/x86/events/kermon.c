// SPDX-License-Identifier: GPL-2.0
/*
 * KerMon: the performance counters between perf, user mode and kermon.ko.
 *
 * perf counts in mm_context_t.perf_rdpmc_allowed how many events a process has
 * mapped, and sets CR4.PCE where that is not 0. fork() copies the number with
 * the rest of the mm, but not the mappings: the child of a process that has
 * mapped an event has RDPMC for life. KerMon therefore does not rely on it.
 */
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/jump_label.h>
#include <linux/lockdep.h>
#include <linux/smp.h>
#include <asm/kermon.h>
#include <asm/mmu_context.h>
#include <asm/perf_event.h>

bool kermon_counters_taken __read_mostly;

/* On each CPU, for the process that runs there; others are seen to as they come. */
static void kermon_set_taken(bool taken)
{
	WRITE_ONCE(kermon_counters_taken, taken);
	on_each_cpu(cr4_update_pce, NULL, 1);
}

void kermon_take_counters(void)
{
	kermon_set_taken(true);
}
EXPORT_SYMBOL_GPL(kermon_take_counters);

void kermon_give_counters(void)
{
	kermon_set_taken(false);
}
EXPORT_SYMBOL_GPL(kermon_give_counters);

void kermon_clean_counters(void)
{
	lockdep_assert_irqs_disabled();
	perf_clear_dirty_counters();
}
EXPORT_SYMBOL_GPL(kermon_clean_counters);

bool kermon_counters_public(void)
{
	return static_key_enabled(&rdpmc_always_available_key);
}
EXPORT_SYMBOL_GPL(kermon_counters_public);
