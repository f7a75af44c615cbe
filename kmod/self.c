// SPDX-License-Identifier: GPL-2.0
/*
 * What the system calls of a thread that reads its own counts do: they read the counters
 * in the middle of the open interval, which goes on.
 */
#include <linux/irqflags.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "page.h"
#include "pmu.h"
#include "sampler.h"
#include "self.h"
#include "session.h"

static u64 self_delta(const struct sampler_view *view, u32 i)
{
	return (view->now[i] - view->begin[i]) & view->set->pmu->image.mask;
}

static void self_show(const struct session *session, const struct sampler_view *view)
{
	page_begin(session, current, view->plan, view->set, view->tsc_begin,
		   view->begin);
}

/*
 * Counts start now, in the middle of an interval: with what makes them 0 by the same
 * arithmetic as later.
 */
static void self_start(const struct session *session, struct kermon_self *self,
		       const struct sampler_view *view)
{
	struct kermon_page *page = self->shown;
	u32 i;

	memset(page, 0, sizeof(*page));
	page->size = sizeof(*page);
	self->app = session->id;
	self->lost = false;
	page->oncpu = view->tsc_begin - view->tsc;
	self_show(session, view);
	for (i = 0; i < page->nr_values; i++) {
		page->sums[i] = -self_delta(view, i);
		if (self->rdpmc)
			page->offsets[i] += page->sums[i];
	}
}

int self_open(struct kermon_app *app, struct kermon_self *self)
{
	struct session *session = session_of(app);
	struct sampler_view view;

	lockdep_assert_irqs_disabled();
	if (self->app == session->id)
		return self->lost ? -EIO : 0;
	sampler_open(current);
	if (!sampler_peek(session, &view) || view.invalid)
		return -EBUSY;
	if (view.plan->kernel && !self->kernel)
		return -EACCES;
	/* From the end of this interval on, hooks update the page. */
	session_add_page(session);
	self_start(session, self, &view);
	return 0;
}

void self_close(struct kermon_app *app, struct kermon_self *self)
{
	struct session *session = session_of(app);
	unsigned long flags;

	local_irq_save(flags);
	if (self->app == session->id) {
		page_hide(self);
		session_remove_page(session);
	}
	local_irq_restore(flags);
}

static void self_sum_up(const struct kermon_page *page,
			const struct sampler_view *view,
			struct kermon_counts *counts)
{
	u32 i;

	memset(counts, 0, sizeof(*counts));
	counts->tsc = view->tsc;
	counts->oncpu = page->oncpu + view->tsc - view->tsc_begin;
	counts->plan = page->plan;
	counts->set = page->set;
	counts->set_id = page->set_id;
	counts->nr_fixed = page->nr_fixed;
	counts->nr_values = page->nr_values;
	for (i = 0; i < page->nr_values; i++)
		counts->values[i] = page->sums[i] + self_delta(view, i);
}

static bool self_belongs_to(const struct session *session)
{
	const struct kermon_app *app = rcu_dereference_sched(current->kermon.app);

	return app && session_of(app) == session;
}

static int self_read_here(struct session *session, struct kermon_self *self,
			  struct kermon_counts *counts)
{
	struct sampler_view view;

	lockdep_assert_irqs_disabled();
	if (self->app != session->id)
		return -ENOENT;
	if (self->lost)
		return -EIO;
	if (!sampler_peek(session, &view) || view.invalid) {
		page_hide(self);
		/* Whoever ends the monitoring does not wait for that. */
		self->lost = self_belongs_to(session);
		return self->lost ? -EIO : -ENOENT;
	}
	self_sum_up(self->shown, &view, counts);
	/* If a counter has moved, the page has been hidden. */
	if (!self->shown->sequence)
		self_show(session, &view);
	return 0;
}

int self_read(struct kermon_app *app, struct kermon_self *self,
	      struct kermon_counts *counts)
{
	unsigned long flags;
	int ret;

	local_irq_save(flags);
	ret = self_read_here(session_of(app), self, counts);
	local_irq_restore(flags);

	return ret;
}
