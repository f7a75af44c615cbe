// SPDX-License-Identifier: GPL-2.0
/*
 * The regions that samples are in, and what marks say of counts.
 *
 * A sample belongs to the region that its thread is in at the time; an interval of KerMon's
 * log to the one in which it ended, which is an estimate. Where keys do not ask for more than
 * regions and threads, counts are those that the marks have, and exact: what marks do not
 * cover of a thread's intervals is outside of all regions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "details.h"
#include "key_show.h"
#include "regions/regions.h"
#include "report_private.h"
#include "util/array.h"

/* Keys for which the counts in marks are all that is needed, besides those of regions. */
#define OF_THREADS	(1ULL << KEY_COMM | 1ULL << KEY_PID | 1ULL << KEY_TID)

/**
 * struct rest - what a thread has counted in intervals, but not yet in marks
 * @thread: the thread; NULL: there are no counts
 * @comm: its name when they were taken
 * @values: by column; negative while marks are ahead of intervals
 */
struct rest {
	struct thread *thread;
	const char *comm;
	int64_t *values;
};

/**
 * struct report_regions - state of a report with such keys
 * @all: followed until now
 * @node: where the sample is that is being added
 * @exact: counts are taken from marks
 * @estimated: some could not be
 * @mark: being taken, if it passes the filter; NULL: it does not
 * @rests: by number of the thread
 */
struct report_regions {
	struct regions *all;
	uint32_t node;
	bool exact;
	bool estimated;
	const struct pipeline_sample *mark;
	struct rest *rests;
	size_t room;
};

/* The counts of a thread, made when they are needed first; NULL: out of memory. */
static struct rest *rest_of(struct kermon_report *report, struct thread *thread)
{
	struct report_regions *regions = report->regions;
	const size_t known = regions->room;
	struct rest *rest;

	if (array_room(regions->rests, regions->room, thread->number + 1))
		return NULL;
	memset(regions->rests + known, 0, (regions->room - known) * sizeof(*rest));
	rest = &regions->rests[thread->number];
	if (!rest->values)
		rest->values = calloc(report->nr_columns, sizeof(*rest->values));
	if (!rest->values)
		return NULL;
	rest->thread = thread;
	if (!rest->comm)
		rest->comm = thread->comm;
	return rest;
}

/* Add a value to the row of a thread in a node. Return: 0 or -ENOMEM. */
static int add_value(struct kermon_report *report, struct thread *thread, uint32_t node,
		     size_t column, uint64_t value)
{
	static const struct sample no_fields;
	static const struct record no_record;
	const struct pipeline_sample sample = {
		.record = &no_record, .fields = &no_fields, .thread = thread,
	};
	uint32_t entry;
	int err;

	report->regions->node = node;
	err = report_entry_of(report, 0, &sample, &entry);
	if (!err)
		report_sums(report, entry)[1 + column] += value;
	return err;
}

/* What has been counted beyond the marks under a name of the thread is outside. */
static int settle(struct kermon_report *report, struct rest *rest)
{
	struct thread renamed = *rest->thread;
	int err = 0;

	renamed.comm = rest->comm;
	for (size_t i = 0; i < report->nr_columns && !err; i++) {
		if (rest->values[i] <= 0)
			continue;
		err = add_value(report, &renamed, REGIONS_OUTSIDE, i, rest->values[i]);
		rest->values[i] = 0;
	}
	rest->comm = rest->thread->comm;
	return err;
}

static struct rest *settled_rest(struct kermon_report *report, struct thread *thread)
{
	struct rest *rest = rest_of(report, thread);

	if (rest && rest->comm != thread->comm && settle(report, rest))
		return NULL;
	return rest;
}

/* A mark has counted something, in the node in which its thread has been. */
static int take_count(void *context, const struct region_thread *thread, uint32_t node,
		      size_t event, uint64_t delta)
{
	struct kermon_report *report = context;
	const struct pipeline_sample *mark = report->regions->mark;
	const size_t column = report->column_of[event];
	struct rest *rest;

	(void)thread;
	if (!mark || node == REGIONS_OUTSIDE)
		return 0;
	rest = settled_rest(report, mark->thread);
	if (!rest)
		return -ENOMEM;
	rest->values[column] -= delta;
	return add_value(report, mark->thread, node, column, delta);
}

static bool is_by_thread(const struct kermon_filter *filter)
{
	if (!filter)
		return true;
	for (int by = 0; by < KERMON_FILTER_COUNT; by++)
		if (filter->by[by].nr && by != KERMON_FILTER_COMM && by != KERMON_FILTER_PID &&
		    by != KERMON_FILTER_TID)
			return false;
	return !filter_is_by_time(filter);
}

