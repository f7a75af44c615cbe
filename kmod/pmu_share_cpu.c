// SPDX-License-Identifier: GPL-2.0
/*
 * What hooks do with the events of their CPU: program them, and read their counters,
 * which perf may have moved; see pmu_share.h.
 */
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/smp.h>

#include "pmu_read.h"
#include "pmu_share.h"

DEFINE_PER_CPU(struct pmu_share_cpu, pmu_share_cpu);

struct cpumask pmu_share_missed;

bool pmu_share_is_missed(void)
{
	return !cpumask_empty(&pmu_share_missed);
}

void pmu_share_own(bool ours)
{
	if (__this_cpu_read(pmu_cpu.ours) == ours)
		return;
	__this_cpu_write(pmu_cpu.ours, ours);
	pmu_forget();
}

static bool pmu_share_find(struct pmu_share_cpu *cpu, u32 i, u64 *begin)
{
	u64 before = cpu->offset[i];

	/* A place that is vacant. */
	if (!cpu->events[i])
		return true;
	if (!kermon_find_event(cpu->events[i], &cpu->rdpmc[i], &cpu->offset[i]))
		return false;
	if (begin)
		begin[i] += before - cpu->offset[i];
	return true;
}

static bool pmu_share_find_all(struct pmu_share_cpu *cpu, u64 *begin)
{
	u32 i, nr = READ_ONCE(cpu->nr);
	bool found = true;

	for (i = 0; i < nr; i++)
		found &= pmu_share_find(cpu, i, begin);
	return found;
}

/* The event of a place, if hooks know it. */
static struct perf_event *pmu_share_event(const struct pmu_share_cpu *cpu, u32 value)
{
	return cpu->known & BIT(value) ? cpu->placed[value] : NULL;
}

/*
 * An event that does not count, or a move meanwhile, is found when the counters
 * are read.
 */
static void pmu_share_reorder(struct pmu_share_cpu *cpu, u64 order, u32 nr_fixed)
{
	u32 i, nr = READ_ONCE(cpu->nr);

	for (i = nr_fixed; i < nr; i++) {
		cpu->events[i] = pmu_share_event(cpu, pmu_share_value(order, nr_fixed, i));
		pmu_share_find(cpu, i, NULL);
	}
	cpu->order = order;
}

void pmu_share_learn(struct pmu_share_cpu *cpu, u32 values, const struct pmu_image *image)
{
	u32 i;

	lockdep_assert_irqs_disabled();
	cpu->known = values;
	for (i = 0; i < image->nr_fixed; i++)
		cpu->events[i] = cpu->placed[i];
	for (; i < image->nr_values; i++)
		cpu->events[i] = pmu_share_event(cpu, pmu_share_value(cpu->order,
								      image->nr_fixed, i));
	cpu->nr = image->nr_values;
}

bool pmu_share_has_all(const struct pmu_share_cpu *cpu)
{
	u32 rdpmc, i;
	u64 offset;

	for (i = 0; i < PMU_MAX_VALUES; i++)
		if (cpu->known & BIT(i) &&
		    !kermon_find_event(cpu->placed[i], &rdpmc, &offset))
			return false;
	return true;
}

static void pmu_share_give_up(struct pmu_share_cpu *cpu)
{
	cpu->lost = true;
	pmu_share_own(false);
	pmu_lost();
}

/*
 * This CPU has no events, and a hook cannot create any. Let each reading come to
 * pmu_share_settle(), which makes samples invalid, until the worker has created them.
 */
static bool pmu_share_go_blind(struct pmu_share_cpu *cpu)
{
	cpu->lost = true;
	cpu->moves = this_cpu_read(kermon_event_moves) - 1;
	if (!READ_ONCE(cpu->tried))
		cpumask_set_cpu(smp_processor_id(), &pmu_share_missed);
	pmu_lost();
	return true;
}

bool pmu_share_program(const struct pmu_set *set)
{
	struct pmu_share_cpu *cpu = this_cpu_ptr(&pmu_share_cpu);
	const struct pmu_image *image = &set->image;
	u32 nr_fixed = image->nr_fixed;

	cpu->counted = set->id;
	if (unlikely(!__this_cpu_read(pmu_cpu.ours)))
		return !cpu->nr && pmu_share_go_blind(cpu);
	/* The counter of an event may by now be that of another. */
	if (unlikely(this_cpu_read(kermon_event_moves) != cpu->moves) &&
	    !pmu_share_has_all(cpu)) {
		pmu_share_give_up(cpu);
		return false;
	}
	if (unlikely(cpu->order != set->order))
		pmu_share_reorder(cpu, set->order, nr_fixed);
	if (nr_fixed && cpu->modes != image->selectors[0]) {
		kermon_change_modes(cpu->events, nr_fixed, image->selectors[0]);
		cpu->modes = image->selectors[0];
	}
	kermon_change_events(cpu->events + nr_fixed,
			     image->selectors + nr_fixed,
			     image->nr_values - nr_fixed);
	return true;
}

void pmu_share_resume(void)
{
	struct pmu_share_cpu *cpu = this_cpu_ptr(&pmu_share_cpu);

	lockdep_assert_irqs_disabled();
	if (cpu->known)
		kermon_restore_events(cpu->placed[__ffs(cpu->known)]);
}

static void pmu_share_lose(struct pmu_share_cpu *cpu, bool found)
{
	cpu->lost = false;
	if (found)
		return;
	/* Come here at each further reading. */
	cpu->moves--;
	pmu_share_give_up(cpu);
}

/* An NMI may come at any point: the same again, which is right for any mixture. */
bool pmu_share_settle(u32 from, u32 to, u64 *begin, u64 *values)
{
	struct pmu_share_cpu *cpu = this_cpu_ptr(&pmu_share_cpu);
	bool found;

	lockdep_assert_irqs_disabled();
	/* Nothing is counted; or there is nothing to read, and without events nothing to find. */
	if (!to || (from == to && !cpu->nr))
		return true;
	do {
		cpu->moves = this_cpu_read(kermon_event_moves);
		barrier();
		found = pmu_share_find_all(cpu, begin) && cpu->nr >= to &&
			!cpu->reset;
		pmu_rdpmc(cpu->rdpmc, from, to, values);
		barrier();
	} while (cpu->moves != this_cpu_read(kermon_event_moves));
	if (likely(found && !cpu->lost))
		return true;
	pmu_share_lose(cpu, found);
	return false;
}

/* The end of the interval has to find again what has been lost. */
bool pmu_share_peek(u32 nr, u64 *begin, u64 *values)
{
	struct pmu_share_cpu *cpu = this_cpu_ptr(&pmu_share_cpu);

	if (pmu_share_settle(0, nr, begin, values))
		return true;
	cpu->lost = true;
	cpu->moves = this_cpu_read(kermon_event_moves) - 1;
	return false;
}
