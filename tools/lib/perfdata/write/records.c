// SPDX-License-Identifier: GPL-2.0
/*
 * Convert records of KerMon's log to samples of the file, and note what records of the
 * side-band contain before they are written unchanged.
 */
#include <errno.h>
#include <string.h>

#include "writer_private.h"

static int put_sample(struct kermon_writer *writer,
		      struct perfdata_sample *sample, unsigned int index,
		      uint64_t period)
{
	if (!period)
		return 0;
	sample->id = ATTRS_FIRST_ID + index;
	sample->period = period;
	return writer_put(writer, sample, sizeof(*sample));
}

/* On-CPU time and, as raw data, everything that has no field in the format. */
static int put_head(struct kermon_writer *writer,
		    const struct perfdata_sample *common,
		    const struct kermon_sample *from)
{
	struct perfdata_interval interval = { .sample = *common };

	interval.sample.header.size = sizeof(interval);
	interval.sample.id = ATTRS_FIRST_ID + writer->attrs.oncpu;
	interval.sample.period = kermon_clock_duration(writer->clock,
						       from->oncpu);
	interval.raw_size = PERFDATA_RAW_SIZE;
	memcpy(interval.raw, from, sizeof(*from));
	return writer_put(writer, &interval, sizeof(interval));
}

/* In perf's unit: exact, because the unit of a register is never smaller. */
static int put_energy(struct kermon_writer *writer,
		      struct perfdata_sample *sample, uint32_t domain,
		      uint64_t delta)
{
	unsigned int i;

	for (i = 0; i < writer->info.nr_domains; i++)
		if (writer->info.domains[i].id == domain)
			delta <<= PERFDATA_ENERGY_UNIT -
				  writer->info.domains[i].unit;
	return put_sample(writer, sample, writer->attrs.energy[domain], delta);
}

static void put_counts(struct kermon_writer *writer,
		       struct perfdata_sample *sample,
		       const struct kermon_sample *from)
{
	const unsigned int first = writer->attrs.sets[from->set_id].first;
	const uint64_t *value = (const uint64_t *)from->values;
	unsigned int i;

	for (i = 0; i < from->nr_fixed; i++)
		put_sample(writer, sample, i, *value++);
	for (i = 0; i < from->nr_events; i++)
		put_sample(writer, sample, first + i, *value++);
}

static void put_energies(struct kermon_writer *writer,
			 struct perfdata_sample *sample,
			 const struct kermon_sample *from)
{
	const uint64_t *value = (const uint64_t *)from->values +
				from->nr_fixed + from->nr_events;
	unsigned int i;

	for (i = 0; i < KERMON_DOMAIN_COUNT; i++)
		if (from->domains & 1U << i)
			put_energy(writer, sample, i, *value++);
}

