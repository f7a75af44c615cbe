// SPDX-License-Identifier: GPL-2.0
/* Measure a kernel in many short windows. */
#include <errno.h>
#include <stdlib.h>

#include "measure.h"
#include "util/array.h"
#include "util/monotonic.h"

/*
 * Where all windows are disturbed, or so many that the interval is wider than this fraction
 * of the value, this many times the limit is tried.
 */
#define PATIENCE	4
#define TOO_WIDE	0.04

/* Share of a window that the clock is measured for in addition, at about 3 GHz. */
#define CLOCK_ROUNDS(ns)	((uint64_t)((ns) * 3 / CLOCK_ADDS / 10) + 1)

/* Windows of a step of the calibration. */
#define CALIBRATIONS	4

/*
 * The shortest of some windows that were not disturbed; or of all, if each was: a longer
 * window would not be disturbed less.
 */
static double shortest_of(const struct window *windows, unsigned int nr)
{
	double shortest = 0, any = windows[0].ns;

	for (unsigned int i = 0; i < nr; i++) {
		if (windows[i].ns < any)
			any = windows[i].ns;
		if (!windows[i].disturbed && (!shortest || windows[i].ns < shortest))
			shortest = windows[i].ns;
	}
	return shortest ? shortest : any;
}

/* Find a count with which a window is not far too short. */
static void calibrate(struct crew *crew, struct work *work, const struct effort *effort)
{
	struct window windows[CALIBRATIONS];

	work->clock_rounds = CLOCK_ROUNDS(effort->window_ns);
	for (work->count = 1; !*effort->stop; work->count *= 2) {
		crew_measure(crew, work, 0, CALIBRATIONS, windows);
		if (shortest_of(windows, CALIBRATIONS) > effort->window_ns / 4)
			break;
	}
}

/*
 * Whether windows have the right length. If not, because those of the calibration were
 * slow, correct the count; what was measured does not count.
 */
static bool adjust(struct work *work, double shortest, const struct effort *effort)
{
	const bool is_single = work->count == 1 && shortest > effort->window_ns;

	if (is_single || (shortest > effort->window_ns / 2 &&
			  shortest < effort->window_ns * 2))
		return true;
	work->count = work->count * effort->window_ns / (shortest + 1) + 1;
	return false;
}

/* Measure windows, and keep those of the right length. Return: 0 or -ENOMEM. */
static int add_windows(struct measurement *found, struct crew *crew,
		       const struct effort *effort)
{
	const unsigned int nr = effort->least < CREW_WINDOWS ? effort->least : CREW_WINDOWS;
	const uint64_t count = found->work.count;
	struct window measured[CREW_WINDOWS];

	if (array_room(found->rates, found->room, found->nr + nr))
		return -ENOMEM;
	crew_measure(crew, &found->work, effort->rest_ns, nr, measured);
	if (!adjust(&found->work, shortest_of(measured, nr), effort))
		return 0;
	for (unsigned int i = 0; i < nr; i++) {
		if (measured[i].disturbed) {
			found->dropped++;
			continue;
		}
		found->rates[found->nr++] = (struct rate){
			.rate = found->units * count * 1e9 / measured[i].ns,
			.hertz = measured[i].hertz,
		};
	}
	return 0;
}

static void estimate(struct measurement *found, const struct effort *effort)
{
	struct estimate *estimate = &found->estimate;

	if (found->nr >= ESTIMATE_LEAST) {
		estimate_make(estimate, found->rates, found->nr);
		estimate->tight = estimate_width(estimate) <= effort->width;
	}
	estimate->dropped = found->dropped;
}

/* Whether the estimate is good enough for the time that was spent. */
static bool is_enough(const struct measurement *found, unsigned int added, uint64_t spent,
		      const struct effort *effort)
{
	const struct estimate *estimate = &found->estimate;

	if (found->nr < ESTIMATE_LEAST)
		return false;
	return (estimate->tight && added >= effort->least) ||
	       (estimate_width(estimate) <= TOO_WIDE && spent > effort->limit_ns);
}

int measure(struct measurement *found, struct crew *crew, const struct effort *effort)
{
	const uint64_t begin = monotonic_ns();
	const unsigned int before = found->nr;
	uint64_t spent = 0;
	int err = 0;

	if (!found->work.count)
		calibrate(crew, &found->work, effort);
	while (!err && !*effort->stop && spent <= PATIENCE * effort->limit_ns) {
		err = add_windows(found, crew, effort);
		estimate(found, effort);
		spent = monotonic_ns() - begin;
		if (is_enough(found, found->nr - before, spent, effort))
			break;
	}
	return *effort->stop ? -EINTR : err;
}

bool measurement_is_valid(const struct measurement *found)
{
	return found->nr >= ESTIMATE_LEAST;
}

void measurement_free(struct measurement *found)
{
	free(found->rates);
	found->rates = NULL;
}
