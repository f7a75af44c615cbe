/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading perf.data: header, events, features, and one record after the other.
 *
 * Damage does not stop the reader where it can go on: what is intact is given
 * out, what is not is described in the damages that the caller of reader_open()
 * provides, and looks at when all is read.
 */
#ifndef KERMON_PERFDATA_READ_H
#define KERMON_PERFDATA_READ_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "perfdata/format/format.h"
#include "util/cursor.h"

struct reader;

/**
 * struct reader_event - one event of a file
 * @attr: as recorded; what a shorter attr does not say is 0
 * @name: from EVENT_DESC, or made from @attr
 * @ids: what samples of this event carry
 * @nr_ids: how many
 * @time_at: bytes from the start of a sample to its time; -1: it has none
 */
struct reader_event {
	struct perf_event_attr attr;
	char *name;
	uint64_t *ids;
	size_t nr_ids;
	int time_at;
};

/**
 * reader_open - open a file and read everything but its records
 * @path: of a file, a directory of perf record --threads, or a pipe; "-": standard input
 * @reader: set on success, to be closed with reader_close()
 * @damages: gets what is wrong, also when the file cannot be opened; must live
 *	as long as the reader
 *
 * Return: 0; -EINVAL for what is no perf.data at all, -EOPNOTSUPP for a kind of
 * it that is not read, or what open(2), mmap(2) and malloc(3) say.
 */
int reader_open(const char *path, struct reader **reader,
		struct damages *damages);
void reader_close(struct reader *reader);

/*
 * Of a file that could not be opened, @reader is NULL: it has no event, no feature and
 * no note.
 */
size_t reader_nr_events(const struct reader *reader);
const struct reader_event *reader_event(const struct reader *reader,
					size_t index);
/* Whether the file is one of KerMon's: see perfdata_is_interval(). */
bool reader_has_intervals(const struct reader *reader);

/* How far the file goes, as far as its header, or the end of a pipe, tells. */
enum reader_ending {
	READER_FINISHED,	/* the recorder wrote all of it */
	READER_UNFINISHED,	/* the recorder did not get to write the end */
	READER_CUT_OFF,		/* there is less than the recorder wrote */
	READER_OPEN,		/* of a pipe, nothing says where it should end */
};

/* To be asked when all has been read. */
enum reader_ending reader_ending(const struct reader *reader);

/* Index of the event that an id is of; -1: of none. */
int reader_event_of(const struct reader *reader, uint64_t id);
/* The same of a sample, @size bytes of it as they are in the file. */
int reader_event_of_sample(const struct reader *reader,
			   const unsigned char *data, unsigned int size);

/**
 * reader_walk - give out every record of the data section in file order
 * @reader: of the file
 * @fn: called for each; releases it, or keeps it and releases it later
 * @context: handed to @fn
 *
 * Files of a directory are read abreast, with FINISHED_ROUND records between that
 * are RECORD_MADE_UP. Once, if it is a pipe. What is compressed is given out too,
 * behind the record that it is in.
 *
 * Return: 0, -ENOMEM, or what @fn returned if that is not 0. Damage is no error.
 */
int reader_walk(struct reader *reader, record_fn fn, void *context);

/* What the function of reader_walk_rounds() returns if order matters from now on. */
#define READER_IN_ORDER	1

/**
 * struct reader_batch - samples that follow each other in the file and in time
 * @data: they begin here: @size bytes, all of which may be looked at
 * @before: those with this time, or a later one, are not meant
 * @least: bytes of the smallest, with its time
 * @time_at: bytes from the start of each to its time
 * @newest: to be set to the time of the last one that was taken
 * @nr: to be set to how many were
 */
struct reader_batch {
	const unsigned char *data;
	uint64_t size;
	uint64_t before;
	unsigned int least;
	unsigned int time_at;
	uint64_t newest;
	uint32_t nr;
};

/**
 * struct reader_rounds - a walk of those who do not need samples in order
 * @fn: called for each record, which is there during the call only: samples come
 *	between the other records that are older and those that are younger, and
 *	these in the order of time, as far as rounds tell it. 0 to go on, -errno to
 *	stop, READER_IN_ORDER for @rest
 * @batch: called before @fn is for the first of them, to take as many as it can, from
 *	the first one on without a gap: how many bytes; or NULL
 * @rest: called for each record from then on, also if the file is one that has to
 *	be sorted to say what is in order: as by reader_walk(), with @rest_context
 * @late: how many records had missed their round, of those that @fn was called for
 * @newest: the newest time of those
 */
struct reader_rounds {
	record_fn fn;
	uint64_t (*batch)(void *context, struct reader_batch *batch);
	void *context;
	record_fn rest;
	void *rest_context;
	uint64_t late;
	uint64_t newest;
};

/* As reader_walk(), which see. */
int reader_walk_rounds(struct reader *reader, struct reader_rounds *walk);

/*
 * Called during a walk, once every few megabytes, with how many bytes of all have been
 * walked; @total is 0 if that is not known. What it returns, if not 0, ends the walk.
 */
typedef int (*reader_progress_fn)(void *context, uint64_t done, uint64_t total);

/* Before a walk: whom to tell of its progress. */
void reader_tell_progress(struct reader *reader, reader_progress_fn fn,
			  void *context);

/**
 * reader_release - say that a record is done with
 * @reader: it is of
 * @record: given out by reader_walk(); its bytes are not looked at any more
 *
 * To be called once for each record, in any order, or memory grows with the file.
 */
void reader_release(struct reader *reader, const struct record *record);

/*
 * The bytes of a feature (enum perfdata_feature), as they are in the file; NULL if
 * it is not there. To be read in the right byte order: as a cursor, which is at
 * NULL, and empty, if it is not there.
 */
const unsigned char *reader_feature(const struct reader *reader,
				    unsigned int bit, size_t *size);
struct cursor reader_feature_cursor(const struct reader *reader,
				    unsigned int bit);

/* Where in the file the feature is. */
uint64_t reader_feature_offset(const struct reader *reader, unsigned int bit);

/* Whether the file ends before the end of the feature. That has been told as damage. */
bool reader_feature_is_cut(const struct reader *reader, unsigned int bit);

/*
 * Of a file that is truncated behind its records: how many of @of features are not whole.
 * It is one of the damages, and the only one that no count depends on. Else 0.
 */
unsigned int reader_nr_cut_features(const struct reader *reader,
				    unsigned int *of);

/* The value of a note of KerMon's; NULL if it is not there. */
const char *reader_note(const struct reader *reader, const char *key);

#endif /* KERMON_PERFDATA_READ_H */
