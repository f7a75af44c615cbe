// SPDX-License-Identifier: GPL-2.0
/*
 * Sort records by time with a natural merge sort: sorted runs are detected while
 * records arrive and are merged pairwise with their neighbours, so that records of
 * equal time keep their order.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "order_spill.h"
#include "perfdata/format/format.h"
#include "util/array.h"

/* Maximum number of records in memory: 20 MB. */
#define HELD_MAX	(256UL << 10)

/**
 * struct order - records waiting for delivery
 * @held: @nr records with room for @room, in @nr_runs runs
 * @spare: as large as @held; merging alternates between the two
 * @runs: where each run starts
 * @spilled: earlier runs that did not fit in memory
 * @most: maximum number of records in memory
 * @newest: time of the newest record so far
 * @limit: records up to this time may be delivered at the end of the round
 */
struct order {
	record_fn fn;
	void *context;
	struct record *held;
	struct record *spare;
	size_t nr;
	size_t room;
	size_t *runs;
	size_t nr_runs;
	size_t room_runs;
	struct spill spilled;
	size_t most;
	uint64_t newest;
	uint64_t limit;
};

struct order *order_new(record_fn fn, void *context)
{
	struct order *order = calloc(1, sizeof(*order));

	if (!order)
		return NULL;
	order->fn = fn;
	order->context = context;
	order->most = HELD_MAX;
	return order;
}

void order_free(struct order *order)
{
	if (!order)
		return;
	free(order->held);
	free(order->spare);
	free(order->runs);
	spill_free(&order->spilled);
	free(order);
}

/* Grow both arrays, since merging needs a second one of the same size. */
static int grow_records(struct order *order)
{
	size_t room = order->room ? 2 * order->room : 1024;
	struct record *held, *spare;

	held = realloc(order->held, room * sizeof(*held));
	if (!held)
		return -ENOMEM;
	order->held = held;
	spare = realloc(order->spare, room * sizeof(*spare));
	if (!spare)
		return -ENOMEM;
	order->spare = spare;
	order->room = room;
	return 0;
}

static int begin_run(struct order *order, size_t start)
{
	if (array_room(order->runs, order->room_runs, order->nr_runs + 1))
		return -ENOMEM;
	order->runs[order->nr_runs++] = start;
	return 0;
}

static int hold(struct order *order, const struct record *record)
{
	size_t nr = order->nr;
	int err = 0;

	if (nr == order->room)
		err = grow_records(order);
	if (!err && (!nr || record->time < order->held[nr - 1].time))
		err = begin_run(order, nr);
	if (err)
		return err;
	order->held[order->nr++] = *record;
	if (record->time > order->newest)
		order->newest = record->time;
	return 0;
}

static size_t run_end(const struct order *order, size_t run)
{
	return run < order->nr_runs ? order->runs[run] : order->nr;
}

/* Merge held[a..b) and held[b..c) into the same place in spare. */
static void merge_pair(struct order *order, size_t a, size_t b, size_t c)
{
	const struct record *from = order->held;
	struct record *to = order->spare + a;
	size_t left = a, right = b;

	while (left < b && right < c)
		*to++ = from[right].time < from[left].time ?
			from[right++] : from[left++];
	memcpy(to, from + left, (b - left) * sizeof(*to));
	to += b - left;
	memcpy(to, from + right, (c - right) * sizeof(*to));
}

/* One pass: half as many runs, each twice as long. */
static void merge_neighbours(struct order *order)
{
	struct record *merged = order->spare;
	size_t run;

	for (run = 0; run < order->nr_runs; run += 2) {
		merge_pair(order, order->runs[run], run_end(order, run + 1),
			   run_end(order, run + 2));
		order->runs[run / 2] = order->runs[run];
	}
	order->nr_runs = (order->nr_runs + 1) / 2;
	order->spare = order->held;
	order->held = merged;
}

/* Merge everything in memory into one run. */
static void sort(struct order *order)
{
	while (order->nr_runs > 1)
		merge_neighbours(order);
}

/*
 * Move the records to a temporary file if there are too many for memory. If that fails,
 * they stay in memory.
 */
static void spill(struct order *order)
{
	if (order->nr < order->most)
		return;
	sort(order);
	if (spill_add(&order->spilled, order->held, order->nr)) {
		order->most = SIZE_MAX;
		return;
	}
	order->nr = 0;
	order->nr_runs = 0;
}

/* Deliver the spilled records up to @time, inclusive. */
static int deliver_spilled(struct order *order, uint64_t time)
{
	const struct record *first;
	struct record record;
	int err = 0;

	while (!err && (first = spill_first(&order->spilled)) &&
	       first->time <= time) {
		record = *first;
		err = spill_next(&order->spilled);
		if (!err)
			err = order->fn(order->context, &record);
	}
	return err;
}

/* Deliver the records up to @limit and keep the rest as one run. */
static int deliver(struct order *order, uint64_t limit)
{
	size_t out = 0;
	int err = 0;

	sort(order);
	while (!err && out < order->nr && order->held[out].time <= limit) {
		err = deliver_spilled(order, order->held[out].time);
		if (!err)
			err = order->fn(order->context, &order->held[out++]);
	}
	if (!err)
		err = deliver_spilled(order, limit);
	order->nr -= out;
	if (out && order->nr)
		memmove(order->held, order->held + out,
			order->nr * sizeof(*order->held));
	order->nr_runs = order->nr ? 1 : 0;
	return err;
}

int order_record(void *context, const struct record *record)
{
	struct order *order = context;
	int err;

	if (record->type == PERFDATA_RECORD_FINISHED_ROUND) {
		err = deliver(order, order->limit);
		order->limit = order->newest;
		return err ? err : order->fn(order->context, record);
	}
	if (!record->time || record->time == UINT64_MAX)
		return order->fn(order->context, record);
	err = hold(order, record);
	spill(order);
	return err;
}

int order_flush(struct order *order)
{
	return deliver(order, UINT64_MAX);
}
