// SPDX-License-Identifier: GPL-2.0
/*
 * Convert a sample of KerMon's log to one record of the file: see struct
 * perfdata_interval.
 */
#include <errno.h>
#include <string.h>

#include "writer_private.h"

#define MOST_VALUES	(1 + ATTRS_MAX_FIXED + KERMON_MAX_EVENTS + \
			 KERMON_DOMAIN_COUNT)

/* The largest record: all values, and struct perfdata_rest behind the last one. */
struct made_interval {
	struct perfdata_interval head;
	struct perfdata_value values[MOST_VALUES];
	struct perfdata_rest rest;
};

static void add_value(struct kermon_writer *writer,
		      struct made_interval *interval, unsigned int index,
		      uint64_t delta)
{
	struct perfdata_value *value = &interval->values[interval->head.nr++];
	const uint32_t cpu = interval->head.sample.cpu;
	uint64_t *sum = &writer->sums[index * writer->attrs.nr_cpus + cpu];

	*sum += delta;
	value->sum = *sum;
	value->id = attrs_id(&writer->attrs, index, cpu);
}

/* What did not count is left out. */
static void add_count(struct kermon_writer *writer,
		      struct made_interval *interval, unsigned int index,
		      uint64_t delta)
{
	if (delta)
		add_value(writer, interval, index, delta);
}

static void add_counts(struct kermon_writer *writer,
		       struct made_interval *interval,
		       const struct kermon_sample *from)
{
	const unsigned int first = writer->attrs.sets[from->set_id].first;
	const uint64_t *value = (const uint64_t *)from->values;
	unsigned int i;

	for (i = 0; i < from->nr_fixed; i++)
		add_count(writer, interval, i, *value++);
	for (i = 0; i < from->nr_events; i++)
		add_count(writer, interval, first + i, *value++);
}

/* In perf's unit: exact, because the unit of a register is never smaller. */
static uint64_t in_perf_unit(const struct kermon_writer *writer,
			     uint32_t domain, uint64_t delta)
{
	unsigned int i;

	for (i = 0; i < writer->info.nr_domains; i++)
		if (writer->info.domains[i].id == domain)
			delta <<= PERFDATA_ENERGY_UNIT -
				  writer->info.domains[i].unit;
	return delta;
}

static void add_energies(struct kermon_writer *writer,
			 struct made_interval *interval,
			 const struct kermon_sample *from)
{
	const uint64_t *value = (const uint64_t *)from->values +
				from->nr_fixed + from->nr_events;
	unsigned int i;

	for (i = 0; i < KERMON_DOMAIN_COUNT; i++)
		if (from->domains & 1U << i)
			add_count(writer, interval, writer->attrs.energy[i],
				  in_perf_unit(writer, i, *value++));
}

/* Move the rest behind the last value. Return: size of the record. */
static size_t add_rest(struct made_interval *interval,
		       const struct kermon_sample *from)
{
	const struct perfdata_rest rest = {
		.size = PERFDATA_REST_SIZE,
		.type = from->record.type,
		.reason = from->reason,
		.flags = from->flags,
		.set_id = from->set_id,
		.intervals = from->intervals,
		.sequence = from->sequence,
		.tsc_begin = from->tsc_begin,
	};
	char *end = (char *)&interval->values[interval->head.nr];

	memcpy(end, &rest, sizeof(rest));
	return end + sizeof(rest) - (char *)interval;
}

static void begin_interval(struct kermon_writer *writer,
			   struct made_interval *interval,
			   const struct kermon_sample *from, uint64_t time)
{
	const uint32_t cpu = from->record.cpu;

	interval->head.nr = 0;
	interval->head.sample = (struct perfdata_sample){
		.header.type = PERF_RECORD_SAMPLE,
		.header.misc = PERF_RECORD_MISC_USER,
		.id = attrs_id(&writer->attrs, writer->attrs.oncpu, cpu),
		.ip = from->ip,
		.pid = from->pid,
		.tid = from->tid,
		.time = time,
		.cpu = cpu,
		.period = kermon_clock_duration(writer->clock, from->oncpu),
	};
}

/*
 * Whether all values in @sample have an event in the file. If not, another program has
 * changed the set of events.
 */
static bool sample_fits(const struct kermon_writer *writer,
			const struct kermon_sample *sample)
{
	const struct attrs *attrs = &writer->attrs;
	unsigned int i, nr = sample->nr_fixed + sample->nr_events;
	uint32_t set = sample->set_id;

	if (sample->record.cpu >= attrs->nr_cpus ||
	    sample->nr_fixed > attrs->nr_fixed ||
	    set >= attrs->nr_sets || sample->nr_events > attrs->sets[set].nr ||
	    sample->domains >> KERMON_DOMAIN_COUNT)
		return false;
	for (i = 0; i < KERMON_DOMAIN_COUNT; i++) {
		if (!(sample->domains & 1U << i))
			continue;
		if (!attrs->energy[i])
			return false;
		nr++;
	}
	return sizeof(*sample) + nr * sizeof(uint64_t) <= sample->record.size;
}

bool interval_is_valid(const struct kermon_writer *writer,
		       const struct kermon_sample *sample)
{
	return sample->record.size >= sizeof(*sample) &&
	       sample_fits(writer, sample);
}

/*
 * Invalid counts are not written; the type in struct perfdata_rest tells so. A sample that
 * is late nevertheless gets the time of the one before: its counts would be those of others.
 */
int interval_put(struct kermon_writer *writer,
		 const struct kermon_sample *from, uint64_t time)
{
	uint64_t *last = &writer->times[from->record.cpu];
	struct made_interval interval;

	if (time < *last)
		time = *last;
	*last = time;
	begin_interval(writer, &interval, from, time);
	add_value(writer, &interval, writer->attrs.oncpu,
		  interval.head.sample.period);
	if (from->record.type != KERMON_RECORD_INVALID)
		add_counts(writer, &interval, from);
	add_energies(writer, &interval, from);
	interval.head.sample.header.size = add_rest(&interval, from);
	return writer_put(writer, &interval, interval.head.sample.header.size);
}
