/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to measure.c: measures until the interval is narrow, or the time is up. A
 * measurement can be continued, so that its windows are of several times.
 */
#ifndef KERMON_MEASURE_H
#define KERMON_MEASURE_H

#include <signal.h>

#include "crew.h"
#include "estimate.h"

/**
 * struct effort - how long to measure at a time
 * @window_ns: length of a window
 * @rest_ns: idle time before each burst of CREW_WINDOWS windows
 * @least: fewest windows
 * @width: width of the interval that suffices, as a fraction of the value
 * @limit_ns: time
 * @stop: set by a signal
 */
struct effort {
	double window_ns;
	uint64_t rest_ns;
	unsigned int least;
	double width;
	uint64_t limit_ns;
	const volatile sig_atomic_t *stop;
};

/**
 * struct measurement - windows of a kernel
 * @work: the kernel; measure() finds the count
 * @units: FLOP or bytes of one count in all threads together
 * @rates: of the windows
 * @room: for so many
 * @nr: number of windows
 * @dropped: number of windows that were disturbed
 * @estimate: of all windows, if it is valid
 */
struct measurement {
	struct work work;
	double units;
	struct rate *rates;
	size_t room;
	unsigned int nr;
	unsigned int dropped;
	struct estimate estimate;
};

/* Add windows to @found, and estimate. Return: 0; -EINTR: stopped; -ENOMEM. */
int measure(struct measurement *found, struct crew *crew, const struct effort *effort);

/* Whether there are enough windows: else nearly all were disturbed. */
bool measurement_is_valid(const struct measurement *found);
void measurement_free(struct measurement *found);

#endif /* KERMON_MEASURE_H */
