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

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/kermon.h>
#include <linux/spinlock_types.h>
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
 * @serial: number of this plan, of all applications
 * @kernel: kernel mode is counted, too
 * @nr_sets: length of @sets
 * @sets: the sets to rotate
 */
struct session_plan {
	u64 interval;
	u64 rotate_ns;
	u32 serial;
	bool kernel;
	u32 nr_sets;
	struct session_set sets[KERMON_MAX_SETS];
};

#define SESSION_ENERGY	BIT(0)
#define SESSION_PAGES	BIT(1)	/* threads read their own counts */
#define SESSION_NEVER	0xff	/* no number of domains */

/**
 * struct session - kermon_app.session
 * @id: id of the application
 * @plan: RCU; read by hooks, with irqs off, when they open an interval; NULL once revoked
 * @nr_domains: energy domains in a sample: none, or all of this machine
 * @domains: the same as a bit mask
 * @extras: what hooks do for each interval besides counting, SESSION_*
 * @gives: compared with @takes of the next session when an interval ends, to learn in a
 *	single step whether a task of that may begin where this one ends, and if nothing
 *	else is to be done: then both are the number of energy domains
 * @takes: see @gives; never equal if there are pages
 * @pages_lock: protects @nr_pages, and changes of @extras and @takes. Hooks look at these
 *	without it: a thread with a page has set them itself, on its way to the page
 * @nr_pages: threads that read their own counts
 * @uid: user who started the monitoring
 * @log: where its samples are written
 */
struct session {
	u32 id;
	struct session_plan __rcu *plan;
	u8 nr_domains;
	u8 domains;
	u8 extras;
	u8 gives;
	u8 takes;
	raw_spinlock_t pages_lock;
	unsigned int nr_pages;
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

static __always_inline u8 session_extras(const struct session *session)
{
	/* Hooks look at what others may change: see @pages_lock. */
	return data_race(session->extras);
}

/* A task of @in begins where one of @out ends: whether that is more than one comparison. */
static __always_inline bool session_hands_over_more(const struct session *out,
						    const struct session *in)
{
	/* Likewise. */
	return data_race(in->takes) != out->gives;
}

/* Current, a task of it, reads its own counts from now on, or not any more. Irqs off. */
void session_add_page(struct session *session);
void session_remove_page(struct session *session);

static inline struct session *session_of(const struct kermon_app *app)
{
	return app->session;
}

#endif /* KERMON_SESSION_H */
