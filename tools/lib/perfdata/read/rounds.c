// SPDX-License-Identifier: GPL-2.0
/*
 * Deliver records to consumers that only need every sample to come between the other
 * records before and after it.
 *
 * A file consists of sorted runs of samples, with few other records in between. A run
 * is walked once to find its end, and once more to deliver its samples when their round
 * is finished: they are never sorted, copied or kept. Only the other records are kept
 * until they can be delivered.
 */
#include <errno.h>
#include <stdlib.h>

#include "perfdata/format/format.h"
#include "reader_private.h"
#include "util/array.h"
#include "util/heap.h"

/* Limits of what waits here: a file without any order has to be sorted. */
#define MOST_RUNS	8192
#define MOST_OTHERS	(256UL << 10)

/* Consecutive samples in the file that are ordered by time. */
struct sorted_run {
	uint64_t at;		/* of the first sample that has not been delivered */
	uint64_t end;
	uint64_t newest;
	uint32_t number;	/* as in struct record */
};

/**
 * struct rounds - the records that wait
 * @plain: the file that contains the runs
 * @walk: the caller's functions and results
 * @runs: @nr_runs of them, in file order
 * @by_time: those that have not been delivered, by time of their next sample
 * @by_place: those that are about to be, in file order
 * @others: @nr_others records, in file order, or by time while they are delivered
 * @newest: time of the newest record so far
 * @limit: records up to this time may be delivered at the end of the round
 * @floor: newest time delivered before this round
 * @untold: bytes walked since progress was last reported
 */
struct rounds {
	struct reader *reader;
	struct plain plain;
	struct reader_rounds *walk;
	struct sorted_run *runs;
	size_t nr_runs;
	size_t room_runs;
	struct heap by_time;
	struct heap by_place;
	struct record *others;
	size_t nr_others;
	size_t room_others;
	uint64_t newest;
	uint64_t limit;
	uint64_t floor;
	uint64_t untold;
};

static int tell(struct rounds *rounds, uint64_t bytes)
{
	struct reader *reader = rounds->reader;

	reader->waiting = rounds->nr_runs ? rounds->runs[0].at :
					    reader->stream.at;
	reader_walked(reader, bytes);
	rounds->untold += bytes;
	if (rounds->untold < READER_PORTION)
		return 0;
	rounds->untold = 0;
	return reader_progress(reader);
}

static int new_run(struct rounds *rounds, const struct sorted_run *run)
{
	if (array_room(rounds->runs, rounds->room_runs, rounds->nr_runs + 1))
		return -ENOMEM;
	rounds->runs[rounds->nr_runs] = *run;
	return heap_add(&rounds->by_time, plain_time(&rounds->plain, run->at),
			rounds->nr_runs++);
}

static int hold_other(struct rounds *rounds, const struct record *record)
{
	if (array_room(rounds->others, rounds->room_others, rounds->nr_others + 1))
		return -ENOMEM;
	rounds->others[rounds->nr_others++] = *record;
	if (record->time > rounds->newest)
		rounds->newest = record->time;
	return 0;
}

/*
 * Extend @run by the following samples as long as they are in order. Return: their
 * number. The first one that is not is left for the caller to examine.
 */
static uint32_t extend(const struct rounds *rounds, struct sorted_run *run)
{
	const struct plain plain = rounds->plain;
	uint64_t most = run->end + READER_PORTION, time;
	struct perf_event_header header;
	uint32_t nr = 0;

	while (run->end < most && plain_sample(&plain, run->end, &header)) {
		time = plain_time(&plain, run->end);
		if (time < run->newest || time == UINT64_MAX)
			break;
		run->newest = time;
		run->end += header.size;
		nr++;
	}
	return nr;
}

/* The run that the next sample may extend; NULL: none ends here. */
static struct sorted_run *run_before(const struct rounds *rounds)
{
	struct sorted_run *last;

