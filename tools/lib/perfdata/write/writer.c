// SPDX-License-Identifier: GPL-2.0
/*
 * Write the file: header, ids, attributes, the features that are known by then, the
 * data as it arrives, and finally all features and the header again.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/fileio.h"
#include "util/sized.h"
#include "writer_private.h"

static int flush(struct kermon_writer *writer)
{
	if (!writer->error)
		writer->error = write_all(writer->fd, writer->buffer,
					  writer->used);
	writer->used = 0;
	return writer->error;
}

static void put_bytes(struct kermon_writer *writer, const void *data,
		      size_t size)
{
	const char *from = data;
	size_t n;

	writer->end += size;
	while (size && !writer->error) {
		n = sizeof(writer->buffer) - writer->used;
		if (n > size)
			n = size;
		memcpy(writer->buffer + writer->used, from, n);
		writer->used += n;
		from += n;
		size -= n;
		if (writer->used == sizeof(writer->buffer))
			flush(writer);
	}
}

const uint64_t *writer_ids(const struct kermon_writer *writer,
			   unsigned int index, size_t *nr)
{
	const struct described_event *event = &writer->attrs.events[index];

	*nr = event->nr_ids;
	return writer->ids + event->first_id;
}

/* The header during the recording: no features, @data_size bytes of data. */
static void make_header(const struct kermon_writer *writer,
			struct perfdata_header *header)
{
	*header = (struct perfdata_header){
		.magic = PERFDATA_MAGIC,
		.size = sizeof(*header),
		.attr_size = sizeof(struct perfdata_attr),
		.attrs.offset = sizeof(*header) + writer->nr_ids * sizeof(uint64_t),
		.attrs.size = writer->attrs.nr * sizeof(struct perfdata_attr),
		.data.offset = writer->data,
	};
}

static int rewrite_header(struct kermon_writer *writer,
			  const struct perfdata_header *header)
{
	ssize_t n = pwrite(writer->fd, header, sizeof(*header), 0);

	if (n != sizeof(*header) && !writer->error)
		writer->error = n < 0 ? -errno : -EIO;
	return writer->error;
}

static void put_attrs(struct kermon_writer *writer)
{
	struct perfdata_attr element;
	uint64_t offset = sizeof(struct perfdata_header);
	unsigned int i;
	size_t nr;

	for (i = 0; i < writer->attrs.nr; i++) {
		writer_ids(writer, i, &nr);
		element.attr = writer->attrs.events[i].attr;
		element.ids.offset = offset;
		element.ids.size = nr * sizeof(uint64_t);
		offset += element.ids.size;
		put_bytes(writer, &element, sizeof(element));
	}
}

static int build_early(const struct kermon_writer *writer, uint64_t start,
		       struct blob *blob)
{
	struct perfdata_early early = { .magic = PERFDATA_EARLY_MAGIC };
	struct blob features = { 0 };
	int result = features_build(writer, start + sizeof(early), FEATURES_EARLY,
				    &features, early.features);

	blob_put(blob, &early, sizeof(early));
	blob_put(blob, features.data, features.size);
	while (blob->size % sizeof(uint64_t) && !blob->failed)
		blob_put(blob, NULL, 1);
	free(features.data);
	return blob->failed ? -ENOMEM : result;
}

static int write_head(struct kermon_writer *writer)
{
	struct perfdata_header header;
	struct blob early = { 0 };
	uint64_t start;

	make_header(writer, &header);
	start = header.attrs.offset + header.attrs.size;
	if (build_early(writer, start, &early)) {
		writer->error = -ENOMEM;
	} else {
		writer->data = start + early.size;
		header.data.offset = writer->data;
		put_bytes(writer, &header, sizeof(header));
		put_bytes(writer, writer->ids,
			  writer->nr_ids * sizeof(*writer->ids));
		put_attrs(writer);
		put_bytes(writer, early.data, early.size);
		pipe_put_names(writer);
		pipe_put_compression(writer);
	}
	free(early.data);
	return writer->error;
}

