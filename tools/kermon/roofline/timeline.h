/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to timeline.c: a recording in slices of equal length, for pictures over time. */
#ifndef KERMON_ROOFLINE_TIMELINE_H
#define KERMON_ROOFLINE_TIMELINE_H

#include "roofline.h"

#define TIMELINE_SLICES	600	/* at most */

/**
 * struct timeline - what all threads did together
 * @width: of a slice in seconds
 * @nr: number of slices
 * @begin: of each slice, in seconds
 * @flop: operations; 0: none, or nothing ran
 * @bytes: likewise
 * @by_simd: of @flop, by the class of most operations of the samples
 * @busy: seconds of all threads together on a CPU
 * @watts: by domain; 0: unknown
 * @joules: by domain: since the begin, at the end of the slice
 */
struct timeline {
	double width;
	size_t nr;
	double begin[TIMELINE_SLICES];
	double flop[TIMELINE_SLICES];
	double bytes[TIMELINE_SLICES];
	double by_simd[KERMON_SIMDS][TIMELINE_SLICES];
	double busy[TIMELINE_SLICES];
	double watts[KERMON_ROOFLINE_DOMAINS][TIMELINE_SLICES];
	double joules[KERMON_ROOFLINE_DOMAINS][TIMELINE_SLICES];
};

/* A sample counts in each slice that it overlaps, in proportion to time. */
void timeline_fill(struct timeline *timeline, const struct roofline_run *run);

/* FLOP/s of a slice, of all threads together; the highest of @nr recordings. */
double timeline_flops(const struct timeline *timeline, size_t slice);
double timeline_highest(const struct timeline *timelines, size_t nr);

/* The enum kermon_simd of most operations of a slice. */
unsigned int timeline_simd(const struct timeline *timeline, size_t slice);

#endif /* KERMON_ROOFLINE_TIMELINE_H */
