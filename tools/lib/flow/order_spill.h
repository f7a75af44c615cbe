/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sorted runs of records in a temporary file, for what does not fit in memory. A few
 * records of each run are buffered in memory; a heap finds the oldest of all runs.
 */
#ifndef KERMON_ORDER_SPILL_H
#define KERMON_ORDER_SPILL_H

#include <stdbool.h>
#include <stddef.h>

#include "perfdata/format/format.h"
#include "util/heap.h"

/**
 * struct spill_run - a sorted run
 * @at: index in the file of the next record that is not in memory
 * @end: index after the last one
 * @buffer: @nr of them, the first @next of which have been consumed
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
 * @size: number of records written to it
 * @runs: in the order in which they were written
 * @heap: indices of the runs that are not finished, by the time of their next record
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

/* Add a run of @nr sorted records. Return: 0 or -errno. */
int spill_add(struct spill *spill, const struct record *records, size_t nr);

/* The oldest record, from the first run among equals; NULL: none left. */
const struct record *spill_first(const struct spill *spill);

/* Consume the oldest record. Return: 0 or -errno. */
int spill_next(struct spill *spill);

#endif /* KERMON_ORDER_SPILL_H */
