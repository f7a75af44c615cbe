// SPDX-License-Identifier: GPL-2.0
/*
 * Print a record with all its fields for `kermon dump`: samples according to the attr
 * of their event, other records according to the table of record types.
 */
#include <errno.h>
#include <inttypes.h>
#include <kermon/text.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "util/cursor.h"

/* Maximum number of bytes printed of unknown data. */
#define SHOWN_BYTES	32

/* A record that is being printed. */
struct printed_record {
	FILE *out;
	struct cursor c;
	const char *before;	/* printed before the next field */
	const char *prefix;	/* of field names */
	uint64_t first;		/* first field of the record */
};

static void begin_field(struct printed_record *text, const char *name)
{
	fprintf(text->out, "%s%s%s ", text->before, text->prefix, name);
	text->before = ", ";
}

static void put_number(struct printed_record *text, const char *name, uint64_t value)
{
	if (!name)
		return;
	begin_field(text, name);
	fprintf(text->out, "%" PRIu64, value);
}

static void put_signed(struct printed_record *text, const char *name, int64_t value)
{
	begin_field(text, name);
	fprintf(text->out, "%" PRId64, value);
}

static void put_hex(struct printed_record *text, const char *name, uint64_t value)
{
	begin_field(text, name);
	fprintf(text->out, "0x%" PRIx64, value);
}

static void put_time(struct printed_record *text, const char *name, uint64_t ns)
{
	begin_field(text, name);
	fprintf(text->out, "%" PRIu64 ".%09" PRIu64, ns / 1000000000,
		ns % 1000000000);
}

static void put_bytes(struct printed_record *text, const char *name,
		      const unsigned char *bytes, size_t size)
{
	if (!name || !bytes)
		return;
	begin_field(text, name);
	for (size_t i = 0; i < size && i < SHOWN_BYTES; i++)
		fprintf(text->out, "%02x", bytes[i]);
	if (size > SHOWN_BYTES)
		fprintf(text->out, "... (%zu bytes)", size);
}

static void put_text(struct printed_record *text, const char *name, size_t size)
{
	begin_field(text, name);
	kermon_text_print(text->out, cursor_chars(&text->c, size));
}

/* A string up to a NUL, or to the end of the record. */
static void put_name(struct printed_record *text, const char *name)
{
	size_t size;
	const char *chars = cursor_name(&text->c, &size);
	char *copy = strndup(chars, size);

	begin_field(text, name);
	if (copy)
		kermon_text_print(text->out, copy);
	free(copy);
}

static void put_words(struct printed_record *text, const char *name, uint64_t nr)
{
	const unsigned char *words = cursor_array(&text->c, nr,
						  sizeof(uint64_t));

	begin_field(text, name);
	for (uint64_t i = 0; words && i < nr; i++)
		fprintf(text->out, "%s0x%" PRIx64, i ? " " : "",
			sample_word(words, i));
}

static void put_attr(struct printed_record *text)
{
	struct cursor peek = text->c;
	struct perf_event_attr attr = { 0 };
	const unsigned char *bytes;
	uint32_t size;

	cursor_u32(&peek);
	size = cursor_u32(&peek);
	bytes = cursor_take(&text->c, size ? size : PERF_ATTR_SIZE_VER0);
	if (!bytes)
		return;
	memcpy(&attr, bytes, size && size < sizeof(attr) ? size :
	       size ? sizeof(attr) : PERF_ATTR_SIZE_VER0);
	text->before = ", ";
	attr_text(text->out, &attr);
}

/* Ranges of CPUs, "-1" for any: "0-3,8". */
static void put_cpus(struct printed_record *text)
{
	struct cursor begin = text->c;
	struct cpu_map map;
	size_t last;
	int err = cpu_map_read(&map, &text->c);

	if (err == -EOPNOTSUPP)
		put_bytes(text, "cpus", begin.at, cursor_left(&begin));
	text->c.failed |= err == -EINVAL;
	if (err)
		return;
	begin_field(text, "cpus");
	for (size_t i = 0; i < map.nr; i = last + 1) {
		last = i;
		while (last + 1 < map.nr && map.cpus[i] >= 0 &&
		       map.cpus[last + 1] == map.cpus[last] + 1)
			last++;
		fprintf(text->out, "%s%" PRId32, i ? "," : "", map.cpus[i]);
		if (last > i)
			fprintf(text->out, "-%" PRId32, map.cpus[last]);
	}
	cpu_map_free(&map);
}

