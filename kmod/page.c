// SPDX-License-Identifier: GPL-2.0
/*
 * The page of a thread is written by hooks and by its own system calls only, while the
 * thread is not in user mode. The exceptions: whoever moves a counter, and whoever ends the
 * monitoring, hides the page by setting its sequence to 0.
 */
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <asm/kermon.h>

#include "page.h"
#include "pmu.h"
#include "pmu_read.h"

struct kermon_self *page_self(const struct session *session,
			      const struct task_struct *task)
{
	struct kermon_self *self = rcu_dereference_sched(task->kermon.self);

	return self && self->app == session->id && !self->lost ? self : NULL;
}

/* The counts of another set are current from now on; keep those of the last one. */
static void page_turn(struct kermon_page *page, const struct session_set *set,
		      u32 index)
{
	u32 i;

	for (i = page->nr_fixed; i < page->nr_values; i++)
		page->turns[page->set][i - page->nr_fixed] = page->sums[i];
	page->set = index;
	page->set_id = set->header.sample.set_id;
	page->nr_values = set->pmu->image.nr_values;
	for (i = page->nr_fixed; i < page->nr_values; i++)
		page->sums[i] = page->turns[index][i - page->nr_fixed];
}

static u32 page_events_of(const struct session_set *set)
{
	return set->pmu->image.nr_values - set->pmu->image.nr_fixed;
}

/* Other things are counted from now on. */
static void page_replan(struct kermon_page *page, const struct session_plan *plan,
			const struct session_set *set, u32 index)
{
	u32 i;

	memset(page->sums, 0, sizeof(page->sums));
	memset(page->offsets, 0, sizeof(page->offsets));
	memset(page->turns, 0, sizeof(page->turns));
	page->plan = plan->serial;
	page->nr_sets = plan->nr_sets;
	page->nr_fixed = set->pmu->image.nr_fixed;
	page->nr_values = set->pmu->image.nr_values;
	page->set = index;
	page->set_id = set->header.sample.set_id;
	for (i = 0; i < KERMON_MAX_SETS; i++)
		page->nr_events[i] = i < plan->nr_sets ? page_events_of(&plan->sets[i]) : 0;
}

static void page_select(struct kermon_self *self, const struct session_plan *plan,
			const struct session_set *set)
{
	struct kermon_page *page = self->shown;
	u32 index = set - plan->sets;

	BUILD_BUG_ON(PMU_MAX_VALUES > KERMON_MAX_VALUES);
	if (unlikely(page->plan != plan->serial)) {
		page_replan(page, plan, set, index);
		self->lost |= plan->kernel && !self->kernel;
	}
	if (unlikely(page->set != index))
		page_turn(page, set, index);
}

/* One that no read has begun with: the number in its lower half takes hours to recur. */
static u64 page_next_sequence(struct kermon_self *self)
{
	const struct kermon_page *page = self->shown;
	const u64 counted = KERMON_COUNTED(page->plan, page->set);

	self->sequence = counted << 32 | (u32)(self->sequence + 1);
	return self->sequence;
}

/* Whether counts can be read from the page. Root may forbid RDPMC at any time. */
static bool page_has_rdpmc(const struct kermon_self *self)
{
	return self->rdpmc && !kermon_counters_denied();
}

/* What is in the page, but for the sequence, holds for this CPU from now on. */
static void page_show(struct kermon_self *self)
{
	const bool counts = self->shown->nr_values;
	u64 *sequence = &self->shown->sequence;

	if (counts && !page_has_rdpmc(self))
		return;
	__this_cpu_write(kermon_page_here, sequence);
	WRITE_ONCE(*sequence, page_next_sequence(self));
	/* Pairs with kermon_self_end(). It also comes before perf's next move is looked for. */
	smp_mb();
	if (unlikely((counts && pmu_moved()) || READ_ONCE(self->ended) == self->app))
		WRITE_ONCE(*sequence, 0);
}

/*
 * Whether a counter at @begin might wrap before the next tick that takes a sample: see
 * sampler_exceeds() for how fast it may be; a tick may be late. Then a thread does not see
 * its page: so it needs no mask.
 */
static bool page_may_wrap(const struct session_plan *plan, u64 begin, u64 mask)
{
	u64 most = (plan->interval << 8) + BIT_ULL(34);

	return begin > mask || mask - begin < most;
}

/*
 * Where to find the counts from now on. A thread without RDPMC must not see this: the
 * difference of two values of a counter tells what others did. False if it cannot be
 * shown.
 */
static bool page_fill(struct kermon_page *page, const struct session_plan *plan,
		      const struct pmu_image *image, const u64 *begin)
{
	const u32 *operands = pmu_operands(image);
	bool wraps = false;
	u32 i;

	for (i = 0; i < image->nr_values; i++) {
		page->offsets[i] = page->sums[i] - begin[i];
		page->rdpmc[i] = operands[i];
		wraps |= page_may_wrap(plan, begin[i], image->mask);
	}
	return !wraps;
}

void page_begin(const struct session *session, struct task_struct *task,
		const struct session_plan *plan, const struct session_set *set,
		u64 tsc, const u64 *begin)
{
	struct kermon_self *self = page_self(session, task);

	if (!self)
		return;
	page_select(self, plan, set);
	/* Nothing is written to a page whose thread may not see it. */
	if (self->lost)
		return;
	self->shown->tsc = tsc;
	if (!page_has_rdpmc(self) || page_fill(self->shown, plan, &set->pmu->image, begin))
		page_show(self);
}

void page_hide(struct kermon_self *self)
{
	WRITE_ONCE(self->shown->sequence, 0);
	__this_cpu_write(kermon_page_here, NULL);
}

void page_end(const struct session *session, struct task_struct *task,
	      const struct kermon_sample *sample)
{
	struct kermon_self *self = page_self(session, task);
	struct kermon_page *page;
	u32 i;

	if (!self)
		return;
	page = self->shown;
	page_hide(self);
	if (unlikely(sample->record.type == KERMON_RECORD_INVALID))
		self->lost = true;
	page->oncpu += sample->oncpu;
	for (i = 0; i < page->nr_values; i++)
		page->sums[i] += sample->values[i];
}

void page_lose(const struct session *session, struct task_struct *task)
{
	struct kermon_self *self = page_self(session, task);

	if (!self)
		return;
	self->lost = true;
	page_hide(self);
}
