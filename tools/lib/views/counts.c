// SPDX-License-Identifier: GPL-2.0
/* Read the counts in recordings of perf stat: maps of CPUs and threads, counts, rounds. */
#include <errno.h>
#include <stdlib.h>

#include "counts.h"
#include "perfdata/format/format.h"

/* Maximum number of counts per round: limits the memory needed for damaged files. */
#define MAX_CELLS	(1U << 20)

/* Number of counts that may be reported regardless of the number of records. */
#define SHOWN_FREELY	(1U << 16)

/*
 * Number of further counts that each record with a count allows to be reported. In an
 * intact file, every round has a record for each CPU and thread on which an event was
 * counted. They account for the round, which also lists events that were not counted on
 * any CPU. If one event has far fewer CPUs than the others, a record accounts for at
 * most this many counts.
 */
#define SHOWN_BY_COUNT	32U

/* Values in a record. */
struct cell {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

/**
 * struct counted - an event
 * @own: CPUs on which it is counted, if they differ from those of all events
 * @cpus: @own or the common map
 * @now: by thread, by CPU
 * @before: the same at the end of the previous round
 */
struct counted {
	struct cpu_map own;
	const struct cpu_map *cpus;
	struct cell *now;
	struct cell *before;
	char *unit;
	double scale;
};

/**
 * struct counts - all counts of a file
 * @events: as many as @reader has
 * @tids: of @nr_tids threads
 * @is_sum: the counts are sums over all CPUs and threads: report them as recorded
 * @is_scaled: scale counts of part of the time to the whole time
 * @ready: the maps have been read and memory for counts is allocated
 * @given_up: there are too many counts, or too many to report
 * @nr_cells: counts per round
 * @shown: number of counts that may still be reported
 */
struct counts {
	const struct reader *reader;
	struct damages *damages;
	struct counted *events;
	struct cpu_map cpus;
	int32_t *tids;
	size_t nr_tids;
	bool is_sum;
	bool is_scaled;
	bool ready;
	bool given_up;
	size_t nr_cells;
	uint64_t shown;
};

struct counts *counts_new(const struct reader *reader, struct damages *damages)
{
	struct counts *counts = calloc(1, sizeof(*counts));

	if (!counts)
		return NULL;
	counts->reader = reader;
	counts->damages = damages;
	counts->events = calloc(reader_nr_events(reader),
				sizeof(*counts->events));
	if (!counts->events) {
		free(counts);
		return NULL;
	}
	for (size_t i = 0; i < reader_nr_events(reader); i++)
		counts->events[i].scale = 1;
	return counts;
}

void counts_free(struct counts *counts)
{
	struct counted *event;

	if (!counts)
		return;
	for (size_t i = 0; i < reader_nr_events(counts->reader); i++) {
		event = &counts->events[i];
		cpu_map_free(&event->own);
		free(event->now);
		free(event->before);
		free(event->unit);
	}
	free(counts->events);
	cpu_map_free(&counts->cpus);
	free(counts->tids);
	free(counts);
}

static void damage(struct counts *counts, const struct record *record,
		   const char *what)
{
	damage_add(counts->damages, record->offset, "%s", what);
}

/* Read CPUs into @map unless it is filled: as in perf, the first ones stay. */
static int take_cpus(struct counts *counts, const struct record *record,
		     struct cursor *c, struct cpu_map *map)
{
	int err;

	if (map->nr || counts->ready)
		return 0;
	err = cpu_map_read(map, c);
	if (err == -ENOMEM)
		return err;
	if (err || !map->nr)
		damage(counts, record, "invalid map of CPUs");
	return 0;
}

static int take_cpu_map(struct counts *counts, const struct record *record,
			struct cursor *c)
{
	return take_cpus(counts, record, c, &counts->cpus);
}

/* u64 nr, then nr times { u64 tid, char comm[16] } */
static int take_thread_map(struct counts *counts, const struct record *record,
			   struct cursor *c)
{
	const size_t size = sizeof(uint64_t) + 16;
	uint64_t nr = cursor_u64(c);

