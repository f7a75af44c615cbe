// SPDX-License-Identifier: GPL-2.0
/* Decide which samples pass the filter; the cheapest conditions are checked first. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter.h"
#include "perfdata/format/format.h"
#include "util/cursor.h"

#define UNKNOWN	"[unknown]"

/* Cached result for a symbol, because comparing names is expensive. */
struct verdict {
	const struct symbol *symbol;
	bool passes;
};

/* The sample field that each kind of condition requires. */
static const struct {
	uint64_t field;
	const char *what;
} needs[KERMON_FILTER_COUNT] = {
	[KERMON_FILTER_COMM] = { PERF_SAMPLE_TID, "threads" },
	[KERMON_FILTER_PID] = { PERF_SAMPLE_TID, "processes" },
	[KERMON_FILTER_TID] = { PERF_SAMPLE_TID, "threads" },
	[KERMON_FILTER_CPU] = { PERF_SAMPLE_CPU, "CPUs" },
	[KERMON_FILTER_DSO] = { PERF_SAMPLE_IP, "addresses" },
	[KERMON_FILTER_SYMBOL] = { PERF_SAMPLE_IP, "addresses" },
	[KERMON_FILTER_TIME] = { PERF_SAMPLE_TIME, "times" },
};

static bool is_wanted(const struct kermon_filter *wanted,
		      enum kermon_filter_by by)
{
	return by == KERMON_FILTER_TIME ? filter_is_by_time(wanted) :
					  wanted->by[by].nr;
}

static bool wants_all(const struct kermon_filter *wanted)
{
	for (int by = 0; by < KERMON_FILTER_COUNT; by++)
		if (is_wanted(wanted, by))
			return false;
	return true;
}

static bool has_field(const struct reader *reader, uint64_t field)
{
	for (size_t i = 0; i < reader_nr_events(reader); i++)
		if (reader_event(reader, i)->attr.sample_type & field)
			return true;
	return false;
}

static int check_fields(const struct kermon_filter *wanted,
			const struct reader *reader, struct damages *damages)
{
	for (int by = 0; by < KERMON_FILTER_COUNT; by++) {
		if (!is_wanted(wanted, by) ||
		    has_field(reader, needs[by].field))
			continue;
		damage_add(damages, KERMON_NO_OFFSET,
			   "cannot filter: its samples do not include %s",
			   needs[by].what);
		return -EINVAL;
	}
	return 0;
}

/* Adjacent parts do not overlap; the last one includes the end. */
static struct filter_range range_of(const struct filter_part *part,
				    uint64_t first, uint64_t last)
{
	double length = (double)(last - first);
	struct filter_range range = {
		.first = first + (uint64_t)llround(part->from * length),
		.last = first + (uint64_t)llround(part->to * length),
	};

	if (part->to < 1 && range.last > range.first)
		range.last--;
	return range;
}

static int resolve_parts(struct filter *filter, struct reader *reader,
			 struct damages *damages)
{
	const struct filter_list *parts = &filter->wanted->parts;
	const struct filter_part *part = parts->items;
	struct cursor c = reader_feature_cursor(reader,
						PERFDATA_SAMPLE_TIME);
	uint64_t first = cursor_u64(&c);
	uint64_t last = cursor_u64(&c);

	if (c.failed || last < first) {
		damage_add(damages, KERMON_NO_OFFSET,
			   "it does not record when its samples begin and end: give times in seconds");
		return -EINVAL;
	}
	for (size_t i = 0; i < parts->nr; i++)
		filter->times[filter->nr_times++] = range_of(&part[i], first,
							     last);
	return 0;
}

static int resolve_walls(struct filter *filter, struct reader *reader,
			 struct damages *damages)
{
	const struct filter_list *walls = &filter->wanted->walls;
	const struct filter_wall *wanted = walls->items;
	struct wall clock;
	const char *why = wall_read(&clock, reader);

	for (size_t i = 0; i < walls->nr && !why; i++)
		if (filter_wall_resolve(&wanted[i], &clock,
					&filter->times[filter->nr_times++]))
			why = "clocks were put forward past it on that day";
	if (!why)
		return 0;
	damage_add(damages, KERMON_NO_OFFSET,
		   "cannot filter by time of day: %s; give times in seconds",
		   why);
	return -EINVAL;
}

static int resolve_times(struct filter *filter, struct reader *reader,
			 struct damages *damages)
{
	const struct kermon_filter *wanted = filter->wanted;
	const struct filter_list *given = &wanted->by[KERMON_FILTER_TIME];
	int err = 0;

	if (!filter_is_by_time(wanted))
		return 0;
	filter->times = calloc(wanted->parts.nr + wanted->walls.nr + given->nr,
			       sizeof(*filter->times));
	if (!filter->times)
		return -ENOMEM;
	if (given->nr)
		memcpy(filter->times, given->items,
		       given->nr * sizeof(*filter->times));
	filter->nr_times = given->nr;
	if (wanted->parts.nr)
		err = resolve_parts(filter, reader, damages);
	if (!err && wanted->walls.nr)
		err = resolve_walls(filter, reader, damages);
	return err;
}

int filter_begin(struct filter *filter, struct reader *reader,
		 struct damages *damages)
{
	int err;

