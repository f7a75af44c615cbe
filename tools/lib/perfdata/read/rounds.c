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
#define MOST_RUNS	(32UL << 10)
#define MOST_OTHERS	(256UL << 10)

/* Where a file that is not in a cache is requested while its samples are stepped over. */
#define AHEAD		2048

/**
 * struct sorted_run - consecutive samples that are ordered by time
 * @plain: where they are; its chunk is held
 * @at: offset there of the first sample that has not been delivered
 * @newest: time of the last one
 * @number: as in struct record
 */
struct sorted_run {
	struct plain plain;
	uint64_t at;
	uint64_t newest;
	uint32_t number;
};

/**
 * struct rounds - the records that wait
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

/* Offset in the file of what has to be kept there. */
static uint64_t first_waiting(const struct rounds *rounds)
{
	const struct sorted_run *first = rounds->runs;

	if (!rounds->nr_runs)
		return rounds->reader->stream.at;
	return first->plain.chunk ? first->plain.offset : first->at;
}

/* @chunk: of these bytes; those of the file are counted, and compressed records are there. */
static int tell(struct rounds *rounds, uint64_t bytes, uint32_t chunk)
{
	struct reader *reader = rounds->reader;

	reader->waiting = first_waiting(rounds);
	reader_walked(reader, chunk ? 0 : bytes);
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
	chunks_hold(&rounds->reader->chunks, run->plain.chunk);
	return heap_add(&rounds->by_time, plain_time(&run->plain, run->at),
			rounds->nr_runs++);
}

