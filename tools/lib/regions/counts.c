// SPDX-License-Identifier: GPL-2.0
/*
 * The counts in marks: which events they are of, and how much of each belongs to which node.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "flow/pipeline.h"
#include "private.h"
#include "util/array.h"

static bool is_of_intervals(const struct perf_event_attr *attr)
{
	return attr->sample_type == PERFDATA_INTERVAL_TYPE &&
	       attr->read_format == PERFDATA_INTERVAL_READ;
}

static bool is_fixed(const struct perf_event_attr *attr)
{
	return is_of_intervals(attr) &&
	       (attr->type == PERF_TYPE_HARDWARE ||
		(attr->type == PERF_TYPE_RAW && !perfdata_is_programmed(attr)));
}

/* Append an event to the positions. */
static void put(struct positions *positions, int event)
{
	positions->of_event[event] = positions->nr;
	positions->event[positions->nr++] = event;
}

/* Those of one set; without rotation, of all that are programmed. */
static void put_set(struct positions *positions, const struct reader *reader,
		    const int *set_of, int set)
{
	const size_t first = positions->nr;
	const struct perf_event_attr *attr;

	for (size_t i = 0; i < positions->nr_events; i++) {
		attr = &reader_event(reader, i)->attr;
		if (is_of_intervals(attr) && perfdata_is_programmed(attr) && set_of[i] == set)
			put(positions, i);
	}
	set = set < 0 ? 0 : set;
	positions->first[set] = first;
	positions->in_set[set] = positions->nr - first;
}

static void put_all(struct positions *positions, const struct reader *reader, int *set_of)
{
	const struct perf_event_attr *attr;

	positions->event[positions->nr++] = -1;		/* ns on a CPU */
	for (size_t i = 0; i < positions->nr_events; i++) {
		attr = &reader_event(reader, i)->attr;
		if (perfdata_is_interval(attr) && positions->event[0] < 0) {
			positions->event[0] = i;
			positions->of_event[i] = 0;
		} else if (is_fixed(attr)) {
			put(positions, i);
		}
	}
	positions->nr_fixed = positions->nr - 1;
	positions->nr_sets = sets_assign(reader, set_of);
	if (!positions->nr_sets)
		put_set(positions, reader, set_of, -1);
	for (size_t set = 0; set < positions->nr_sets; set++)
		put_set(positions, reader, set_of, set);
}

int counts_learn(struct positions *positions, const struct reader *reader)
{
	const size_t nr = reader_nr_events(reader);
	int *set_of = calloc(nr + 1, sizeof(*set_of));

	positions->nr_events = nr;
	positions->event = calloc(nr + 1, sizeof(*positions->event));
	positions->of_event = calloc(nr + 1, sizeof(*positions->of_event));
	if (positions->event && positions->of_event && set_of) {
		for (size_t i = 0; i < nr; i++)
			positions->of_event[i] = -1;
		put_all(positions, reader, set_of);
	}
	free(set_of);
	return positions->nr ? 0 : -ENOMEM;
}

void counts_unlearn(struct positions *positions)
{
	free(positions->event);
	free(positions->of_event);
}

/* The position of a count in a mark; -1: the mark should not have it. */
static ssize_t position_of(const struct positions *positions, unsigned int set, size_t index)
{
	const size_t common = 1 + positions->nr_fixed;

	if (index < common)
		return index < positions->nr ? (ssize_t)index : -1;
	if (set >= KERMON_MAX_SETS || index - common >= positions->in_set[set])
		return -1;
	return positions->first[set] + (index - common);
}

static int make_counts(const struct regions *regions, struct track *track, struct stat_of *stat)
{
	if (!track->counts)
		track->counts = calloc(regions->positions.nr, sizeof(*track->counts));
	if (!stat->counts)
		stat->counts = calloc(regions->positions.nr, sizeof(*stat->counts));
	return track->counts && stat->counts ? 0 : -ENOMEM;
}

static int tell(struct regions *regions, struct track *track, size_t position, uint64_t delta)
{
	const struct regions_options *options = &regions->options;
	const int event = regions->positions.event[position];

	if (!options->counted || event < 0 || !delta)
		return 0;
	return options->counted(options->context, &track->shown, track_node(track), event, delta);
}

static int take_count(struct regions *regions, struct track *track, struct stat_of *stat,
		      size_t position, uint64_t value)
{
	const uint64_t before = track->counts[position];

	track->counts[position] = value;
	if (value < before) {
		regions->trouble.reset++;
		return 0;
	}
	stat->counts[position] += value - before;
	return tell(regions, track, position, value - before);
}

int counts_take(struct regions *regions, struct track *track, const struct region_mark *mark)
{
	struct stat_of *stat = track_stat(regions, track);
	ssize_t position = 0;
	int err = 0;

	if (!mark->nr_counts)
		return 0;
	if (!stat || make_counts(regions, track, stat))
		return -ENOMEM;
	for (size_t i = 0; i < mark->nr_counts && position >= 0 && !err; i++) {
		position = position_of(&regions->positions, mark->set, i);
		if (position >= 0)
			err = take_count(regions, track, stat, position,
					 sample_word(mark->counts, i));
	}
	regions->trouble.damaged += position < 0;
	if (track->shown.counted && track->moved) {
		stat->mixed++;
		regions->trouble.mixed++;
	}
	track->shown.counted = true;
	track->moved = false;
	return err;
}

int regions_count(struct regions *regions, const struct regions_sample *sample, size_t event,
		  uint64_t value)
{
	const int position = regions_position(regions, event);
	struct track *track;

	if (position < 0)
		return 0;
	track = tracks_counting(regions, sample->pid, sample->tid);
	if (!track)
		return -ENOMEM;
	track->shown.comm = sample->comm;
	if (!track->totals)
		track->totals = calloc(regions->positions.nr, sizeof(*track->totals));
	if (!track->totals)
		return -ENOMEM;
	track->totals[position] += value;
	return 0;
}

/* What the thread has counted in all nodes but for REGIONS_OUTSIDE. */
static uint64_t sum_inside(const struct track *track, size_t position)
{
	uint64_t sum = 0;

	for (const struct stat_of *stat = track->stats; stat; stat = stat->next)
		if (stat != track->outside && stat->counts)
			sum += stat->counts[position];
	return sum;
}

int counts_settle(struct regions *regions, struct track *track)
{
	struct stat_of *outside;
	uint64_t inside;

	if (!track->totals)
		return 0;
	track->now = 0;
	outside = track_stat(regions, track);
	if (!outside || make_counts(regions, track, outside))
		return -ENOMEM;
	for (size_t i = 0; i < regions->positions.nr; i++) {
		inside = sum_inside(track, i);
		outside->counts[i] = track->totals[i] > inside ? track->totals[i] - inside : 0;
	}
	return 0;
}

int regions_position(const struct regions *regions, size_t event)
{
	return event < regions->positions.nr_events ? regions->positions.of_event[event] : -1;
}

size_t regions_counted(const struct regions *regions)
{
	for (size_t i = 0; i < regions->nr_threads; i++)
		if (regions->threads[i]->counts || regions->threads[i]->totals)
			return regions->positions.nr;
	return 0;
}

int regions_counted_event(const struct regions *regions, size_t position)
{
	return position < regions->positions.nr ? regions->positions.event[position] : -1;
}

bool regions_rotated(const struct regions *regions)
{
	return regions->positions.nr_sets > 1;
}
