/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Convert the TSC of KerMon's log to the clock of perf's records.
 *
 * If the kernel's own clock is based on the TSC, perf's mmap page has the parameters, and
 * the conversion is exact. Elsewhere (on many virtual machines), perf uses
 * CLOCK_MONOTONIC_RAW, and the conversion interpolates between pairs of both clocks that
 * are taken from time to time.
 */
#ifndef KERMON_CLOCK_H
#define KERMON_CLOCK_H

#include <stdint.h>

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

enum kermon_clock_kind {
	KERMON_CLOCK_PERF,	/* perf's default clock */
	KERMON_CLOCK_PAIRS,	/* CLOCK_MONOTONIC_RAW */
};

/* The same instant by both clocks, in TSC cycles and in nanoseconds. */
struct kermon_clock_pair {
	uint64_t tsc;
	uint64_t ns;
};

/**
 * struct kermon_clock - a conversion; use the functions
 * @kind: which of the two
 * @tsc_khz: TSC cycles per millisecond
 * @zero: KERMON_CLOCK_PERF: time_zero of the mmap page
 * @mult: time_mult
 * @shift: time_shift
 * @nr_pairs: KERMON_CLOCK_PAIRS: length of @pairs
 * @pairs: the last pairs, ascending
 */
struct kermon_clock {
	enum kermon_clock_kind kind;
	uint32_t tsc_khz;
	uint64_t zero;
	uint32_t mult;
	uint16_t shift;
	uint16_t nr_pairs;
	struct kermon_clock_pair pairs[3];
};

/* Initialise a clock of kind KERMON_CLOCK_PAIRS without pairs. */
void kermon_clock_init(struct kermon_clock *clock, uint32_t tsc_khz);

/*
 * Change the kind to KERMON_CLOCK_PERF, with the parameters of struct
 * perf_event_mmap_page.
 */
void kermon_clock_set(struct kermon_clock *clock, uint64_t zero, uint32_t mult,
		      uint16_t shift);

/* Take a pair now. Return: 0 or -errno of clock_gettime(2). */
int kermon_clock_take_pair(struct kermon_clock *clock);

/* Add a pair; it must be later than all others. */
void kermon_clock_add_pair(struct kermon_clock *clock, uint64_t tsc,
			   uint64_t ns);

/*
 * Nanoseconds of perf's clock at @tsc. Monotonic in @tsc as long as no converted TSC is
 * later than the last pair.
 */
uint64_t kermon_clock_time(const struct kermon_clock *clock, uint64_t tsc);

/* Duration of @cycles of the TSC in nanoseconds, rounded down. */
uint64_t kermon_clock_duration(const struct kermon_clock *clock,
			       uint64_t cycles);

KERMON_END_DECLS
#endif /* KERMON_CLOCK_H */
