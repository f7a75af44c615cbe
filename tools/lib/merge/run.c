// SPDX-License-Identifier: GPL-2.0
/* Read a run: its threads, and the progress of each over time. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "merge_private.h"
#include "perfdata/format/format.h"
#include "util/cancel.h"
#include "util/cursor.h"

/* Add what an event has counted in the last interval. */
static int take_value(struct run *run, struct life *life,
		      const struct thread *thread, const struct record *record,
		      const struct sample_value *value)
{
	uint64_t count;
	int event;
	int err = readings_take(&run->readings, run->reader, thread, value,
				&event, &count);

	if (err == -ENOENT) {
		damage_add(&run->damages, record->offset,
			   "unknown event id %" PRIu64 " in an interval",
			   value->id);
		return 0;
	}
	if (!err)
		life_count(run, life, event, count);
	return err;
}

static int take_interval(struct run *run, const struct record *record,
			 const struct sample *sample)
{
	struct thread *thread = processes_thread(&run->processes, sample->pid,
						 sample->tid);
	struct life *life = thread ? life_get(run, thread->number) : NULL;
	struct sample_value value;
	int err;

	if (!life)
		return -ENOMEM;
	run->told.oncpu += sample->period;
	err = life_begin(run, life, record->number);
	for (uint64_t i = 0; !err && sample_value(&sample->read, i, &value); i++)
		err = take_value(run, life, thread, record, &value);
	return err;
}

static int take_sample(struct run *run, const struct record *record)
{
	const struct perf_event_attr *attr =
		&reader_event(run->reader, record->event)->attr;
	struct sample sample;

	/* perf_event has sampled it beside the log. */
	if ((attr->sample_type & PERFDATA_INTERVAL_TYPE) != PERFDATA_INTERVAL_TYPE)
		return 0;
	if (record->event != run->interval) {
		damage_add(&run->damages, record->offset,
			   "a sample is not an interval of KerMon");
		return 0;
	}
	if (!sample_parse(attr, record, &sample)) {
		damage_add(&run->damages, record->offset,
			   "a sample is too short for its fields");
		return 0;
	}
	run->invalid += sample_is_invalid(attr, &sample);
	return take_interval(run, record, &sample);
}

static int take_any(struct run *run, const struct record *record)
{
	int err;

	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		return run->of_cpus ? cpus_take_sample(run, record) :
				      take_sample(run, record);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		run->lost++;
		return 0;
	default:
		err = processes_record(&run->processes, record);
		if (err == -EINVAL) {
			damage_add(&run->damages, record->offset,
				   "a record is too short for its fields");
			err = 0;
		}
		return err;
	}
}

static int take_record(void *context, const struct record *record)
{
	struct run *run = context;
	int err = cancel_check(run->cancel);

	if (!err)
		err = take_any(run, record);
	reader_release(run->reader, record);
	return err;
}

static int to_order(void *context, const struct record *record)
{
	struct run *run = context;

	/* Samples are identified by their number, and the file is read twice. */
	if (record->chunk && !record->inside)
		damage_add(&run->damages, record->offset,
			   "cannot merge pipes or records of another byte order");
	if (record->number == UINT32_MAX)
		damage_add(&run->damages, record->offset,
			   "cannot merge more than 4,294,967,295 records");
	return order_record(run->order, record);
}

size_t run_find_event(const struct run *run, uint32_t type, uint64_t config)
{
	const struct perf_event_attr *attr;

	for (size_t i = 0; i < reader_nr_events(run->reader); i++) {
		attr = &reader_event(run->reader, i)->attr;
		if (attr->type == type && attr->config == config)
			return i;
	}
	return -1;
}

static int find_fixed(struct kermon_merge *merge, struct run *run)
{
	const char *file = run->told.file;

	run->interval = run_find_event(run, PERF_TYPE_SOFTWARE,
				       PERF_COUNT_SW_TASK_CLOCK);
	if (run->interval == (size_t)-1 ||
	    !perfdata_is_interval(&reader_event(run->reader, run->interval)->attr))
		return merge_refuse(merge, "%s has no counts of KerMon",
				    file);
	run->place = run->interval;
	run->instructions = run_find_event(run, PERF_TYPE_HARDWARE,
					   PERF_COUNT_HW_INSTRUCTIONS);
	if (run->instructions == (size_t)-1)
		return merge_refuse(merge, "%s has no instructions: its CPU "
				    "has no fixed counter for them", file);
	return 0;
}

static int find_programmed(struct run *run)
{
	const struct perf_event_attr *attr;

	for (size_t i = 0; i < reader_nr_events(run->reader); i++) {
		attr = &reader_event(run->reader, i)->attr;
		if (!perfdata_is_programmed(attr))
			continue;
		if (run->nr_programmed == KERMON_MAX_SELECTED)
			return -E2BIG;
		run->programmed[run->nr_programmed++] = i;
		run->place = i + 1;
	}
	run->width = ROW_EVENTS + run->nr_programmed;
	return readings_make(&run->readings, run->reader);
}

