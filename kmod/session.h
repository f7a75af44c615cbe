/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per-application state of the module: its sets, its log, the layout of its
 * samples.
 *
 * The words: a *request* (struct kermon_event_set) is the argument of set_events(): how
 * to sample, and one or more sets. A *set* are events that are counted at the same
 * time, and the label of their samples: as asked for (struct kermon_set), as one
 * application counts it (struct session_set), and as the PMU counts it for all
 * applications that ask for the same (struct pmu_set), with the *image* of its registers
 * (struct pmu_image). The *plan* of an application (struct session_plan) has all its sets,
 * which take turns; a change replaces it as a whole.
 */
#ifndef KERMON_SESSION_H
#define KERMON_SESSION_H

#include <linux/cpumask.h>
#include <linux/kermon.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include "log.h"
#include "pmu.h"

/**
 * union session_header - a sample without its values, also as hooks copy it
 * @sample: the sample
 * @words: the same
 */
union session_header {
	struct kermon_sample sample;
	u64 words[sizeof(struct kermon_sample) / sizeof(u64)];
};

/**
 * struct session_set - one of the rotated sets, or the only one
 * @pmu: what the CPUs count for it
 * @header: what all its samples have in common
 */
struct session_set {
	struct pmu_set *pmu;
	union session_header header;
};

/**
 * struct session_plan - what is counted for an application; replaced as a whole
 * @interval: TSC cycles without a sample after which a tick takes one
 * @rotate_ns: CPU time of a task before rotation to the next set
 * @nr_sets: length of @sets
 * @sets: the sets to rotate
 */
struct session_plan {
	u64 interval;
	u64 rotate_ns;
	u32 nr_sets;
	struct session_set sets[KERMON_MAX_SETS];
};

/**
 * struct session - kermon_app.session
 * @id: id of the application
 * @plan: RCU; read by hooks, with irqs off, when they open an interval; NULL once revoked
 * @nr_domains: energy domains in a sample: none, or all of this machine
 * @domains: the same as a bit mask
 * @uid: user who started the monitoring
 * @log: where its samples are written
 */
struct session {
	u32 id;
	struct session_plan __rcu *plan;
	u8 nr_domains;
	u8 domains;
	kuid_t uid;
	struct log log;
};

/* See app_open, app_close, app_change, app_cover and app_revoke of struct kermon_ops. */
int session_open(struct kermon_app *app, const struct cpumask *cpus);
void session_close(struct kermon_app *app);
int session_change(struct kermon_app *app, const struct kermon_event_set *request,
		   const struct kermon_set *sets, const struct cpumask *cpus);
void session_cover(struct kermon_app *app, const struct cpumask *cpus);
void session_revoke(struct kermon_app *app, bool cut);

static inline struct session *session_of(const struct kermon_app *app)
{
	return app->session;
}

#endif /* KERMON_SESSION_H */
