/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module has for an application: its set, its log, its sample.
 */
#ifndef KERMON_SESSION_H
#define KERMON_SESSION_H

#include <linux/kermon.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include "log.h"
#include "pmu.h"

/**
 * struct session - kermon_app.log
 * @id: number of the application
 * @set: what the CPUs count for it
 * @interval: TSC cycles without a sample after which a tick takes one
 * @set_id: the caller's label
 * @nr_fixed: fixed counters in a sample
 * @nr_events: programmed ones
 * @nr_domains: energy domains in a sample: none, or all that there are
 * @domains: they as bits
 * @sample_size: bytes of each of its samples
 * @uid: who started the monitoring
 * @log: where its samples go
 */
struct session {
	u32 id;
	struct pmu_set *set;
	u64 interval;
	u32 set_id;
	u8 nr_fixed;
	u8 nr_events;
	u8 nr_domains;
	u8 domains;
	u16 sample_size;
	kuid_t uid;
	struct log log;
};

/* See app_open and app_close of struct kermon_ops. */
int session_open(struct kermon_app *app);
void session_close(struct kermon_app *app);

static inline struct session *session_of(const struct kermon_app *app)
{
	return app->log;
}

#endif /* KERMON_SESSION_H */
