/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files of perfdata/read: struct reader, the state of an
 * open file, and the functions that fill it. Not for other folders.
 */
#ifndef KERMON_PERFDATA_READER_PRIVATE_H
#define KERMON_PERFDATA_READER_PRIVATE_H

#include "perfdata/format/format.h"
#include "plain.h"
#include "read.h"
#include "stream.h"
#include "util/guard.h"
#include "util/numbering.h"

/*
 * Events by id: open addressing with a power of two of slots, at least twice the number
 * of ids. Events are stored plus one; 0: free slot.
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
/* Index of the slot, or -1. */
ssize_t id_table_slot(const struct id_table *table, uint64_t id);
/* Index of the event, or -1. */
int id_table_find(const struct id_table *table, uint64_t id);

/**
 * struct lane - one of several files
 * @stream: its records
 * @own: storage of @stream, except that the first file uses the reader's
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
 * @is_cut: the file ends before the end of the section; @bytes is the existing part, or an
 *	earlier, less complete version
 */
struct feature {
	const unsigned char *bytes;
	size_t size;
	uint64_t offset;
	unsigned char *owned;
	bool is_cut;
};

/**
 * struct early_ids - the events of a pipe by id, while their descriptions are read
 * @numbers: of all ids
 * @events: by these: index of the event plus one; 0: there is none
 * @room: elements allocated for @events
 */
struct early_ids {
	struct numbering numbers;
	uint32_t *events;
	size_t room;
};

/**
 * struct reader - an open file
 * @fd: of the file
 * @map: the file, @size bytes; NULL: it is a pipe
 * @guard: of @map
 * @stream: the records, a section of the file
 * @chunks: memory for records that cannot be used directly from the file
 * @turned: records converted from the other byte order
 * @lanes: all files of a directory, @nr_lanes of them
 * @files: their names for reports of damage
 * @early: records of a pipe that were read to find its events, @nr_early of @room
 * @early_ids: their ids
 * @walked: reader_walk() has been called
 * @numbered: number of records seen
 * @plain: samples that can be used directly from the mapped file
 * @features: by number; size 0 if missing
 * @nr_features: number of features, if the file is truncated behind its records so that
 *	@nr_cut of them are incomplete
 * @id_from_start: see sample_id_from_start(); the same for all events
 * @id_from_end: see sample_id_from_end()
 * @anonymous: samples do not tell which of several events they belong to, which has not
 *	been reported yet
 * @passed: bytes of records that were walked or released
 * @forget_at: value of @passed at which memory is returned to the system
 * @ending: according to the header
 * @in_rounds: records are accessed twice
 * @waiting: if @in_rounds, offset of the first record to be accessed again
 * @progress: called with the progress of a walk and @progress_context when @passed reaches
 *	@progress_at
 * @cancel: cancels opening and walks; may be NULL
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
	struct early_ids early_ids;
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
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *progress_context;
	uint64_t progress_at;
	struct damages *damages;
	const struct kermon_cancel *cancel;
};

/*
 * reader.c: map a file; report where it, or another file of a directory, was truncated
 * meanwhile; return memory to the system after a number of bytes.
 */
int reader_map(struct reader *reader, int fd);
void reader_tell_missing(struct reader *reader);
void reader_walked(struct reader *reader, uint64_t bytes);
/* Report progress if it is time to. Return: 0 or -ECANCELED. */
int reader_progress(struct reader *reader);

/* header.c: fill the reader from the mapped file. */
int reader_parse_header(struct reader *reader);
int reader_check_magic(struct reader *reader, uint64_t magic);

/* pipe.c: read from a pipe, or from a mapped file that was written to a pipe. */
int reader_open_pipe(struct reader *reader, int fd);
int reader_read_descriptions(struct reader *reader);

/*
 * Process one of perf's own records after the first samples. Features are used; a new
 * event is damage, because consumers have set up their columns by now. Return: 0 or
 * -ENOMEM.
 */
int reader_take_late(struct reader *reader, const struct record *record);

/* events.c: attrs, ids and names. */
int reader_parse_events(struct reader *reader,
			const struct perfdata_section *attrs,
			uint64_t attr_size);

/*
 * Add an event, from @room bytes at @attr and @size bytes of ids, @swapped if they are
 * in the other byte order. After all have been added, finish what depends on all of
 * them.
 */
int reader_add_event(struct reader *reader, const unsigned char *attr,
		     size_t room, const unsigned char *ids, size_t size,
		     bool swapped);
int reader_finish_events(struct reader *reader);

/* Name the next event with this config that has no name. Return: 0 or -ENOMEM. */
int reader_name_by_config(struct reader *reader, uint64_t config,
			  const char *name);

/*
 * walk.c: like stream_next(), and convert perf's own records from the other byte order.
 * reader_identify() does so for other records and finds their event and time. Return:
 * 1; 0 if the record is invalid; -ENOMEM.
 */
int reader_next(struct reader *reader, struct record_stream *stream,
		struct record *record);
int reader_identify(struct reader *reader, struct record *record);

/* The same after the first samples: also process perf's own records. */
int reader_next_counted(struct reader *reader, struct record_stream *stream,
			struct record *record);

/*
 * Find the event of one of the kernel's records. Return: false if there is none, which
 * is reported.
 */
bool reader_find_event(struct reader *reader, struct record *record);

/*
 * A plain sample, without its number. Return: false if no event has its id, which is
 * reported.
 */
static inline bool reader_take_plain(struct reader *reader,
				     const struct plain *plain, uint64_t at,
				     struct perf_event_header header,
				     struct record *record)
{
	plain_record(plain, at, header, record);
	return reader->nr_events == 1 || reader_find_event(reader, record);
}

/* Bytes to walk at a time; memory is not returned to the system in between. */
#define READER_PORTION	(4UL << 20)

/* Start at the first record; and deliver the rest, for reader_walk(). */
void reader_begin_walk(struct reader *reader);
int reader_walk_on(struct reader *reader, record_fn fn, void *context);

/* lanes.c: directories. */
int reader_open_folder(struct reader *reader, int folder);
int reader_walk_lanes(struct reader *reader, record_fn fn, void *context);
void reader_close_lanes(struct reader *reader);

/* The part of @section that is in the file; reports damage if it is incomplete. */
struct perfdata_section reader_clip(struct reader *reader,
				    struct perfdata_section section,
				    const char *what);

#endif /* KERMON_PERFDATA_READER_PRIVATE_H */
