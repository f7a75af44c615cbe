// SPDX-License-Identifier: GPL-2.0
/* Add each sample, in order of arrival, to the sums of its entry. */
#include <errno.h>
#include <linux/kermon.h>
#include <stdlib.h>
#include <string.h>

#include "details.h"
#include "perfdata/format/format.h"
#include "report_private.h"
#include "util/array.h"
#include "util/cursor.h"

/*
 * An interval comes first as the sample of "oncpu", then as those of its other values.
 * Return: whether it is that, and the counts of the interval are valid.
 */
static bool begin_interval(struct kermon_report *report,
			   const struct pipeline_sample *sample)
{
	const struct sample *fields = sample->fields;
	struct perfdata_rest rest;

	if (!sample_interval(&sample->event->attr, fields, &rest))
		return false;
	report->interval = (struct interval){
		.time = fields->time,
		.tid = fields->tid,
		.cpu = fields->cpu,
		.alone = rest.flags & KERMON_SAMPLE_ALONE,
	};
	report_add_turn(report, rest.set_id, fields->period,
			rest.type == KERMON_RECORD_SAMPLE);
	if (rest.type == KERMON_RECORD_SAMPLE)
		return true;
	report_end_peaks(report);
	return false;
}

static bool is_of_interval(const struct interval *interval, const struct sample *sample)
{
	return interval->time == sample->time && interval->tid == sample->tid &&
	       interval->cpu == sample->cpu;
}

/* For the hash table: the members to compare come first. */
struct numbered_origin {
	struct origin origin;
	uint32_t number;
};

static bool same_origin(const void *item, const void *key)
{
	return !memcmp(item, key, sizeof(struct origin));
}

static int new_origin(struct kermon_report *report, const struct origin *from,
		      uint64_t hash)
{
	struct numbered_origin *origin;

	if (array_room(report->origins, report->room_origins, report->nr_origins + 1))
		return -ENOMEM;
	origin = malloc(sizeof(*origin));
	if (!origin)
		return -ENOMEM;
	origin->origin = *from;
	origin->number = report->nr_origins;
	report->origins[report->nr_origins++] = &origin->origin;
	return hash_add(&report->by_origin, hash, origin);
}

/* Set report->last_origin. Consecutive samples often have the same origin. */
static int find_origin(struct kermon_report *report, const struct origin *from)
{
	size_t *last = &report->last_origin[from->list];
	uint64_t hash;
	void **found;
	int err;

	if (report->nr_origins && same_origin(report->origins[*last], from))
		return 0;
	hash = hash_bytes(from, sizeof(*from));
	found = hash_find(&report->by_origin, hash, same_origin, from);
	if (found) {
		*last = ((struct numbered_origin *)*found)->number;
		return 0;
	}
	err = new_origin(report, from, hash);
	*last = report->nr_origins - !err;
	return err;
}

static int make_sums(struct kermon_report *report, uint32_t entry)
{
	size_t room = report->room_sums ? 2 * report->room_sums : 1024;
	size_t size = (report->nr_columns + 1) * sizeof(*report->sums);
	uint64_t *sums;

	if (entry == report->room_sums) {
		sums = realloc(report->sums, room * size);
		if (!sums)
			return -ENOMEM;
		report->sums = sums;
		report->room_sums = room;
	}
	memset(report_sums(report, entry), 0, size);
	return 0;
}

int report_find_entry(struct kermon_report *report,
		      const struct origin *origin, uint32_t chain,
		      uint32_t *entry)
{
	uint32_t known = report->entries.nr;
	int err = find_origin(report, origin);

	if (err)
		return err;
	*entry = numbering_get(&report->entries,
			       (uint64_t)report->last_origin[origin->list] << 32 |
			       chain);
	if (*entry == NUMBERING_FULL)
		return -ENOMEM;
	return *entry == known ? make_sums(report, *entry) : 0;
}

static void place_origin(const struct report_keys *keys,
			 const struct place *place, struct origin *origin)
{
	origin->place.dso = place->dso;
	origin->place.symbol = place->symbol;
	if (keys->flags & BY_LINE)
		origin->offset = place->offset;
}

