/* SPDX-License-Identifier: GPL-2.0 */
/* The time for measuring durations. */
#ifndef KERMON_MONOTONIC_H
#define KERMON_MONOTONIC_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC in nanoseconds. */
static inline uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

#endif /* KERMON_MONOTONIC_H */
