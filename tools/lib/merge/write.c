// SPDX-License-Identifier: GPL-2.0
/*
 * Write the merged file: a copy of the first run with more events. Their values follow
 * the others of each interval.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "merge_private.h"
#include "perfdata/write/write.h"
#include "util/cancel.h"
#include "util/cursor.h"

/* An interval of the first run, searched by its number. */
struct stop {
	uint64_t number;
	const uint64_t *extra;
};

/**
 * struct target - the file to write
 * @events: all of them, in its order
 * @ids: of the events that are added: one per CPU and event, in this order
 * @sums: what they have counted so far, by @ids
 * @nr_cpus: number of ids of each event
 * @compressor: of the records; NULL: they are written as they are
 * @stops: the intervals in the order of the file
 * @next: the next interval
 */
struct target {
	struct kermon_merge *merge;
	FILE *file;
	struct reader_event *events;
	size_t nr_events;
	uint64_t *ids;
	uint64_t *sums;
	size_t nr_cpus;
	struct compressor *compressor;
	struct stop *stops;
	size_t nr_stops;
	size_t next;
};

static int put(struct target *target, const void *data, size_t size)
{
	if (size && fwrite(data, size, 1, target->file) != 1)
		return errno ? -errno : -EIO;
	return 0;
}

static int put_compressed(void *target, const void *data, size_t size)
{
	return put(target, data, size);
}

/* Write a record, whole. */
static int put_data(struct target *target, const void *record, size_t size)
{
	return target->compressor ? compress_put(target->compressor, record, size) :
				    put(target, record, size);
}

static int by_number(const void *a, const void *b)
{
	const struct stop *left = a, *right = b;

	return left->number < right->number ? -1 :
	       left->number > right->number;
}

static int find_stops(struct target *target)
{
	const struct run *first = target->merge->runs[0];
	const struct life *life;
	size_t nr = 0;

	for (size_t i = 0; i < first->nr_lives; i++)
		nr += first->lives[i].nr;
	target->stops = calloc(nr + 1, sizeof(*target->stops));
	if (!target->stops)
		return -ENOMEM;
	for (size_t i = 0; i < first->nr_lives; i++) {
		life = &first->lives[i];
		for (size_t row = 0; row < life->nr; row++)
			target->stops[target->nr_stops++] = (struct stop){
				life_row(first, life, row)[ROW_NUMBER],
				life->extra ? life->extra + row * target->merge->nr_extra :
					      NULL,
			};
	}
	qsort(target->stops, nr, sizeof(*target->stops), by_number);
	return 0;
}

static uint64_t highest_id(const struct reader *reader)
{
	const struct reader_event *event;
	uint64_t highest = 0;

	for (size_t i = 0; i < reader_nr_events(reader); i++) {
		event = reader_event(reader, i);
		for (size_t j = 0; j < event->nr_ids; j++)
			if (event->ids[j] > highest)
				highest = event->ids[j];
	}
	return highest;
}

/* The events of the first run have an id for each CPU, and so have the others. */
static int make_ids(struct target *target)
{
	struct kermon_merge *merge = target->merge;
	const struct run *first = merge->runs[0];
	uint64_t highest = highest_id(first->reader);
	size_t nr;

	target->nr_cpus = reader_event(first->reader, first->interval)->nr_ids;
	nr = merge->nr_extra * target->nr_cpus;
	target->ids = calloc(nr + 1, sizeof(*target->ids));
	target->sums = calloc(nr + 1, sizeof(*target->sums));
	if (!target->ids || !target->sums)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		target->ids[i] = highest + 1 + i;
	for (size_t i = 0; i < merge->nr_extra; i++) {
		merge->extra[i].ids = target->ids + i * target->nr_cpus;
		merge->extra[i].nr_ids = target->nr_cpus;
	}
	return 0;
}