static int find_events(struct kermon_merge *merge, struct run *run)
{
	const char *source = reader_note(run->reader, "source");
	int err;

	run->of_cpus = source && !strcmp(source, "spy");
	run->told.regions = run_find_event(run, PERF_TYPE_TRACEPOINT, PERFDATA_REGION_ID) !=
			    (size_t)-1;
	err = run->of_cpus ? cpus_find_events(merge, run) : find_fixed(merge, run);
	return err ? err : find_programmed(run);
}

/* The subcommand that recorded it. */
static const char *command_of(const struct run *run)
{
	struct cursor c;
	size_t size;
	const unsigned char *bytes;

	bytes = reader_feature(run->reader, PERFDATA_CMDLINE, &size);
	if (!bytes)
		return "";
	c = cursor_of(bytes, size);
	cursor_u32(&c);
	cursor_string(&c);
	return cursor_string(&c);
}

static bool is_noted(const struct run *run, const char *key)
{
	const char *value = reader_note(run->reader, key);

	return value && strcmp(value, "0");
}

/* Reject recordings from which the progress of threads cannot be determined. */
static int check_kind(struct kermon_merge *merge, const struct run *run)
{
	const char *file = run->told.file;

	if (is_noted(run, "runs"))
		return merge_refuse(merge, "%s is a merged file: merge its "
				    "original files instead", file);
	if (is_noted(run, "sets"))
		return merge_refuse(merge, "the event sets of %s were rotated: "
				    "no event was counted all the time", file);
	if (is_noted(run, "coalesce"))
		return merge_refuse(merge, "%s was recorded with --coalesce: "
				    "its intervals overlap", file);
	if (!strcmp(command_of(run), "attach"))
		return merge_refuse(merge, "%s was recorded by kermon attach: its "
				    "threads had started before", file);
	return 0;
}

/* The notes about its end are the last of a pipe, which may have been closed before. */
static bool is_complete(const struct run *run)
{
	const bool ends_with_notes = is_noted(run, "ended") ||
				     reader_ending(run->reader) == READER_OPEN;

	return !ends_with_notes || is_noted(run, "complete");
}

static int check_whole(struct kermon_merge *merge, struct run *run)
{
	const struct kermon_damage *damage = &run->damages.kept[0];

	if (run->damages.nr)
		return merge_refuse(merge, "%s is damaged: at offset %llu: %s",
				    run->told.file,
				    (unsigned long long)damage->offset,
				    damage->text);
	if (run->lost)
		return merge_refuse(merge, "%s has lost samples, so the "
				    "progress of its threads is unknown: record "
				    "with a larger log (-m)", run->told.file);
	if (run->invalid)
		return merge_refuse(merge, "%s has intervals with impossible "
				    "counts that were omitted, so the progress of "
				    "its threads is unknown: record again",
				    run->told.file);
	if (!is_complete(run))
		return merge_refuse(merge, "%s was not recorded to its end",
				    run->told.file);
	if (is_noted(run, "outlived") || is_noted(run, "unrecorded"))
		return merge_refuse(merge, "%s does not cover all of its "
				    "processes: see 'kermon report'",
				    run->told.file);
	if (!run->told.instructions)
		return merge_refuse(merge, "%s contains no instructions",
				    run->told.file);
	return run->of_cpus ? cpus_check_whole(merge, run) : 0;
}

static int open_file(struct kermon_merge *merge, struct run *run)
{
	int err;

	run->cancel = merge->options.cancel;
	err = reader_open_cancellable(run->told.file, run->cancel, &run->reader,
				      &run->damages);
	if (err && err != -ECANCELED && run->damages.nr)
		return merge_refuse(merge, "%s: %s", run->told.file,
				    run->damages.kept[0].text);
	processes_init(&run->processes, &run->dsos, NULL);
	if (!err)
		reader_tell_progress(run->reader, merge->options.progress,
				     merge->options.context);
	run->order = order_new(take_record, run);
	if (!err && !run->order)
		err = -ENOMEM;
	return err;
}

int merge_read(struct kermon_merge *merge, struct run *run)
{
	int err = open_file(merge, run);

	if (!err)
		err = find_events(merge, run);
	if (!err)
		err = check_kind(merge, run);
	if (!err)
		err = reader_walk(run->reader, to_order, run);
	if (!err)
		err = order_flush(run->order);
	return err ? err : check_whole(merge, run);
}

void merge_forget(struct run *run)
{
	for (size_t i = 0; i < run->nr_lives; i++) {
		free(run->lives[i].rows);
		free(run->lives[i].extra);
	}
	free(run->lives);
	free(run->lanes);
	numbering_free(&run->cpus);
	if (run->order)
		order_free(run->order);
	readings_free(&run->readings);
	processes_free(&run->processes);
	dsos_free(&run->dsos);
	if (run->reader)
		reader_close(run->reader);
	free((char *)run->told.file);
	free(run);
}