/* Write everything that precedes the data. */
static int begin(struct kermon_writer *writer)
{
	if (writer->headed)
		return writer->error;
	writer->headed = true;
	return writer->pipe ? pipe_put_head(writer) : write_head(writer);
}

static int put_compressed(void *context, const void *data, size_t size)
{
	struct kermon_writer *writer = context;

	put_bytes(writer, data, size);
	return writer->error;
}

int writer_put_plain(struct kermon_writer *writer, const void *data, size_t size)
{
	if (!begin(writer))
		put_bytes(writer, data, size);
	return writer->error;
}

int writer_put(struct kermon_writer *writer, const void *data, size_t size)
{
	if (begin(writer))
		return writer->error;
	if (writer->compressor)
		writer->error = compress_put(writer->compressor, data, size);
	else
		put_bytes(writer, data, size);
	return writer->error;
}

/* All records so far become part of the file. */
static int end_records(struct kermon_writer *writer)
{
	if (!begin(writer) && writer->compressor)
		writer->error = compress_flush(writer->compressor);
	return writer->error;
}

static int copy_argv(struct kermon_writer *writer, char *const *argv)
{
	size_t i, nr = 0;

	while (argv && argv[nr])
		nr++;
	writer->argv = calloc(nr + 1, sizeof(*writer->argv));
	if (!writer->argv)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		writer->argv[i] = strdup(argv[i]);
		if (!writer->argv[i])
			return -ENOMEM;
	}
	return 0;
}

int writer_add_ids(struct kermon_writer *writer, unsigned int index,
		   const uint64_t *ids, size_t nr)
{
	struct described_event *event = &writer->attrs.events[index];
	uint64_t *all = reallocarray(writer->ids, writer->nr_ids + nr,
				     sizeof(*all));

	if (!all)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		all[writer->nr_ids + i] =
			ids ? ids[i] : attrs_id(&writer->attrs, index, i);
	event->first_id = writer->nr_ids;
	event->nr_ids = nr;
	writer->ids = all;
	writer->nr_ids += nr;
	return 0;
}

/* The side-band gets an id of KerMon's if it has none of the kernel's. */
static int make_ids(struct kermon_writer *writer, const uint64_t *sideband,
		    size_t nr_sideband)
{
	const struct attrs *attrs = &writer->attrs;
	int err = 0;

	writer->sums = calloc((size_t)attrs->logged * attrs->nr_cpus,
			      sizeof(*writer->sums));
	writer->times = calloc(attrs->nr_cpus, sizeof(*writer->times));
	if (!writer->sums || !writer->times)
		return -ENOMEM;
	for (unsigned int i = 0; i < attrs->logged && !err; i++)
		err = writer_add_ids(writer, i, NULL, attrs->nr_cpus);
	return err ? err : writer_add_ids(writer, attrs->sideband,
					  nr_sideband ? sideband : NULL,
					  nr_sideband ? nr_sideband : 1);
}

static int set_up(struct kermon_writer *writer,
		  const struct kermon_writer_options *options)
{
	int result;

	writer->fd = options->fd;
	writer->clock = options->clock;
	writer->root = "";
	reference_take(&writer->reference, options->clock);
	writer->info = *options->info;
	writer->first_time = UINT64_MAX;
	writer->exec.pid = options->exec_pid;
	writer->unordered = options->unordered;
	writer->pipe = options->pipe;
	result = attrs_build(&writer->attrs, options);
	if (!result && options->compression)
		result = compress_open(&writer->compressor, options->compression,
				       put_compressed, writer);
	if (!result)
		result = copy_argv(writer, options->argv);
	if (!result)
		result = make_ids(writer, options->sideband_ids,
				  options->nr_sideband_ids);
	if (!result && options->pipe)
		result = pipe_check(writer);
	return result;
}

