// SPDX-License-Identifier: GPL-2.0
/*
 * Where in one run belongs what was counted in another.
 *
 * Two runs of a program never execute exactly the same. So how far a thread has
 * come is measured in parts of all the instructions that it executes: nothing of
 * what was counted is left over at the end, and nothing is scaled.
 */
#include "merge_private.h"
#include "util/bisect.h"

/* The same point of @from, of its own instructions. */
static uint64_t counterpart(uint64_t instructions, uint64_t all, uint64_t other)
{
	return all ? (unsigned __int128)instructions * other / all : 0;
}

/* How many intervals of @life end at @instructions or before. */
static size_t intervals_until(const struct run *run, const struct life *life,
			      uint64_t instructions)
{
	return count_while(life->nr, i,
			   life_row(run, life, i)[ROW_INSTRUCTIONS] <=
			   instructions);
}

/* Within an interval the events are taken to come as the instructions do. */
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
