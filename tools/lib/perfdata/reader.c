// SPDX-License-Identifier: GPL-2.0
/*
 * The open file and the walk over its records.
 *
 * The file is mapped: records are looked at where they are and never copied.
 * What has been walked and is no longer needed is given back to the system, so
 * that memory does not grow with the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cursor.h"
#include "reader_private.h"
#include "sample.h"

/* Giving back memory costs a system call: not for less than this. */
#define FORGET_BYTES	(4UL << 20)

static int map_file(struct reader *reader, int fd)
{
	struct stat stat;
	void *map;

	if (fstat(fd, &stat))
		return -errno;
	if (!S_ISREG(stat.st_mode)) {
		damage_add(reader->damages, 0, S_ISDIR(stat.st_mode) ?
			   "is a directory; 'perf record --threads' files are not read" :
			   "is no regular file; record to a file (-o FILE) and read that");
		return -EOPNOTSUPP;
	}
	if (!stat.st_size) {
		damage_add(reader->damages, 0, "the file is empty");
		return -EINVAL;
	}
	map = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	madvise(map, stat.st_size, MADV_SEQUENTIAL);
	reader->map = map;
	reader->size = stat.st_size;
	return 0;
}

int reader_open(const char *path, struct reader **result,
		struct damages *damages)
{
	struct reader *reader;
	int fd, err;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	reader = calloc(1, sizeof(*reader));
	if (!reader) {
		close(fd);
		return -ENOMEM;
	}
	reader->damages = damages;
	err = map_file(reader, fd);
	close(fd);
	if (!err)
		err = reader_parse_header(reader);
	if (err) {
		reader_close(reader);
		return err;
	}
	*result = reader;
	return 0;
}

void reader_close(struct reader *reader)
{
	if (!reader)
		return;
	for (size_t i = 0; i < reader->nr_events; i++) {
		free(reader->events[i].name);
		free(reader->events[i].ids);
	}
	free(reader->events);
	free(reader->ids.slots);
	if (reader->map)
		munmap((void *)reader->map, reader->size);
	free(reader);
}

size_t reader_nr_events(const struct reader *reader)
{
	return reader->nr_events;
}

const struct reader_event *reader_event(const struct reader *reader,
					size_t index)
{
	return &reader->events[index];
}

uint64_t reader_data_begin(const struct reader *reader)
{
	return reader->data.offset;
}

uint64_t reader_data_end(const struct reader *reader)
{
	return reader->data.offset + reader->data.size;
}

const unsigned char *reader_feature(const struct reader *reader,
				    unsigned int bit, size_t *size)
{
	if (bit >= PERFDATA_FEATURES || !reader->features[bit].size)
		return NULL;
	*size = reader->features[bit].size;
	return reader->map + reader->features[bit].offset;
}

const char *reader_note(const struct reader *reader, const char *key)
{
	size_t size, length = strlen(key);
	const unsigned char *bytes;
	struct cursor c;
	const char *note;

	bytes = reader_feature(reader, PERFDATA_KERMON, &size);
	if (!bytes)
		return NULL;
	c = cursor_of(bytes, size);
	for (uint32_t nr = cursor_u32(&c); nr && !c.failed; nr--) {
		note = cursor_string(&c);
		if (!strncmp(note, key, length) && note[length] == '=')
			return note + length + 1;
	}
	return NULL;
}

void reader_forget(struct reader *reader, uint64_t offset)
{
	uint64_t page = sysconf(_SC_PAGESIZE);
	uint64_t keep = offset / page * page;

	if (keep < reader->forgotten + FORGET_BYTES)
		return;
	madvise((void *)(reader->map + reader->forgotten),
		keep - reader->forgotten, MADV_DONTNEED);
	reader->forgotten = keep;
}

static uint64_t load_u64(const unsigned char *p)
{
	uint64_t value;

	memcpy(&value, p, sizeof(value));
	return value;
}

/* Index of the event that a record belongs to; -1 if there is none with its id. */
static int event_of(const struct reader *reader, const struct record *record)
{
	bool is_sample = record->type == PERF_RECORD_SAMPLE;
	int at = is_sample ? reader->id_from_start : reader->id_from_end;
	uint64_t id;

	if (reader->nr_events == 1 || at < 0)
		return 0;
	if (at + (int)sizeof(id) > record->size)
		return is_sample ? -1 : 0;
	id = load_u64(record->data + (is_sample ? at : record->size - at));
	/* What a tool synthesized has an id of 0: any event's layout will do. */
	if (!id && !is_sample)
		return 0;
	return id_table_find(&reader->ids, id);
}

/* Time of a sample; the rest of it is taken apart by whoever needs it. */
static bool find_time(const struct reader_event *event, struct record *record)
{
	if (event->time_at < 0)
		return true;
	if (event->time_at + (int)sizeof(record->time) > record->size)
		return false;
	record->time = load_u64(record->data + event->time_at);
	return true;
}

/* Finds out which event and what time; false if the record makes no sense. */
static bool identify(struct reader *reader, struct record *record)
{
	struct sample sample;
	int event;

	if (record->type >= PERFDATA_RECORD_FIRST)
		return true;
	event = event_of(reader, record);
	if (event < 0) {
		damage_add(reader->damages, record->offset,
			   "record of type %u has an id that no event has",
			   record->type);
		return false;
	}
	record->event = event;
	if (record->type != PERF_RECORD_SAMPLE) {
		if (sample_trailer(&reader->events[event].attr, record,
				   &sample))
			record->time = sample.time;
		return true;
	}
	if (find_time(&reader->events[event], record))
		return true;
	damage_add(reader->damages, record->offset,
		   "sample of %u bytes is too short to have a time",
		   record->size);
	return false;
}

/* The record at @offset, or false if none can be there. */
static bool record_at(struct reader *reader, uint64_t offset,
		      struct record *record)
{
	uint64_t left = reader_data_end(reader) - offset;
	struct perf_event_header header;

	if (left < sizeof(header)) {
		damage_add(reader->damages, offset,
			   "%llu bytes left, too few for a record",
			   (unsigned long long)left);
		return false;
	}
	memcpy(&header, reader->map + offset, sizeof(header));
	if (header.size < sizeof(header) || header.size > left) {
		damage_add(reader->damages, offset,
			   "record of type %u with %u bytes does not fit; %llu bytes from here on are not read",
			   header.type, header.size, (unsigned long long)left);
		return false;
	}
	*record = (struct record){
		.data = reader->map + offset,
		.offset = offset,
		.size = header.size,
		.misc = header.misc,
		.type = header.type,
	};
	return true;
}

/* Bytes behind a record that its header does not count: hardware traces. */
static uint64_t payload_size(const struct record *record)
{
	if (record->type != PERFDATA_RECORD_AUXTRACE || record->size < 16)
		return 0;
	return load_u64(record->data + 8);
}

int reader_walk(struct reader *reader, record_fn fn, void *context)
{
	uint64_t end = reader_data_end(reader);
	uint64_t offset = reader->data.offset;
	struct record record;
	int err;

	while (offset < end && record_at(reader, offset, &record)) {
		offset += record.size;
		if (identify(reader, &record)) {
			err = fn(context, &record);
			if (err)
				return err;
		}
		if (payload_size(&record) > end - offset) {
			damage_add(reader->damages, record.offset,
				   "hardware trace does not fit in the file");
			break;
		}
		offset += payload_size(&record);
	}
	return 0;
}
