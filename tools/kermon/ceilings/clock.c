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

static bool read_cycles(int event, uint64_t *cycles)
{
	return event >= 0 && read(event, cycles, sizeof(*cycles)) == sizeof(*cycles);
}

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
	uint64_t cycles;

	if (event < 0)
		return -1;
	if (read_cycles(event, &cycles))
		return event;
	/* A pinned event that finds no counter is there, but cannot be read. */
	close(event);
	return -1;
}

uint64_t clock_cycles(int event)
{
	uint64_t cycles;

	return read_cycles(event, &cycles) ? cycles : 0;
}

uint64_t clock_since(int event, uint64_t before)
{
	const uint64_t cycles = clock_cycles(event);

	return cycles > before ? cycles - before : 0;
}

/* Cycles per second of one run; those of @event, or as many as there are additions. */
static double run(int event)
{
	uint64_t cycles = clock_cycles(event), ns = monotonic_ns();

	kernel_clock(ROUNDS);
	ns = monotonic_ns() - ns;
	cycles = event < 0 ? ROUNDS * CLOCK_ADDS : clock_since(event, cycles);
	return cycles * 1e9 / (ns + 1);
}

static double best_run(int event)
{
	double best = 0, found;

	for (int i = 0; i < RUNS; i++) {
		found = run(event);
		best = found > best ? found : best;
	}
	return best;
}

double clock_measure(bool *counted)
{
	const int event = clock_open();
	const double best = event < 0 ? 0 : best_run(event);

	*counted = best > 0;
	if (event >= 0)
		close(event);
	return *counted ? best : best_run(-1);
}
