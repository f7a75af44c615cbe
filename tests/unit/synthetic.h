/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small perf.data files out of nothing, for the tests of what reads them.
 *
 *	struct synthetic file;
 *
 *	synthetic_begin(&file, (const char *[]){ "cycles", "oncpu", NULL });
 *	synthetic_sample(&file, &(struct synthetic_sample){ .event = 1, ... });
 *	synthetic_finish(&file);	to file.path
 *	...
 *	synthetic_end(&file);
 */
#ifndef TESTS_UNIT_SYNTHETIC_H
#define TESTS_UNIT_SYNTHETIC_H

#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfdata/format/format.h"

#ifndef SYNTHETIC_MAX
#define SYNTHETIC_MAX	(1 << 20)
#endif
#define SYNTHETIC_VALUES	8
#define SYNTHETIC_ID(event)	(1000 + (event))

struct synthetic {
	unsigned char bytes[SYNTHETIC_MAX];
	size_t size;
	const char *const *names;
	unsigned int nr_events;
	unsigned int interval_event;	/* "oncpu" of KerMon; ~0U: none */
	uint64_t sums[SYNTHETIC_VALUES];	/* of the values of intervals */
	struct perf_event_attr more;	/* that all events have */
	char path[32];
};

struct synthetic_sample {
	unsigned int event;
	uint32_t pid, tid, cpu;
	uint64_t time, ip, period;
	const struct perfdata_rest *rest;	/* of an interval */
	uint64_t values[SYNTHETIC_VALUES];	/* of its other events, by index */
};

static void synthetic_put(struct synthetic *file, const void *data, size_t size)
{
	if (size > sizeof(file->bytes) - file->size)
		abort();
	if (data)
		memcpy(file->bytes + file->size, data, size);
	else
		memset(file->bytes + file->size, 0, size);
	file->size += size;
}

static struct perfdata_header *synthetic_header(struct synthetic *file)
{
	return (struct perfdata_header *)file->bytes;
}

static struct perf_event_attr synthetic_attr(const struct synthetic *file,
					     unsigned int event)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = PERFDATA_ATTR_SIZE,
		.config = event,
		.sample_type = PERFDATA_SAMPLE_TYPE | file->more.sample_type,
		.read_format = file->more.read_format,
		.branch_sample_type = file->more.branch_sample_type,
		.sample_regs_user = file->more.sample_regs_user,
		.sample_stack_user = file->more.sample_stack_user,
		.use_clockid = file->more.use_clockid,
		.clockid = file->more.clockid,
		.inherit = file->more.inherit,
		.sample_id_all = 1,
	};

	if (event == file->interval_event) {
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_TASK_CLOCK;
		attr.sample_type = PERFDATA_INTERVAL_TYPE;
		attr.read_format = PERFDATA_INTERVAL_READ;
	}
	return attr;
}

/* Header, ids and attrs; the data section begins after them. */
static void synthetic_start_with(struct synthetic *file,
				 const char *const *names,
				 unsigned int interval_event,
				 const struct perf_event_attr *more)
{
	struct perfdata_attr element;
	uint64_t id;

	*file = (struct synthetic){
		.names = names, .interval_event = interval_event, .more = *more,
	};
	while (names[file->nr_events])
		file->nr_events++;
	synthetic_put(file, NULL, sizeof(struct perfdata_header));
	for (unsigned int i = 0; i < file->nr_events; i++) {
		id = SYNTHETIC_ID(i);
		synthetic_put(file, &id, sizeof(id));
	}
	*synthetic_header(file) = (struct perfdata_header){
		.magic = PERFDATA_MAGIC,
		.size = sizeof(struct perfdata_header),
		.attr_size = sizeof(struct perfdata_attr),
		.attrs.offset = file->size,
		.attrs.size = file->nr_events * sizeof(struct perfdata_attr),
	};
	for (unsigned int i = 0; i < file->nr_events; i++) {
		element.attr = synthetic_attr(file, i);
		element.ids.offset = sizeof(struct perfdata_header) + 8 * i;
		element.ids.size = 8;
		synthetic_put(file, &element, sizeof(element));
	}
	synthetic_header(file)->data.offset = file->size;
}

