// SPDX-License-Identifier: GPL-2.0
/*
 * Fast path for samples whose origins are known: their entries are found by a few of
 * their bytes, without parsing them.
 *
 * What is at an address is looked up for each sample: processes of a build run the same
 * functions, but each has its own address space, and half of all samples have an address
 * that was not sampled before in their process. Entries are remembered by the keys of
 * a list instead, of which there are few.
 *
 * Consecutive samples are looked up together, a block at a time: what the next step needs
 * is on its way from memory while others are processed.
 */
#include <errno.h>
#include <linux/kermon.h>
#include <stdlib.h>
#include <string.h>

#include "known.h"
#include "perfdata/format/format.h"
#include "report_private.h"

#define BLOCK	64

/* Of functions that are called for each sample; calling them takes a tenth of the time. */
#define INLINE	inline __attribute__((always_inline))

/* Fields that are ignored here; samples with other fields are parsed. */
#define PLAIN_FIELDS							\
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |	\
	 PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |		\
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |	\
	 PERF_SAMPLE_CALLCHAIN)

/* More values than a group of counters has; samples with more are parsed. */
#define MOST_VALUES	128

/* How many ids are remembered, as bits. Those of a recording are consecutive numbers. */
#define COUNTER_BITS	8

/**
 * struct sample_layout - how to use samples of an event
 * @size: minimum size; 0: samples have to be parsed
 * @ip: offset; likewise for other fields, -1: not recorded
 * @values: of PERF_SAMPLE_READ: number of values, then struct perfdata_value
 * @is_fixed: all samples have @size bytes, or more that are ignored
 * @is_interval: KerMon's
 * @time: offset, of intervals
 * @usual: period of samples without this field
 * @column: of the event
 * @counts: its samples are counted as such
 * @has_alone: the next column has what it counted while nothing ran beside
 */
struct sample_layout {
	unsigned int size;
	int ip;
	int tid;
	int cpu;
	int period;
	int chain;
	int values;
	bool is_fixed;
	bool is_interval;
	int time;
	uint64_t usual;
	size_t column;
	bool counts;
	bool has_alone;
};

/**
 * struct counter - an event on a CPU, whose readings a sample has
 * @id: in the file
 * @slot: see reader_slot_of()
 * @layout: of its event; NULL: nothing is remembered here
 */
struct counter {
	uint64_t id;
	size_t slot;
	const struct sample_layout *layout;
};

/**
 * struct report_memos - what is known
 * @layouts: by event
 * @nr_events: length of @layouts
 * @chains: to look up call chains; NULL: there are none
 * @of_places: any list needs the place; with call chains one always does
 * @nr_places: number of functions and DSOs that have a number
 * @counters: by a hash of their ids
 * @lists: @nr_lists of them
 */
struct report_memos {
	struct sample_layout *layouts;
	size_t nr_events;
	struct callbatch *chains;
	bool of_places;
	uint32_t nr_places;
	struct counter counters[1 << COUNTER_BITS];
	struct known_list lists[REPORT_MAX_LISTS];
};

/**
 * struct look - a sample that is being looked up
 * @layout: of its event
 * @values: of the counters it reads; NULL: it has only a period
 * @interval: that it is, if it is one
 * @end: of the sample
 */
struct look {
	const struct sample_layout *layout;
	struct known_keys keys;		/* complete once @search is */
	struct place_search search;	/* unless there are chains */
	const unsigned char *values;
	uint64_t period;
	uint64_t time;
	struct interval interval;
	const unsigned char *end;
};

/* Readings of counters that can be subtracted without parsing the sample. */
static bool is_simple_group(const struct perf_event_attr *attr)
{
	return attr->read_format == PERFDATA_INTERVAL_READ && !attr->inherit &&
	       !(attr->sample_type & PERF_SAMPLE_CALLCHAIN);
}

static void find_offsets(const struct perf_event_attr *attr,
			 struct sample_layout *layout)
{
	uint64_t type = attr->sample_type, fields = PLAIN_FIELDS;

