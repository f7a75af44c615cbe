// SPDX-License-Identifier: GPL-2.0
/* Counting without perf; see pmu_raw.h. */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/smp.h>
#include <asm/kermon.h>
#include <asm/nmi.h>

#include "pmu_raw.h"

/* CPUs that have been taken over; each sets and clears its own bit. */
static struct cpumask pmu_raw_taken;

/* Not on the last steps to offline, where tasks that cannot migrate still run. */
static DEFINE_PER_CPU(bool, pmu_raw_is_online);

static u32 pmu_raw_selector(u32 counter)
{
	return pmu_model.selector + counter * pmu_model.stride;
}

static u32 pmu_raw_counter(u32 counter)
{
	return pmu_model.counter + counter * pmu_model.stride;
}

static void pmu_raw_release_first(u32 nr_selectors, u32 nr_counters)
{
	while (nr_selectors--)
		release_evntsel_nmi(pmu_raw_selector(nr_selectors));
	while (nr_counters--)
		release_perfctr_nmi(pmu_raw_counter(nr_counters));
}

/*
 * On Intel it is the selectors that exclude perf: perf reserves the counters by
 * their full-width addresses, which the kernel's bitmap does not cover. Fixed
 * counters have no reservation of their own; perf takes all or nothing. Both
 * reserve functions return 1 for success.
 */
int pmu_raw_reserve(void)
{
	u32 i;

	for (i = 0; i < pmu_model.nr_general; i++) {
		if (!reserve_perfctr_nmi(pmu_raw_counter(i))) {
			pmu_raw_release_first(i, i);
			return -EBUSY;
		}
		if (!reserve_evntsel_nmi(pmu_raw_selector(i))) {
			pmu_raw_release_first(i, i + 1);
			return -EBUSY;
		}
	}
	return 0;
}

void pmu_raw_release(void)
{
	pmu_raw_release_first(pmu_model.nr_general, pmu_model.nr_general);
}

int pmu_raw_take(void)
{
	int ret = pmu_raw_reserve();

	if (!ret)
		kermon_take_counters();
	return ret;
}

/* Do not leak the activity of others to whoever may execute RDPMC next. */
static void pmu_raw_clear_counters(void)
{
	u32 i;

	for (i = 0; i < pmu_model.nr_general; i++)
		wrmsrl(pmu_raw_counter(i), 0);
	for (i = 0; i < pmu_model.nr_fixed; i++)
		wrmsrl(MSR_CORE_PERF_FIXED_CTR0 + i, 0);
}

/* Save the registers of this CPU. */
static bool pmu_raw_take_cpu(struct pmu_cpu *cpu)
{
	u32 i;

	if (!__this_cpu_read(pmu_raw_is_online))
		return false;
	kermon_take_cpu();
	for (i = 0; i < pmu_model.nr_regs; i++)
		rdmsrl(pmu_model.regs[i], cpu->found[i]);
	if (pmu_model.status)
		rdmsrl(pmu_model.status, cpu->found_status);
	cpumask_set_cpu(smp_processor_id(), &pmu_raw_taken);
	cpu->ours = true;
	pmu_forget();
	return true;
}

/*
 * Release this CPU and restore its registers, except for the counters, which have
 * run freely and may have wrapped: perf must not mistake our overflows for its
 * own.
 */
static void pmu_raw_give_cpu(void *unused)
{
	struct pmu_cpu *cpu = this_cpu_ptr(&pmu_cpu);
	u64 status;
	u32 i;

	lockdep_assert_irqs_disabled();
	for (i = 0; i < pmu_model.nr_regs; i++)
		wrmsrl(pmu_model.regs[i], cpu->found[i]);
	if (pmu_model.status) {
		rdmsrl(pmu_model.status, status);
		if (status & ~cpu->found_status)
			wrmsrl(pmu_model.ack, status & ~cpu->found_status);
	}
	pmu_raw_clear_counters();
	cpumask_clear_cpu(smp_processor_id(), &pmu_raw_taken);
	cpu->ours = false;
	pmu_forget();
}

void pmu_raw_give(void)
{
	cpus_read_lock();
	on_each_cpu_mask(&pmu_raw_taken, pmu_raw_give_cpu, NULL, true);
	cpus_read_unlock();
	kermon_give_counters();
	pmu_raw_release();
}

/*
 * Where the counters cannot be stopped all at once, a selector is tried without
 * its modes, so that it counts nothing.
 */
static u64 pmu_raw_trial(const struct pmu_image *image, u32 reg)
{
	if (pmu_model.status || reg < pmu_model.first_selector)
		return image->regs[reg];
	return image->regs[reg] & ~(EVENT_USR | EVENT_OS);
}

/*
 * An emulated PMU may not support every event, and reports that only by not
 * keeping the value of the selector. The counters are stopped meanwhile, so
 * counting on this CPU misses only these few kernel instructions of the caller.
 */
bool pmu_raw_keeps(const struct pmu_image *image)
{
	u32 i, nr_regs = pmu_model.nr_regs;
	u64 saved[PMU_MAX_REGS], value;
	bool keeps = true;
	unsigned long flags;

	local_irq_save(flags);
	for (i = 0; i < nr_regs; i++)
		rdmsrl(pmu_model.regs[i], saved[i]);
	if (pmu_model.status)
		wrmsrl(pmu_model.regs[--nr_regs], 0);
	for (i = 0; i < nr_regs; i++) {
		wrmsrl(pmu_model.regs[i], pmu_raw_trial(image, i));
		rdmsrl(pmu_model.regs[i], value);
		keeps &= value == pmu_raw_trial(image, i);
	}
	for (i = 0; i < pmu_model.nr_regs; i++)
		wrmsrl(pmu_model.regs[i], saved[i]);
	local_irq_restore(flags);
	return keeps;
}

bool pmu_raw_program(const struct pmu_image *image)
{
	struct pmu_cpu *cpu = this_cpu_ptr(&pmu_cpu);
	u32 i;

	lockdep_assert_irqs_disabled();
	if (!cpu->ours && !pmu_raw_take_cpu(cpu))
		return false;
	for (i = 0; i < pmu_model.nr_regs; i++) {
		if (cpu->held && cpu->regs[i] == image->regs[i])
			continue;
		wrmsrl(pmu_model.regs[i], image->regs[i]);
		cpu->regs[i] = image->regs[i];
	}
	return true;
}

void pmu_raw_online(void)
{
	this_cpu_write(pmu_raw_is_online, true);
}

void pmu_raw_offline(void)
{
	unsigned long flags;

	local_irq_save(flags);
	__this_cpu_write(pmu_raw_is_online, false);
	if (cpumask_test_cpu(smp_processor_id(), &pmu_raw_taken))
		pmu_raw_give_cpu(NULL);
	local_irq_restore(flags);
}