static inline void synthetic_start(struct synthetic *file,
				   const char *const *names,
				   unsigned int interval_event)
{
	synthetic_start_with(file, names, interval_event,
			     &(struct perf_event_attr){});
}

static inline void synthetic_begin(struct synthetic *file,
				   const char *const *names)
{
	synthetic_start(file, names, ~0U);
}

/* A record with the id of an event at its end. */
static void synthetic_record(struct synthetic *file, uint32_t type,
			     uint16_t misc, const void *body, size_t size,
			     uint32_t pid, uint32_t tid, uint64_t time)
{
	struct perfdata_sample_id id = {
		.pid = pid, .tid = tid, .time = time, .id = SYNTHETIC_ID(0),
	};
	struct perf_event_header header = {
		.type = type, .misc = misc,
		.size = sizeof(header) + size + sizeof(id),
	};

	synthetic_put(file, &header, sizeof(header));
	synthetic_put(file, body, size);
	synthetic_put(file, &id, sizeof(id));
}

/* Reads the counters, as 'kermon run' writes it. */
static inline void synthetic_interval(struct synthetic *file,
				      const struct synthetic_sample *from,
				      struct perfdata_sample *sample)
{
	struct perfdata_value values[1 + SYNTHETIC_VALUES];
	struct perfdata_rest rest = *from->rest;
	uint64_t *sums = file->sums;
	uint64_t nr = 0;

	sums[from->event] += from->period;
	values[nr++] = (struct perfdata_value){
		sums[from->event], SYNTHETIC_ID(from->event),
	};
	for (int i = 0; i < SYNTHETIC_VALUES; i++) {
		if (!from->values[i])
			continue;
		sums[i] += from->values[i];
		values[nr++] = (struct perfdata_value){
			sums[i], SYNTHETIC_ID(i),
		};
	}
	rest.size = PERFDATA_REST_SIZE;
	sample->header.size += sizeof(nr) + nr * sizeof(*values) + sizeof(rest);
	synthetic_put(file, sample, sizeof(*sample));
	synthetic_put(file, &nr, sizeof(nr));
	synthetic_put(file, values, nr * sizeof(*values));
	synthetic_put(file, &rest, sizeof(rest));
}

static inline void synthetic_sample(struct synthetic *file,
				    const struct synthetic_sample *from)
{
	struct perfdata_sample sample = {
		.header = {
			.type = PERF_RECORD_SAMPLE,
			.misc = PERF_RECORD_MISC_USER,
			.size = sizeof(sample),
		},
		.id = SYNTHETIC_ID(from->event),
		.ip = from->ip, .pid = from->pid, .tid = from->tid,
		.time = from->time, .cpu = from->cpu,
		.period = from->period,
	};

	if (from->rest)
		synthetic_interval(file, from, &sample);
	else
		synthetic_put(file, &sample, sizeof(sample));
}

/* A sample with fields after the usual ones, @size bytes in total. */
static inline void synthetic_sample_with(struct synthetic *file,
					 const struct synthetic_sample *from,
					 uint16_t mode, const void *tail,
					 size_t size)
{
	struct perf_event_header *header = (void *)(file->bytes + file->size);

	synthetic_sample(file, from);
	header->misc = mode;
	header->size += size;
	synthetic_put(file, tail, size);
}

static inline void synthetic_comm(struct synthetic *file, uint32_t pid,
				  uint32_t tid, const char *comm, uint64_t time,
				  bool exec)
{
	struct {
		uint32_t pid, tid;
		char comm[16];
	} body = { .pid = pid, .tid = tid };

	strncpy(body.comm, comm, sizeof(body.comm) - 1);
	synthetic_record(file, PERF_RECORD_COMM,
			 exec ? PERF_RECORD_MISC_COMM_EXEC : 0, &body,
			 sizeof(body), pid, tid, time);
}

static inline void synthetic_task(struct synthetic *file, uint32_t type,
				  uint32_t pid, uint32_t tid,
				  uint32_t parent_pid, uint32_t parent_tid,
				  uint64_t time)
{
	struct {
		uint32_t pid, ppid, tid, ptid;
		uint64_t time;
	} body = { pid, parent_pid, tid, parent_tid, time };

	synthetic_record(file, type, 0, &body, sizeof(body), pid, tid, time);
}

