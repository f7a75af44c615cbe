// SPDX-License-Identifier: GPL-2.0
/*
 * Read a directory of perf record --threads, which has one file per kernel buffer:
 * data.0, data.1 and so on next to the one with the header. Each is roughly ordered by
 * time, but independent of the others. So they are read in parallel: the file that is
 * behind is read for a while, the others up to the same time, and a round ends there.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader_private.h"

/* Minimum number of bytes read from a file in a round. */
#define ROUND_BYTES	(256UL << 10)

/* Return: 0 or -errno; an empty file has no records. */
static int map_lane(struct lane *lane, int folder)
{
	int fd = openat(folder, lane->name, O_RDONLY | O_CLOEXEC);
	struct stat stat;
	void *map;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &stat) || !S_ISREG(stat.st_mode) || !stat.st_size) {
		close(fd);
		return 0;
	}
	map = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return -errno;
	madvise(map, stat.st_size, MADV_SEQUENTIAL);
	lane->own.map = map;
	lane->own.end = stat.st_size;
	lane->guard = guard_begin(map, stat.st_size);
	return lane->guard ? 0 : -ENOMEM;
}

static int is_data(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "data.", 5) && entry->d_name[5] &&
	       !entry->d_name[5 + strspn(entry->d_name + 5, "0123456789")];
}

static int open_lane(struct reader *reader, int folder, const char *name)
{
	struct lane *before = &reader->lanes[reader->nr_lanes - 1];
	struct lane *lane = before + 1;
	int err;

	reader->nr_lanes++;
	lane->stream = &lane->own;
	stream_init(lane->stream, &reader->chunks, reader->damages,
		    reader->cancel);
	stream_set_order(lane->stream, reader->stream.swapped);
	snprintf(lane->name, sizeof(lane->name), "%.31s", name);
	err = map_lane(lane, folder);
	if (err) {
		damage_add(reader->damages, KERMON_NO_OFFSET,
			   "%s cannot be read: %s", name, strerror(-err));
		return err == -ENOMEM ? err : 0;
	}
	lane->stream->base = before->stream->base + (reader->nr_lanes == 2 ?
			     reader->size : before->stream->end);
	return 0;
}

static void tell_damages(struct reader *reader)
{
	for (size_t i = 0; i < reader->nr_lanes; i++)
		reader->files[i] = (struct damage_file){
			.name = reader->lanes[i].name,
			.base = reader->lanes[i].stream->base,
		};
	reader->damages->files = reader->files;
	reader->damages->nr_files = reader->nr_lanes;
}

static int open_lanes(struct reader *reader, int folder, struct dirent **names,
		      size_t nr)
{
	int err = 0;

	reader->lanes = calloc(nr + 1, sizeof(*reader->lanes));
	reader->files = calloc(nr + 1, sizeof(*reader->files));
	if (!reader->lanes || !reader->files)
		return -ENOMEM;
	reader->lanes[0].stream = &reader->stream;
	strcpy(reader->lanes[0].name, "data");
	reader->nr_lanes = 1;
	for (size_t i = 0; i < nr && !err; i++)
		err = open_lane(reader, folder, names[i]->d_name);
	tell_damages(reader);
	return err;
}

int reader_open_folder(struct reader *reader, int folder)
{
	int fd = openat(folder, "data", O_RDONLY | O_CLOEXEC);
	struct dirent **names = NULL;
	int nr, err;

	if (fd < 0) {
		damage_add(reader->damages, KERMON_NO_OFFSET,
			   "is a directory without a file 'data'");
		return -EINVAL;
	}
	err = reader_map(reader, fd);
	close(fd);
	if (!err)
		err = reader_parse_header(reader);
	if (err)
		return err;
	nr = scandirat(folder, ".", &names, is_data, versionsort);
	if (nr < 0)
		return -errno;
	err = open_lanes(reader, folder, names, nr);
	while (nr > 0)
		free(names[--nr]);
	free(names);
	return err;
}

void reader_close_lanes(struct reader *reader)
{
	for (size_t i = 1; i < reader->nr_lanes; i++) {
		stream_close(&reader->lanes[i].own);
		guard_end(reader->lanes[i].guard);
		if (reader->lanes[i].own.map)
			munmap((void *)reader->lanes[i].own.map,
			       reader->lanes[i].own.end);
	}
	reader->damages->nr_files = 0;
	free(reader->lanes);
	free(reader->files);
}

/* Peek at the next record and its time. Return: 1; 0 at the end; -errno. */
static int peek(struct reader *reader, struct lane *lane)
{
	int found, known;

	while (!lane->is_peeked) {
		found = reader_next_counted(reader, lane->stream,
					    &lane->peeked);
		if (found <= 0)
			return found;
		known = reader_identify(reader, &lane->peeked);
		if (known < 0)
			return known;
		lane->is_peeked = known;
		if (!known)
			reader_release(reader, &lane->peeked);
	}
	return 1;
}

/* The lane that is behind; NULL: all are at their end, or @err is set. */
static struct lane *last_of_all(struct reader *reader, int *err)
{
	struct lane *lane, *last = NULL;

	for (lane = reader->lanes; lane < reader->lanes + reader->nr_lanes;
	     lane++) {
		*err = peek(reader, lane);
		if (*err < 0)
			return NULL;
		if (*err && (!last || lane->peeked.time < last->peeked.time))
			last = lane;
	}
	*err = 0;
	return last;
}

static int give(struct reader *reader, struct lane *lane, record_fn fn,
		void *context)
{
	int err;

	lane->is_peeked = false;
	reader_walked(reader, lane->peeked.size);
	err = fn(context, &lane->peeked);
	return err ? err : reader_progress(reader);
}

/* Read some records of @lane; sets @limit to the time that it has reached. */
static int go_on(struct reader *reader, struct lane *lane, uint64_t *limit,
		 record_fn fn, void *context)
{
	uint64_t begin = lane->stream->at;
	int more = 1, err = 0;

	while (!err && (more = peek(reader, lane)) > 0 &&
	       lane->stream->at - begin < ROUND_BYTES) {
		if (lane->peeked.time > *limit)
			*limit = lane->peeked.time;
		err = give(reader, lane, fn, context);
	}
	return more < 0 ? more : err;
}

static int follow(struct reader *reader, struct lane *lane, uint64_t limit,
		  record_fn fn, void *context)
{
	int more = 1, err = 0;

	while (!err && (more = peek(reader, lane)) > 0 &&
	       lane->peeked.time <= limit)
		err = give(reader, lane, fn, context);
	return more < 0 ? more : err;
}

static int finish_round(record_fn fn, void *context)
{
	static const struct perf_event_header header = {
		.type = PERFDATA_RECORD_FINISHED_ROUND, .size = sizeof(header),
	};
	const struct record record = {
		.data = (const unsigned char *)&header,
		.offset = RECORD_MADE_UP,
		.size = header.size,
		.type = header.type,
	};

	return fn(context, &record);
}

int reader_walk_lanes(struct reader *reader, record_fn fn, void *context)
{
	struct lane *lane;
	uint64_t limit;
	int err;

	while ((lane = last_of_all(reader, &err))) {
		limit = lane->peeked.time;
		err = go_on(reader, lane, &limit, fn, context);
		for (size_t i = 0; i < reader->nr_lanes && !err; i++)
			err = follow(reader, &reader->lanes[i], limit, fn,
				     context);
		if (!err)
			err = finish_round(fn, context);
		if (err)
			return err;
	}
	return err;
}
