/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs of records that wait in a temporary file: what is in order, and too much
 * for memory. A few records of each run are in memory, the oldest of all runs is
 * found by a heap.
 */
#ifndef KERMON_ORDER_SPILL_H
#define KERMON_ORDER_SPILL_H

#include <stdbool.h>
#include <stddef.h>

#include "perfdata/format/format.h"
#include "util/heap.h"

/**
 * struct spill_run - records in order
 * @at: index in the file of the next one that is not in memory
 * @end: index behind the last one
 * @buffer: @nr of them, the first @next of which are done with
 */
struct spill_run {
	size_t at;
	size_t end;
	struct record *buffer;
	size_t nr;
	size_t next;
};

/**
 * struct spill - all runs; zero it before use
 * @file: descriptor of the file, plus one
 * @size: records that were written to it
 * @runs: in the order they were written
 * @heap: indices of those that are not at their end, by the time of their head
 */
struct spill {
	int file;
	size_t size;
	struct spill_run *runs;
	size_t nr_runs;
	size_t room;
	struct heap heap;
};

void spill_free(struct spill *spill);

/* A run of @nr records, which are in order. Return: 0 or -errno. */
int spill_add(struct spill *spill, const struct record *records, size_t nr);

/* The oldest record, of the same time that of the first run; NULL: none is left. */
const struct record *spill_first(const struct spill *spill);

/* It is done with. Return: 0 or -errno. */
int spill_next(struct spill *spill);

#endif /* KERMON_ORDER_SPILL_H */