/* { u32 nr, nr strings } */
static void put_notes(struct printed_record *text)
{
	uint32_t nr = cursor_u32(&text->c);

	begin_field(text, "notes");
	fputc('{', text->out);
	for (uint32_t i = 0; i < nr && !text->c.failed; i++) {
		fputs(i ? ", " : "", text->out);
		kermon_text_print(text->out, cursor_string(&text->c));
	}
	fputc('}', text->out);
}

static void put_update(struct printed_record *text)
{
	double scale;
	uint64_t word;

	switch (text->first) {
	case PERFDATA_UPDATE_UNIT:
	case PERFDATA_UPDATE_NAME:
		put_text(text, "text", cursor_left(&text->c));
		break;
	case PERFDATA_UPDATE_SCALE:
		word = cursor_u64(&text->c);
		memcpy(&scale, &word, sizeof(scale));
		begin_field(text, "scale");
		fprintf(text->out, "%g", scale);
		break;
	case PERFDATA_UPDATE_CPUS:
		put_cpus(text);
		break;
	case PERFDATA_UPDATE_KERMON:
		put_notes(text);
		break;
	}
}

static uint64_t take_number(struct cursor *c, unsigned int kind)
{
	const unsigned char *bytes;
	uint16_t half;

	switch (kind) {
	case DATA_U8:
		bytes = cursor_take(c, 1);
		return bytes ? *bytes : 0;
	case DATA_U16:
		bytes = cursor_take(c, sizeof(half));
		if (!bytes)
			return 0;
		memcpy(&half, bytes, sizeof(half));
		return half;
	case DATA_U32:
		return cursor_u32(c);
	case DATA_S32:
		return (int32_t)cursor_u32(c);
	default:
		return cursor_u64(c);
	}
}

static void put_field(struct printed_record *text, const struct data_field *field)
{
	size_t size = field->size ? field->size : cursor_left(&text->c);

	switch (field->kind) {
	case DATA_HEX:
		put_hex(text, field->name, cursor_u64(&text->c));
		break;
	case DATA_TIME:
		put_time(text, field->name, cursor_u64(&text->c));
		break;
	case DATA_S32:
	case DATA_S64:
		put_signed(text, field->name,
			   take_number(&text->c, field->kind));
		break;
	case DATA_BYTES:
		put_bytes(text, field->name, cursor_take(&text->c, size), size);
		break;
	case DATA_TEXT:
		put_text(text, field->name, size);
		break;
	case DATA_NAME:
		put_name(text, field->name);
		break;
	case DATA_WORDS:
		put_words(text, field->name,
			  cursor_left(&text->c) / sizeof(uint64_t));
		break;
	case DATA_ATTR:
		put_attr(text);
		break;
	case DATA_CPUS:
		put_cpus(text);
		break;
	case DATA_UPDATE:
		put_update(text);
		break;
	default:
		put_number(text, field->name,
			   take_number(&text->c, field->kind));
	}
}

/* Repeat the fields up to the end of the record. */
static void put_repeated(struct printed_record *text, const struct data_field *fields)
{
	while (cursor_left(&text->c) && !text->c.failed)
		for (const struct data_field *each = fields;
		     each->kind != DATA_END; each++)
			put_field(text, each);
}

static void put_counted(struct printed_record *text, const struct data_field *counted)
{
	for (uint64_t nr = text->first; nr && !text->c.failed; nr--)
		for (unsigned int i = 1; i <= counted->size; i++)
			put_field(text, &counted[i]);
}

static void put_fields(struct printed_record *text, const struct data_field *fields)
{
	struct cursor begin = text->c;
	const struct data_field *field;

	text->first = cursor_u64(&begin);
	for (field = fields; field->kind != DATA_END && !text->c.failed;
	     field++) {
		if (field->kind == DATA_COUNTED) {
			put_counted(text, field);
			field += field->size;
		} else if (field->kind == DATA_REPEAT) {
			put_repeated(text, field + 1);
			return;
		} else if (field->kind != DATA_NEWER) {
			put_field(text, field);
		} else if (!cursor_left(&text->c)) {
			return;
		}
	}
}

