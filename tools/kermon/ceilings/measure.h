/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to measure.c: measures until the interval is narrow, or the time is up.
 */
#ifndef KERMON_MEASURE_H
#define KERMON_MEASURE_H

#include <signal.h>

#include "crew.h"
#include "estimate.h"

/**
 * struct effort - how long to measure
 * @window_ns: length of a window
 * @least: fewest windows
 * @width: width of the interval that suffices, as a fraction of the value
 * @limit_ns: time for a ceiling
 * @stop: set by a signal
 */
struct effort {
	double window_ns;
	unsigned int least;
	double width;
	uint64_t limit_ns;
	const volatile sig_atomic_t *stop;
};

/*
 * Measure @work, of which one count is @units FLOP or bytes in all threads together. Sets
 * the count of @work. Return: 0; -EINTR: stopped; -EBUSY: nearly all windows were disturbed;
 * -ENOMEM.
 */
int measure(struct crew *crew, struct work *work, double units,
	    const struct effort *effort, struct estimate *estimate);

#endif /* KERMON_MEASURE_H */