	*layout = (struct sample_layout){
		.ip = sample_from_start(attr, PERF_SAMPLE_IP),
		.tid = sample_from_start(attr, PERF_SAMPLE_TID),
		.cpu = sample_from_start(attr, PERF_SAMPLE_CPU),
		.period = sample_from_start(attr, PERF_SAMPLE_PERIOD),
		.chain = sample_from_start(attr, PERF_SAMPLE_CALLCHAIN),
		.values = sample_from_start(attr, PERF_SAMPLE_READ),
		.is_interval = perfdata_is_interval(attr),
		.time = sample_from_start(attr, PERF_SAMPLE_TIME),
		.usual = attr->sample_period,
	};
	if (is_simple_group(attr))
		fields |= PERF_SAMPLE_READ;
	if (layout->is_interval)
		fields |= PERF_SAMPLE_RAW;
	if (type & ~fields || layout->ip < 0 || layout->tid < 0)
		return;
	layout->size = sizeof(struct perf_event_header) +
		       sizeof(uint64_t) * __builtin_popcountll(type & PLAIN_FIELDS);
	if (layout->values >= 0)
		layout->size += sizeof(uint64_t);
	if (layout->is_interval)
		layout->size += sizeof(struct perfdata_rest);
	layout->is_fixed = layout->values < 0 && layout->chain < 0;
}

/* If tables are by event, the values of a sample belong to different entries. */
static void find_layout(const struct kermon_report *report, size_t event,
			struct sample_layout *layout)
{
	size_t column = report->column_of[event];

	find_offsets(&reader_event(report->pipeline.reader, event)->attr, layout);
	if (layout->values >= 0 && report_has_key(&report->keys, KEY_EVENT))
		layout->size = 0;
	if (report->calls && layout->chain < 0)
		layout->size = 0;
	layout->column = column;
	layout->counts = report_is_sample(report, &report->keys, event);
	layout->has_alone = report_has_alone(report, column);
}

/* Whether nothing but what is remembered here determines the entry of a sample. */
static bool can_remember(const struct kermon_report *report)
{
	const struct pipeline *pipeline = &report->pipeline;

	if (report->details || !pipeline->any_order)
		return false;
	return !report->calls ||
	       (pipeline->inlines != KERMON_INLINES_ALL && !pipeline->max_stack &&
		!(report->keys.flags & BY_LINE));
}

int report_make_memos(struct kermon_report *report)
{
	struct reader *reader = report->pipeline.reader;
	size_t nr = reader_nr_events(reader);
	struct report_memos *memos;
	int err = 0;

	if (!can_remember(report))
		return 0;
	memos = calloc(1, sizeof(*memos));
	if (!memos)
		return -ENOMEM;
	report->memos = memos;
	memos->nr_events = nr;
	memos->of_places = report->keys.flags & (BY_PLACE | BY_LINE);
	memos->layouts = calloc(nr, sizeof(*memos->layouts));
	if (!memos->layouts)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		find_layout(report, i, &memos->layouts[i]);
	for (int i = 0; i < report->nr_summed && !err; i++)
		err = known_make(&memos->lists[i], report, i);
	if (report->calls)
		memos->chains = callbatch_new(&report->tree, &report->pipeline);
	return err || (report->calls && !memos->chains) ? -ENOMEM : 0;
}

void report_free_memos(struct kermon_report *report)
{
	struct report_memos *memos = report->memos;

	if (!memos)
		return;
	for (int i = 0; i < REPORT_MAX_LISTS; i++)
		known_free(&memos->lists[i]);
	callbatch_free(memos->chains);
	free(memos->layouts);
	free(memos);
}

/* The number of a place; a new one gets the next number. Nowhere has 0. */
static inline uint32_t get_number(struct report_memos *memos, const struct place *place)
{
	uint32_t *number;

	if (!place->dso)
		return 0;
	number = dso_number(place->dso, place->symbol);
	if (!*number)
		*number = ++memos->nr_places;
	return *number;
}

/* Whether the sample is long enough for its fields. */
static inline bool is_whole(const struct sample_layout *layout, const struct record *record)
{
	uint64_t left;

	if (!layout->size || record->size < layout->size)
		return false;
	if (layout->is_fixed)
		return true;
	left = record->size - layout->size;
	if (layout->values >= 0)
		return sample_word(record->data + layout->values, 0) <=
		       left / sizeof(struct perfdata_value);
	return sample_word(record->data + layout->chain, 0) <= left / sizeof(uint64_t);
}