int kermon_writer_open(struct kermon_writer **writer,
		       const struct kermon_writer_options *options)
{
	struct kermon_writer_options known;
	int result = sized_take(&known, sizeof(known), options);
	struct kermon_writer *new;

	*writer = NULL;
	if (result)
		return result;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	result = set_up(new, &known);
	if (result) {
		kermon_writer_close(new);
		return result;
	}
	*writer = new;
	return 0;
}

int kermon_writer_save(struct kermon_writer *writer)
{
	struct perfdata_header header;

	if (end_records(writer) || flush(writer) || writer->pipe)
		return writer->error;
	make_header(writer, &header);
	header.data.size = writer->end - writer->data;
	return rewrite_header(writer, &header);
}

int kermon_writer_round(struct kermon_writer *writer)
{
	const struct perf_event_header round = {
		.type = PERFDATA_RECORD_FINISHED_ROUND,
		.size = sizeof(round),
	};
	int err;

	writer->marked.floor = writer->held.round;
	err = held_round(writer);
	if (err)
		return err;
	writer_put(writer, &round, sizeof(round));
	return kermon_writer_save(writer);
}

int kermon_writer_note(struct kermon_writer *writer, const char *key,
		       const char *format, ...)
{
	char *value, *text;
	va_list args;
	int n;

	va_start(args, format);
	n = vasprintf(&value, format, args);
	va_end(args);
	if (n < 0)
		return -ENOMEM;
	n = asprintf(&text, "%s=%s", key, value);
	free(value);
	if (n < 0)
		return -ENOMEM;
	blob_string(&writer->notes, text);
	free(text);
	writer->nr_notes++;
	return writer->notes.failed ? -ENOMEM : 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

int writer_add_file(struct kermon_writer *writer, const char *name)
{
	char *copy, **found;

	if (name[0] != '/' || name[1] == '/')
		return 0;
	if (tfind(name, &writer->files, compare_names))
		return 0;
	copy = strdup(name);
	found = copy ? tsearch(copy, &writer->files, compare_names) : NULL;
	if (!found)
		free(copy);
	return found ? 0 : -ENOMEM;
}

void kermon_writer_totals(const struct kermon_writer *writer,
			  struct kermon_writer_totals *totals)
{
	*totals = writer->totals;
	totals->bytes = writer->end;
}

bool kermon_writer_revoked(const struct kermon_writer *writer)
{
	return writer->revoked;
}

/* Write the features, and the header that locates them and the data. */
static int finish_file(struct kermon_writer *writer)
{
	struct perfdata_header header;
	struct blob features = { 0 };
	int result = pipe_put_notes(writer);

	if (result)
		return result;
	make_header(writer, &header);
	header.data.size = writer->end - writer->data;
	result = features_build(writer, writer->end, FEATURES_ALL, &features,
				header.features);
	if (!result)
		put_bytes(writer, features.data, features.size);
	free(features.data);
	if (!result)
		result = flush(writer);
	return result ? result : rewrite_header(writer, &header);
}

static int finish_pipe(struct kermon_writer *writer)
{
	const int result = pipe_put_tail(writer);

	return result ? result : flush(writer);
}

int kermon_writer_finish(struct kermon_writer *writer)
{
	int result;

	if (begin(writer))
		return writer->error;
	result = held_put(writer, UINT64_MAX);
	if (!result)
		result = end_records(writer);
	if (result)
		return result;
	return writer->pipe ? finish_pipe(writer) : finish_file(writer);
}

void kermon_writer_close(struct kermon_writer *writer)
{
	char **arg;

	if (!writer)
		return;
	for (arg = writer->argv; arg && *arg; arg++)
		free(*arg);
	free(writer->argv);
	free(writer->ids);
	free(writer->sums);
	free(writer->times);
	held_free(&writer->held);
	compress_close(writer->compressor);
	tracing_forget(writer);
	free(writer->notes.data);
	tdestroy(writer->files, free);
	free(writer);
}