	if (!rounds->nr_runs)
		return NULL;
	last = &rounds->runs[rounds->nr_runs - 1];
	return last->end == rounds->reader->stream.at ? last : NULL;
}

/* Add a run of samples, or extend one. Return: 1; 0 if the next record is not a sample. */
static int take_run(struct rounds *rounds)
{
	struct reader *reader = rounds->reader;
	struct record_stream *stream = &reader->stream;
	struct sorted_run *run = run_before(rounds);
	struct sorted_run new = {
		.at = stream->at,
		.end = stream->at,
		.newest = 1,
		.number = reader->numbered,
	};
	uint64_t begin = stream->at;
	uint32_t nr;
	int err = 0;

	if (stream_has_inflated(stream))
		return 0;
	nr = run ? extend(rounds, run) : 0;
	if (!nr) {
		run = &new;
		nr = extend(rounds, run);
	}
	if (!nr)
		return 0;
	stream->at = run->end;
	reader->numbered += nr;
	if (run->newest > rounds->newest)
		rounds->newest = run->newest;
	if (run == &new)
		err = new_run(rounds, run);
	if (!err)
		err = tell(rounds, stream->at - begin);
	return err ? err : 1;
}

/* If the rest is too short for a sample, the file has changed: skip it. */
static void advance(const struct rounds *rounds, struct sorted_run *run, uint64_t bytes)
{
	run->at += bytes;
	if ((int64_t)(run->end - run->at) < plain_least(&rounds->plain))
		run->at = run->end;
}

/*
 * The next sample of a run. Return: false if its event is unknown, which is reported,
 * or if the file has changed.
 */
static inline bool next_sample(const struct rounds *rounds, struct sorted_run *run,
			       struct record *record)
{
	struct perf_event_header header;
	uint64_t at = run->at;

	if (!plain_sample(&rounds->plain, at, &header) ||
	    header.size > run->end - at) {
		run->at = run->end;
		return false;
	}
	advance(rounds, run, header.size);
	record->number = run->number++;
	return reader_take_plain(rounds->reader, &rounds->plain, at, header,
				 record);
}

/* The end of delivery: all records before @time, and those at @time before @number. */
struct bound {
	uint64_t time;
	uint32_t number;
	bool has_number;
};

static bool is_before(const struct sorted_run *run, uint64_t time,
		      const struct bound *bound)
{
	return time < bound->time ||
	       (time == bound->time && bound->has_number &&
		(int32_t)(run->number - bound->number) < 0);
}

/* Let the caller handle a batch of samples. Return: the time of the newest one, or 0. */
static uint64_t give_batch(struct rounds *rounds, struct sorted_run *run,
			   const struct bound *bound)
{
	struct reader_batch batch = {
		.data = rounds->plain.map + run->at,
		.size = run->end - run->at,
		.before = bound->time,
		.least = plain_least(&rounds->plain),
		.time_at = rounds->plain.time_at,
	};

	if (!rounds->walk->batch || rounds->reader->anonymous ||
	    plain_time(&rounds->plain, run->at) < rounds->floor)
		return 0;
	if (batch.size > READER_PORTION)
		batch.size = READER_PORTION;
	advance(rounds, run,
		rounds->walk->batch(rounds->walk->context, &batch));
	run->number += batch.nr;
	return batch.newest;
}

static int give_sample(struct rounds *rounds, struct sorted_run *run, uint64_t *newest)
{
	struct record record = { 0 };

	if (!next_sample(rounds, run, &record))
		return 0;
	*newest = record.time;
	rounds->walk->late += record.time < rounds->floor;
	return rounds->walk->fn(rounds->walk->context, &record);
}

