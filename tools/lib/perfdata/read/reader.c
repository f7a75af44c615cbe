// SPDX-License-Identifier: GPL-2.0
/*
 * Open and map the file.
 *
 * Records are used directly from the mapped file and never copied. Memory that has been
 * walked and is no longer needed is returned to the system, so that memory does not
 * grow with the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader_private.h"
#include "util/cancel.h"

/*
 * Return the memory of the mapped file to the system after this many bytes of records
 * have been walked or released. This includes records that are waiting: they can be
 * read from the file again, and are few. Memory that a round will access again soon is
 * kept.
 */
#define FORGET_BYTES	(8UL << 20)
#define KEPT_BYTES	(24UL << 20)

/* Bytes walked between two calls of the progress function. */
#define PROGRESS_BYTES	(1UL << 20)

int reader_map(struct reader *reader, int fd)
{
	struct stat stat;
	void *map;

	if (fstat(fd, &stat))
		return -errno;
	if (!stat.st_size) {
		damage_add(reader->damages, KERMON_NO_OFFSET,
			   "the file is empty");
		return -EINVAL;
	}
	map = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	madvise(map, stat.st_size, MADV_SEQUENTIAL);
	reader->map = map;
	reader->size = stat.st_size;
	reader->guard = guard_begin(map, stat.st_size);
	return reader->guard ? 0 : -ENOMEM;
}

static void tell_missing(struct reader *reader, struct guard *guard,
			 uint64_t base)
{
	uint64_t offset = guard_missing(guard);

	if (offset == GUARD_ALL_THERE)
		return;
	damage_add(reader->damages, base + offset,
		   "the file was truncated here while it was read, or its disk failed");
	reader->ending = READER_CUT_OFF;
}

void reader_tell_missing(struct reader *reader)
{
	tell_missing(reader, reader->guard, 0);
	for (size_t i = 1; i < reader->nr_lanes; i++)
		tell_missing(reader, reader->lanes[i].guard,
			     reader->lanes[i].stream->base);
}

/* Anything except a regular file is read sequentially. */
static int read_start(struct reader *reader, int fd)
{
	struct stat stat;
	int err;

	if (fstat(fd, &stat))
		return -errno;
	if (S_ISDIR(stat.st_mode))
		return reader_open_folder(reader, fd);
	if (!S_ISREG(stat.st_mode))
		return reader_open_pipe(reader, fd);
	err = reader_map(reader, fd);
	return err ? err : reader_parse_header(reader);
}

static int open_path(const struct kermon_cancel *cancel, const char *path)
{
	int fd;

	if (strcmp(path, "-"))
		return cancel_open(cancel, path);
	fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return fd < 0 ? -errno : fd;
}

int reader_open(const char *path, struct reader **result,
		struct damages *damages)
{
	return reader_open_cancellable(path, NULL, result, damages);
}

int reader_open_cancellable(const char *path, const struct kermon_cancel *cancel,
			    struct reader **result, struct damages *damages)
{
	struct reader *reader;
	int fd, err = cancel_check(cancel);

	if (err)
		return err;
	fd = open_path(cancel, path);
	if (fd < 0)
		return fd;
	reader = calloc(1, sizeof(*reader));
	if (!reader) {
		close(fd);
		return -ENOMEM;
	}
	reader->damages = damages;
	reader->fd = fd;
	reader->forget_at = FORGET_BYTES;
	reader->cancel = cancel;
	stream_init(&reader->stream, &reader->chunks, damages, cancel);
	reader->turned.chunks = &reader->chunks;
	err = read_start(reader, fd);
	reader_tell_missing(reader);
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
	for (size_t i = 0; i < PERFDATA_FEATURES; i++)
		free(reader->features[i].owned);
	free(reader->early);
	stream_close(&reader->stream);
	window_close(&reader->turned);
	reader_close_lanes(reader);
	chunks_free(&reader->chunks);
	guard_end(reader->guard);
	if (reader->map)
		munmap((void *)reader->map, reader->size);
	close(reader->fd);
	free(reader);
}

size_t reader_nr_events(const struct reader *reader)
{
	return reader ? reader->nr_events : 0;
}

const struct reader_event *reader_event(const struct reader *reader,
					size_t index)
{
	return &reader->events[index];
}

bool reader_has_intervals(const struct reader *reader)
{
	for (size_t i = 0; i < reader_nr_events(reader); i++)
		if (perfdata_is_interval(&reader_event(reader, i)->attr))
			return true;
	return false;
}

int reader_event_of(const struct reader *reader, uint64_t id)
{
	return id_table_find(&reader->ids, id);
}

ssize_t reader_slot_of(const struct reader *reader, uint64_t id, int *event)
{
	ssize_t slot = id_table_slot(&reader->ids, id);

	if (slot >= 0)
		*event = reader->ids.slots[slot].event - 1;
	return slot;
}

