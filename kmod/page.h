/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The page from which a thread reads its own counts (struct kermon_page): what hooks do
 * with it. It is *shown* while the thread runs and an interval of it is open.
 */
#ifndef KERMON_PAGE_H
#define KERMON_PAGE_H

#include <linux/kermon.h>
#include <linux/kermon_self.h>
#include <linux/types.h>

#include "session.h"

struct pmu_image;
struct task_struct;

/*
 * What @task, a task of @session, reads its counts by; NULL if it does not, or if some have
 * been lost. Irqs off.
 */
struct kermon_self *page_self(const struct session *session,
			      const struct task_struct *task);

/*
 * An interval of @task has begun at @tsc, with the counters of this CPU at @begin: show
 * its page. Irqs off.
 */
void page_begin(const struct session *session, struct task_struct *task,
		const struct session_plan *plan, const struct session_set *set,
		u64 tsc, const u64 *begin);

/* The interval of @task has ended as @sample says: hide its page. Irqs off. */
void page_end(const struct session *session, struct task_struct *task,
	      const struct kermon_sample *sample);

/* Until page_begin(). Irqs off, @self is that of current. */
void page_hide(struct kermon_self *self);

/* What @task executes from now on, or has just executed, is not counted. Irqs off. */
void page_lose(const struct session *session, struct task_struct *task);

#endif /* KERMON_PAGE_H */
