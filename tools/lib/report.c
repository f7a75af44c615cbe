// SPDX-License-Identifier: GPL-2.0
/*
 * The report as a whole: it connects the stages
 *
 *	reader -> order -> report_record() (processes, symbols, sums)
 *
 * and tells the reader what memory is no longer needed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/cursor.h"
#include "perfdata/format.h"
#include "report_private.h"

/* Bytes of the file between two calls of the progress function. */
#define PROGRESS_BYTES	(1UL << 20)

struct kermon_report *
kermon_report_new(const struct kermon_report_options *options)
{
	struct kermon_report *report = calloc(1, sizeof(*report));

	if (!report)
		return NULL;
	report->order = order_new(report_record, report);
	if (!report->order) {
		free(report);
		return NULL;
	}
	if (options)
		memcpy(&report->options, options,
		       options->size < sizeof(*options) ? options->size :
							  sizeof(*options));
	processes_init(&report->processes, &report->dsos);
	return report;
}

void kermon_report_free(struct kermon_report *report)
{
	if (!report)
		return;
	report_free_tables(report);
	report_free_turns(report);
	for (size_t i = 0; i < report->nr_entries; i++)
		free(report->all[i]);
	free(report->all);
	hash_free(&report->entries);
	free(report->columns);
	free(report->column_of);
	order_free(report->order);
	processes_free(&report->processes);
	dsos_free(&report->dsos);
	reader_close(report->reader);
	intern_free(&report->strings);
	free(report);
}

/* An element of BUILD_ID, at @c; moves on to the next one. */
static int take_build_id(struct kermon_report *report, struct cursor *c)
{
	struct perfdata_build_id element;
	const unsigned char *bytes = cursor_take(c, sizeof(element));
	struct build_id id = { .size = BUILD_ID_MAX };
	const char *path;

	if (!bytes)
		return 0;
	memcpy(&element, bytes, sizeof(element));
	path = cursor_chars(c, element.header.size - sizeof(element));
	if (c->failed)
		return 0;
	if (element.header.misc & PERF_RECORD_MISC_BUILD_ID_SIZE &&
	    element.size < BUILD_ID_MAX)
		id.size = element.size;
	memcpy(id.bytes, element.id, id.size);
	return dsos_know_build_id(&report->dsos, path, &id);
}

static int read_build_ids(struct kermon_report *report)
{
	const unsigned char *bytes;
	struct cursor c;
	size_t size;
	int err = 0;

	bytes = reader_feature(report->reader, PERFDATA_BUILD_ID, &size);
	if (!bytes)
		return 0;
	c = cursor_of(bytes, size);
	while (!err && cursor_left(&c))
		err = take_build_id(report, &c);
	if (c.failed)
		damage_add(&report->damages, 0, "the build ids are cut off");
	return err;
}

static void tell_progress(struct kermon_report *report, uint64_t offset)
{
	uint64_t begin = reader_data_begin(report->reader);

	if (!report->options.progress || offset < report->next_progress)
		return;
	report->next_progress = offset + PROGRESS_BYTES;
	report->options.progress(report->options.context, offset - begin,
				 reader_data_end(report->reader) - begin);
}

/* Every record on its way from the reader to the order. */
static int pass_on(void *context, const struct record *record)
{
	struct kermon_report *report = context;
	int err = order_record(report->order, record);

	if (err)
		return err;
	tell_progress(report, record->offset);
	if (record->type == PERFDATA_RECORD_FINISHED_ROUND)
		reader_forget(report->reader, order_oldest(report->order,
							   record->offset));
	return 0;
}

int kermon_report_read(struct kermon_report *report, const char *path)
{
	int err = reader_open(path, &report->reader, &report->damages);

	if (!err)
		err = report_make_columns(report);
	if (!err)
		err = report_make_turns(report);
	if (!err)
		err = read_build_ids(report);
	if (!err)
		err = reader_walk(report->reader, pass_on, report);
	if (!err)
		err = order_flush(report->order);
	if (!err)
		report_finish_turns(report);
	return err;
}

uint64_t kermon_report_nr_damages(const struct kermon_report *report)
{
	return report->damages.nr;
}

const struct kermon_damage *
kermon_report_damage(const struct kermon_report *report, size_t index)
{
	if (index >= report->damages.nr || index >= DAMAGE_KEPT)
		return NULL;
	return &report->damages.kept[index];
}

const struct kermon_losses *
kermon_report_losses(const struct kermon_report *report)
{
	return &report->losses;
}

static const char *reason_of(const struct dso *dso)
{
	switch (dso->symbols->state) {
	case SYMBOLS_NO_FILE:
		return dso->kind == DSO_VDSO ? "its build id was not recorded" :
		       "there is no such file here (see --symfs)";
	case SYMBOLS_OTHER_FILE:
		return dso->kind == DSO_FILE || dso->kind == DSO_VDSO ?
		       "what is here is not what ran: its build id differs" :
		       "another kernel is running here (see --kallsyms)";
	case SYMBOLS_HIDDEN:
		return "the kernel hides its addresses (sysctl kernel.kptr_restrict)";
	default:
		return "it has none";
	}
}

const char *kermon_report_unresolved(struct kermon_report *report,
				     size_t index)
{
	const struct hash *table = &report->dsos.by_path;
	const struct dso *dso;
	char text[512];

	for (size_t i = 0; i < table->room; i++) {
		dso = table->slots[i].item;
		if (!dso || !dso->symbols || dso->kind == DSO_ANONYMOUS ||
		    dso->symbols->state == SYMBOLS_FOUND || index--)
			continue;
		snprintf(text, sizeof(text), "%s: %s", dso->path,
			 reason_of(dso));
		return intern(&report->strings, text);
	}
	return NULL;
}