	if (filter->wanted && wants_all(filter->wanted))
		filter->wanted = NULL;
	if (!filter->wanted)
		return 0;
	err = check_fields(filter->wanted, reader, damages);
	return err ? err : resolve_times(filter, reader, damages);
}

void filter_end(struct filter *filter)
{
	for (size_t i = 0; i < filter->verdicts.room; i++)
		free(filter->verdicts.slots[i].item);
	hash_free(&filter->verdicts);
	free(filter->times);
	*filter = (struct filter){};
}

static bool in_ranges(const struct filter_range *range, size_t nr,
		      uint64_t number)
{
	for (; nr; nr--, range++)
		if (range->first <= number && number <= range->last)
			return true;
	return false;
}

/* Whether @number is selected; all are if none is specified. */
static bool number_passes(const struct kermon_filter *wanted,
			  enum kermon_filter_by by, uint64_t number)
{
	const struct filter_list *list = &wanted->by[by];

	return !list->nr || in_ranges(list->items, list->nr, number);
}

static bool is_named(const struct kermon_filter *wanted,
		     enum kermon_filter_by by, const char *name)
{
	const struct filter_list *list = &wanted->by[by];
	char *const *names = list->items;

	for (size_t i = 0; i < list->nr; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* Compare with the demangled name, with and without its parameters "(int, int)". */
static bool demangled_passes(const struct kermon_filter *wanted,
			     const char *name)
{
	const struct filter_list *list = &wanted->by[KERMON_FILTER_SYMBOL];
	char *demangled = symbol_demangle(name);
	char *const *names = list->items;
	bool passes = false;
	size_t len;

	for (size_t i = 0; demangled && i < list->nr && !passes; i++) {
		len = strlen(names[i]);
		passes = !strncmp(demangled, names[i], len) &&
			 (!demangled[len] || demangled[len] == '(');
	}
	free(demangled);
	return passes;
}

static bool is_about(const void *item, const void *key)
{
	return ((const struct verdict *)item)->symbol == key;
}

static int symbol_passes(struct filter *filter, const struct place *place)
{
	uint64_t hash = hash_mix((uintptr_t)place->symbol);
	void **found = hash_find(&filter->verdicts, hash, is_about,
				 place->symbol);
	struct verdict *verdict = found ? *found : malloc(sizeof(*verdict));
	const char *name;

	if (!verdict)
		return -ENOMEM;
	if (found)
		return verdict->passes;
	name = symbol_name(place->dso, place->symbol);
	*verdict = (struct verdict){
		.symbol = place->symbol,
		.passes = is_named(filter->wanted, KERMON_FILTER_SYMBOL,
				   name) ||
			  demangled_passes(filter->wanted, name),
	};
	if (hash_add(&filter->verdicts, hash, verdict)) {
		free(verdict);
		return -ENOMEM;
	}
	return verdict->passes;
}

static int place_passes(struct filter *filter, struct places *places,
			const struct pipeline_sample *sample)
{
	const struct kermon_filter *wanted = filter->wanted;
	struct place place = places_find(places, sample->thread,
					 record_mode(sample->record),
					 sample->fields->ip, 0);

	if (wanted->by[KERMON_FILTER_DSO].nr &&
	    !is_named(wanted, KERMON_FILTER_DSO,
		      place.dso ? place.dso->name : UNKNOWN) &&
	    !(place.dso && is_named(wanted, KERMON_FILTER_DSO,
				    place.dso->path)))
		return 0;
	if (!wanted->by[KERMON_FILTER_SYMBOL].nr)
		return 1;
	if (!place.symbol)
		return is_named(wanted, KERMON_FILTER_SYMBOL, UNKNOWN);
	return symbol_passes(filter, &place);
}

static bool fields_pass(const struct filter *filter,
			const struct pipeline_sample *sample)
{
	const struct kermon_filter *wanted = filter->wanted;
	const struct sample *fields = sample->fields;
	uint64_t carried = sample->event->attr.sample_type;

	for (int by = 0; by < KERMON_FILTER_COUNT; by++)
		if (is_wanted(wanted, by) && !(carried & needs[by].field))
			return false;
	return number_passes(wanted, KERMON_FILTER_PID, fields->pid) &&
	       number_passes(wanted, KERMON_FILTER_TID, fields->tid) &&
	       number_passes(wanted, KERMON_FILTER_CPU, fields->cpu) &&
	       (!filter->nr_times ||
		in_ranges(filter->times, filter->nr_times, fields->time)) &&
	       (!wanted->by[KERMON_FILTER_COMM].nr ||
		is_named(wanted, KERMON_FILTER_COMM, sample->thread->comm));
}

bool filter_passes_cpu(const struct filter *filter, uint32_t cpu)
{
	return !filter->wanted ||
	       number_passes(filter->wanted, KERMON_FILTER_CPU, cpu);
}

int filter_passes(struct filter *filter, struct places *places,
		  const struct pipeline_sample *sample)
{
	const struct kermon_filter *wanted = filter->wanted;

	if (!wanted)
		return 1;
	if (!fields_pass(filter, sample))
		return 0;
	if (!wanted->by[KERMON_FILTER_DSO].nr &&
	    !wanted->by[KERMON_FILTER_SYMBOL].nr)
		return 1;
	return place_passes(filter, places, sample);
}