static int list_events(struct target *target)
{
	const struct kermon_merge *merge = target->merge;
	const struct run *first = merge->runs[0];
	const size_t nr = reader_nr_events(first->reader);
	size_t to = 0;

	target->events = calloc(nr + merge->nr_extra, sizeof(*target->events));
	if (!target->events)
		return -ENOMEM;
	for (size_t i = 0; i <= nr; i++) {
		for (size_t j = 0; j < merge->nr_extra && i == first->place; j++)
			target->events[to++] = merge->extra[j];
		if (i < nr)
			target->events[to++] = *reader_event(first->reader, i);
	}
	target->nr_events = to;
	return 0;
}

/* Write ids, then attributes; the header is written at the end. */
static int put_events(struct target *target, struct perfdata_header *header)
{
	const struct reader_event *event;
	struct perfdata_attr element;
	uint64_t offset = sizeof(*header);
	int err = put(target, header, sizeof(*header));

	for (size_t i = 0; i < target->nr_events && !err; i++) {
		event = &target->events[i];
		err = put(target, event->ids, event->nr_ids * sizeof(uint64_t));
	}
	header->attrs.offset = ftello(target->file);
	for (size_t i = 0; i < target->nr_events && !err; i++) {
		event = &target->events[i];
		element.attr = event->attr;
		element.ids.offset = offset;
		element.ids.size = event->nr_ids * sizeof(uint64_t);
		offset += element.ids.size;
		err = put(target, &element, sizeof(element));
	}
	header->data.offset = ftello(target->file);
	header->attrs.size = header->data.offset - header->attrs.offset;
	return err;
}

/* The values of the added events that have counted. Return: their number. */
static size_t add_extra(struct target *target, uint32_t cpu,
			const uint64_t *counts, struct perfdata_value *values)
{
	size_t nr = 0, at;

	for (size_t i = 0; i < target->merge->nr_extra; i++) {
		if (!counts[i])
			continue;
		at = i * target->nr_cpus + cpu;
		target->sums[at] += counts[i];
		values[nr++] = (struct perfdata_value){
			target->sums[at], target->ids[at],
		};
	}
	return nr;
}

/* Write an interval with the values of the added events behind its own. */
static int put_interval(struct target *target, const struct record *record,
			const uint64_t *counts)
{
	const size_t rest = record->size - sizeof(struct perfdata_rest);
	struct perfdata_value values[KERMON_MAX_SELECTED];
	struct perfdata_interval interval;
	struct blob made = { 0 };
	size_t nr;
	int err;

	memcpy(&interval, record->data, sizeof(interval));
	if (interval.sample.cpu >= target->nr_cpus)
		return -EBADMSG;
	nr = add_extra(target, interval.sample.cpu, counts, values);
	interval.nr += nr;
	interval.sample.header.size += nr * sizeof(*values);
	blob_put(&made, &interval, sizeof(interval));
	blob_put(&made, record->data + sizeof(interval), rest - sizeof(interval));
	blob_put(&made, values, nr * sizeof(*values));
	blob_put(&made, record->data + rest, sizeof(struct perfdata_rest));
	err = made.failed ? -ENOMEM : put_data(target, made.data, made.size);
	free(made.data);
	return err;
}

/* Position of a CPU of kermon spy among the ids of the event of @record. */
static ssize_t find_cpu(const struct target *target, const struct record *record, uint64_t id)
{
	const struct reader_event *event = reader_event(target->merge->runs[0]->reader,
							record->event);

	for (size_t i = 0; i < event->nr_ids && i < target->nr_cpus; i++)
		if (event->ids[i] == id)
			return i;
	return -1;
}

/* Write the last count of an interval of a CPU and, behind it, those of the added events. */
static int put_cpu(struct target *target, const struct record *record, const uint64_t *counts)
{
	struct perfdata_sample sample;
	ssize_t at;
	int err = put_data(target, record->data, record->size);

	memcpy(&sample, record->data, sizeof(sample));
	at = find_cpu(target, record, sample.id);
	if (at < 0)
		return -EBADMSG;
	for (size_t i = 0; i < target->merge->nr_extra && !err; i++) {
		sample.id = target->ids[i * target->nr_cpus + at];
		sample.period = counts[i];
		err = put_data(target, &sample, sizeof(sample));
	}
	return err;
}

