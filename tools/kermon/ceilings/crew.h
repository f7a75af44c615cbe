/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to crew.c: threads, each on a CPU of its own, that execute kernels at the same
 * time, and measure how long that takes.
 */
#ifndef KERMON_CREW_H
#define KERMON_CREW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"
#include "placement.h"

/**
 * struct work - what each thread does in a window
 * @peak: arithmetic; NULL: accesses to memory
 * @operands: of @peak
 * @access: accesses; NULL: arithmetic
 * @huge: in memory with huge pages
 * @bytes: that the windows access in turn
 * @chunk: that one window accesses, a part of @bytes
 * @count: rounds, or passes over @chunk, in a window
 * @clock_rounds: of kernel_clock() after it
 */
struct work {
	const struct peak_kernel *peak;
	struct operands operands;
	const struct access_kernel *access;
	bool huge;
	uint64_t bytes;
	uint64_t chunk;
	uint64_t count;
	uint64_t clock_rounds;
};

/**
 * struct window - a measurement
 * @ns: from the begin of the first thread to the end of the last one
 * @hertz: mean core clock of the threads in it; 0: not known
 * @disturbed: a thread was preempted, or the hypervisor took time of one of the CPUs
 */
struct window {
	double ns;
	double hertz;
	bool disturbed;
};

/* About 3 ms of windows of 0.2 ms. */
#define CREW_WINDOWS	16

struct crew;

/* Start threads on the first @threads CPUs. Return: 0 or -errno. */
int crew_start(struct crew **crew, const struct placement *placement,
	       unsigned int threads);
void crew_stop(struct crew *crew);

/* Each thread maps that much memory. Return: 0 or -errno. */
int crew_map(struct crew *crew, uint64_t bytes, bool huge);

/* Whether all threads have huge pages where they were wanted. */
bool crew_has_huge(const struct crew *crew);

/* Whether the core clock is counted by the PMU, not by additions that take a cycle each. */
bool crew_counts_cycles(const struct crew *crew);

/*
 * Measure @nr windows, at most CREW_WINDOWS, after @rest_ns in which the CPUs are idle, and
 * after a window that is not measured.
 */
void crew_measure(struct crew *crew, const struct work *work, uint64_t rest_ns,
		  unsigned int nr, struct window *windows);

#endif /* KERMON_CREW_H */
