// SPDX-License-Identifier: GPL-2.0
/*
 * Write what surrounds the data to a pipe, which cannot be rewound: events and features
 * are records, some before the data and the others behind it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "notes.h"
#include "writer_private.h"

/* Write a record of @size bytes at @fixed, then those of @rest up to a multiple of 8. */
static int put_record(struct kermon_writer *writer,
		      struct perf_event_header *fixed, size_t size,
		      const void *rest, size_t rest_size)
{
	static const char zeros[8];
	const size_t padding = -(size + rest_size) % 8;

	fixed->size = size + rest_size + padding;
	writer_put_plain(writer, fixed, size);
	writer_put_plain(writer, rest, rest_size);
	return writer_put_plain(writer, zeros, padding);
}

static bool fits(size_t size, size_t rest)
{
	return size + rest <= UINT16_MAX - 8;
}

static int put_attr(struct kermon_writer *writer, unsigned int index)
{
	struct {
		struct perf_event_header header;
		struct perf_event_attr attr;
	} record = {
		.header.type = PERFDATA_RECORD_HEADER_ATTR,
		.attr = writer->attrs.events[index].attr,
	};
	const size_t size = sizeof(record.header) + record.attr.size;
	const uint64_t *ids;
	size_t nr;

	ids = writer_ids(writer, index, &nr);
	return put_record(writer, &record.header, size, ids, nr * sizeof(*ids));
}

int pipe_check(const struct kermon_writer *writer)
{
	size_t nr;

	for (unsigned int i = 0; i < writer->attrs.nr; i++) {
		writer_ids(writer, i, &nr);
		if (!fits(sizeof(struct perf_event_header) +
			  sizeof(struct perf_event_attr), nr * sizeof(uint64_t)))
			return -E2BIG;
	}
	return 0;
}

int pipe_put_names(struct kermon_writer *writer)
{
	struct perfdata_event_update update = {
		.header.type = PERFDATA_RECORD_EVENT_UPDATE,
		.what = PERFDATA_UPDATE_NAME,
	};
	const char *name;
	size_t nr;

	for (unsigned int i = 0; i < writer->attrs.nr; i++) {
		name = writer->attrs.events[i].name;
		update.id = *writer_ids(writer, i, &nr);
		put_record(writer, &update.header, sizeof(update), name,
			   strlen(name) + 1);
	}
	return writer->error;
}

/* In a file, the feature is a list of records without a type. */
static int put_build_ids(struct kermon_writer *writer, struct blob *feature)
{
	struct perf_event_header header;

	for (size_t at = 0; at < feature->size; at += header.size) {
		memcpy(&header, feature->data + at, sizeof(header));
		header.type = PERFDATA_RECORD_HEADER_BUILD_ID;
		memcpy(feature->data + at, &header, sizeof(header));
	}
	return writer_put_plain(writer, feature->data, feature->size);
}

/* Behind the record, as long as a multiple of 8. */
static int put_tracing_data(struct kermon_writer *writer, const struct blob *feature)
{
	static const char zeros[8];
	const size_t padding = -feature->size % 8;
	struct {
		struct perf_event_header header;
		uint32_t size;
	} record = {
		.header.type = PERFDATA_RECORD_HEADER_TRACING_DATA,
		.header.size = sizeof(record),
		.size = feature->size + padding,
	};

	writer_put_plain(writer, &record, sizeof(record));
	writer_put_plain(writer, feature->data, feature->size);
	return writer_put_plain(writer, zeros, padding);
}

static int put_notes(struct kermon_writer *writer, const struct blob *feature)
{
	struct blob record = { 0 };
	size_t nr;
	int err = notes_put(&record, *writer_ids(writer, 0, &nr), feature->data,
			    feature->size);

	if (!err)
		err = writer_put_plain(writer, record.data, record.size);
	free(record.data);
	return err;
}

/*
 * A feature that is longer than a record is left out: EVENT_DESC with the ids of thousands
 * of CPUs, which the attributes contain as well, or a command line of 64 KiB.
 */
static int put_feature(void *data, enum perfdata_feature bit,
		       struct blob *feature)
{
	struct kermon_writer *writer = data;
	struct {
		struct perf_event_header header;
		uint64_t bit;
	} record = {
		.header.type = PERFDATA_RECORD_HEADER_FEATURE,
		.bit = bit,
	};

	if (bit == PERFDATA_BUILD_ID)
		return put_build_ids(writer, feature);
	if (bit == PERFDATA_KERMON)
		return put_notes(writer, feature);
	if (bit == PERFDATA_TRACING_DATA)
		return put_tracing_data(writer, feature);
	if (!fits(sizeof(record), feature->size))
		return 0;
	return put_record(writer, &record.header, sizeof(record), feature->data,
			  feature->size);
}

int pipe_put_notes(struct kermon_writer *writer)
{
	struct blob notes = { 0 };
	int err;

	features_notes(writer, &notes);
	err = notes.failed ? -ENOMEM : put_notes(writer, &notes);
	free(notes.data);
	return err;
}

int pipe_put_compression(struct kermon_writer *writer)
{
	struct blob feature = { 0 };

	if (!writer->compressor)
		return 0;
	compress_describe(writer->compressor, &feature);
	if (feature.failed)
		writer->error = -ENOMEM;
	else
		put_feature(writer, PERFDATA_COMPRESSED, &feature);
	free(feature.data);
	return writer->error;
}

int pipe_put_head(struct kermon_writer *writer)
{
	static const uint64_t header[] = {
		PERFDATA_MAGIC, PERFDATA_PIPE_HEADER_SIZE,
	};

	writer_put_plain(writer, header, sizeof(header));
	for (unsigned int i = 0; i < writer->attrs.nr; i++)
		put_attr(writer, i);
	pipe_put_names(writer);
	return features_each(writer, FEATURES_EARLY, put_feature, writer);
}

int pipe_put_tail(struct kermon_writer *writer)
{
	const int err = features_each(writer, FEATURES_LATE, put_feature, writer);

	return err ? err : pipe_put_notes(writer);
}
