// SPDX-License-Identifier: GPL-2.0
/*
 * Convert between TSC and perf's clock: from perf's parameters or from pairs of
 * readings.
 */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#include <kermon/clock.h>

#define KHZ_PER_GHZ	1000000

void kermon_clock_init(struct kermon_clock *clock, uint32_t tsc_khz)
{
	*clock = (struct kermon_clock){
		.kind = KERMON_CLOCK_PAIRS,
		.tsc_khz = tsc_khz,
	};
}

void kermon_clock_set(struct kermon_clock *clock, uint64_t zero, uint32_t mult,
		      uint16_t shift)
{
	clock->kind = KERMON_CLOCK_PERF;
	clock->zero = zero;
	clock->mult = mult;
	clock->shift = shift;
}

/*
 * The shorter the time between both TSC readings, the better the pair: keep the best of
 * several.
 */
int kermon_clock_take_pair(struct kermon_clock *clock)
{
	uint64_t before, after, best = UINT64_MAX, tsc = 0, ns = 0;
	struct timespec now;
	int i;

	for (i = 0; i < 5; i++) {
		before = __rdtsc();
		if (clock_gettime(CLOCK_MONOTONIC_RAW, &now))
			return -errno;
		after = __rdtsc();
		if (after - before >= best)
			continue;
		best = after - before;
		tsc = before + best / 2;
		ns = now.tv_sec * 1000000000ULL + now.tv_nsec;
	}
	kermon_clock_add_pair(clock, tsc, ns);
	return 0;
}

void kermon_clock_add_pair(struct kermon_clock *clock, uint64_t tsc,
			   uint64_t ns)
{
	const unsigned int max = sizeof(clock->pairs) / sizeof(clock->pairs[0]);

	if (clock->nr_pairs == max) {
		memmove(&clock->pairs[0], &clock->pairs[1],
			(max - 1) * sizeof(clock->pairs[0]));
		clock->nr_pairs--;
	}
	clock->pairs[clock->nr_pairs++] = (struct kermon_clock_pair){
		.tsc = tsc,
		.ns = ns,
	};
}

/* The formula in linux/perf_event.h, in 64 bits without overflow. */
static uint64_t scale(uint64_t cycles, uint32_t mult, uint16_t shift)
{
	uint64_t quotient = cycles >> shift;
	uint64_t remainder = cycles & (((uint64_t)1 << shift) - 1);

	return quotient * mult + ((remainder * mult) >> shift);
}

/* Interpolate or extrapolate on the line through both pairs. */
static uint64_t interpolate(const struct kermon_clock_pair *from,
			    const struct kermon_clock_pair *to, uint64_t tsc)
{
	__int128 cycles = (__int128)tsc - from->tsc;
	__int128 length = (__int128)to->tsc - from->tsc;

	return from->ns + cycles * (__int128)(to->ns - from->ns) / length;
}

static uint64_t from_pairs(const struct kermon_clock *clock, uint64_t tsc)
{
	const struct kermon_clock_pair *pairs = clock->pairs;
	struct kermon_clock_pair next;

	if (clock->nr_pairs < 2) {
		next = (struct kermon_clock_pair){
			.tsc = pairs[0].tsc + clock->tsc_khz,
			.ns = pairs[0].ns + KHZ_PER_GHZ,
		};
		return interpolate(&pairs[0], &next, tsc);
	}
	if (clock->nr_pairs == 3 && tsc > pairs[1].tsc)
		return interpolate(&pairs[1], &pairs[2], tsc);
	return interpolate(&pairs[0], &pairs[1], tsc);
}

uint64_t kermon_clock_time(const struct kermon_clock *clock, uint64_t tsc)
{
	if (clock->kind == KERMON_CLOCK_PERF)
		return clock->zero + scale(tsc, clock->mult, clock->shift);
	return from_pairs(clock, tsc);
}

uint64_t kermon_clock_duration(const struct kermon_clock *clock,
			       uint64_t cycles)
{
	if (clock->kind == KERMON_CLOCK_PERF)
		return scale(cycles, clock->mult, clock->shift);
	return (unsigned __int128)cycles * KHZ_PER_GHZ / clock->tsc_khz;
}