	if (counts->tids)
		return 0;
	if (!nr || nr > cursor_left(c) / size) {
		damage(counts, record, "invalid map of threads");
		return 0;
	}
	counts->tids = malloc(nr * sizeof(*counts->tids));
	if (!counts->tids)
		return -ENOMEM;
	for (counts->nr_tids = 0; counts->nr_tids < nr; counts->nr_tids++) {
		counts->tids[counts->nr_tids] = cursor_u64(c);
		cursor_take(c, 16);
	}
	return 0;
}

/* u64 nr, then nr times { u64 term, u64 value } */
static int take_config(struct counts *counts, const struct record *record,
		       struct cursor *c)
{
	uint64_t nr = cursor_u64(c), term, value;

	for (; nr && !c->failed; nr--) {
		term = cursor_u64(c);
		value = cursor_u64(c);
		if (term == PERFDATA_STAT_AGGREGATION)
			counts->is_sum = value == PERFDATA_AGGREGATE_ALL;
		else if (term == PERFDATA_STAT_SCALE)
			counts->is_scaled = value;
	}
	if (c->failed)
		damage(counts, record, "the configuration of perf stat is truncated");
	return 0;
}

static struct counted *event_of(struct counts *counts, uint64_t id)
{
	int event = reader_event_of(counts->reader, id);

	return event < 0 ? NULL : &counts->events[event];
}

/* u64 what, u64 id, ...; names are read with the events. */
static int take_update(struct counts *counts, const struct record *record,
		       struct cursor *c)
{
	uint64_t what = cursor_u64(c), word;
	struct counted *event = event_of(counts, cursor_u64(c));

	if (!event)
		return 0;
	switch (what) {
	case PERFDATA_UPDATE_UNIT:
		free(event->unit);
		event->unit = strdup(cursor_chars(c, cursor_left(c)));
		return event->unit ? 0 : -ENOMEM;
	case PERFDATA_UPDATE_SCALE:
		word = cursor_u64(c);
		memcpy(&event->scale, &word, sizeof(word));
		break;
	case PERFDATA_UPDATE_CPUS:
		return take_cpus(counts, record, c, &event->own);
	}
	return 0;
}

/* If tasks are followed from CPU to CPU, this applies to all events. */
static bool follows_tasks(const struct counts *counts)
{
	return counts->cpus.cpus[0] < 0;
}

/* Allocate all counts of an event. Return: 0, -E2BIG or -ENOMEM. */
static int make_cells(struct counts *counts, struct counted *event)
{
	size_t nr;

	event->cpus = event->own.nr && !follows_tasks(counts) ? &event->own :
								&counts->cpus;
	nr = event->cpus->nr * counts->nr_tids;
	if (nr > MAX_CELLS - counts->nr_cells)
		return -E2BIG;
	counts->nr_cells += nr;
	event->now = calloc(nr, sizeof(*event->now));
	event->before = calloc(nr, sizeof(*event->before));
	return event->now && event->before ? 0 : -ENOMEM;
}

/* Call with the first count. Return: whether counts can be stored, or -ENOMEM. */
static int get_ready(struct counts *counts, const struct record *record)
{
	int err = 0;

	if (counts->ready)
		return !counts->given_up;
	if (!counts->cpus.nr || !counts->nr_tids) {
		damage(counts, record,
		       "a count precedes the maps of CPUs and threads");
		return 0;
	}
	counts->ready = true;
	counts->shown = SHOWN_FREELY;
	for (size_t i = 0; !err && i < reader_nr_events(counts->reader); i++)
		err = make_cells(counts, &counts->events[i]);
	if (err != -E2BIG)
		return err ? err : 1;
	counts->given_up = true;
	damage(counts, record, "too many CPUs, threads and events");
	return 0;
}

/* Number of counts per round that a record with a count of @event allows to be reported. */
static size_t shown_by(const struct counts *counts, const struct counted *event)
{
	size_t nr = event->cpus->nr * counts->nr_tids;
	size_t share = (counts->nr_cells + nr - 1) / nr;

	return share < SHOWN_BY_COUNT ? share : SHOWN_BY_COUNT;
}

/* u64 id, u32 cpu, u32 index of the thread, u64 value, u64 enabled, u64 running */
static int take_count(struct counts *counts, const struct record *record,
		      struct cursor *c)
{
	int ready = get_ready(counts, record);
	uint64_t id = cursor_u64(c);
	int32_t cpu = cursor_u32(c);
	uint32_t thread = cursor_u32(c);
	struct counted *event;
	struct cell cell;
	ssize_t at;