size_t reader_nr_slots(const struct reader *reader)
{
	return reader->ids.mask + 1;
}

enum reader_ending reader_ending(const struct reader *reader)
{
	const struct record_stream *stream = &reader->stream;

	/* An invalid last record that is followed by something else was not truncated. */
	if (stream->cut_off && (!stream->map || stream->end == reader->size))
		return READER_CUT_OFF;
	return reader->ending;
}

void reader_tell_progress(struct reader *reader,
			  void (*fn)(void *context, uint64_t done,
				     uint64_t total),
			  void *context)
{
	reader->progress = fn;
	reader->progress_context = context;
}

int reader_progress(struct reader *reader)
{
	int err = cancel_check(reader->cancel);
	const struct record_stream *stream = &reader->stream;
	uint64_t total = stream->map ? stream->end - stream->begin : 0;
	uint64_t done = reader->in_rounds ? reader->passed / 2 :
			stream->at - stream->begin;

	if (err || !reader->progress || reader->passed < reader->progress_at)
		return err;
	reader->progress_at = reader->passed + PROGRESS_BYTES;
	for (size_t i = 1; i < reader->nr_lanes; i++) {
		done += reader->lanes[i].own.at;
		total += reader->lanes[i].own.end;
	}
	reader->progress(reader->progress_context, done, total);
	return 0;
}

const unsigned char *reader_feature(const struct reader *reader,
				    unsigned int bit, size_t *size)
{
	if (!reader || bit >= PERFDATA_FEATURES || !reader->features[bit].size)
		return NULL;
	*size = reader->features[bit].size;
	return reader->features[bit].bytes;
}

struct cursor reader_feature_cursor(const struct reader *reader,
				    unsigned int bit)
{
	struct cursor c = { .at = NULL };
	size_t size;

	c.at = reader_feature(reader, bit, &size);
	if (c.at) {
		c.end = c.at + size;
		c.swapped = reader->stream.swapped;
	}
	return c;
}

bool reader_has_feature(const struct reader *reader, unsigned int bit)
{
	return reader && bit < PERFDATA_FEATURES && reader->features[bit].bytes;
}

uint64_t reader_feature_offset(const struct reader *reader, unsigned int bit)
{
	return bit < PERFDATA_FEATURES ? reader->features[bit].offset : 0;
}

bool reader_feature_is_cut(const struct reader *reader, unsigned int bit)
{
	return bit < PERFDATA_FEATURES && reader->features[bit].is_cut;
}

unsigned int reader_nr_cut_features(const struct reader *reader,
				    unsigned int *of)
{
	*of = reader->nr_features;
	return reader->nr_cut;
}

const char *reader_note(const struct reader *reader, const char *key)
{
	struct cursor c = reader_feature_cursor(reader, PERFDATA_KERMON);
	size_t length = strlen(key);
	const char *note;

	for (uint32_t nr = cursor_u32(&c); nr && !c.failed; nr--) {
		note = cursor_string(&c);
		if (!strncmp(note, key, length) && note[length] == '=')
			return note + length + 1;
	}
	return NULL;
}

/* Drop the whole pages between two offsets. */
static void drop(const struct record_stream *stream, uint64_t begin, uint64_t end)
{
	uint64_t page = sysconf(_SC_PAGESIZE);

	begin = (begin + page - 1) / page * page;
	end = end / page * page;
	if (stream->map && begin < end)
		madvise((void *)(stream->map + begin), end - begin,
			MADV_DONTNEED);
}

/* Pages that are needed again are read from the file. */
static void forget(struct reader *reader)
{
	const struct record_stream *stream = &reader->stream;
	uint64_t kept = reader->in_rounds ? reader->waiting : stream->at;

	reader->forget_at = reader->passed + FORGET_BYTES;
	drop(stream, 0, kept);
	drop(stream, kept + KEPT_BYTES, stream->at);
	for (size_t i = 1; i < reader->nr_lanes; i++)
		drop(reader->lanes[i].stream, 0, reader->lanes[i].stream->at);
	chunks_forget(&reader->chunks);
}

void reader_walked(struct reader *reader, uint64_t bytes)
{
	reader->passed += bytes;
	if (reader->passed >= reader->forget_at)
		forget(reader);
}

/*
 * Not inlined, to keep the frequent case of mapped files, which only adds up bytes,
 * short.
 */
__attribute__((noinline))
static void release_chunk(struct reader *reader, const struct record *record)
{
	uint16_t size = record->size;

	chunks_release(&reader->chunks, record->chunk);
	reader_walked(reader, size);
}

void reader_release(struct reader *reader, const struct record *record)
{
	if (record->chunk)
		release_chunk(reader, record);
	else
		reader_walked(reader, record->size);
}
