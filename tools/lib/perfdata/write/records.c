// SPDX-License-Identifier: GPL-2.0
/*
 * Write the records of KerMon's log, and note what records of the side-band contain
 * before they are written unchanged.
 */
#include <errno.h>
#include <string.h>

#include "writer_private.h"

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
	uint64_t time;

	if (!interval_is_valid(writer, from))
		return -EBADMSG;
	time = kermon_clock_time(writer->clock, from->tsc_end);
	if (is_before_exec(writer, from, time)) {
		writer->totals.before_exec++;
		return 0;
	}
	if (time < writer->first_time)
		writer->first_time = time;
	if (time > writer->last_time)
		writer->last_time = time;
	held_note(&writer->held, time);
	writer->totals.samples++;
	writer->totals.invalid += from->record.type == KERMON_RECORD_INVALID;
	return writer->unordered ? held_add(&writer->held, from, time) :
				   interval_put(writer, from, time);
}

/* The log does not record the time: use that of the last record that was read. */
static int put_lost(struct kermon_writer *writer,
		    const struct kermon_lost *from)
{
	const uint64_t id = attrs_id(&writer->attrs, writer->attrs.oncpu,
				     from->record.cpu);
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

	if (from->record.size < sizeof(*from) ||
	    from->record.cpu >= writer->attrs.nr_cpus)
		return -EBADMSG;
	writer->totals.lost += from->lost;
	return writer_put(writer, &lost, sizeof(lost));
}

static int put_revoked(struct kermon_writer *writer,
		       const struct kermon_revoked *from)
{
	if (from->record.size < sizeof(*from))
		return -EBADMSG;
	writer->revoked = true;
	return 0;
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
	case KERMON_RECORD_REVOKED:
		return put_revoked(writer, (const void *)record);
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

/* Records other than samples end with the id of a sample. */
static uint64_t sideband_time(const struct perf_event_header *record)
{
	struct perfdata_sample_id id = { 0 };

	if (record->type == PERF_RECORD_SAMPLE)
		return ((const struct perfdata_sample *)record)->time;
	if (record->size >= sizeof(*record) + sizeof(id))
		memcpy(&id, (const char *)record + record->size - sizeof(id),
		       sizeof(id));
	return id.time;
}

/*
 * The first exec starts the program. Rings are read one by one, so it need not arrive
 * first.
 */
static void note_exec(struct kermon_writer *writer,
		      const struct perf_event_header *record)
{
	const uint32_t *pid = (const void *)(record + 1);
	const uint64_t time = sideband_time(record);
	struct program_start *exec = &writer->exec;

	if (!(record->misc & PERF_RECORD_MISC_COMM_EXEC) ||
	    *pid != (uint32_t)exec->pid)
		return;
	if (exec->known && time >= exec->time)
		return;
	exec->time = time;
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

	sampled_note(writer, record);
	held_note(&writer->held, sideband_time(record));
	return result ? result : writer_put(writer, record, record->size);
}
