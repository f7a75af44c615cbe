// SPDX-License-Identifier: GPL-2.0
/* The core clock, from cycles or from additions. */
#include <unistd.h>

#include "clock.h"
#include "kernels.h"
#include "util/monotonic.h"
#include "util/perfevent.h"

/* Runs of more than a millisecond each, so that what is around them takes no share. */
#define RUNS	50
#define ROUNDS	80000

int clock_open(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.pinned = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	const int event = perfevent_open(&attr, 0, -1, -1);

	return event < 0 ? -1 : event;
}

uint64_t clock_cycles(int event)
{
	uint64_t cycles;

	if (event < 0 || read(event, &cycles, sizeof(cycles)) != sizeof(cycles))
		return 0;
	return cycles;
}

/* Cycles per second of one run; those of @event, or as many as there are additions. */
static double run(int event)
{
	uint64_t cycles = clock_cycles(event), ns = monotonic_ns();

	kernel_clock(ROUNDS);
	ns = monotonic_ns() - ns;
	cycles = event < 0 ? ROUNDS * CLOCK_ADDS : clock_cycles(event) - cycles;
	return cycles * 1e9 / (ns + 1);
}

double clock_measure(bool *counted)
{
	const int event = clock_open();
	double best = 0, found;

	for (int i = 0; i < RUNS; i++) {
		found = run(event);
		best = found > best ? found : best;
	}
	*counted = event >= 0 && best > 0;
	if (event >= 0)
		close(event);
	return best;
}