/* Begin to look up a sample. Return: false if it has to be parsed. */
static INLINE bool begin_look(struct kermon_report *report,
			      const struct record *record, struct look *look)
{
	const struct report_memos *memos = report->memos;
	const struct sample_layout *layout = &memos->layouts[record->event];
	const unsigned char *data = record->data;
	struct thread *thread;

	if (!is_whole(layout, record))
		return false;
	thread = processes_thread(&report->pipeline.processes,
				  sample_half(data + layout->tid, 0),
				  sample_half(data + layout->tid, 1));
	if (!thread)
		return false;
	look->layout = layout;
	look->keys.thread = thread;
	look->keys.event = record->event;
	look->values = layout->values < 0 ? NULL : data + layout->values;
	look->keys.cpu = layout->cpu < 0 ? 0 : sample_half(data + layout->cpu, 0);
	if (layout->is_interval)
		look->interval = (struct interval){
			.time = sample_word(data + layout->time, 0),
			.tid = sample_half(data + layout->tid, 1),
			.cpu = look->keys.cpu,
		};
	look->period = layout->period < 0 ? layout->usual :
		       sample_word(data + layout->period, 0);
	if (memos->chains)
		return !callbatch_add(memos->chains, thread, data + layout->chain);
	if (memos->of_places)
		places_begin(report->pipeline.places,
			     processes_space(&report->pipeline.processes, thread,
					     record_mode(record)),
			     sample_word(data + layout->ip, 0), 0, &look->search);
	return true;
}

/**
 * struct group - the values of a sample
 * @values: @nr of struct perfdata_value, not aligned
 * @alone: nothing ran beside what they count
 * @counters: of the values
 */
struct group {
	const unsigned char *values;
	size_t nr;
	bool alone;
	struct counter counters[MOST_VALUES];
};

/* Return: NULL for an id that the file does not have. */
static inline const struct counter *find_counter(const struct kermon_report *report,
						 uint64_t id)
{
	struct counter *counter = &report->memos->counters[hash_spread(id, COUNTER_BITS)];
	ssize_t slot;
	int event;

	if (counter->layout && counter->id == id)
		return counter;
	slot = reader_slot_of(report->pipeline.reader, id, &event);
	if (slot < 0)
		return NULL;
	*counter = (struct counter){
		.id = id, .slot = slot, .layout = &report->memos->layouts[event],
	};
	return counter;
}

/* What else there is in an interval. Return: false if its counts are invalid. */
static inline bool end_group(struct group *group, bool is_interval)
{
	struct perfdata_rest rest;

	if (!is_interval)
		return true;
	memcpy(&rest, group->values + group->nr * sizeof(struct perfdata_value),
	       sizeof(rest));
	group->alone = rest.flags & KERMON_SAMPLE_ALONE;
	return rest.size == PERFDATA_REST_SIZE && rest.type == KERMON_RECORD_SAMPLE;
}

/* Return: false if the sample has to be parsed, which also reports what is wrong. */
static inline bool find_group(const struct kermon_report *report,
			      const struct look *look, struct group *group)
{
	const struct counter *counter;

	group->nr = 0;
	group->alone = false;
	group->values = look->values;
	if (!look->values)
		return true;
	group->nr = sample_word(look->values, 0);
	group->values += sizeof(uint64_t);
	if (group->nr > MOST_VALUES)
		return false;
	for (size_t i = 0; i < group->nr; i++) {
		counter = find_counter(report, sample_word(group->values, 2 * i + 1));
		if (!counter)
			return false;
		group->counters[i] = *counter;
	}
	return end_group(group, look->layout->is_interval);
}

/* Add to a column, or to the number of samples, of a sample's entries. */
static inline void add_sum(const struct kermon_report *report, uint64_t *const *sums,
			   size_t at, uint64_t value)
{
	for (int i = 0; i < report->nr_summed; i++)
		sums[i][at] += value;
}

static inline void add_value(struct kermon_report *report, uint64_t *const *sums,
			     size_t column, uint64_t value)
{
	add_sum(report, sums, 1 + column, value);
	report_count(report, column, value);
}

/* The first value of an interval is its time on the CPU. Return: 0 or -ENOMEM. */
static inline int begin_peak(struct kermon_report *report, const struct look *look,
			     const struct group *group, const uint32_t *entries)
{
	const uint64_t *const readings = report->pipeline.readings.last;
	uint64_t oncpu;

	if (!group->nr || !group->counters[0].layout->is_interval)
		return 0;
	oncpu = sample_word(group->values, 0) - readings[group->counters[0].slot];
	return report_peak_interval(report, &look->interval, oncpu, entries);
}

/* As the samples that pass_readings() makes of it. */
static inline void add_group(struct kermon_report *report, const struct group *group,
			     uint64_t *const *sums)
{
	uint64_t *const readings = report->pipeline.readings.last;
	const struct sample_layout *layout;
	uint64_t value, delta, samples = 0;

	for (size_t i = 0; i < group->nr; i++) {
		layout = group->counters[i].layout;
		value = sample_word(group->values, 2 * i);
		delta = value - readings[group->counters[i].slot];
		readings[group->counters[i].slot] = value;
		if (!delta && !layout->is_interval)
			continue;
		samples += layout->counts;
		add_value(report, sums, layout->column, delta);
		if (!layout->has_alone)
			continue;
		report_peak_energy(report, layout->column, delta);
		if (group->alone)
			add_value(report, sums, layout->column + 1, delta);
	}
	add_sum(report, sums, 0, samples);
}