/* How the first run was compressed says nothing about the merged file. */
static bool is_of_compression(const struct record *record)
{
	uint64_t feature;

	if (record->type != PERFDATA_RECORD_HEADER_FEATURE ||
	    record->size < sizeof(struct perf_event_header) + sizeof(feature))
		return record->type == PERFDATA_RECORD_COMPRESSED ||
		       record->type == PERFDATA_RECORD_COMPRESSED2;
	memcpy(&feature, record->data + sizeof(struct perf_event_header), sizeof(feature));
	return feature == PERFDATA_COMPRESSED;
}

static int put_record(struct target *target, const struct record *record)
{
	const struct stop *stop = &target->stops[target->next];

	/* The notes of the merged file contain those of the first run. */
	if (is_of_compression(record) || record_has_notes(record))
		return 0;
	if (target->next == target->nr_stops || stop->number != record->number)
		return put_data(target, record->data, record->size);
	target->next++;
	return target->merge->runs[0]->of_cpus ? put_cpu(target, record, stop->extra) :
						 put_interval(target, record, stop->extra);
}

static int take_record(void *context, const struct record *record)
{
	struct target *target = context;
	int err = cancel_check(target->merge->options.cancel);

	if (!err)
		err = put_record(target, record);
	reader_release(target->merge->runs[0]->reader, record);
	return err;
}

static void describe_events(const struct target *target, struct blob *blob)
{
	const struct reader_event *event;

	blob_u32(blob, target->nr_events);
	blob_u32(blob, PERFDATA_ATTR_SIZE);
	for (size_t i = 0; i < target->nr_events; i++) {
		event = &target->events[i];
		attrs_describe(blob, &event->attr, event->name, event->ids,
			       event->nr_ids);
	}
}

static void add_run(struct blob *blob, size_t number,
		    const struct kermon_run *run)
{
	char text[1024];

	snprintf(text, sizeof(text), "run%zu=%u %u %" PRIu64 " %" PRIu64
		 " %.6f %s", number, run->events, run->dropped,
		 run->instructions, run->oncpu, run->apart, run->file);
	blob_string(blob, text);
}

/* How far each CPU of a run of kermon spy is from the first run. */
static void add_apart(struct blob *blob, size_t number, const struct run *run)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream) {
		blob->failed = true;
		return;
	}
	fprintf(stream, "apart%zu=", number);
	for (size_t i = 0; i < run->nr_lanes; i++)
		fprintf(stream, "%s%" PRIu32 ":%.6f", i ? " " : "", run->lanes[i].cpu,
			run->lanes[i].apart);
	if (fclose(stream))
		blob->failed = true;
	else
		blob_string(blob, text);
	free(text);
}

/* Add the notes of the first run, and information on each run. */
static void add_notes(const struct target *target, struct blob *blob)
{
	const struct kermon_merge *merge = target->merge;
	const size_t nr_apart = merge->runs[0]->of_cpus ? merge->nr_runs - 1 : 0;
	struct cursor c = reader_feature_cursor(merge->runs[0]->reader,
						PERFDATA_KERMON);
	const uint32_t nr = cursor_u32(&c);
	const unsigned char *first = c.at;
	char text[32];

	blob_u32(blob, nr + 1 + merge->nr_runs + nr_apart);
	for (uint32_t i = 0; i < nr && !c.failed; i++)
		cursor_string(&c);
	blob_put(blob, first, c.at - first);
	snprintf(text, sizeof(text), "runs=%zu", merge->nr_runs);
	blob_string(blob, text);
	for (size_t i = 0; i < merge->nr_runs; i++)
		add_run(blob, i + 1, &merge->runs[i]->told);
	for (size_t i = 0; i < nr_apart; i++)
		add_apart(blob, i + 2, merge->runs[i + 1]);
}

