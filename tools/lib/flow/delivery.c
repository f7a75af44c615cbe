// SPDX-License-Identifier: GPL-2.0
/*
 * Process one record at a time in their final order: each record enters once, ends in
 * the consumer, and is then released to the reader so that its memory can be reused.
 */
#include <errno.h>
#include <inttypes.h>

#include "build_ids.h"
#include "delivery.h"
#include "util/cancel.h"

static int pass_on(struct pipeline *pipeline,
		   const struct pipeline_sample *sample)
{
	int passes = filter_passes(&pipeline->filter, pipeline->places, sample);

	pipeline->facts.samples += !pipeline->of_intervals ||
				   perfdata_is_interval(&sample->event->attr);
	if (passes <= 0)
		return passes;
	pipeline->facts.passed++;
	return pipeline->consumer->sample(pipeline->context, sample);
}

/*
 * Deliver the value of a counter as a sample of its event, if it has changed; an
 * interval is one even if it is too short for a nanosecond.
 */
static int pass_value(struct pipeline *pipeline,
		      const struct pipeline_sample *from,
		      const struct sample_value *value)
{
	struct record record = *from->record;
	struct sample fields = *from->fields;
	struct pipeline_sample sample = {
		.record = &record,
		.fields = &fields,
		.thread = from->thread,
	};
	int event, err;

	err = readings_take(&pipeline->readings, pipeline->reader, from->thread,
			    value, &event, &fields.period);
	if (err == -ENOENT) {
		damage_add(&pipeline->damages, record.offset,
			   "unknown event id %" PRIu64 " in a counter reading",
			   value->id);
		return 0;
	}
	if (err)
		return err;
	record.event = event;
	fields.event = event;
	fields.id = value->id;
	sample.event = reader_event(pipeline->reader, event);
	if (!fields.period && !perfdata_is_interval(&sample.event->attr))
		return 0;
	return pass_on(pipeline, &sample);
}

static int pass_readings(struct pipeline *pipeline,
			 const struct pipeline_sample *sample)
{
	const struct sample_read *read = &sample->fields->read;
	struct sample_value value;
	int err = 0;

	for (uint64_t i = 0; !err && sample_value(read, i, &value); i++)
		err = pass_value(pipeline, sample, &value);
	return err;
}

/* Hand on a sample, or the values that it has, or a mark. */
static int pass_parsed(struct pipeline *pipeline, const struct pipeline_sample *sample)
{
	const struct pipeline_consumer *consumer = pipeline->consumer;
	const struct perf_event_attr *attr = &sample->event->attr;

	if (perfdata_is_mark(attr))
		return consumer->mark ? consumer->mark(pipeline->context, sample) : 0;
	if (!consumer->sample)
		return 0;
	if (attr->sample_type & PERF_SAMPLE_READ && attr->read_format & PERF_FORMAT_ID)
		return pass_readings(pipeline, sample);
	return pass_on(pipeline, sample);
}

static int take_sample(struct pipeline *pipeline, const struct record *record,
		       const struct reader_event *event)
{
	struct sample fields;
	struct pipeline_sample sample = {
		.record = record,
		.event = event,
		.fields = &fields,
	};

	pipeline->nr_samples++;
	if (!sample_parse(&event->attr, record, &fields)) {
		damage_add(&pipeline->damages, record->offset,
			   "sample of %u bytes is too short for its fields",
			   record->size);
		return 0;
	}
	pipeline->facts.intervals += perfdata_is_interval(&event->attr);
	pipeline->facts.invalid += sample_is_invalid(&event->attr, &fields);
	sample.thread = processes_thread(&pipeline->processes, fields.pid,
					 fields.tid);
	return sample.thread ? pass_parsed(pipeline, &sample) : -ENOMEM;
}

static int take_other(struct pipeline *pipeline, const struct record *record)
{
	int err = record->type == PERFDATA_RECORD_HEADER_BUILD_ID ?
		  build_ids_take(&pipeline->dsos, record) :
		  processes_record(&pipeline->processes, record);

	facts_take(&pipeline->facts, &reader_event(pipeline->reader,
						   record->event)->attr,
		   record);
	if (err == -EINVAL) {
		damage_add(&pipeline->damages, record->offset,
			   "record of type %u with %u bytes is too short for its fields",
			   record->type, record->size);
		err = 0;
	}
	if (err || !pipeline->consumer->other)
		return err;
	return pipeline->consumer->other(pipeline->context, record);
}

/* Parse a sample only if the consumer does not handle its raw bytes. */
static inline int pass_sample(struct pipeline *pipeline,
			      const struct record *record)
{
	const struct reader_event *event = reader_event(pipeline->reader, record->event);

	if (perfdata_is_mark(&event->attr)) {
		pipeline->facts.has_marks = true;
		return pipeline->consumer->mark ? take_sample(pipeline, record, event) : 0;
	}
	pipeline->facts.has_samples = true;
	if (pipeline->tells_known &&
	    pipeline->consumer->known(pipeline->context, record))
		return 0;
	return take_sample(pipeline, record, event);
}

uint64_t deliver_batch(void *context, struct reader_batch *batch)
{
	struct pipeline *pipeline = context;
	uint64_t bytes = 0;

	if (pipeline->tells_known)
		bytes = pipeline->consumer->known_batch(pipeline->context,
							batch);
	pipeline->facts.has_samples |= bytes;
	return bytes;
}

int deliver_in_order(void *context, const struct record *record)
{
	struct pipeline *pipeline = context;
	int err = cancel_check(pipeline->sources.cancel);

	if (record->time && record->time < pipeline->rounds.newest)
		pipeline->rounds.late++;
	else if (record->time)
		pipeline->rounds.newest = record->time;
	if (!err)
		err = processes_advance(&pipeline->processes, record->time);
	if (!err)
		err = record->type == PERF_RECORD_SAMPLE ?
		      pass_sample(pipeline, record) :
		      take_other(pipeline, record);
	reader_release(pipeline->reader, record);
	return err;
}

/* Functions in jitdump files have timestamps: once there are some, deliver in order. */
int deliver_in_rounds(void *context, const struct record *record)
{
	struct pipeline *pipeline = context;
	int err = cancel_check(pipeline->sources.cancel);

	if (err)
		return err;
	if (record->type == PERF_RECORD_SAMPLE)
		return pass_sample(pipeline, record);
	err = take_other(pipeline, record);
	return err || !pipeline->processes.jitcode ? err : READER_IN_ORDER;
}