/* Invalid counts are not written; the first sample of the interval is marked as invalid. */
static int put_values(struct kermon_writer *writer,
		      struct perfdata_sample *sample,
		      const struct kermon_sample *from)
{
	if (from->record.type == KERMON_RECORD_INVALID)
		writer->totals.invalid++;
	else
		put_counts(writer, sample, from);
	put_energies(writer, sample, from);
	return writer->error;
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

	if (sample->nr_fixed > attrs->nr_fixed ||
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

/* More than the difference between the clocks, and less than the time between two execs. */
#define EXEC_SLACK	100000		/* ns */

/*
 * Whether the sample is from the tool's child before its exec. If the exec is unknown
 * because records were lost, the sample is attributed to the program.
 */
static bool is_before_exec(const struct kermon_writer *writer,
			   const struct kermon_sample *from, uint64_t time)
{
	const struct program_start *exec = &writer->exec;

	if (!exec->pid || from->tid != (uint32_t)exec->pid)
		return false;
	if (!exec->known)
		return !exec->lost && !writer->totals.sideband_lost;
	return time <= exec->time;
}

static int put_interval(struct kermon_writer *writer,
			const struct kermon_sample *from)
{
	struct perfdata_sample sample = {
		.header = {
			.type = PERF_RECORD_SAMPLE,
			.misc = PERF_RECORD_MISC_USER,
			.size = sizeof(sample),
		},
		.ip = from->ip,
		.pid = from->pid,
		.tid = from->tid,
		.cpu = from->record.cpu,
	};

	if (from->record.size < sizeof(*from) || !sample_fits(writer, from))
		return -EBADMSG;
	sample.time = kermon_clock_time(writer->clock, from->tsc_end);
	if (is_before_exec(writer, from, sample.time)) {
		writer->totals.before_exec++;
		return 0;
	}
	if (sample.time < writer->first_time)
		writer->first_time = sample.time;
	if (sample.time > writer->last_time)
		writer->last_time = sample.time;
	writer->totals.samples++;
	put_head(writer, &sample, from);
	return put_values(writer, &sample, from);
}

/* The log does not record the time: use that of the last record that was read. */
static int put_lost(struct kermon_writer *writer,
		    const struct kermon_lost *from)
{
	const uint64_t id = ATTRS_FIRST_ID + writer->attrs.oncpu;
	struct {
		struct perf_event_header header;
		uint64_t id;
		uint64_t lost;
		struct perfdata_sample_id sample_id;
	} lost = {
		.header.type = PERF_RECORD_LOST,
		.header.size = sizeof(lost),
		.id = id,
		.lost = from->lost,
		.sample_id = {
			.time = writer->last_time,
			.cpu = from->record.cpu,
			.id = id,
		},
	};

	if (from->record.size < sizeof(*from))
		return -EBADMSG;
	writer->totals.lost += from->lost;
	return writer_put(writer, &lost, sizeof(lost));
}

static int put_record(struct kermon_writer *writer,
		      const struct kermon_record *record)
{
	switch (record->type) {
	case KERMON_RECORD_SAMPLE:
	case KERMON_RECORD_INVALID:
		return put_interval(writer, (const void *)record);
	case KERMON_RECORD_LOST:
		return put_lost(writer, (const void *)record);
	default:
		return 0;
	}
}

static bool ends_with_exec(const struct kermon_writer *writer,
			   const struct kermon_record *record)
{
	const struct kermon_sample *sample = (const void *)record;

	return (record->type == KERMON_RECORD_SAMPLE ||
		record->type == KERMON_RECORD_INVALID) &&
	       record->size >= sizeof(*sample) &&
	       sample->reason == KERMON_REASON_EXEC &&
	       sample->tid == (uint32_t)writer->exec.pid;
}

/*
 * The first sample that ends at an exec has the exact time of the exec; that of the
 * side-band is slightly later.
 */
static int find_exec(struct kermon_writer *writer,
		     const struct kermon_record *record)
{
	const struct kermon_sample *sample = (const void *)record;
	struct program_start *exec = &writer->exec;
	uint64_t time;

	if (record->type == KERMON_RECORD_LOST)
		exec->lost = true;
	if (!ends_with_exec(writer, record))
		return 0;
	time = kermon_clock_time(writer->clock, sample->tsc_end);
	if (exec->known &&
	    time > exec->time + (exec->exact ? 0 : EXEC_SLACK))
		return 0;
	exec->known = true;
	exec->exact = true;
	exec->time = time;
	return 0;
}

static int each_record(struct kermon_writer *writer, const void *records,
		       size_t size,
		       int (*fn)(struct kermon_writer *writer,
				 const struct kermon_record *record))
{
	const struct kermon_record *record;
	const char *at = records;
	int result = 0;

	while (size && !result) {
		record = (const void *)at;
		if (size < sizeof(*record) || record->size < sizeof(*record) ||
		    record->size > size || record->size % 8)
			return -EBADMSG;
		result = fn(writer, record);
		at += record->size;
		size -= record->size;
	}
	return result;
}

/*
 * The log is read CPU by CPU, so samples of the program on one CPU may arrive before
 * the sample on another CPU that ends at its exec.
 */
int kermon_writer_log(struct kermon_writer *writer, const void *records,
		      size_t size)
{
	if (writer->exec.pid && !writer->exec.exact)
		each_record(writer, records, size, find_exec);
	return each_record(writer, records, size, put_record);
}

/* PERF_RECORD_MMAP2, as in linux/perf_event.h. */
struct mmap2_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint8_t inode[24];
	uint32_t prot, flags;
	char filename[];
};

/*
 * The first exec starts the program. Rings are read one by one, so it need not arrive
 * first.
 */
static void note_exec(struct kermon_writer *writer,
		      const struct perf_event_header *record)
{
	const uint32_t *pid = (const void *)(record + 1);
	struct perfdata_sample_id id;
	struct program_start *exec = &writer->exec;

	if (!(record->misc & PERF_RECORD_MISC_COMM_EXEC) ||
	    *pid != (uint32_t)exec->pid)
		return;
	memcpy(&id, (const char *)record + record->size - sizeof(id),
	       sizeof(id));
	if (exec->known && id.time >= exec->time)
		return;
	exec->time = id.time;
	exec->known = true;
	exec->exact = false;
}

static int note_sideband(struct kermon_writer *writer,
			 const struct perf_event_header *record)
{
	const struct mmap2_record *map = (const void *)record;
	const uint64_t *lost = (const void *)(record + 1);

	switch (record->type) {
	case PERF_RECORD_MMAP2:
		return record->size > sizeof(*map) ?
		       writer_add_file(writer, map->filename) : -EBADMSG;
	case PERF_RECORD_COMM:
		note_exec(writer, record);
		return 0;
	case PERF_RECORD_LOST:
		writer->totals.sideband_lost += lost[1];
		return 0;
	default:
		return 0;
	}
}

int kermon_writer_sideband(struct kermon_writer *writer,
			   const struct perf_event_header *record)
{
	int result = note_sideband(writer, record);

	return result ? result : writer_put(writer, record, record->size);
}
