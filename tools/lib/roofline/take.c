// SPDX-License-Identifier: GPL-2.0
/*
 * Collects the samples of a file to parts: intervals of threads (KerMon), intervals of CPUs
 * (kermon spy), or slices of time of threads (perf_event), whose samples are periods.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "perfdata/format/format.h"
#include "roofline_private.h"
#include "util/array.h"

static int name_owner(struct owner *owner, const struct pipeline_sample *sample, bool is_cpu)
{
	char *name = NULL;

	owner->shown.cpu = sample->fields->cpu;
	if (!is_cpu) {
		owner->from = sample->thread;
		owner->shown.pid = sample->thread->pid;
		owner->shown.tid = sample->thread->tid;
		return 0;
	}
	if (asprintf(&name, "CPU %u", sample->fields->cpu) < 0)
		return -ENOMEM;
	owner->shown.comm = name;
	return 0;
}

/* The thread of a sample, or the CPU; UINT32_MAX: out of memory. */
static uint32_t owner_of(struct kermon_roofline *roofline,
			 const struct pipeline_sample *sample)
{
	const bool is_cpu = roofline->origin.monitor == KERMON_MONITOR_SPY;
	uint32_t number = numbering_get(&roofline->owners, is_cpu ? sample->fields->cpu :
							   sample->thread->number);

	if (number == NUMBERING_FULL || number < roofline->nr_owners)
		return number;
	if (array_room(roofline->all, roofline->room_owners, (size_t)number + 1))
		return NUMBERING_FULL;
	roofline->all[number] = (struct owner){ .shown.size = sizeof(roofline->all->shown) };
	roofline->nr_owners++;
	return name_owner(&roofline->all[number], sample, is_cpu) ? NUMBERING_FULL : number;
}

/* NaN: unknown so far. */
static void add(double *sum, double value)
{
	*sum = isnan(*sum) ? value : *sum + value;
}

void part_add(const struct kermon_roofline *roofline, struct part *part,
	      const struct pipeline_sample *sample)
{
	const struct roofline_event *event = &roofline->events[sample->record->event];
	const double count = sample->fields->period;

	if (roofline->origin.monitor == KERMON_MONITOR_PERF &&
	    (int)sample->record->event == roofline->clock)
		part->oncpu += sample->fields->period;
	if (event->operation >= 0)
		add(&part->counts[event->operation], count);
	if (event->set >= 0)
		return;
	if (event->kind == KERMON_METRIC_INSTRUCTIONS)
		add(&part->instructions, count);
	else if (event->kind == KERMON_METRIC_CYCLES)
		add(&part->cycles, count);
	if (event->domain >= 0)
		add(&part->joules[event->domain], kermon_joules(sample->fields->period));
}

static uint8_t why_of(uint8_t reason)
{
	static const uint8_t whys[] = {
		[KERMON_REASON_PREEMPT] = KERMON_WHY_PREEMPTED,
		[KERMON_REASON_SLEEP] = KERMON_WHY_SLEEP,
		[KERMON_REASON_EXIT] = KERMON_WHY_EXIT,
		[KERMON_REASON_TICK] = KERMON_WHY_TICK,
		[KERMON_REASON_EXEC] = KERMON_WHY_EXEC,
		[KERMON_REASON_ROTATE] = KERMON_WHY_ROTATION,
		[KERMON_REASON_SET] = KERMON_WHY_SET,
	};

	return reason < sizeof(whys) ? whys[reason] : KERMON_WHY_UNKNOWN;
}

static uint32_t all_domains(const struct kermon_roofline *roofline)
{
	return (1U << roofline->nr_domains) - 1;
}

static int begin_interval(struct kermon_roofline *roofline,
			  const struct pipeline_sample *sample,
			  const struct perfdata_rest *rest)
{
	const struct sample *fields = sample->fields;
	struct part *part = &roofline->interval;
	uint32_t owner;
	int err = 0;

	if (part->open)
		err = roofline_join(roofline, part);
	owner = owner_of(roofline, sample);
	if (owner == NUMBERING_FULL)
		err = -ENOMEM;
	if (!err)
		err = part_open(roofline, part, all_domains(roofline));
	if (err)
		return err;
	part->owner = owner;
	part->cpu = fields->cpu;
	part->why = why_of(rest->reason);
	part->set = rest->set_id;
	part->alone = rest->flags & KERMON_SAMPLE_ALONE;
	part->valid = rest->type == KERMON_RECORD_SAMPLE;
	if (roofline->wants_functions) {
		part->function = function_of(roofline, sample);
		if (part->function == NUMBERING_FULL)
			return -ENOMEM;
	}
	part->end = fields->time;
	part->oncpu = fields->period;
	moments_begin(roofline, part, rest);
	return 0;
}

