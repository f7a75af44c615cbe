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

struct windows {
	struct rate *rates;
	size_t room;
	unsigned int nr;
	unsigned int dropped;
};

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
		crew_measure(crew, work, CALIBRATIONS, windows);
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

/* Measure windows. Return: 0; -EAGAIN: their length was wrong; -ENOMEM. */
static int add_windows(struct windows *windows, struct crew *crew, struct work *work,
		       double units, const struct effort *effort)
{
	const unsigned int nr = effort->least < CREW_WINDOWS ? effort->least : CREW_WINDOWS;
	struct window measured[CREW_WINDOWS];

	if (array_room(windows->rates, windows->room, windows->nr + nr))
		return -ENOMEM;
	crew_measure(crew, work, nr, measured);
	if (!adjust(work, shortest_of(measured, nr), effort))
		return -EAGAIN;
	for (unsigned int i = 0; i < nr; i++) {
		if (measured[i].disturbed) {
			windows->dropped++;
			continue;
		}
		windows->rates[windows->nr++] = (struct rate){
			.rate = units * work->count * 1e9 / measured[i].ns,
			.hertz = measured[i].hertz,
		};
	}
	return 0;
}

/* Whether the estimate is good enough for the time that was spent. */
static bool is_enough(const struct windows *windows, const struct estimate *estimate,
		      uint64_t spent, const struct effort *effort)
{
	return windows->nr >= ESTIMATE_LEAST && spent > effort->limit_ns &&
	       estimate_width(estimate) <= TOO_WIDE;
}

static int measure_windows(struct windows *windows, struct crew *crew, struct work *work,
			   double units, const struct effort *effort,
			   struct estimate *estimate)
{
	const uint64_t begin = monotonic_ns();
	uint64_t spent = 0;
	int err;

	while (!*effort->stop) {
		err = add_windows(windows, crew, work, units, effort);
		if (err == -EAGAIN)
			windows->nr = 0;
		else if (err)
			return err;
		spent = monotonic_ns() - begin;
		if (windows->nr >= ESTIMATE_LEAST)
			estimate_make(estimate, windows->rates, windows->nr);
		estimate->tight = windows->nr >= ESTIMATE_LEAST &&
				  estimate_width(estimate) <= effort->width;
		if ((estimate->tight && windows->nr >= effort->least) ||
		    is_enough(windows, estimate, spent, effort))
			return 0;
		if (spent > PATIENCE * effort->limit_ns)
			return windows->nr >= ESTIMATE_LEAST ? 0 : -EBUSY;
	}
	return -EINTR;
}

int measure(struct crew *crew, struct work *work, double units,
	    const struct effort *effort, struct estimate *estimate)
{
	struct windows windows = { 0 };
	int err;

	*estimate = (struct estimate){ 0 };
	calibrate(crew, work, effort);
	err = measure_windows(&windows, crew, work, units, effort, estimate);
	estimate->dropped = windows.dropped;
	free(windows.rates);
	return err;
}