static inline void synthetic_mmap_as(struct synthetic *file, uint16_t misc,
				     uint32_t pid, uint64_t start,
				     uint64_t length, uint64_t offset,
				     const char *path, uint64_t time)
{
	struct {
		uint32_t pid, tid;
		uint64_t start, length, offset;
		uint8_t inode[24];
		uint32_t prot, flags;
		char path[64];
	} body = { .pid = pid, .tid = pid, .start = start, .length = length,
		   .offset = offset };

	strncpy(body.path, path, sizeof(body.path) - 1);
	synthetic_record(file, PERF_RECORD_MMAP2, misc, &body, sizeof(body),
			 pid, pid, time);
}

/* Of code. */
static inline void synthetic_mmap(struct synthetic *file, uint32_t pid,
				  uint64_t start, uint64_t length,
				  uint64_t offset, const char *path,
				  uint64_t time)
{
	synthetic_mmap_as(file, PERF_RECORD_MISC_USER, pid, start, length,
			  offset, path, time);
}

/* The mapping of the kernel, whose _text is at @text. */
static inline void synthetic_kernel(struct synthetic *file, uint64_t text)
{
	struct {
		uint32_t pid, tid;
		uint64_t start, length, offset;
		char path[32];
	} body = { .pid = -1, .start = text, .length = 0x100000,
		   .offset = text, .path = "[kernel.kallsyms]_text" };

	synthetic_record(file, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, &body,
			 sizeof(body), -1, 0, 0);
}

static inline void synthetic_lost(struct synthetic *file, unsigned int event,
				  uint64_t lost, uint64_t time)
{
	struct {
		uint64_t id, lost;
	} body = { SYNTHETIC_ID(event), lost };

	synthetic_record(file, PERF_RECORD_LOST, 0, &body, sizeof(body), 0, 0,
			 time);
	/* the id in the trailer is the last word */
	memcpy(file->bytes + file->size - 8, &body.id, sizeof(body.id));
}

static inline void synthetic_round(struct synthetic *file)
{
	struct perf_event_header header = {
		.type = PERFDATA_RECORD_FINISHED_ROUND, .size = sizeof(header),
	};

	synthetic_put(file, &header, sizeof(header));
}

static void synthetic_event_desc(struct synthetic *file)
{
	uint32_t words[2] = { file->nr_events, PERFDATA_ATTR_SIZE };
	uint32_t nr_ids = 1, len = PERFDATA_STRING_ALIGN;
	struct perf_event_attr attr;
	char name[PERFDATA_STRING_ALIGN];
	uint64_t id;

	synthetic_put(file, words, sizeof(words));
	for (unsigned int i = 0; i < file->nr_events; i++) {
		attr = synthetic_attr(file, i);
		id = SYNTHETIC_ID(i);
		memset(name, 0, sizeof(name));
		strncpy(name, file->names[i], sizeof(name) - 1);
		synthetic_put(file, &attr, PERFDATA_ATTR_SIZE);
		synthetic_put(file, &nr_ids, sizeof(nr_ids));
		synthetic_put(file, &len, sizeof(len));
		synthetic_put(file, name, sizeof(name));
		synthetic_put(file, &id, sizeof(id));
	}
}

/* Writes the first @size bytes, to be read at @path. */
static inline void synthetic_write(struct synthetic *file, size_t size)
{
	int fd;

	if (*file->path)
		unlink(file->path);
	strcpy(file->path, "/tmp/kermon-unit-XXXXXX");
	fd = mkstemp(file->path);
	if (fd < 0 || write(fd, file->bytes, size) != (ssize_t)size)
		abort();
	close(fd);
}

static inline void synthetic_finish(struct synthetic *file)
{
	struct perfdata_header *header = synthetic_header(file);
	struct perfdata_section section;
	size_t table = file->size;

	header->data.size = file->size - header->data.offset;
	header->features[0] = 1ULL << PERFDATA_EVENT_DESC;
	synthetic_put(file, NULL, sizeof(section));
	section.offset = file->size;
	synthetic_event_desc(file);
	section.size = file->size - section.offset;
	memcpy(file->bytes + table, &section, sizeof(section));
	synthetic_write(file, file->size);
}

static inline void synthetic_end(struct synthetic *file)
{
	unlink(file->path);
}

#endif /* TESTS_UNIT_SYNTHETIC_H */
