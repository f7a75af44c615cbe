// SPDX-License-Identifier: GPL-2.0
/*
 * Recordings of kermon spy: what a thread is to runs of KerMon, a CPU is to them. An interval
 * of a CPU has a sample of each event that was counted, all with the time of its end.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "merge_private.h"
#include "util/array.h"
#include "util/cursor.h"

static int refuse_uncounted(struct kermon_merge *merge, const struct run *run)
{
	const char *backend = reader_note(run->reader, "backend");

	if (backend && !strcmp(backend, "software"))
		return merge_refuse(merge, "%s has no instructions, but what the kernel itself "
				    "counts: record it with --backend perf or msr",
				    run->told.file);
	return merge_refuse(merge, "%s has no instructions: its set takes all counters, record "
			    "fewer events at once", run->told.file);
}

int cpus_find_events(struct kermon_merge *merge, struct run *run)
{
	const struct perf_event_attr *attr;

	run->instructions = run_find_event(run, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	if (run->instructions == (size_t)-1)
		return refuse_uncounted(merge, run);
	run->interval = run->instructions;
	for (size_t i = 0; i < reader_nr_events(run->reader); i++) {
		attr = &reader_event(run->reader, i)->attr;
		if (attr->sample_type != PERFDATA_SAMPLE_TYPE)
			return merge_refuse(merge, "%s has other samples than those of kermon "
					    "spy", run->told.file);
		if (attr->type == PERF_TYPE_HARDWARE)
			run->place = i + 1;
	}
	return 0;
}

/* The lane of a CPU and its life; NULL: out of memory. */
static struct lane *lane_of(struct run *run, uint32_t cpu, struct life **life)
{
	const uint32_t number = numbering_get(&run->cpus, cpu);

	if (number == NUMBERING_FULL ||
	    array_room(run->lanes, run->room_lanes, (size_t)number + 1))
		return NULL;
	*life = life_get(run, number);
	if (!*life)
		return NULL;
	if (number == run->nr_lanes)
		run->lanes[run->nr_lanes++] = (struct lane){ .cpu = cpu };
	return &run->lanes[number];
}

/* Note an event that was not counted in the last interval: the CPU had another set. */
static void check_last(struct run *run, const struct lane *lane)
{
	for (size_t i = 0; i < run->nr_programmed && !run->is_partial; i++) {
		if (lane->seen & 1ULL << i)
			continue;
		run->is_partial = true;
		run->partial = lane->cpu;
		run->missing = run->programmed[i];
	}
}

static int begin_interval(struct run *run, struct lane *lane, struct life *life,
			  const struct record *record, uint64_t end)
{
	if (life->nr)
		check_last(run, lane);
	lane->end = end;
	lane->seen = 0;
	return life_begin(run, life, record->number);
}

static void note_span(struct run *run, uint64_t end)
{
	const char *note = reader_note(run->reader, "interval_ns");
	const uint64_t length = note ? strtoull(note, NULL, 10) : 0;
	const uint64_t begin = length < end ? end - length : 0;

	if (!run->end || begin < run->begin)
		run->begin = begin;
	if (end > run->end)
		run->end = end;
	run->told.oncpu = run->end - run->begin;
}

static int take_count(struct run *run, const struct record *record, const struct sample *sample)
{
	struct life *life;
	struct lane *lane = lane_of(run, sample->cpu, &life);
	uint64_t *row;

	if (!lane)
		return -ENOMEM;
	if (!life->nr || lane->end != sample->time) {
		note_span(run, sample->time);
		if (begin_interval(run, lane, life, record, sample->time))
			return -ENOMEM;
	}
	for (size_t i = 0; i < run->nr_programmed; i++)
		if (record->event == run->programmed[i])
			lane->seen |= 1ULL << i;
	row = life_row(run, life, life->nr - 1);
	if (record->number > row[ROW_NUMBER])
		row[ROW_NUMBER] = record->number;
	life_count(run, life, record->event, sample->period);
	return 0;
}

int cpus_take_sample(struct run *run, const struct record *record)
{
	const struct perf_event_attr *attr = &reader_event(run->reader, record->event)->attr;
	struct sample sample;

	if (record->size != sizeof(struct perfdata_sample) ||
	    !sample_parse(attr, record, &sample)) {
		damage_add(&run->damages, record->offset,
			   "a sample is not one of kermon spy");
		return 0;
	}
	/* Energy is that of the first run. */
	return record->event < run->place ? take_count(run, record, &sample) : 0;
}

