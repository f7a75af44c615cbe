// SPDX-License-Identifier: GPL-2.0
/*
 * Map the counts of one run to the intervals of another.
 *
 * Two runs of a program never execute exactly the same instructions. So the progress of
 * a thread is measured as a fraction of all instructions that it executes: no counts
 * are left over at the end, and none are scaled.
 */
#include "merge_private.h"
#include "util/bisect.h"

/* The corresponding point among the thread's own instructions in another run. */
static uint64_t counterpart(uint64_t instructions, uint64_t all, uint64_t other)
{
	return all ? (unsigned __int128)instructions * other / all : 0;
}

/* Number of intervals of @life that end at or before @instructions. */
static size_t intervals_until(const struct run *run, const struct life *life,
			      uint64_t instructions)
{
	return count_while(life->nr, i,
			   life_row(run, life, i)[ROW_INSTRUCTIONS] <=
			   instructions);
}

/* Within an interval, events are assumed to be distributed like instructions. */
static uint64_t count_at(const struct run *run, const struct life *life,
			 size_t column, uint64_t instructions)
{
	size_t index = intervals_until(run, life, instructions);
	uint64_t before = 0, done = 0;
	const uint64_t *row;

	if (index) {
		row = life_row(run, life, index - 1);
		before = row[ROW_INSTRUCTIONS];
		done = row[column];
	}
	if (index == life->nr)
		return done;
	row = life_row(run, life, index);
	return done + (unsigned __int128)(row[column] - done) *
		      (instructions - before) /
		      (row[ROW_INSTRUCTIONS] - before);
}

void merge_align(const struct run *first, const struct life *to,
		 const struct run *run, const struct life *from, size_t column,
		 uint64_t *counts, size_t stride)
{
	const uint64_t all = life_total(first, to, ROW_INSTRUCTIONS);
	const uint64_t other = life_total(run, from, ROW_INSTRUCTIONS);
	uint64_t at, count, last = 0;

	for (size_t i = 0; i < to->nr; i++) {
		at = counterpart(life_row(first, to, i)[ROW_INSTRUCTIONS], all,
				 other);
		count = i + 1 < to->nr ? count_at(run, from, column, at) :
					 life_total(run, from, column);
		counts[i * stride] = count - last;
		last = count;
	}
}
