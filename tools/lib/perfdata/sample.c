// SPDX-License-Identifier: GPL-2.0
/*
 * The order of the fields is that of enum perf_event_type in linux/perf_event.h.
 */
#include <string.h>

#include "cursor.h"
#include "sample.h"

#define HEADER_SIZE	((int)sizeof(struct perf_event_header))
#define FIELD_SIZE	((int)sizeof(uint64_t))

/* Two 32-bit halves that share one field. */
static void take_pair(struct cursor *c, uint32_t *first, uint32_t *second)
{
	*first = cursor_u32(c);
	*second = cursor_u32(c);
}

static void skip_value(struct cursor *c, uint64_t format)
{
	cursor_u64(c);
	if (format & PERF_FORMAT_ID)
		cursor_u64(c);
	if (format & PERF_FORMAT_LOST)
		cursor_u64(c);
}

/* PERF_SAMPLE_READ: one value, or as many as a group has. */
static void skip_read(struct cursor *c, uint64_t format)
{
	uint64_t nr = format & PERF_FORMAT_GROUP ? cursor_u64(c) : 1;

	if (!(format & PERF_FORMAT_GROUP)) {
		cursor_u64(c);
		nr = 0;
	}
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		cursor_u64(c);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		cursor_u64(c);
	if (!(format & PERF_FORMAT_GROUP)) {
		if (format & PERF_FORMAT_ID)
			cursor_u64(c);
		if (format & PERF_FORMAT_LOST)
			cursor_u64(c);
	}
	for (; nr && !c->failed; nr--)
		skip_value(c, format);
}

bool sample_parse(const struct perf_event_attr *attr,
		  const struct record *record, struct sample *sample)
{
	struct cursor c = cursor_of(record->data, record->size);
	uint64_t type = attr->sample_type;
	uint32_t unused;

	*sample = (struct sample){
		.event = record->event,
		.period = attr->sample_period,
	};
	cursor_take(&c, HEADER_SIZE);
	if (type & PERF_SAMPLE_IDENTIFIER)
		sample->id = cursor_u64(&c);
	if (type & PERF_SAMPLE_IP)
		sample->ip = cursor_u64(&c);
	if (type & PERF_SAMPLE_TID)
		take_pair(&c, &sample->pid, &sample->tid);
	if (type & PERF_SAMPLE_TIME)
		sample->time = cursor_u64(&c);
	if (type & PERF_SAMPLE_ADDR)
		sample->addr = cursor_u64(&c);
	if (type & PERF_SAMPLE_ID)
		sample->id = cursor_u64(&c);
	if (type & PERF_SAMPLE_STREAM_ID)
		sample->stream_id = cursor_u64(&c);
	if (type & PERF_SAMPLE_CPU)
		take_pair(&c, &sample->cpu, &unused);
	if (type & PERF_SAMPLE_PERIOD)
		sample->period = cursor_u64(&c);
	if (type & PERF_SAMPLE_READ)
		skip_read(&c, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		sample->nr_callchain = cursor_u64(&c);
		sample->callchain = cursor_array(&c, sample->nr_callchain,
						 sizeof(uint64_t));
	}
	if (type & PERF_SAMPLE_RAW) {
		sample->raw_size = cursor_u32(&c);
		sample->raw = cursor_take(&c, sample->raw_size);
	}
	return !c.failed;
}

unsigned int sample_trailer_size(const struct perf_event_attr *attr)
{
	uint64_t fields = attr->sample_type &
		(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
		 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
		 PERF_SAMPLE_IDENTIFIER);

	if (!attr->sample_id_all)
		return 0;
	return __builtin_popcountll(fields) * FIELD_SIZE;
}

bool sample_trailer(const struct perf_event_attr *attr,
		    const struct record *record, struct sample *sample)
{
	unsigned int size = sample_trailer_size(attr);
	uint64_t type = attr->sample_type;
	struct cursor c;
	uint32_t unused;

	*sample = (struct sample){ .event = record->event };
	if (!size || record->size < HEADER_SIZE + size)
		return false;
	c = cursor_of(record->data + record->size - size, size);
	if (type & PERF_SAMPLE_TID)
		take_pair(&c, &sample->pid, &sample->tid);
	if (type & PERF_SAMPLE_TIME)
		sample->time = cursor_u64(&c);
	if (type & PERF_SAMPLE_ID)
		sample->id = cursor_u64(&c);
	if (type & PERF_SAMPLE_STREAM_ID)
		sample->stream_id = cursor_u64(&c);
	if (type & PERF_SAMPLE_CPU)
		take_pair(&c, &sample->cpu, &unused);
	if (type & PERF_SAMPLE_IDENTIFIER)
		sample->id = cursor_u64(&c);
	return true;
}

int sample_id_from_start(const struct perf_event_attr *attr)
{
	uint64_t before = attr->sample_type &
		(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		 PERF_SAMPLE_ADDR);

	if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
		return HEADER_SIZE;
	if (!(attr->sample_type & PERF_SAMPLE_ID))
		return -1;
	return HEADER_SIZE + __builtin_popcountll(before) * FIELD_SIZE;
}

int sample_id_from_end(const struct perf_event_attr *attr)
{
	uint64_t behind = attr->sample_type &
		(PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU);

	if (!attr->sample_id_all)
		return -1;
	if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
		return FIELD_SIZE;
	if (!(attr->sample_type & PERF_SAMPLE_ID))
		return -1;
	return FIELD_SIZE + __builtin_popcountll(behind) * FIELD_SIZE;
}