	if (ready <= 0)
		return ready;
	event = event_of(counts, id);
	if (!event) {
		damage(counts, record, "a count has an unknown event id");
		return 0;
	}
	cell.value = cursor_u64(c);
	cell.enabled = cursor_u64(c);
	cell.running = cursor_u64(c);
	at = cpu_map_find(event->cpus, cpu);
	if (c->failed || at < 0 || thread >= counts->nr_tids) {
		damage(counts, record, "a count has a CPU or thread that is not in the maps");
		return 0;
	}
	event->now[thread * event->cpus->nr + at] = cell;
	counts->shown += shown_by(counts, event);
	return 0;
}

static void since(struct cell *now, struct cell *before)
{
	struct cell recorded = *now;

	now->value -= before->value;
	now->enabled -= before->enabled;
	now->running -= before->running;
	*before = recorded;
}

/* Extrapolate to the whole time. */
static void scale(struct cell *cell)
{
	double scaled;

	if (!cell->running) {
		cell->value = 0;
	} else if (cell->running < cell->enabled) {
		scaled = (double)cell->value * cell->enabled / cell->running;
		cell->value = scaled < 0x1p64 ? (uint64_t)scaled : UINT64_MAX;
	}
}

static struct cell next(const struct counts *counts, struct counted *event,
			size_t index)
{
	struct cell cell = event->now[index];

	if (counts->is_sum)
		return cell;
	since(&cell, &event->before[index]);
	if (counts->is_scaled)
		scale(&cell);
	return cell;
}

static int show_event(struct counts *counts, size_t index, uint64_t time,
		      count_fn fn, void *context)
{
	struct counted *event = &counts->events[index];
	size_t nr = event->cpus->nr * counts->nr_tids;
	struct cell cell;
	int err = 0;

	for (size_t i = 0; i < nr && !err; i++) {
		cell = next(counts, event, i);
		err = fn(context, index, &(struct kermon_profile_count){
			.cpu = event->cpus->cpus[i % event->cpus->nr],
			.tid = counts->tids[i / event->cpus->nr],
			.value = cell.value,
			.enabled = cell.enabled,
			.running = cell.running,
			.time = time,
			.unit = event->unit ? event->unit : "",
			.scale = event->scale,
		});
	}
	return err;
}

/* u64 type, u64 time */
static int show_round(struct counts *counts, const struct record *record,
		      struct cursor *c, count_fn fn, void *context)
{
	uint64_t time;
	int ready = get_ready(counts, record), err = 0;

	cursor_u64(c);
	time = cursor_u64(c);
	if (ready <= 0)
		return ready;
	if (counts->shown < counts->nr_cells) {
		damage(counts, record, "there are far more rounds than counts");
		counts->given_up = true;
		return 0;
	}
	counts->shown -= counts->nr_cells;
	for (size_t i = 0; !err && i < reader_nr_events(counts->reader); i++)
		err = show_event(counts, i, time, fn, context);
	return err;
}

static const struct {
	uint32_t type;
	int (*take)(struct counts *counts, const struct record *record,
		    struct cursor *c);
} records[] = {
	{ PERFDATA_RECORD_CPU_MAP, take_cpu_map },
	{ PERFDATA_RECORD_THREAD_MAP, take_thread_map },
	{ PERFDATA_RECORD_STAT_CONFIG, take_config },
	{ PERFDATA_RECORD_EVENT_UPDATE, take_update },
	{ PERFDATA_RECORD_STAT, take_count },
};

int counts_record(struct counts *counts, const struct record *record,
		  count_fn fn, void *context)
{
	struct cursor c = cursor_of(record->data, record->size);

	cursor_take(&c, sizeof(struct perf_event_header));
	if (record->type == PERFDATA_RECORD_STAT_ROUND)
		return show_round(counts, record, &c, fn, context);
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++)
		if (records[i].type == record->type)
			return records[i].take(counts, record, &c);
	return 0;
}
