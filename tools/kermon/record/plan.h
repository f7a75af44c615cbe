/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to plan.c: which source records a request, KerMon or perf_event, and what each
 * of them records.
 */
#ifndef KERMON_PLAN_H
#define KERMON_PLAN_H

#include <kermon/events.h>
#include <kermon/sampled.h>

#include "machine/machine.h"
#include "request.h"

/**
 * struct plan - a decision
 * @machine: what the machine offers
 * @counts: perf_event counts, and nothing is recorded: see any_kernel of the request
 * @alone: perf_event records without KerMon
 * @timed: KerMon records times alone, because this user may have no counters of every CPU,
 *	and perf_event samples
 * @selection: events that KerMon counts, or perf_event with @counts
 * @samplings: events that perf_event samples, @nr_samplings of them
 * @why: why perf_event is @alone
 * @why_event: why the event was chosen, if none was named
 * @user_only: this user may not sample kernel mode
 */
struct plan {
	struct machine machine;
	bool counts;
	bool alone;
	bool timed;
	struct kermon_selection selection;
	struct kermon_sampling samplings[KERMON_MAX_SAMPLED];
	size_t nr_samplings;
	char why[200];
	const char *why_event;
	bool user_only;
};

/* What KerMon counts: KERMON_COUNT_*, 0 for times alone. */
unsigned int plan_count(const struct plan *plan, const struct request *request);

/* Look at the machine and decide; what is wrong is said, and the exit status returned. */
int plan_make(struct plan *plan, const struct request *request);

/* Say which source was chosen, and what the other one would add. */
void plan_say(const struct plan *plan, const struct request *request);

/*
 * Try whether perf_event samples this for the user. Returns 0 or -errno of
 * perf_event_open(2).
 */
int plan_try(const struct kermon_sampling *sampling, const struct targets *targets);

/*
 * explain_sampling.c: why there is no event @name, a tracepoint or terms of a PMU; false: it is
 * neither, and nothing was said. Why @sampling cannot be sampled.
 */
bool explain_name(const struct request *request, const char *name, int result);
void explain_sampling(const struct request *request, const struct plan *plan,
		      const struct kermon_sampling *sampling, int error);

#endif /* KERMON_PLAN_H */