/* Task, time and CPU, of samples and of records with a trailer. */
static void put_identity(struct printed_record *text, uint64_t type,
			 const struct sample *sample)
{
	if (type & PERF_SAMPLE_TID) {
		put_number(text, "pid", sample->pid);
		put_number(text, "tid", sample->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		put_time(text, "time", sample->time);
	if (type & PERF_SAMPLE_CPU)
		put_number(text, "cpu", sample->cpu);
	if (type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER))
		put_number(text, "id", sample->id);
}

/* The trailer appended by sample_id_all. */
static void put_trailer(struct printed_record *text, const struct perf_event_attr *attr,
			const struct record *record)
{
	struct sample sample;

	if (!sample_trailer(attr, record, &sample))
		return;
	text->prefix = "id.";
	put_identity(text, attr->sample_type, &sample);
}

static void put_reading(struct printed_record *text, const struct sample_read *read)
{
	struct sample_value value;

	if (read->enabled)
		put_number(text, "enabled", read->enabled);
	if (read->running)
		put_number(text, "running", read->running);
	for (uint64_t i = 0; sample_value(read, i, &value); i++) {
		put_number(text, "value", value.value);
		if (read->format & PERF_FORMAT_ID)
			put_number(text, "value.id", value.id);
		if (read->format & PERF_FORMAT_LOST)
			put_number(text, "value.lost", value.lost);
	}
}

static void put_regs(struct printed_record *text, const char *name,
		     const struct sample_regs *regs)
{
	begin_field(text, name);
	fprintf(text->out, "abi %" PRIu64, regs->abi);
	for (int i = 0; i < __builtin_popcountll(regs->mask); i++)
		fprintf(text->out, " 0x%" PRIx64, sample_word(regs->values, i));
}

static void put_context(struct printed_record *text, uint64_t type,
			const struct sample *sample)
{
	if (type & PERF_SAMPLE_READ)
		put_reading(text, &sample->read);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		text->c = cursor_of(sample->callchain, sample->nr_callchain *
				    sizeof(uint64_t));
		put_words(text, "callchain", sample->nr_callchain);
	}
	if (type & PERF_SAMPLE_RAW)
		put_bytes(text, "raw", sample->raw, sample->raw_size);
	if (type & PERF_SAMPLE_BRANCH_STACK) {
		text->c = cursor_of(sample->branches.entries,
				    sample->branches.nr * SAMPLE_BRANCH_SIZE);
		put_words(text, "branches", 3 * sample->branches.nr);
	}
	if (type & PERF_SAMPLE_REGS_USER)
		put_regs(text, "user_regs", &sample->user_regs);
	if (type & PERF_SAMPLE_STACK_USER)
		put_number(text, "user_stack", sample->user_stack.size);
}

static void put_access(struct printed_record *text, uint64_t type,
		       const struct sample *sample)
{
	if (type & PERF_SAMPLE_WEIGHT_TYPE)
		put_number(text, "weight", sample->weight);
	if (type & PERF_SAMPLE_DATA_SRC)
		put_hex(text, "data_src", sample->data_src);
	if (type & PERF_SAMPLE_TRANSACTION)
		put_hex(text, "transaction", sample->transaction);
	if (type & PERF_SAMPLE_REGS_INTR)
		put_regs(text, "intr_regs", &sample->intr_regs);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		put_hex(text, "phys_addr", sample->phys_addr);
	if (type & PERF_SAMPLE_CGROUP)
		put_number(text, "cgroup", sample->cgroup);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		put_number(text, "data_page_size", sample->data_page_size);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		put_number(text, "code_page_size", sample->code_page_size);
	if (type & PERF_SAMPLE_AUX)
		put_bytes(text, "aux", sample->aux.data, sample->aux.size);
}

static bool put_sample(struct printed_record *text, const struct record *record,
		       const struct perf_event_attr *attr)
{
	uint64_t type = attr->sample_type;
	struct sample sample;

	if (!sample_parse(attr, record, &sample))
		return false;
	if (type & PERF_SAMPLE_IP)
		put_hex(text, "ip", sample.ip);
	put_identity(text, type, &sample);
	if (type & PERF_SAMPLE_ADDR)
		put_hex(text, "addr", sample.addr);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_number(text, "stream_id", sample.stream_id);
	put_number(text, "period", sample.period);
	put_context(text, type, &sample);
	put_access(text, type, &sample);
	return true;
}

bool record_text(FILE *out, const struct record *record,
		 const struct perf_event_attr *attr)
{
	const struct record_type *type = record_type_of(record);
	unsigned int trailer = attr ? sample_trailer_size(attr) : 0;
	struct printed_record text = { .out = out, .before = "", .prefix = "" };

	if (record->type == PERF_RECORD_SAMPLE)
		return put_sample(&text, record, attr);
	if (sizeof(struct perf_event_header) + trailer > record->size)
		return false;
	text.c = cursor_of(record->data, record->size - trailer);
	cursor_take(&text.c, sizeof(struct perf_event_header));
	if (!type)
		put_bytes(&text, "bytes", text.c.at, cursor_left(&text.c));
	else
		put_fields(&text, type->fields);
	if (trailer && !text.c.failed)
		put_trailer(&text, attr, record);
	return !text.c.failed;
}
