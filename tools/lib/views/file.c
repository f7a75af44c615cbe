// SPDX-License-Identifier: GPL-2.0
/* A perf.data file, its header, and its records as text. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "file_private.h"
#include "perfdata/format/format.h"
#include "perfdata/text/text.h"
#include "util/cancel.h"
#include "util/sized.h"

struct kermon_file *kermon_file_new(const struct kermon_file_options *options)
{
	struct kermon_file *file = calloc(1, sizeof(*file));
	int err;

	if (!file)
		return NULL;
	err = sized_take(&file->options, sizeof(file->options), options);
	if (err) {
		free(file);
		errno = -err;
		return NULL;
	}
	damages_collect(&file->damages, file->options.damages);
	return file;
}

void kermon_file_free(struct kermon_file *file)
{
	if (!file)
		return;
	reader_close(file->reader);
	free(file);
}

int kermon_file_open(struct kermon_file *file, const char *path)
{
	int err;

	if (file->was_opened)
		return -EALREADY;
	file->was_opened = true;
	err = reader_open_cancellable(path, file->options.cancel, &file->reader,
				      &file->damages);
	if (!err)
		reader_tell_progress(file->reader, file->options.progress,
				     file->options.context);
	return err;
}

/* "event NAME" followed by the fields of its attr. */
static void event_line(const struct reader_event *event,
		       void (*line)(void *context, const char *name,
				    const char *value),
		       void *context)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	fprintf(out, "%s: ", event->name);
	attr_text(out, &event->attr);
	fprintf(out, ", ids");
	for (size_t i = 0; i < event->nr_ids; i++)
		fprintf(out, " %" PRIu64, event->ids[i]);
	if (!fclose(out))
		line(context, "event", text);
	free(text);
}

void file_features(struct kermon_file *file,
		   void (*line)(void *context, const char *name,
				const char *value),
		   void *context)
{
	for (unsigned int bit = 0; bit < PERFDATA_FEATURES; bit++)
		if (!feature_text(file->reader, bit, line, context) &&
		    !reader_feature_is_cut(file->reader, bit))
			damage_add(&file->damages,
				   reader_feature_offset(file->reader, bit),
				   "feature %u is truncated, or its lengths are wrong",
				   bit);
}

void kermon_file_header(struct kermon_file *file,
			void (*line)(void *context, const char *name,
				     const char *value),
			void *context)
{
	for (size_t i = 0; i < reader_nr_events(file->reader); i++)
		event_line(reader_event(file->reader, i), line, context);
	file_features(file, line, context);
}

/* Walks the records and converts each to @text. */
struct dump {
	struct kermon_file *file;
	FILE *out;
	char *text;
	size_t size;
	int (*fn)(void *context, const struct kermon_file_record *record);
	void *context;
};

/* Overwrites the text of the previous record. */
static int make_text(struct dump *dump, const struct record *record,
		     const struct perf_event_attr *attr)
{
	rewind(dump->out);
	if (!record_text(dump->out, record, attr))
		damage_add(&dump->file->damages, record->offset,
			   "record of type %u with %u bytes is too short for its fields",
			   record->type, record->size);
	fputc('\0', dump->out);
	return fflush(dump->out) ? -ENOMEM : 0;
}

static int dump_record(void *context, const struct record *record)
{
	struct dump *dump = context;
	struct reader *reader = dump->file->reader;
	const struct record_type *type = record_type_of(record);
	const struct reader_event *event = record->type < PERFDATA_RECORD_FIRST ?
		reader_event(reader, record->event) : NULL;
	struct kermon_file_record told = {
		.offset = record->offset,
		.time = record->time,
		.type = record->type,
		.size = record->size,
		.misc = record->misc,
		.compressed = record->inside,
		.name = type ? type->name : NULL,
		.event = event ? event->name : NULL,
	};
	int err = cancel_check(dump->file->options.cancel);

	if (!err && record->offset != RECORD_MADE_UP) {
		err = make_text(dump, record, event ? &event->attr : NULL);
		told.fields = dump->text;
		if (!err)
			err = dump->fn(dump->context, &told);
	}
	reader_release(reader, record);
	return err;
}

int kermon_file_records(struct kermon_file *file,
			int (*fn)(void *context,
				  const struct kermon_file_record *record),
			void *context)
{
	struct dump dump = { .file = file, .fn = fn, .context = context };
	int err;

	if (!file->reader)
		return -EINVAL;
	dump.out = open_memstream(&dump.text, &dump.size);
	if (!dump.out)
		return -ENOMEM;
	err = reader_walk(file->reader, dump_record, &dump);
	fclose(dump.out);
	free(dump.text);
	return err;
}
