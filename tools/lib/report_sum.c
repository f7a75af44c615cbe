// SPDX-License-Identifier: GPL-2.0
/* What each record adds to the sums. Records come in the order of time. */
#include <errno.h>
#include <linux/kermon.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/cursor.h"
#include "perfdata/format.h"
#include "report_private.h"

bool report_is_interval(const struct reader_event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       event->attr.config == PERF_COUNT_SW_TASK_CLOCK &&
	       event->attr.sample_type & PERF_SAMPLE_RAW;
}

/* The "oncpu" sample says of the interval what holds for those behind it. */
static void begin_interval(struct kermon_report *report,
			   const struct sample *sample)
{
	struct kermon_sample raw;

	if (sample->raw_size < sizeof(raw))
		return;
	memcpy(&raw, sample->raw, sizeof(raw));
	if (raw.record.type != KERMON_RECORD_SAMPLE || raw.tid != sample->tid ||
	    raw.record.cpu != sample->cpu)
		return;
	report->interval = (struct interval){
		.time = sample->time,
		.tid = sample->tid,
		.cpu = sample->cpu,
		.alone = raw.flags & KERMON_SAMPLE_ALONE,
	};
	report_add_turn(report, raw.set_id, sample->period);
}

static bool was_alone(const struct kermon_report *report,
		      const struct sample *sample)
{
	const struct interval *interval = &report->interval;

	return interval->alone && interval->time == sample->time &&
	       interval->tid == sample->tid && interval->cpu == sample->cpu;
}

static bool same_key(const void *item, const void *key)
{
	const struct entry *entry = item;

	return !memcmp(&entry->key, key, sizeof(entry->key));
}

static int keep_entry(struct kermon_report *report, struct entry *entry)
{
	size_t room = report->room_entries ? 2 * report->room_entries : 256;
	struct entry **all;

	if (report->nr_entries == report->room_entries) {
		all = realloc(report->all, room * sizeof(*all));
		if (!all)
			return -ENOMEM;
		report->all = all;
		report->room_entries = room;
	}
	report->all[report->nr_entries++] = entry;
	return 0;
}

static struct entry *new_entry(struct kermon_report *report,
			       const struct entry_key *key, uint64_t hash)
{
	struct entry *entry;

	entry = calloc(1, sizeof(*entry) +
			  report->nr_columns * sizeof(entry->values[0]));
	if (!entry)
		return NULL;
	entry->key = *key;
	if (keep_entry(report, entry)) {
		free(entry);
		return NULL;
	}
	return hash_add(&report->entries, hash, entry) ? NULL : entry;
}

static struct entry *get_entry(struct kermon_report *report,
			       const struct entry_key *key)
{
	uint64_t hash;
	void **found;

	if (report->last && same_key(report->last, key))
		return report->last;
	hash = hash_bytes(key, sizeof(*key));
	found = hash_find(&report->entries, hash, same_key, key);
	report->last = found ? *found : new_entry(report, key, hash);
	return report->last;
}

static void find_key(struct kermon_report *report,
		     const struct pipeline_sample *sample,
		     struct entry_key *key)
{
	const struct sample *fields = sample->fields;
	struct place place = pipeline_place(&report->pipeline, sample->thread,
					    record_mode(sample->record),
					    fields->ip, 0);

	*key = (struct entry_key){
		.thread = sample->thread,
		.comm = sample->thread->comm,
		.dso = place.dso,
		.symbol = place.symbol,
		.cpu = fields->cpu,
	};
}

static void add_to(struct kermon_report *report, struct entry *entry,
		   size_t column, uint64_t period)
{
	entry->values[column] += period;
	report->columns[column].samples++;
	report->columns[column].total += period;
}

static int add_sample(void *context, const struct pipeline_sample *sample)
{
	struct kermon_report *report = context;
	size_t column = report->column_of[sample->record->event];
	const struct sample *fields = sample->fields;
	struct entry_key key;
	struct entry *entry;

	find_key(report, sample, &key);
	entry = get_entry(report, &key);
	if (!entry)
		return -ENOMEM;
	if (fields->raw && report_is_interval(sample->event))
		begin_interval(report, fields);
	entry->samples++;
	add_to(report, entry, column, fields->period);
	report_add_turn_value(report, column, fields->period);
	if (column + 1 < report->nr_columns &&
	    report->columns[column + 1].alone && was_alone(report, fields))
		add_to(report, entry, column + 1, fields->period);
	return 0;
}

/* { u64 id, u64 lost } of LOST, { u64 lost } of LOST_SAMPLES. */
static void add_loss(struct kermon_report *report, const struct record *record)
{
	struct cursor c = cursor_of(record->data, record->size);
	bool samples = record->type == PERF_RECORD_LOST_SAMPLES ||
		report_is_interval(reader_event(report->pipeline.reader,
						record->event));
	uint64_t lost;

	cursor_take(&c, sizeof(struct perf_event_header));
	if (record->type == PERF_RECORD_LOST)
		cursor_u64(&c);
	lost = cursor_u64(&c);
	*(samples ? &report->losses.samples : &report->losses.records) += lost;
}

static int add_other(void *context, const struct record *record)
{
	struct kermon_report *report = context;

	switch (record->type) {
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		add_loss(report, record);
		break;
	}
	return 0;
}

static int begin(void *context)
{
	int err = report_make_columns(context);

	return err ? err : report_make_turns(context);
}

static int end(void *context)
{
	struct kermon_report *report = context;

	report->losses.late = report->pipeline.late;
	report_finish_turns(report);
	return 0;
}

const struct pipeline_consumer report_consumer = {
	.begin = begin,
	.sample = add_sample,
	.other = add_other,
	.end = end,
};
