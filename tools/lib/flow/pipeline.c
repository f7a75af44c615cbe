// SPDX-License-Identifier: GPL-2.0
/*
 * The stages put together. The reader is told what memory is no longer needed,
 * whoever waits how far it has come.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "perfdata/format/format.h"
#include "pipeline.h"
#include "util/cursor.h"

/* Bytes of the file between two calls of the progress function. */
#define PROGRESS_BYTES	(1UL << 20)

/* An element of BUILD_ID, at @c; moves on to the next one. */
static int take_build_id(struct pipeline *pipeline, struct cursor *c)
{
	struct perfdata_build_id element;
	const unsigned char *bytes = cursor_take(c, sizeof(element));
	struct build_id id = { .size = BUILD_ID_MAX };
	const char *path;

	if (!bytes)
		return 0;
	memcpy(&element, bytes, sizeof(element));
	element.header = record_header(bytes, c->swapped);
	path = cursor_chars(c, element.header.size - sizeof(element));
	if (c->failed)
		return 0;
	if (element.header.misc & PERF_RECORD_MISC_BUILD_ID_SIZE &&
	    element.size < BUILD_ID_MAX)
		id.size = element.size;
	memcpy(id.bytes, element.id, id.size);
	return dsos_know_build_id(&pipeline->dsos, path, &id);
}

static void read_release(struct pipeline *pipeline)
{
	struct cursor c = reader_feature_cursor(pipeline->reader,
						PERFDATA_OSRELEASE);
	struct kernel_identity *kernel = &pipeline->dsos.kernel;

	if (cursor_left(&c))
		snprintf(kernel->release, sizeof(kernel->release), "%s",
			 cursor_string(&c));
}

static int read_build_ids(struct pipeline *pipeline)
{
	struct cursor c = reader_feature_cursor(pipeline->reader,
						PERFDATA_BUILD_ID);
	int err = 0;

	while (!err && cursor_left(&c))
		err = take_build_id(pipeline, &c);
	if (c.failed && !reader_feature_is_cut(pipeline->reader,
					       PERFDATA_BUILD_ID))
		damage_add(&pipeline->damages,
			   reader_feature_offset(pipeline->reader,
						 PERFDATA_BUILD_ID),
			   "the build ids are cut off");
	return err;
}

static int tell_progress(void *context)
{
	struct pipeline *pipeline = context;
	uint64_t done, total;

	if (!pipeline->progress)
		return 0;
	reader_progress(pipeline->reader, &done, &total);
	if (!total || done < pipeline->next_progress)
		return 0;
	pipeline->next_progress = done + PROGRESS_BYTES;
	pipeline->progress(pipeline->progress_context, done, total);
	return 0;
}

/* Every record on its way from the reader to the order. */
static int to_order(void *context, const struct record *record)
{
	struct pipeline *pipeline = context;
	int err = order_record(pipeline->order, record);

	return err ? err : tell_progress(pipeline);
}

static int pass_on(struct pipeline *pipeline,
		   const struct pipeline_sample *sample)
{
	int passes = filter_passes(&pipeline->filter, pipeline, sample);

	pipeline->facts.samples += !pipeline->of_intervals ||
				   perfdata_is_interval(&sample->event->attr);
	if (passes <= 0)
		return passes;
	pipeline->facts.passed++;
	return pipeline->consumer->sample(pipeline->context, sample);
}