/* Deliver the samples of one run before the bound, at most one portion. */
static int give_samples(struct rounds *rounds, struct sorted_run *run,
			const struct bound *bound)
{
	uint64_t begin = run->at, newest = 0, taken;
	int err = 0;

	while (!err && run->at < run->end && run->at - begin < READER_PORTION &&
	       is_before(run, plain_time(&rounds->plain, run->at), bound)) {
		taken = give_batch(rounds, run, bound);
		if (taken)
			newest = taken;
		else
			err = give_sample(rounds, run, &newest);
	}
	if (newest > rounds->walk->newest)
		rounds->walk->newest = newest;
	return err ? err : tell(rounds, run->at - begin);
}

/* Deliver the samples of one run before the bound; the rest has to wait. */
static int give_run(struct rounds *rounds, size_t number,
		    const struct bound *bound)
{
	struct sorted_run *run = &rounds->runs[number];
	uint64_t time;
	int err = 0;

	while (!err && run->at < run->end) {
		time = plain_time(&rounds->plain, run->at);
		if (!is_before(run, time, bound))
			return heap_add(&rounds->by_time, time, number);
		err = give_samples(rounds, run, bound);
	}
	return err;
}

/*
 * Deliver the samples of all runs before the bound, in file order: that is the order in
 * which each counter was read (PERF_SAMPLE_READ).
 */
static int give_runs(struct rounds *rounds, const struct bound *bound)
{
	struct heap *by_time = &rounds->by_time, *by_place = &rounds->by_place;
	const struct heap_item *first;
	size_t number;
	int err = 0;

	while (!err && by_time->nr) {
		first = &by_time->items[0];
		number = first->number;
		if (!is_before(&rounds->runs[number], first->time, bound))
			break;
		heap_remove_first(by_time);
		err = heap_add(by_place, number, number);
	}
	while (!err && by_place->nr) {
		number = by_place->items[0].number;
		heap_remove_first(by_place);
		err = give_run(rounds, number, bound);
	}
	return err;
}

static int compare_numbers(const void *a, const void *b)
{
	const struct record *left = a, *right = b;

	return (int32_t)(left->number - right->number);
}

static int compare_times(const void *a, const void *b)
{
	const struct record *left = a, *right = b;

	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	return compare_numbers(a, b);
}

static int give_other(struct rounds *rounds, const struct record *record)
{
	int err = rounds->walk->fn(rounds->walk->context, record);

	reader_release(rounds->reader, record);
	return err;
}

/* Deliver samples and other records up to @limit. */
static int give_round(struct rounds *rounds, uint64_t limit, size_t *out)
{
	struct record *other;
	struct bound bound = { .has_number = true };
	int err = 0;

	while (!err && *out < rounds->nr_others &&
	       rounds->others[*out].time <= limit) {
		other = &rounds->others[*out];
		bound.time = other->time;
		bound.number = other->number;
		err = give_runs(rounds, &bound);
		if (err)
			return err;
		rounds->walk->late += other->time < rounds->floor;
		if (other->time > rounds->walk->newest)
			rounds->walk->newest = other->time;
		++*out;
		err = give_other(rounds, other);
	}
	if (err)
		return err;
	return give_runs(rounds, &(struct bound){
		.time = limit + (limit < UINT64_MAX),
	});
}

/* Remove finished runs; the others are found by time again. */
static int forget_runs(struct rounds *rounds)
{
	size_t nr = 0;
	int err = 0;

	rounds->by_time.nr = 0;
	rounds->by_place.nr = 0;
	for (size_t i = 0; i < rounds->nr_runs && !err; i++) {
		if (rounds->runs[i].at == rounds->runs[i].end)
			continue;
		rounds->runs[nr] = rounds->runs[i];
		err = heap_add(&rounds->by_time,
			       plain_time(&rounds->plain, rounds->runs[nr].at), nr);
		nr++;
	}
	rounds->nr_runs = nr;
	return err;
}

