/* SPDX-License-Identifier: GPL-2.0 */
/* The same instant by the clock of the samples and by the wall clock. */
#ifndef KERMON_PERFDATA_REFERENCE_H
#define KERMON_PERFDATA_REFERENCE_H

#include <kermon/clock.h>

/**
 * struct reference - the contents of CLOCK_DATA
 * @clock: a clockid_t, or PERFDATA_CLOCK_PERF
 * @wall: nanoseconds since 1970, by CLOCK_REALTIME
 * @time: nanoseconds of the clock of the samples
 */
struct reference {
	uint32_t clock;
	uint64_t wall;
	uint64_t time;
};

/* Read both clocks now. */
void reference_take(struct reference *reference,
		    const struct kermon_clock *clock);

#endif /* KERMON_PERFDATA_REFERENCE_H */
