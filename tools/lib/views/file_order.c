// SPDX-License-Identifier: GPL-2.0
/* Measure how far the records of a file are out of the order of time. */
#include <errno.h>

#include "file_private.h"
#include "flow/pipeline.h"
#include "perfdata/format/format.h"
#include "util/cancel.h"

/**
 * struct measure - a walk over the records in the order of the file
 * @sum: what is returned
 * @newest: time of the newest record so far
 * @lower: no later record may be older, according to the rounds
 * @next_lower: the same after the next FINISHED_ROUND
 * @held: number of records in @order
 * @in_round: number of records since the last FINISHED_ROUND
 * @delivered: number of records that @order has delivered
 */
struct measure {
	struct kermon_file *file;
	struct kermon_file_order *sum;
	int (*fn)(void *context, const struct kermon_file_moment *moment);
	void *context;
	struct order *order;
	uint64_t newest;
	uint64_t lower;
	uint64_t next_lower;
	uint64_t held;
	uint64_t in_round;
	uint64_t delivered;
};

static void raise_to(uint64_t *most, uint64_t value)
{
	if (value > *most)
		*most = value;
}

static bool has_time(const struct record *record)
{
	return record->time && record->time != UINT64_MAX &&
	       record->type != PERFDATA_RECORD_FINISHED_ROUND;
}

/* The CPU that the record is from; -1 if that was not recorded. */
static int64_t cpu_of(const struct measure *measure, const struct record *record)
{
	const struct perf_event_attr *attr;
	struct sample trailer;
	int at;

	if (record->type >= PERFDATA_RECORD_FIRST)
		return -1;
	attr = &reader_event(measure->file->reader, record->event)->attr;
	if (!(attr->sample_type & PERF_SAMPLE_CPU))
		return -1;
	if (record->type != PERF_RECORD_SAMPLE)
		return sample_trailer(attr, record, &trailer) ?
		       (int64_t)trailer.cpu : -1;
	at = sample_from_start(attr, PERF_SAMPLE_CPU);
	if (at < 0 || at + sizeof(uint32_t) > record->size)
		return -1;
	return sample_half(record->data + at, 0);
}

/*
 * Records are numbered by their place among those that have a time. If none is late, the
 * record that is delivered furthest ahead of its place is preceded in the file by that
 * many newer records, and no place of the file by more that are newer than a later one.
 */
static int take_delivered(void *context, const struct record *record)
{
	struct measure *measure = context;
	int32_t ahead;

	if (has_time(record)) {
		ahead = record->number - (uint32_t)measure->delivered++;
		if (ahead > 0)
			raise_to(&measure->sum->held, ahead);
		measure->held--;
	}
	reader_release(measure->file->reader, record);
	return 0;
}

static void end_round(struct measure *measure)
{
	measure->sum->rounds++;
	raise_to(&measure->sum->held_by_rounds, measure->held);
	measure->lower = measure->next_lower;
	measure->next_lower = measure->newest;
	measure->in_round = 0;
}

/* Returns what the caller's function returns. */
static int take_moment(struct measure *measure, const struct record *record)
{
	struct kermon_file_order *sum = measure->sum;
	struct kermon_file_moment moment = {
		.number = sum->records - 1,
		.offset = record->offset,
		.time = record->time,
		.lower = measure->lower,
		.cpu = cpu_of(measure, record),
	};

	sum->timed++;
	if (record->time < measure->newest) {
		sum->unordered++;
		if (measure->newest - record->time > sum->step) {
			sum->step = measure->newest - record->time;
			sum->step_number = moment.number;
			sum->step_offset = moment.offset;
		}
	}
	sum->crossing += record->time < measure->next_lower;
	sum->late += record->time < measure->lower;
	raise_to(&measure->newest, record->time);
	raise_to(&sum->round, ++measure->in_round);
	moment.upper = measure->newest;
	return measure->fn(measure->context, &moment);
}

static int take_record(void *context, const struct record *record)
{
	struct measure *measure = context;
	struct record numbered = *record;
	int err = cancel_check(measure->file->options.cancel);

	if (err)
		return err;
	measure->sum->records += record->offset != RECORD_MADE_UP;
	if (record->type == PERFDATA_RECORD_FINISHED_ROUND) {
		end_round(measure);
		return order_record(measure->order, record);
	}
	if (!has_time(record))
		return take_delivered(measure, record);
	err = take_moment(measure, record);
	if (err)
		return err;
	numbered.number = measure->sum->timed - 1;
	measure->held++;
	return order_record(measure->order, &numbered);
}

int kermon_file_order(struct kermon_file *file,
		      int (*fn)(void *context,
				const struct kermon_file_moment *moment),
		      void *context, const struct kermon_file_order **order)
{
	struct measure measure = {
		.file = file, .sum = &file->order, .fn = fn, .context = context,
	};
	int err;

	*order = &file->order;
	if (!file->reader)
		return -EINVAL;
	file->order = (struct kermon_file_order){ 0 };
	measure.order = order_new(take_delivered, &measure);
	if (!measure.order)
		return -ENOMEM;
	err = reader_walk(file->reader, take_record, &measure);
	raise_to(&file->order.held_by_rounds, measure.held);
	if (!err)
		err = order_flush(measure.order);
	order_free(measure.order);
	return err;
}