/*
 * Without changes, CPUs had different sets from the beginning (--watch); or the recording is
 * older than the samples of events that counted 0.
 */
static int refuse_partial(struct kermon_merge *merge, const struct run *run)
{
	const char *event = reader_event(run->reader, run->missing)->name;

	if (reader_note(run->reader, "changes"))
		return merge_refuse(merge, "in %s, CPU %u did not count %s all the time: its "
				    "set was changed. Record each set in a run of its own",
				    run->told.file, run->partial, event);
	return merge_refuse(merge, "in %s, CPU %u has intervals without %s: it had another set "
			    "than other CPUs, or an earlier version of kermon spy omitted counts "
			    "of 0. Record each set in a run of its own",
			    run->told.file, run->partial, event);
}

int cpus_check_whole(struct kermon_merge *merge, struct run *run)
{
	const char *uncounted = reader_note(run->reader, "uncounted");

	for (size_t i = 0; i < run->nr_lanes; i++)
		check_last(run, &run->lanes[i]);
	if (run->is_partial)
		return refuse_partial(merge, run);
	if (uncounted)
		return merge_refuse(merge, "in %s, the counters were taken away in %s of the "
				    "intervals, so that counts are too low: record again",
				    run->told.file, uncounted);
	return 0;
}

static const char *text_of(const struct run *run, unsigned int feature)
{
	struct cursor c = reader_feature_cursor(run->reader, feature);
	const char *text = cursor_left(&c) ? cursor_string(&c) : NULL;

	return text && !c.failed ? text : "";
}

int cpus_check_alike(struct kermon_merge *merge, const struct run *first, const struct run *run)
{
	const char *hosts[] = { text_of(first, PERFDATA_HOSTNAME),
				text_of(run, PERFDATA_HOSTNAME) };
	const char *commands[] = { reader_note(first->reader, "command"),
				   reader_note(run->reader, "command") };

	if (strcmp(hosts[0], hosts[1]))
		return merge_refuse(merge, "%s was recorded on %s, but %s on %s: CPUs of "
				    "different machines do not do the same", run->told.file,
				    hosts[1], first->told.file, hosts[0]);
	if (commands[0] && commands[1] && strcmp(commands[0], commands[1]))
		return merge_refuse(merge, "%s is of '%s', but %s of '%s': merge recordings of "
				    "the same command", run->told.file, commands[1],
				    first->told.file, commands[0]);
	return 0;
}

/* The lane of @cpu, or -1. */
static size_t find_lane(const struct run *run, uint32_t cpu)
{
	for (size_t i = 0; i < run->nr_lanes; i++)
		if (run->lanes[i].cpu == cpu)
			return i;
	return -1;
}

static int refuse_cpu(struct kermon_merge *merge, const struct run *has, uint32_t cpu,
		      const struct run *lacks)
{
	return merge_refuse(merge, "CPU %u is in %s, but not in %s: record the same CPUs, with "
			    "-C", cpu, has->told.file, lacks->told.file);
}

int cpus_match(struct kermon_merge *merge, const struct run *first, const struct run *run,
	       size_t **twins)
{
	*twins = calloc(run->nr_lanes + 1, sizeof(**twins));
	if (!*twins)
		return -ENOMEM;
	for (size_t i = 0; i < run->nr_lanes; i++) {
		(*twins)[i] = find_lane(first, run->lanes[i].cpu);
		if ((*twins)[i] == (size_t)-1)
			return refuse_cpu(merge, run, run->lanes[i].cpu, first);
	}
	for (size_t i = 0; i < first->nr_lanes; i++)
		if (find_lane(run, first->lanes[i].cpu) == (size_t)-1)
			return refuse_cpu(merge, first, first->lanes[i].cpu, run);
	return 0;
}

int cpus_compare(struct kermon_merge *merge, const struct run *first, struct run *run,
		 size_t twin, size_t number)
{
	const uint64_t a = life_total(first, &first->lives[twin], ROW_INSTRUCTIONS);
	const uint64_t b = life_total(run, &run->lives[number], ROW_INSTRUCTIONS);
	const uint64_t difference = a > b ? a - b : b - a;
	struct lane *lane = &run->lanes[number];

	if (!a != !b)
		return merge_refuse(merge, "CPU %u executed instructions in %s, but none in %s: "
				    "what it counted there has no place", lane->cpu,
				    a ? first->told.file : run->told.file,
				    a ? run->told.file : first->told.file);
	run->difference += difference;
	lane->apart = a ? (double)difference / (double)a : 0;
	run->told.apart = (double)run->difference / (double)first->told.instructions;
	return 0;
}