static bool can_be_exact(const struct kermon_report *report)
{
	for (size_t i = 0; i < report->keys.nr; i++)
		if (!(report_key_of(report->keys.all[i])->flags & BY_REGION) &&
		    !(OF_THREADS >> report_key_number(report->keys.all[i]) & 1))
			return false;
	return report->of_intervals && !report->turns.nr && is_by_thread(report->options.filter);
}

int report_begin_regions(struct kermon_report *report)
{
	const struct regions_options options = { .counted = take_count, .context = report };
	struct report_regions *regions;

	if (!(report->keys.flags & BY_REGION))
		return 0;
	regions = calloc(1, sizeof(*regions));
	report->regions = regions;
	if (!regions)
		return -ENOMEM;
	regions->exact = can_be_exact(report);
	regions->all = regions_new(regions->exact ? &options : NULL);
	report->pipeline.any_order = false;
	return regions->all ? regions_open(regions->all, report->pipeline.reader) : -ENOMEM;
}

void report_free_regions(struct kermon_report *report)
{
	struct report_regions *regions = report->regions;

	if (!regions)
		return;
	for (size_t i = 0; i < regions->room; i++)
		free(regions->rests[i].values);
	free(regions->rests);
	regions_free(regions->all);
	free(regions);
}

int report_add_mark(void *context, const struct pipeline_sample *mark)
{
	struct kermon_report *report = context;
	struct pipeline *pipeline = &report->pipeline;
	const struct regions_sample taken = regions_sample_of(mark);
	int passes;

	if (!report->regions)
		return 0;
	passes = filter_passes(&pipeline->filter, pipeline->places, mark);
	if (passes < 0)
		return passes;
	report->regions->mark = passes ? mark : NULL;
	return regions_mark(report->regions->all, &taken);
}

int report_add_task(struct kermon_report *report, const struct record *record)
{
	return report->regions ? regions_record(report->regions->all, record) : 0;
}

int report_locate(struct kermon_report *report, const struct pipeline_sample *sample,
		  bool *counted)
{
	struct report_regions *regions = report->regions;
	const size_t column = report->column_of[sample->record->event];
	const struct region_thread *thread;
	struct rest *rest;

	*counted = false;
	if (!regions)
		return 0;
	regions->node = regions_now(regions->all, sample->fields->pid, sample->fields->tid);
	if (!regions->exact || regions_position(regions->all, sample->record->event) < 0)
		return 0;
	thread = regions_thread_now(regions->all, sample->fields->pid, sample->fields->tid);
	if (thread && thread->marked && !thread->counted) {
		regions->estimated = true;
		return 0;
	}
	rest = settled_rest(report, sample->thread);
	if (!rest)
		return -ENOMEM;
	rest->values[column] += sample->fields->period;
	*counted = true;
	return 0;
}

int report_end_regions(struct kermon_report *report)
{
	struct report_regions *regions = report->regions;
	struct rest *rest;
	int err = 0;

	for (size_t i = 0; regions && i < regions->room && !err; i++) {
		rest = &regions->rests[i];
		if (!rest->values)
			continue;
		err = settle(report, rest);
		/* Intervals were lost: the marks know better. */
		for (size_t j = 0; j < report->nr_columns; j++)
			report->columns[j].total += -rest->values[j];
	}
	return err;
}

bool report_regions_are_exact(const struct kermon_report *report)
{
	return report->regions && report->regions->exact && !report->regions->estimated;
}

void take_region(struct kermon_report *report, const struct detail_source *from,
		 struct raw_detail *raw)
{
	(void)from;
	raw->value = report->regions->node;
}

int show_region(struct kermon_report *report, const struct raw_detail *raw,
		struct kermon_detail *to)
{
	char text[4096];

	to->number = raw->value;
	to->text = intern(&report->strings, regions_branch(report->regions->all, raw->value,
							   text, sizeof(text)));
	return to->text ? 0 : -ENOMEM;
}

void take_module(struct kermon_report *report, const struct detail_source *from,
		 struct raw_detail *raw)
{
	(void)from;
	raw->value = (uintptr_t)regions_node(report->regions->all, report->regions->node)->name;
}

int show_module(struct kermon_report *report, const struct raw_detail *raw,
		struct kermon_detail *to)
{
	(void)report;
	to->text = (const char *)(uintptr_t)raw->value;
	return 0;
}