/* Find what is at the address, or the chain. Return: false if out of memory. */
static inline bool end_keys(struct report_memos *memos, struct look *look)
{
	static const struct place nowhere;
	struct known_keys *keys = &look->keys;

	keys->place = &nowhere;
	keys->number = 0;
	if (memos->chains) {
		keys->number = callbatch_next(memos->chains);
	} else if (memos->of_places) {
		keys->place = places_end(&look->search);
		keys->number = get_number(memos, keys->place);
	}
	return keys->number != NUMBERING_FULL;
}

/* Add a sample that has been looked up. Return: false if it has to be parsed after all. */
static INLINE bool end_look(struct kermon_report *report, struct look *look)
{
	struct report_memos *memos = report->memos;
	const struct sample_layout *layout = look->layout;
	uint32_t entries[REPORT_MAX_LISTS];
	uint64_t *sums[REPORT_MAX_LISTS];
	struct group group;

	if (!find_group(report, look, &group) || !end_keys(memos, look))
		return false;
	for (int i = 0; i < report->nr_summed; i++)
		if (known_find(report, &memos->lists[i], &look->keys, &entries[i]))
			return false;
	/* Finding an entry may have moved the sums of others. */
	for (int i = 0; i < report->nr_summed; i++)
		sums[i] = report_sums(report, entries[i]);
	if (layout->is_interval && begin_peak(report, look, &group, entries))
		return false;
	report->pipeline.facts.intervals += layout->is_interval;
	if (look->values) {
		add_group(report, &group, sums);
		return true;
	}
	add_sum(report, sums, 0, layout->counts);
	add_value(report, sums, layout->column, look->period);
	return true;
}

bool report_add_known(void *context, const struct record *record)
{
	struct kermon_report *report = context;
	struct look look;

	if (!report->memos)
		return false;
	if (report->memos->chains)
		callbatch_clear(report->memos->chains);
	return begin_look(report, record, &look) && end_look(report, &look);
}

static inline bool has_room(const struct report_memos *memos, size_t nr)
{
	return nr < BLOCK && !(memos->chains && callbatch_is_full(memos->chains));
}

/* Ask for the memory that end_look() needs. */
static void prefetch_block(const struct report_memos *memos, const struct look *looks,
			   size_t nr)
{
	if (memos->chains)
		callbatch_prefetch(memos->chains);
	else if (memos->of_places)
		for (size_t i = 0; i < nr; i++)
			places_prefetch(&looks[i].search);
}

/* Begin to look up the samples of a block. Return: their number. */
static size_t begin_block(struct kermon_report *report,
			  const struct reader_batch *batch,
			  const unsigned char *data, struct look *looks)
{
	uint64_t left = batch->data + batch->size - data;
	struct record record = { .data = data };
	struct perf_event_header header;
	size_t nr = 0;
	int event;

	if (report->memos->chains)
		callbatch_clear(report->memos->chains);
	for (; has_room(report->memos, nr) && left >= batch->least; left -= header.size) {
		header = record_header(record.data, false);
		looks[nr].time = sample_word(record.data + batch->time_at, 0);
		if (header.size < batch->least || header.size > left ||
		    looks[nr].time >= batch->before)
			break;
		record.size = header.size;
		record.misc = header.misc;
		event = report->memos->nr_events == 1 ? 0 :
			reader_event_of_sample(report->pipeline.reader,
					       record.data, record.size);
		record.event = event;
		if (event < 0 || !begin_look(report, &record, &looks[nr]))
			break;
		record.data += header.size;
		looks[nr++].end = record.data;
	}
	return nr;
}

uint64_t report_add_known_batch(void *context, struct reader_batch *batch)
{
	struct kermon_report *report = context;
	const unsigned char *data = batch->data;
	struct look looks[BLOCK];
	size_t nr, done;

	if (!report->memos)
		return 0;
	do {
		nr = begin_block(report, batch, data, looks);
		prefetch_block(report->memos, looks, nr);
		for (done = 0; done < nr && end_look(report, &looks[done]); done++) {
			data = looks[done].end;
			batch->newest = looks[done].time;
		}
		batch->nr += done;
	} while (done && done == nr);
	return data - batch->data;
}
