// SPDX-License-Identifier: GPL-2.0
/*
 * Parse samples, and what sample_id_all appends to other records. Fields are in the
 * order of enum perf_event_sample_format in linux/perf_event.h.
 */
#include <linux/kermon.h>
#include <string.h>

#include "layout.h"
#include "sample.h"

#define HEADER_SIZE	((int)sizeof(struct perf_event_header))
#define FIELD_SIZE	((int)sizeof(uint64_t))

/* Two 32-bit halves of one field. */
static void take_pair(struct cursor *c, uint32_t *first, uint32_t *second)
{
	*first = cursor_u32(c);
	*second = cursor_u32(c);
}

/* One value, or one of a group. */
static void take_value(struct cursor *c, uint64_t format,
		       struct sample_value *value)
{
	if (format & PERF_FORMAT_ID)
		value->id = cursor_u64(c);
	if (format & PERF_FORMAT_LOST)
		value->lost = cursor_u64(c);
}

static size_t value_size(uint64_t format)
{
	return FIELD_SIZE + (format & PERF_FORMAT_ID ? FIELD_SIZE : 0) +
	       (format & PERF_FORMAT_LOST ? FIELD_SIZE : 0);
}

/* The times precede the values of a group, but follow a single value. */
void sample_read_parse(struct cursor *c, uint64_t format,
		       struct sample_read *read)
{
	uint64_t first = cursor_u64(c);

	*read = (struct sample_read){ .format = format, .nr = 1 };
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		read->enabled = cursor_u64(c);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		read->running = cursor_u64(c);
	if (format & PERF_FORMAT_GROUP) {
		read->nr = first;
		read->values = cursor_array(c, first, value_size(format));
		return;
	}
	read->single.value = first;
	take_value(c, format, &read->single);
}

bool sample_value(const struct sample_read *read, uint64_t index,
		  struct sample_value *value)
{
	size_t size = value_size(read->format);
	struct cursor c;

	if (index >= read->nr)
		return false;
	*value = read->single;
	if (!(read->format & PERF_FORMAT_GROUP))
		return true;
	c = cursor_of(read->values + index * size, size);
	value->value = cursor_u64(&c);
	take_value(&c, read->format, value);
	return true;
}

/* Task, time, CPU and ids: the fields that almost every sample has. */
static void take_identity(struct cursor *c, uint64_t type,
			  struct sample *sample)
{
	uint32_t unused;

	if (type & PERF_SAMPLE_IDENTIFIER)
		sample->id = cursor_u64(c);
	if (type & PERF_SAMPLE_IP)
		sample->ip = cursor_u64(c);
	if (type & PERF_SAMPLE_TID)
		take_pair(c, &sample->pid, &sample->tid);
	if (type & PERF_SAMPLE_TIME)
		sample->time = cursor_u64(c);
	if (type & PERF_SAMPLE_ADDR)
		sample->addr = cursor_u64(c);
	if (type & PERF_SAMPLE_ID)
		sample->id = cursor_u64(c);
	if (type & PERF_SAMPLE_STREAM_ID)
		sample->stream_id = cursor_u64(c);
	if (type & PERF_SAMPLE_CPU)
		take_pair(c, &sample->cpu, &unused);
	if (type & PERF_SAMPLE_PERIOD)
		sample->period = cursor_u64(c);
}

static void take_branches(struct cursor *c, uint64_t type,
			  struct sample_branches *branches)
{
	branches->nr = cursor_u64(c);
	branches->hw_index = type & PERF_SAMPLE_BRANCH_HW_INDEX ?
			     cursor_u64(c) : UINT64_MAX;
	branches->entries = cursor_array(c, branches->nr, SAMPLE_BRANCH_SIZE);
	if (type & SAMPLE_BRANCH_COUNTERS)
		branches->counters = cursor_array(c, branches->nr, FIELD_SIZE);
}

static void take_regs(struct cursor *c, uint64_t mask, struct sample_regs *regs)
{
	regs->abi = cursor_u64(c);
	if (!regs->abi)
		return;
	regs->mask = mask;
	regs->values = cursor_array(c, __builtin_popcountll(mask), FIELD_SIZE);
}

/* The requested number of bytes, followed by the number of valid ones. */
static void take_stack(struct cursor *c, struct sample_bytes *stack)
{
	uint64_t room = cursor_u64(c);

	if (!room)
		return;
	stack->data = cursor_take(c, room);
	stack->size = cursor_u64(c);
	if (stack->size > room)
		stack->size = room;
}