/* For a branch, its target. */
static void find_place(struct kermon_report *report,
		       const struct report_keys *keys,
		       const struct pipeline_sample *sample,
		       const struct perf_branch_entry *branch,
		       struct origin *origin)
{
	struct place place;

	if (branch)
		place = details_branch_end(report, sample, branch->to);
	else
		place = places_find(report->pipeline.places, sample->thread,
				       record_mode(sample->record),
				       sample->fields->ip, 0);
	place_origin(keys, &place, origin);
}

/* Find the function of the sample and its callers. */
static int find_calls(struct kermon_report *report,
		      const struct pipeline_sample *sample,
		      struct origin *origin, uint32_t *chain)
{
	const struct call_step *steps;
	struct frame frame;
	ssize_t nr;
	int err = calltree_add(&report->tree, report->calls, sample, chain);

	if (err || *chain == CALLTREE_ROOT)
		return err;
	origin->place = *calltree_function(&report->tree, *chain);
	if (!(report->keys.flags & BY_LINE))
		return 0;
	nr = callchain_steps(report->calls, sample, &steps);
	if (nr <= 0)
		return nr;
	frame = callchain_frame(report->calls, sample, &steps[0]);
	place_origin(&report->keys, &frame.place, origin);
	return 0;
}

/* Only set what tables ask for: that keeps the number of entries small. */
static void describe(const struct report_keys *keys,
		     const struct pipeline_sample *sample,
		     struct origin *origin)
{
	*origin = (struct origin){ .comm = NULL };
	if (report_has_key(keys, KEY_COMM))
		origin->comm = sample->thread->comm;
	if (report_has_key(keys, KEY_PID))
		origin->pid = sample->thread->pid;
	if (report_has_key(keys, KEY_TID))
		origin->tid = sample->thread->tid;
	if (report_has_key(keys, KEY_CPU))
		origin->cpu = sample->fields->cpu;
	if (report_has_key(keys, KEY_EVENT))
		origin->event = sample->record->event;
	if (report_has_key(keys, KEY_CGROUP))
		origin->cgroup = sample->fields->cgroup;
}

/* Find the entry of a sample or a branch in a list. */
static int entry_of(struct kermon_report *report, int list,
		    const struct pipeline_sample *sample,
		    const struct perf_branch_entry *branch, uint32_t *entry)
{
	const struct report_keys *keys = report_summed(report, list);
	uint32_t chain = CALLTREE_ROOT;
	struct origin origin;
	int err = 0;

	describe(keys, sample, &origin);
	origin.list = list;
	if (report->details) {
		origin.details = details_take(report, sample, branch);
		if (!origin.details)
			return -ENOMEM;
	}
	if (report_has_chains(report, keys))
		err = find_calls(report, sample, &origin, &chain);
	else if (keys->flags & (BY_PLACE | BY_LINE))
		find_place(report, keys, sample, branch, &origin);
	else
		chain = CALLTREE_NONE;
	return err ? err : report_find_entry(report, &origin, chain, entry);
}

int report_entry_of(struct kermon_report *report, int list,
		    const struct pipeline_sample *sample, uint32_t *entry)
{
	return entry_of(report, list, sample, NULL, entry);
}

/* Each branch counts once, regardless of the sample's period. */
static int add_branches(struct kermon_report *report,
			const struct pipeline_sample *sample)
{
	const struct sample_branches *branches = &sample->fields->branches;
	size_t column = report->column_of[sample->record->event];
	struct perf_branch_entry branch;
	uint32_t entry;
	int err;

	for (uint64_t i = 0; i < branches->nr; i++) {
		memcpy(&branch, branches->entries + i * SAMPLE_BRANCH_SIZE,
		       sizeof(branch));
		err = entry_of(report, 0, sample, &branch, &entry);
		if (err)
			return err;
		report_sums(report, entry)[0]++;
		report_sums(report, entry)[1 + column]++;
		report_count(report, column, 1);
	}
	return 0;
}

