/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hooks: open and close the intervals of tasks and turn them into samples.
 */
#ifndef KERMON_SAMPLER_H
#define KERMON_SAMPLER_H

#include <linux/kermon.h>
#include <linux/types.h>

#include "pmu.h"
#include "session.h"

struct task_struct;

/* See the hooks of the same names in struct kermon_ops. */
void sampler_switch(struct task_struct *prev, struct task_struct *next,
		    enum kermon_reason reason);
void sampler_tick(struct task_struct *curr);
void sampler_close(struct task_struct *curr, enum kermon_reason reason);
void sampler_open(struct task_struct *curr);

/**
 * struct sampler_view - a look into an open interval, which goes on
 * @plan: the plan under which it was opened
 * @set: the set of @plan that is counted
 * @tsc_begin: TSC at its begin
 * @begin: the counters then, in the order of the set
 * @tsc: the TSC now
 * @now: the counters now
 * @invalid: not all has been counted, or one has advanced by more than it can have counted
 */
struct sampler_view {
	const struct session_plan *plan;
	const struct session_set *set;
	u64 tsc_begin;
	const u64 *begin;
	u64 tsc;
	u64 now[PMU_MAX_VALUES];
	bool invalid;
};

/*
 * Look into the open interval of current, a task of @session; false if there is none. The
 * counters may have moved: @begin is such that differences are right. Irqs off.
 */
bool sampler_peek(const struct session *session, struct sampler_view *view);

/*
 * @app, a struct kermon_app, has a new plan: close its interval on this CPU, if
 * one is open, and open another. Irqs off.
 */
void sampler_renew(void *app);

/* System resume, on the boot CPU with irqs off. */
void sampler_resume(void);

#endif /* KERMON_SAMPLER_H */