static void drop_run(struct rounds *rounds, struct sorted_run *run)
{
	chunks_release(&rounds->reader->chunks, run->plain.chunk);
	run->plain.chunk = 0;
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
 * Extend @run by the samples that follow it, up to @end, as long as they are in order.
 * Return: their number. The first one that is not is left for the caller to examine.
 */
static uint32_t extend(struct sorted_run *run, uint64_t end)
{
	struct plain plain = run->plain;
	uint64_t at = plain.end, most = at + READER_PORTION, time;
	struct perf_event_header header;
	uint32_t nr = 0;

	plain.end = end;
	while (at < most && plain_sample(&plain, at, &header)) {
		time = plain_time(&plain, at);
		if (time < run->newest || time == UINT64_MAX)
			break;
		run->newest = time;
		__builtin_prefetch(plain.map + at + AHEAD);
		at += header.size;
		nr++;
	}
	run->plain.end = at;
	return nr;
}

/* The run that samples at the start of @new may extend; NULL: none ends here. */
static struct sorted_run *run_before(const struct rounds *rounds,
				     const struct sorted_run *new)
{
	struct sorted_run *last;

	if (!rounds->nr_runs)
		return NULL;
	last = &rounds->runs[rounds->nr_runs - 1];
	return last->plain.map == new->plain.map && last->plain.end == new->at &&
	       last->plain.offset == new->plain.offset ? last : NULL;
}

/* An empty run at the next record, which is in the file or decompressed. Return: its end. */
static uint64_t begin_run(const struct rounds *rounds, struct sorted_run *new)
{
	const struct reader *reader = rounds->reader;
	const struct record_stream *stream = &reader->stream;
	const struct window *window = &stream->inflate.window;
	bool inside = stream_has_inflated(stream);

	*new = (struct sorted_run){
		.plain = reader->plain,
		.at = inside ? window->begin : stream->at,
		.newest = 1,
		.number = reader->numbered,
	};
	if (inside) {
		new->plain.map = chunks_bytes(window->chunks, window->chunk);
		new->plain.chunk = window->chunk;
		new->plain.offset = stream->inflate.offset;
	}
	new->plain.end = new->at;
	return inside ? window->end : stream->end;
}

/* The samples up to the end of the run have been taken. */
static void pass_run(struct record_stream *stream, const struct sorted_run *run,
		     uint64_t bytes)
{
	if (run->plain.chunk)
		window_skip(&stream->inflate.window, bytes);
	else
		stream->at += bytes;
}

/* Add a run of samples, or extend one. Return: 1; 0 if the next record is not a sample. */
static int take_run(struct rounds *rounds)
{
	struct reader *reader = rounds->reader;
	struct sorted_run new, *run;
	uint64_t end, begin;
	uint32_t nr;
	int err = inflate_more(&reader->stream.inflate);

	if (err)
		return err;
	end = begin_run(rounds, &new);
	begin = new.at;
	run = run_before(rounds, &new);
	nr = run ? extend(run, end) : 0;
	if (!nr) {
		run = &new;
		nr = extend(run, end);
	}
	if (!nr)
		return 0;
	pass_run(&reader->stream, run, run->plain.end - begin);
	reader->numbered += nr;
	if (run->newest > rounds->newest)
		rounds->newest = run->newest;
	if (run == &new)
		err = new_run(rounds, run);
	if (!err)
		err = tell(rounds, run->plain.end - begin, run->plain.chunk);
	return err ? err : 1;
}

/* If the rest is too short for a sample, the file has changed: skip it. */
static void advance(struct sorted_run *run, uint64_t bytes)
{
	run->at += bytes;
	if ((int64_t)(run->plain.end - run->at) < plain_least(&run->plain))
		run->at = run->plain.end;
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

	if (!plain_sample(&run->plain, at, &header)) {
		run->at = run->plain.end;
		return false;
	}
	advance(run, header.size);
	record->number = run->number++;
	return reader_take_plain(rounds->reader, &run->plain, at, header,
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
		.data = run->plain.map + run->at,
		.size = run->plain.end - run->at,
		.before = bound->time,
		.least = plain_least(&run->plain),
		.time_at = run->plain.time_at,
	};

	if (!rounds->walk->batch || rounds->reader->anonymous ||
	    plain_time(&run->plain, run->at) < rounds->floor)
		return 0;
	if (batch.size > READER_PORTION)
		batch.size = READER_PORTION;
	advance(run, rounds->walk->batch(rounds->walk->context, &batch));
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

	while (!err && run->at < run->plain.end && run->at - begin < READER_PORTION &&
	       is_before(run, plain_time(&run->plain, run->at), bound)) {
		taken = give_batch(rounds, run, bound);
		if (taken)
			newest = taken;
		else
			err = give_sample(rounds, run, &newest);
	}
	if (newest > rounds->walk->newest)
		rounds->walk->newest = newest;
	return err ? err : tell(rounds, run->at - begin, run->plain.chunk);
}

/* Deliver the samples of one run before the bound; the rest has to wait. */
static int give_run(struct rounds *rounds, size_t number,
		    const struct bound *bound)
{
	struct sorted_run *run = &rounds->runs[number];
	uint64_t time;
	int err = 0;

	while (!err && run->at < run->plain.end) {
		time = plain_time(&run->plain, run->at);
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
	struct sorted_run *run;
	size_t nr = 0;
	int err = 0;

	rounds->by_time.nr = 0;
	rounds->by_place.nr = 0;
	for (size_t i = 0; i < rounds->nr_runs && !err; i++) {
		run = &rounds->runs[i];
		if (run->at == run->plain.end) {
			drop_run(rounds, run);
			continue;
		}
		rounds->runs[nr] = *run;
		err = heap_add(&rounds->by_time, plain_time(&run->plain, run->at), nr);
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
	err = tell(rounds, record->inside ? record->size : 2 * record->size,
		   record->inside);
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

	while (!err && run->at < run->plain.end)
		if (next_sample(rounds, run, &record)) {
			record.chunk = run->plain.chunk;
			chunks_hold(&rounds->reader->chunks, record.chunk);
			err = rounds->walk->rest(rounds->walk->rest_context,
						 &record);
		}
	drop_run(rounds, run);
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
	for (size_t i = 0; i < rounds.nr_runs; i++)
		drop_run(&rounds, &rounds.runs[i]);
	free(rounds.runs);
	free(rounds.others);
	heap_free(&rounds.by_time);
	heap_free(&rounds.by_place);
	return err;
}