/* Add a sample, and its value, to its @entry of a list; with @alone also to the next column. */
static int add_to(struct kermon_report *report, int list,
		  const struct pipeline_sample *sample, size_t column, uint64_t value,
		  bool alone, uint32_t *entry)
{
	uint64_t *sums;
	int err = entry_of(report, list, sample, NULL, entry);

	if (err)
		return err;
	sums = report_sums(report, *entry);
	sums[0] += report_is_sample(report, report_summed(report, list),
				    sample->record->event);
	sums[1 + column] += value;
	if (alone)
		sums[1 + column + 1] += value;
	return 0;
}

static int add_one(struct kermon_report *report,
		   const struct pipeline_sample *sample)
{
	size_t column = report->column_of[sample->record->event];
	const struct sample *fields = sample->fields;
	const bool begins = begin_interval(report, sample);
	const bool energy = report_has_alone(report, column) &&
			    is_of_interval(&report->interval, fields);
	const bool alone = energy && report->interval.alone;
	uint32_t entries[REPORT_MAX_LISTS];
	bool counted;
	int err = report_locate(report, sample, &counted);

	for (int list = 0; list < report->nr_summed && !err; list++)
		err = add_to(report, list, sample, column, counted ? 0 : fields->period, alone,
			     &entries[list]);
	if (!err && begins)
		err = report_peak_interval(report, &report->interval, fields->period, entries);
	if (err)
		return err;
	if (energy)
		report_peak_energy(report, column, fields->period);
	report_count(report, column, fields->period);
	report_add_turn_value(report, column, fields->period);
	if (alone)
		report_count(report, column + 1, fields->period);
	return 0;
}

static int add_sample(void *context, const struct pipeline_sample *sample)
{
	struct kermon_report *report = context;

	bool counted;

	if (!(report->keys.flags & BY_BRANCH))
		return add_one(report, sample);
	return report_locate(report, sample, &counted) ? -ENOMEM : add_branches(report, sample);
}

static int add_other(void *context, const struct record *record)
{
	struct kermon_report *report = context;

	return record->type == PERF_RECORD_CGROUP ? report_add_cgroup(report, record) :
						    report_add_task(report, record);
}

/* Set up call chains if they are requested and the file has some. */
static int begin_calls(struct kermon_report *report)
{
	const struct reader_event *event;
	bool recorded = false;

	for (size_t i = 0; i < reader_nr_events(report->pipeline.reader); i++) {
		event = reader_event(report->pipeline.reader, i);
		recorded |= event->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
	}
	if (!report->options.calls || !recorded ||
	    report->keys.flags & BY_BRANCH)
		return 0;
	report->calls = callchain_new(&report->pipeline);
	return report->calls ? 0 : -ENOMEM;
}

/* Number of lists that are summed up independently. Only one of them can have chains. */
static int count_summed(const struct kermon_report *report)
{
	int with_places = 0;

	for (int i = 0; i < report->nr_lists; i++)
		with_places += !!(report->lists[i].flags & (BY_PLACE | BY_LINE));
	return report->details || (report->calls && with_places != 1) ?
	       1 : report->nr_lists;
}

/* The parts of the run that rotated sets are compared in follow each other. */
static int begin(void *context)
{
	struct kermon_report *report = context;
	int err = report_make_columns(report);

	if (!err)
		err = report_make_turns(report);
	if (!err)
		err = report_make_peaks(report);
	report->pipeline.any_order = !report->turns.nr;
	if (!err)
		err = report_begin_regions(report);
	if (!err)
		err = begin_calls(report);
	report->nr_summed = count_summed(report);
	return err ? err : report_make_memos(report);
}

static int end(void *context)
{
	struct kermon_report *report = context;

	report->losses = (struct kermon_losses){
		.records = report->pipeline.facts.lost_records,
		.samples = report->pipeline.facts.lost_samples,
		.late = report->pipeline.facts.late,
		.invalid = report->pipeline.facts.invalid,
	};
	report_finish_turns(report);
	report_end_peaks(report);
	return report_end_regions(report);
}

const struct pipeline_consumer report_consumer = {
	.begin = begin,
	.known = report_add_known,
	.known_batch = report_add_known_batch,
	.sample = add_sample,
	.mark = report_add_mark,
	.other = add_other,
	.end = end,
};