/* The last record, behind those that are compressed. */
static int put_notes(struct target *target)
{
	struct blob notes = { 0 }, record = { 0 };
	int err;

	add_notes(target, &notes);
	err = notes.failed ? -ENOMEM :
	      notes_put(&record, target->events[0].ids[0], notes.data, notes.size);
	if (!err)
		err = put(target, record.data, record.size);
	free(notes.data);
	free(record.data);
	return err;
}

static void put_feature(const struct target *target, unsigned int bit,
			struct blob *blob)
{
	size_t size = 0;
	const unsigned char *bytes;

	bytes = reader_feature(target->merge->runs[0]->reader, bit, &size);
	if (bit == PERFDATA_COMPRESSED) {
		if (target->compressor)
			compress_describe(target->compressor, blob);
		return;
	}
	if (bit == PERFDATA_EVENT_DESC)
		describe_events(target, blob);
	else if (bytes && bit != PERFDATA_KERMON)
		blob_put(blob, bytes, size);
}

static int put_features(struct target *target, struct perfdata_header *header)
{
	struct perfdata_section table[PERFDATA_FEATURES];
	struct blob blob = { 0 };
	size_t size, nr = 0;
	int err;

	for (unsigned int bit = 0; bit < PERFDATA_FEATURES; bit++) {
		size = blob.size;
		put_feature(target, bit, &blob);
		if (blob.size == size)
			continue;
		header->features[bit / 64] |= 1ULL << bit % 64;
		table[nr].offset = size;
		table[nr++].size = blob.size - size;
	}
	for (size_t i = 0; i < nr; i++)
		table[i].offset += ftello(target->file) + nr * sizeof(*table);
	err = blob.failed ? -ENOMEM : put(target, table, nr * sizeof(*table));
	if (!err)
		err = put(target, blob.data, blob.size);
	free(blob.data);
	return err;
}

/* Write the records of the first run, with the values of the others. */
static int put_records(struct target *target)
{
	struct compressor *compressor = target->compressor;
	int err = reader_walk(target->merge->runs[0]->reader, take_record, target);

	return err || !compressor ? err : compress_flush(compressor);
}

static int open_compressor(struct target *target)
{
	const int level = target->merge->options.compression;

	return level ? compress_open(&target->compressor, level, put_compressed, target) : 0;
}

static int put_all(struct target *target)
{
	struct perfdata_header header = {
		.magic = PERFDATA_MAGIC,
		.size = sizeof(header),
		.attr_size = sizeof(struct perfdata_attr),
	};
	int err = put_events(target, &header);

	if (!err)
		err = put_records(target);
	if (!err)
		err = put_notes(target);
	header.data.size = ftello(target->file) - header.data.offset;
	if (!err)
		err = put_features(target, &header);
	if (!err && fseeko(target->file, 0, SEEK_SET))
		err = -errno;
	return err ? err : put(target, &header, sizeof(header));
}

static FILE *open_again(int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	FILE *file = copy < 0 ? NULL : fdopen(copy, "w");

	if (!file && copy >= 0)
		close(copy);
	return file;
}

int kermon_merge_write(struct kermon_merge *merge, int fd)
{
	struct target target = { .merge = merge };
	int err;

	if (merge->failed || !merge->nr_runs)
		return -EINVAL;
	target.file = open_again(fd);
	if (!target.file)
		return -errno;
	err = open_compressor(&target);
	if (!err)
		err = make_ids(&target);
	if (!err)
		err = list_events(&target);
	if (!err)
		err = find_stops(&target);
	if (!err)
		err = put_all(&target);
	if (fclose(target.file) && !err)
		err = -errno;
	free(target.events);
	free(target.ids);
	free(target.sums);
	free(target.stops);
	compress_close(target.compressor);
	return err;
}