/* Deliver records up to @limit and keep the rest. */
static int deliver(struct rounds *rounds, uint64_t limit)
{
	size_t out = 0;
	int err, forgotten;

	rounds->floor = rounds->walk->newest;
	if (rounds->nr_others)
		qsort(rounds->others, rounds->nr_others,
		      sizeof(*rounds->others), compare_times);
	err = give_round(rounds, limit, &out);
	rounds->nr_others -= out;
	if (rounds->nr_others)
		memmove(rounds->others, rounds->others + out,
			rounds->nr_others * sizeof(*rounds->others));
	forgotten = forget_runs(rounds);
	return err ? err : forgotten;
}

/* A record other than a plain sample, in file order. */
static int take_record(struct rounds *rounds, struct record *record)
{
	int known = reader_identify(rounds->reader, record), err;

	if (known <= 0) {
		reader_release(rounds->reader, record);
		return known;
	}
	err = tell(rounds, 2 * record->size);
	if (err)
		return err;
	if (record->type == PERFDATA_RECORD_FINISHED_ROUND) {
		err = deliver(rounds, rounds->limit);
		rounds->limit = rounds->newest;
		if (err)
			return err;
	}
	if (!record->time || record->time == UINT64_MAX)
		return give_other(rounds, record);
	return hold_other(rounds, record);
}

/* Process the rest of the file. */
static int take_all(struct rounds *rounds)
{
	struct reader *reader = rounds->reader;
	struct record record;
	int found, err = 0;

	for (size_t i = 0; i < reader->nr_early && !err; i++)
		err = take_record(rounds, &reader->early[i]);
	reader->nr_early = 0;
	while (!err) {
		if (rounds->nr_runs >= MOST_RUNS ||
		    rounds->nr_others >= MOST_OTHERS)
			return READER_IN_ORDER;
		found = take_run(rounds);
		if (found > 0)
			continue;
		if (!found)
			found = reader_next_counted(reader, &reader->stream,
						    &record);
		if (found <= 0)
			return found ? found :
			       deliver(rounds, UINT64_MAX);
		err = take_record(rounds, &record);
	}
	return err;
}

static int hand_over_run(struct rounds *rounds, struct sorted_run *run)
{
	struct record record = { 0 };
	int err = 0;

	while (!err && run->at < run->end)
		if (next_sample(rounds, run, &record))
			err = rounds->walk->rest(rounds->walk->rest_context,
						 &record);
	return err;
}

/* Pass everything that waits to @rest, in file order. */
static int hand_over(struct rounds *rounds)
{
	size_t run = 0, other = 0;
	int err = 0;

	if (rounds->nr_others)
		qsort(rounds->others, rounds->nr_others,
		      sizeof(*rounds->others), compare_numbers);
	while (!err && (run < rounds->nr_runs || other < rounds->nr_others))
		if (run < rounds->nr_runs &&
		    (other == rounds->nr_others ||
		     (int32_t)(rounds->runs[run].number -
			       rounds->others[other].number) < 0))
			err = hand_over_run(rounds, &rounds->runs[run++]);
		else
			err = rounds->walk->rest(rounds->walk->rest_context,
						 &rounds->others[other++]);
	return err ? err : reader_walk_on(rounds->reader, rounds->walk->rest,
					  rounds->walk->rest_context);
}

int reader_walk_rounds(struct reader *reader, struct reader_rounds *walk)
{
	struct rounds rounds = { .reader = reader, .walk = walk };
	int err;

	reader_begin_walk(reader);
	rounds.plain = reader->plain;
	if (reader->plain.time_at) {
		reader->in_rounds = true;
		err = take_all(&rounds);
		reader->in_rounds = false;
		if (err == READER_IN_ORDER)
			err = hand_over(&rounds);
	} else {
		err = reader_walk_on(reader, walk->rest, walk->rest_context);
	}
	reader_tell_missing(reader);
	free(rounds.runs);
	free(rounds.others);
	heap_free(&rounds.by_time);
	heap_free(&rounds.by_place);
	return err;
}
