/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module has for an application: its sets, its log, its samples.
 */
#ifndef KERMON_SESSION_H
#define KERMON_SESSION_H

#include <linux/kermon.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include "log.h"
#include "pmu.h"

/**
 * struct session_group - one of the sets that take turns, or the only one
 * @set: what the CPUs count for it
 * @set_id: the caller's label
 * @nr_events: programmed events in a sample
 * @sample_size: bytes of each of its samples
 */
struct session_group {
	struct pmu_set *set;
	u32 set_id;
	u8 nr_events;
	u16 sample_size;
};

/**
 * struct session_plan - what is counted for an application, until that is changed
 * @interval: TSC cycles without a sample after which a tick takes one
 * @rotate_ns: time of a task on the CPU after which it is the next group's turn
 * @nr_groups: length of @groups
 * @groups: what takes turns
 */
struct session_plan {
	u64 interval;
	u64 rotate_ns;
	u32 nr_groups;
	struct session_group groups[KERMON_MAX_SETS];
};

/**
 * struct session - kermon_app.log
 * @id: number of the application
 * @plan: RCU; hooks, with irqs off, read it when they open an interval
 * @nr_fixed: fixed counters in a sample
 * @nr_domains: energy domains in a sample: none, or all that there are
 * @domains: they as bits
 * @uid: who started the monitoring
 * @log: where its samples go
 */
struct session {
	u32 id;
	struct session_plan __rcu *plan;
	u8 nr_fixed;
	u8 nr_domains;
	u8 domains;
	kuid_t uid;
	struct log log;
};

/* See app_open, app_close and app_change of struct kermon_ops. */
int session_open(struct kermon_app *app);
void session_close(struct kermon_app *app);
int session_change(struct kermon_app *app, const struct kermon_event_set *set,
		   const struct kermon_group *groups);

static inline struct session *session_of(const struct kermon_app *app)
{
	return app->log;
}

#endif /* KERMON_SESSION_H */