/* The counter has been read: a sample of its event, if that has counted. */
static int pass_value(struct pipeline *pipeline,
		      const struct pipeline_sample *from,
		      const struct sample_value *value)
{
	int event = reader_event_of(pipeline->reader, value->id);
	struct record record = *from->record;
	struct sample fields = *from->fields;
	struct pipeline_sample sample = {
		.record = &record,
		.fields = &fields,
		.thread = from->thread,
	};
	int err;

	if (event < 0) {
		damage_add(&pipeline->damages, record.offset,
			   "no event has the id %" PRIu64 " of a reading",
			   value->id);
		return 0;
	}
	record.event = event;
	fields.event = event;
	fields.id = value->id;
	sample.event = reader_event(pipeline->reader, event);
	err = readings_delta(&pipeline->readings, value->id, value->value,
			     &fields.period);
	return err || !fields.period ? err : pass_on(pipeline, &sample);
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

static int take_sample(struct pipeline *pipeline, const struct record *record)
{
	const struct reader_event *event = reader_event(pipeline->reader,
							record->event);
	struct sample fields;
	struct pipeline_sample sample = {
		.record = record,
		.event = event,
		.fields = &fields,
	};

	pipeline->has_samples = true;
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
	if (!sample.thread)
		return -ENOMEM;
	if (!pipeline->consumer->sample)
		return 0;
	if (event->attr.sample_type & PERF_SAMPLE_READ &&
	    event->attr.read_format & PERF_FORMAT_ID)
		return pass_readings(pipeline, &sample);
	return pass_on(pipeline, &sample);
}

/* Of a pipe: in a file they are a feature. */
static int take_build_id_record(struct pipeline *pipeline,
				const struct record *record)
{
	struct cursor c = cursor_of(record->data, record->size);

	return take_build_id(pipeline, &c);
}

static int take_other(struct pipeline *pipeline, const struct record *record)
{
	int err = record->type == PERFDATA_RECORD_HEADER_BUILD_ID ?
		  take_build_id_record(pipeline, record) :
		  processes_record(&pipeline->processes, record);

	pipeline->has_counts |= record->type == PERFDATA_RECORD_STAT;
	facts_take(&pipeline->facts, pipeline, record);
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

/* A sample is taken apart only if the consumer does not know it as it is. */
static inline int pass_sample(struct pipeline *pipeline,
			      const struct record *record)
{
	if (pipeline->tells_known &&
	    pipeline->consumer->known(pipeline->context, record))
		return 0;
	return take_sample(pipeline, record);
}

static uint64_t take_batch(void *context, struct reader_batch *batch)
{
	struct pipeline *pipeline = context;

	return pipeline->tells_known ?
	       pipeline->consumer->known_batch(pipeline->context, batch) : 0;
}

/* Every record on its way from the order to the consumer. */
static int from_order(void *context, const struct record *record)
{
	struct pipeline *pipeline = context;
	int err;

	if (record->time && record->time < pipeline->rounds.newest)
		pipeline->rounds.late++;
	else if (record->time)
		pipeline->rounds.newest = record->time;
	err = processes_advance(&pipeline->processes, record->time);
	if (!err)
		err = record->type == PERF_RECORD_SAMPLE ?
		      pass_sample(pipeline, record) :
		      take_other(pipeline, record);
	reader_release(pipeline->reader, record);
	return err;
}

/*
 * Every record, where order matters little. What programs tell of code they have
 * made is by the time: from then on it matters.
 */
static int from_rounds(void *context, const struct record *record)
{
	struct pipeline *pipeline = context;
	int err;

	if (record->type == PERF_RECORD_SAMPLE)
		return pass_sample(pipeline, record);
	err = take_other(pipeline, record);
	return err || !pipeline->processes.jitcode ? err : READER_IN_ORDER;
}

int pipeline_init(struct pipeline *pipeline,
		  const struct pipeline_consumer *consumer, void *context,
		  const struct kermon_report_options *options)
{
	static const struct kermon_report_options none;

	if (!options)
		options = &none;
	*pipeline = (struct pipeline){
		.consumer = consumer,
		.context = context,
		.sources = {
			.symfs = options->symfs,
			.kallsyms = options->kallsyms,
		},
		.inlines = options->inlines,
		.filter.wanted = options->filter,
		.progress = options->progress,
		.progress_context = options->context,
		.order = order_new(from_order, pipeline),
		.places = places_new(),
		.rounds = {
			.fn = from_rounds,
			.batch = take_batch,
			.rest = to_order,
			.step = tell_progress,
			.context = pipeline,
		},
	};
	damages_collect(&pipeline->damages, options->damages);
	processes_init(&pipeline->processes, &pipeline->dsos,
		       &pipeline->sources);
	return pipeline->order && pipeline->places ? 0 : -ENOMEM;
}

void pipeline_end(struct pipeline *pipeline)
{
	order_free(pipeline->order);
	places_free(pipeline->places);
	readings_free(&pipeline->readings);
	filter_end(&pipeline->filter);
	processes_free(&pipeline->processes);
	dsos_free(&pipeline->dsos);
	reader_close(pipeline->reader);
}

/* Whether times are of the one clock that programs can read, too. */
static bool is_monotonic(struct reader *reader)
{
	const struct reader_event *event = reader_nr_events(reader) ?
					   reader_event(reader, 0) : NULL;

	return event && event->attr.use_clockid &&
	       event->attr.clockid == CLOCK_MONOTONIC;
}

int pipeline_read(struct pipeline *pipeline, const char *path)
{
	const struct pipeline_consumer *consumer = pipeline->consumer;
	int err = reader_open(path, &pipeline->reader, &pipeline->damages);

	if (!err)
		pipeline->processes.monotonic = is_monotonic(pipeline->reader);
	pipeline->of_intervals = !err && reader_has_intervals(pipeline->reader);
	if (!err)
		err = filter_begin(&pipeline->filter, pipeline);
	if (!err && consumer->begin)
		err = consumer->begin(pipeline->context);
	pipeline->tells_known = consumer->known && !pipeline->filter.wanted;
	if (!err) {
		read_release(pipeline);
		err = read_build_ids(pipeline);
	}
	if (!err)
		err = pipeline->any_order ?
		      reader_walk_rounds(pipeline->reader,
					 &pipeline->rounds) :
		      reader_walk(pipeline->reader, to_order, pipeline);
	if (!err)
		err = order_flush(pipeline->order);
	if (!err && pipeline->has_counts && !pipeline->has_samples &&
	    !pipeline->takes_counts)
		err = -ENOMSG;
	facts_conclude(&pipeline->facts, pipeline);
	if (!err && consumer->end)
		err = consumer->end(pipeline->context);
	return err;
}

struct place pipeline_place(struct pipeline *pipeline, struct thread *thread,
			    unsigned int mode, uint64_t address,
			    unsigned int back)
{
	struct process *space = processes_space(&pipeline->processes, thread,
						mode);

	if (!space)
		return (struct place){};
	return places_find(pipeline->places, space, &pipeline->sources,
			   address, back);
}

/* What a virtual machine did has no other side here. */
static unsigned int other_side(unsigned int mode)
{
	switch (mode) {
	case PERF_RECORD_MISC_KERNEL:
		return PERF_RECORD_MISC_USER;
	case PERF_RECORD_MISC_GUEST_KERNEL:
	case PERF_RECORD_MISC_GUEST_USER:
		return mode;
	default:
		return PERF_RECORD_MISC_KERNEL;
	}
}

struct place pipeline_branch_end(struct pipeline *pipeline,
				 struct thread *thread, unsigned int mode,
				 uint64_t address)
{
	struct place place = pipeline_place(pipeline, thread, mode, address, 0);

	return place.dso ? place : pipeline_place(pipeline, thread,
						  other_side(mode), address, 0);
}

static struct place data_place(struct pipeline *pipeline, struct thread *thread,
			       unsigned int mode, uint64_t address)
{
	struct process *space = processes_space(&pipeline->processes, thread,
						mode);

	return space ? places_find_data(space, &pipeline->sources, address) :
		       (struct place){};
}

struct place pipeline_data(struct pipeline *pipeline, struct thread *thread,
			   unsigned int mode, uint64_t address)
{
	struct place place = data_place(pipeline, thread, mode, address);

	return place.dso ? place : data_place(pipeline, thread,
					      other_side(mode), address);
}
