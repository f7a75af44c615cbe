/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of perfdata/read share: struct reader with all that is known of the
 * open file, and the functions that fill it. Not for other folders.
 */
#ifndef KERMON_PERFDATA_READER_PRIVATE_H
#define KERMON_PERFDATA_READER_PRIVATE_H

#include "perfdata/format/format.h"
#include "plain.h"
#include "read.h"
#include "stream.h"
#include "util/guard.h"

/*
 * Which event has an id: open addressing, twice as many slots as ids at least,
 * a power of two. A slot with event 0 is free: events are stored plus one.
 */
struct id_table {
	struct id_slot {
		uint64_t id;
		uint32_t event;
	} *slots;
	size_t mask;
};

int id_table_fill(struct id_table *table, const struct reader_event *events,
		  size_t nr_events, struct damages *damages);
/* Index of the event, or -1. */
int id_table_find(const struct id_table *table, uint64_t id);

/**
 * struct lane - one of several files
 * @stream: its records
 * @own: but the first file's are the reader's stream
 * @guard: of its mapping
 * @name: in the directory
 * @peeked: the next record, if @is_peeked
 */
struct lane {
	struct record_stream *stream;
	struct record_stream own;
	struct guard *guard;
	char name[32];
	struct record peeked;
	bool is_peeked;
};

/**
 * struct feature - an optional section
 * @bytes: @size of them
 * @offset: in the file
 * @owned: @bytes, if they are not in the mapped file
 * @is_cut: the file ends before the end of it; @bytes are those that are there, or of an
 *	earlier one that says less
 */
struct feature {
	const unsigned char *bytes;
	size_t size;
	uint64_t offset;
	unsigned char *owned;
	bool is_cut;
};

/**
 * struct reader - an open file
 * @fd: of the file
 * @map: the file, @size bytes; NULL: it is a pipe
 * @guard: of @map
 * @stream: the records, a section inside the file
 * @chunks: memory of those that are not in the file as they are
 * @turned: records that were of the other byte order
 * @lanes: all files of a directory, @nr_lanes of them
 * @files: of which damage is told by these names
 * @early: records that were read to learn of the events of a pipe, @nr_early of @room
 * @walked: reader_walk() was called
 * @numbered: how many records it has met
 * @plain: samples that can be looked at where they are in the mapped file
 * @features: those that are there; size 0 for the others
 * @nr_features: how many there should be, if @nr_cut of them are not whole since the file
 *	is truncated behind its records
 * @id_from_start: see sample_id_from_start(); the same for all events
 * @id_from_end: see sample_id_from_end()
 * @anonymous: no sample tells which of several events it is of, and nobody knows yet
 * @passed: bytes of records that were looked at, or released
 * @forget_at: how many of them there are when memory is given back next
 * @ending: as far as the header tells
 * @in_rounds: they are looked at twice
 * @waiting: offset of the first one that was looked at once; if @in_rounds
 * @progress: told how far a walk has come, with @progress_context, when @passed is
 *	@progress_at
 */
struct reader {
	int fd;
	const unsigned char *map;
	size_t size;
	struct guard *guard;
	struct record_stream stream;
	struct chunks chunks;
	struct window turned;
	struct lane *lanes;
	struct damage_file *files;
	size_t nr_lanes;
	struct record *early;
	size_t nr_early;
	size_t room_early;
	bool walked;
	uint32_t numbered;
	struct plain plain;
	struct feature features[PERFDATA_FEATURES];
	unsigned int nr_features;
	unsigned int nr_cut;
	struct reader_event *events;
	size_t nr_events;
	size_t room_events;
	struct id_table ids;
	int id_from_start;
	int id_from_end;
	bool anonymous;
	uint64_t passed;
	uint64_t forget_at;
	enum reader_ending ending;
	bool in_rounds;
	uint64_t waiting;
	reader_progress_fn progress;
	void *progress_context;
	uint64_t progress_at;
	struct damages *damages;
};

/*
 * reader.c: maps a file; says where it, or another file of a directory, was cut off
 * meanwhile; and gives memory back after so many bytes were looked at.
 */
int reader_map(struct reader *reader, int fd);
void reader_tell_missing(struct reader *reader);
void reader_walked(struct reader *reader, uint64_t bytes);
/* Tells progress if it is time to. Return: 0 to go on. */
int reader_progress(struct reader *reader);

/* header.c: fills the reader from the mapped file. */
int reader_parse_header(struct reader *reader);
int reader_check_magic(struct reader *reader, uint64_t magic);

/* pipe.c: from a pipe; and from a mapped file that came through one. */
int reader_open_pipe(struct reader *reader, int fd);
int reader_read_descriptions(struct reader *reader);

/*
 * A record of perf's own behind the first samples. Features are taken in; those who
 * count have their columns by now, so that a new event is damage. 0 or -ENOMEM.
 */
int reader_take_late(struct reader *reader, const struct record *record);

/* events.c: attrs, ids and names. */
int reader_parse_events(struct reader *reader,
			const struct perfdata_section *attrs,
			uint64_t attr_size);

/*
 * One more event, from @room bytes at @attr and @size bytes of ids, @swapped if
 * they are of the other byte order; then, when
 * all are known, what can be said of all of them.
 */
int reader_add_event(struct reader *reader, const unsigned char *attr,
		     size_t room, const unsigned char *ids, size_t size,
		     bool swapped);
int reader_finish_events(struct reader *reader);

/* Names the next event with this config that has no name; 0 or -ENOMEM. */
int reader_name_by_config(struct reader *reader, uint64_t config,
			  const char *name);

/*
 * walk.c: as stream_next(), but perf's own records are turned; the others
 * are by reader_identify(), which finds out event and time: 1; 0 if the record
 * makes no sense; -ENOMEM.
 */
int reader_next(struct reader *reader, struct record_stream *stream,
		struct record *record);
int reader_identify(struct reader *reader, struct record *record);

/* The same behind the first samples: perf's own records are taken in. */
int reader_next_counted(struct reader *reader, struct record_stream *stream,
			struct record *record);

/* The event of a record of the kernel's; false if there is none, which is told. */
bool reader_find_event(struct reader *reader, struct record *record);

/* A plain sample, but for its number; false: there is no event with its id, which is told. */
static inline bool reader_take_plain(struct reader *reader,
				     const struct plain *plain, uint64_t at,
				     struct perf_event_header header,
				     struct record *record)
{
	plain_record(plain, at, header, record);
	return reader->nr_events == 1 || reader_find_event(reader, record);
}

/* So many bytes of them are walked at a time: giving memory back waits for that. */
#define READER_PORTION	(4UL << 20)

/* From the first record on; and all that has not been walked yet, by reader_walk(). */
void reader_begin_walk(struct reader *reader);
int reader_walk_on(struct reader *reader, record_fn fn, void *context);

/* lanes.c: a directory. */
int reader_open_folder(struct reader *reader, int folder);
int reader_walk_lanes(struct reader *reader, record_fn fn, void *context);
void reader_close_lanes(struct reader *reader);

/* The part of @section that lies inside the file; damage if that is not all. */
struct perfdata_section reader_clip(struct reader *reader,
				    struct perfdata_section section,
				    const char *what);

#endif /* KERMON_PERFDATA_READER_PRIVATE_H */