/* "oncpu" comes first, the other values of the interval follow. */
static int take_interval(struct kermon_roofline *roofline,
			 const struct pipeline_sample *sample)
{
	const struct sample *fields = sample->fields;
	struct part *part = &roofline->interval;
	struct perfdata_rest rest;

	if (sample_interval(&sample->event->attr, fields, &rest))
		return begin_interval(roofline, sample, &rest);
	/* perf_event may have sampled other events beside KerMon. */
	if (part->open && fields->read.nr && part->end == fields->time &&
	    part->cpu == fields->cpu)
		part_add(roofline, part, sample);
	return 0;
}

/* Open the part of @owner that ends at @end, unless that is the one that is open. */
static int continue_part(struct kermon_roofline *roofline, uint32_t owner, uint64_t end)
{
	struct part *part = &roofline->all[owner].part;
	int err = 0;

	if (part->open && part->end == end)
		return 0;
	if (part->open)
		err = roofline_join(roofline, part);
	if (!err)
		err = part_open(roofline, part, roofline->all[owner].measures);
	part->owner = owner;
	part->end = end;
	part->valid = true;
	return err;
}

static void note_measure(struct kermon_roofline *roofline, struct owner *owner, size_t event)
{
	const int domain = roofline->events[event].domain;

	if (domain >= 0)
		owner->measures |= 1U << domain;
}

/* All events of an interval of a CPU have the time of its end. */
static int take_cpu(struct kermon_roofline *roofline, const struct pipeline_sample *sample)
{
	const uint64_t time = sample->fields->time, length = roofline->interval_ns;
	uint32_t number = owner_of(roofline, sample);
	struct owner *owner;
	struct part *part;
	int err;

	if (number == NUMBERING_FULL)
		return -ENOMEM;
	err = continue_part(roofline, number, time);
	if (err)
		return err;
	owner = &roofline->all[number];
	part = &owner->part;
	part->cpu = sample->fields->cpu;
	part->begin = owner->end ? owner->end : length < time ? time - length : 0;
	part_add(roofline, part, sample);
	return 0;
}

static int take_slice(struct kermon_roofline *roofline, const struct pipeline_sample *sample)
{
	const struct sample *fields = sample->fields;
	uint32_t number = owner_of(roofline, sample);
	struct part *part;
	uint64_t begin;
	int err;

	if (number == NUMBERING_FULL)
		return -ENOMEM;
	if (!roofline->first || fields->time < roofline->first)
		roofline->first = fields->time;
	begin = fields->time - (fields->time - roofline->first) % roofline->quantum;
	err = continue_part(roofline, number, begin + roofline->quantum);
	if (err)
		return err;
	part = &roofline->all[number].part;
	part->cpu = fields->cpu;
	part->begin = begin;
	part_add(roofline, part, sample);
	note_measure(roofline, &roofline->all[number], sample->record->event);
	return roofline->wants_functions && fields->ip ? function_tally(roofline, sample) : 0;
}

static int take(void *context, const struct pipeline_sample *sample)
{
	struct kermon_roofline *roofline = context;

	switch (roofline->origin.monitor) {
	case KERMON_MONITOR_KERMON:
		return take_interval(roofline, sample);
	case KERMON_MONITOR_SPY:
		return take_cpu(roofline, sample);
	default:
		return take_slice(roofline, sample);
	}
}

static int begin(void *context)
{
	return roofline_describe(context);
}

static int join_open(struct kermon_roofline *roofline)
{
	int err = 0;

	if (roofline->interval.open)
		err = roofline_join(roofline, &roofline->interval);
	for (size_t i = 0; i < roofline->nr_owners && !err; i++)
		if (roofline->all[i].part.open)
			err = roofline_join(roofline, &roofline->all[i].part);
	return err ? err : roofline_join_rest(roofline);
}

static int end(void *context)
{
	struct kermon_roofline *roofline = context;
	int err = join_open(roofline);

	if (!err) {
		moments_settle(roofline);
		err = roofline_sort(roofline);
	}
	if (!err && roofline->origin.monitor == KERMON_MONITOR_SPY)
		err = roofline_spread_energy(roofline);
	for (size_t i = 0; i < roofline->nr_owners; i++)
		if (roofline->all[i].from)
			roofline->all[i].shown.comm = roofline->all[i].from->comm;
	if (err)
		return err;
	roofline_sum(roofline);
	return roofline_sum_over_time(roofline);
}

const struct pipeline_consumer roofline_consumer = {
	.begin = begin,
	.sample = take,
	.end = end,
};
