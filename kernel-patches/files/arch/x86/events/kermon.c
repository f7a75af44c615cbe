// SPDX-License-Identifier: GPL-2.0
/*
 * KerMon: access to the performance counters by perf, user mode and kermon.ko.
 *
 * perf tracks in mm_context_t.perf_rdpmc_allowed how many events a process has
 * mapped, and sets CR4.PCE if that is not 0. fork() copies the count with the
 * rest of the mm, but not the mappings, so the child of a process that has
 * mapped an event can execute RDPMC for its whole lifetime. KerMon therefore
 * does not rely on the count.
 */
#include <linux/cache.h>
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/jump_label.h>
#include <linux/lockdep.h>
#include <linux/mmu_context.h>
#include <linux/smp.h>
#include <asm/kermon.h>
#include <asm/perf_event.h>

bool kermon_counters_taken __read_mostly;

void kermon_take_counters(void)
{
	WRITE_ONCE(kermon_counters_taken, true);
}
EXPORT_SYMBOL_GPL(kermon_take_counters);

void kermon_take_cpu(void)
{
	lockdep_assert_irqs_disabled();
	cr4_update_pce(NULL);
	perf_clear_dirty_counters();
}
EXPORT_SYMBOL_GPL(kermon_take_cpu);

void kermon_give_counters(void)
{
	WRITE_ONCE(kermon_counters_taken, false);
	on_each_cpu(cr4_update_pce, NULL, 1);
}
EXPORT_SYMBOL_GPL(kermon_give_counters);

bool kermon_counters_public(void)
{
	return static_key_enabled(&rdpmc_always_available_key);
}
EXPORT_SYMBOL_GPL(kermon_counters_public);