/* The context of the program: registers, stack, branches. */
static void take_context(struct cursor *c, const struct perf_event_attr *attr,
			 struct sample *sample)
{
	uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_READ)
		sample_read_parse(c, attr->read_format, &sample->read);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		sample->nr_callchain = cursor_u64(c);
		sample->callchain = cursor_array(c, sample->nr_callchain,
						 FIELD_SIZE);
	}
	if (type & PERF_SAMPLE_RAW) {
		sample->raw_size = cursor_u32(c);
		sample->raw = cursor_take(c, sample->raw_size);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		take_branches(c, attr->branch_sample_type, &sample->branches);
	if (type & PERF_SAMPLE_REGS_USER)
		take_regs(c, attr->sample_regs_user, &sample->user_regs);
	if (type & PERF_SAMPLE_STACK_USER)
		take_stack(c, &sample->user_stack);
}

/* One word, which PERF_SAMPLE_WEIGHT_STRUCT divides. */
static void take_weight(struct cursor *c, uint64_t type, struct sample *sample)
{
	uint64_t word = cursor_u64(c);

	sample->weight = word;
	if (type & PERF_SAMPLE_WEIGHT)
		return;
	sample->weight = (union perf_sample_weight){ .full = word }.var1_dw;
	sample->weight2[0] = (union perf_sample_weight){ .full = word }.var2_w;
	sample->weight2[1] = (union perf_sample_weight){ .full = word }.var3_w;
}

/* The memory access, and all other fields. */
static void take_access(struct cursor *c, const struct perf_event_attr *attr,
			struct sample *sample)
{
	uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_WEIGHT_TYPE)
		take_weight(c, type, sample);
	if (type & PERF_SAMPLE_DATA_SRC)
		sample->data_src = cursor_u64(c);
	if (type & PERF_SAMPLE_TRANSACTION)
		sample->transaction = cursor_u64(c);
	if (type & PERF_SAMPLE_REGS_INTR)
		take_regs(c, attr->sample_regs_intr, &sample->intr_regs);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		sample->phys_addr = cursor_u64(c);
	if (type & PERF_SAMPLE_CGROUP)
		sample->cgroup = cursor_u64(c);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		sample->data_page_size = cursor_u64(c);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		sample->code_page_size = cursor_u64(c);
	if (type & PERF_SAMPLE_AUX) {
		sample->aux.size = cursor_u64(c);
		sample->aux.data = cursor_take(c, sample->aux.size);
	}
}

#define CONTEXT_FIELDS	(PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN |	\
			 PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK |	\
			 PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)
#define ACCESS_FIELDS	(PERF_SAMPLE_WEIGHT_TYPE | PERF_SAMPLE_DATA_SRC | \
			 PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_REGS_INTR | \
			 PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |	\
			 PERF_SAMPLE_DATA_PAGE_SIZE |			\
			 PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX)

bool sample_parse(const struct perf_event_attr *attr,
		  const struct record *record, struct sample *sample)
{
	struct cursor c = cursor_of(record->data, record->size);

	*sample = (struct sample){
		.event = record->event,
		.period = attr->sample_period,
	};
	cursor_take(&c, HEADER_SIZE);
	take_identity(&c, attr->sample_type, sample);
	if (attr->sample_type & CONTEXT_FIELDS)
		take_context(&c, attr, sample);
	if (attr->sample_type & ACCESS_FIELDS)
		take_access(&c, attr, sample);
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

bool sample_interval(const struct perf_event_attr *attr,
		     const struct sample *sample, struct perfdata_rest *rest)
{
	if (sample->raw_size < PERFDATA_REST_SIZE ||
	    !perfdata_is_interval(attr))
		return false;
	memcpy(rest, sample->raw - sizeof(rest->size), sizeof(*rest));
	return rest->type == KERMON_RECORD_SAMPLE ||
	       rest->type == KERMON_RECORD_INVALID;
}

bool sample_is_invalid(const struct perf_event_attr *attr,
		       const struct sample *sample)
{
	struct perfdata_rest rest;

	return sample_interval(attr, sample, &rest) &&
	       rest.type == KERMON_RECORD_INVALID;
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

int sample_from_start(const struct perf_event_attr *attr, uint64_t field)
{
	static const uint64_t fields[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID,
		PERF_SAMPLE_TIME, PERF_SAMPLE_ADDR, PERF_SAMPLE_ID,
		PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU, PERF_SAMPLE_PERIOD,
		PERF_SAMPLE_READ, PERF_SAMPLE_CALLCHAIN,
	};
	int at = HEADER_SIZE;

	if (!(attr->sample_type & field))
		return -1;
	for (size_t i = 0; fields[i] != field; i++)
		if (attr->sample_type & fields[i])
			at += FIELD_SIZE;
	return at;
}

int sample_id_from_start(const struct perf_event_attr *attr)
{
	return sample_from_start(attr,
				 attr->sample_type & PERF_SAMPLE_IDENTIFIER ?
				 PERF_SAMPLE_IDENTIFIER : PERF_SAMPLE_ID);
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
