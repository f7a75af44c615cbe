/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read perf.data files: header, events, features, and one record after the other.
 *
 * The reader continues after damage where possible: intact parts are delivered, and the
 * others are described in the damages passed to reader_open(), which the caller checks
 * when everything has been read.
 */
#ifndef KERMON_PERFDATA_READ_H
#define KERMON_PERFDATA_READ_H

#include <kermon/cancel.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "perfdata/format/format.h"
#include "util/cursor.h"

struct reader;

/**
 * struct reader_event - one event of a file
 * @attr: as recorded; fields beyond the end of a shorter attr are 0
 * @name: from EVENT_DESC, or made up from @attr
 * @ids: in samples of this event
 * @nr_ids: length of @ids
 * @time_at: offset of the time in a sample; -1: it has none
 */
struct reader_event {
	struct perf_event_attr attr;
	char *name;
	uint64_t *ids;
	size_t nr_ids;
	int time_at;
};

/**
 * reader_open - open a file and read everything except its records
 * @path: of a file, a directory of perf record --threads, or a pipe; "-": standard input
 * @reader: set on success, to be closed with reader_close()
 * @damages: receives problems, also when opening fails; must live as long as the reader
 *
 * Return: 0; -EINVAL if it is not a perf.data file, -EOPNOTSUPP if its kind is not
 * supported, or an error of open(2), mmap(2) or malloc(3).
 */
int reader_open(const char *path, struct reader **reader,
		struct damages *damages);

/*
 * The same, but opening the file and walks of it return -ECANCELED when cancelled. @cancel
 * may be NULL.
 */
int reader_open_cancellable(const char *path, const struct kermon_cancel *cancel,
			    struct reader **reader, struct damages *damages);
void reader_close(struct reader *reader);

/* @reader is NULL if the file could not be opened: it has no events, features or notes. */
size_t reader_nr_events(const struct reader *reader);
const struct reader_event *reader_event(const struct reader *reader,
					size_t index);
/* Whether the file was recorded by KerMon: see perfdata_is_interval(). */
bool reader_has_intervals(const struct reader *reader);

/* Whether the file is complete, according to its header or the end of a pipe. */
enum reader_ending {
	READER_FINISHED,	/* the recorder wrote all of it */
	READER_UNFINISHED,	/* the recorder did not write the end */
	READER_CUT_OFF,		/* the file is shorter than what the recorder wrote */
	READER_OPEN,		/* pipe: the end is not marked */
};

/* Call after everything has been read. */
enum reader_ending reader_ending(const struct reader *reader);

/* Index of the event with this id; -1: none. */
int reader_event_of(const struct reader *reader, uint64_t id);
/*
 * Slot of an id: a small number, less than reader_nr_slots(), that no other id has. Sets
 * @event to the index of its event. Return: -1: unknown id.
 */
ssize_t reader_slot_of(const struct reader *reader, uint64_t id, int *event);
size_t reader_nr_slots(const struct reader *reader);
/* Like reader_event_of(), for the id in a sample, @size bytes as they are in the file. */
int reader_event_of_sample(const struct reader *reader,
			   const unsigned char *data, unsigned int size);

/**
 * reader_walk - deliver every record of the data section in file order
 * @reader: of the file
 * @fn: called for each; releases the record, or keeps it and releases it later
 * @context: passed to @fn
 *
 * Files of a directory are read in parallel, with FINISHED_ROUND records in between that
 * have RECORD_MADE_UP as offset. Decompressed records are delivered after the record that
 * contains them. A pipe can only be walked once.
 *
 * Return: 0, -ENOMEM, or what @fn returned if that is not 0. Damage is not an error.
 */
int reader_walk(struct reader *reader, record_fn fn, void *context);

/* Return value of @fn of reader_walk_rounds() if records must be ordered from now on. */
#define READER_IN_ORDER	1

/**
 * struct reader_batch - consecutive samples that are ordered by time
 * @data: start of the samples: @size bytes, all of which may be accessed
 * @before: end of the batch: samples with this time or a later one are not part of it
 * @least: minimum size of a sample, including its time
 * @time_at: offset of the time in each sample
 * @newest: to be set to the time of the last sample that was handled
 * @nr: to be set to the number of samples that were handled
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
 * struct reader_rounds - a walk for consumers that do not need samples in order
 * @fn: called for each record, which is valid only during the call: samples come after
 *	older and before newer records of other types, and these are ordered by time as
 *	far as rounds allow. Return: 0 to continue, -errno to stop, READER_IN_ORDER to
 *	continue with @rest
 * @batch: called before @fn for the first of several samples, to handle as many as
 *	possible from the start without a gap. Return: number of bytes handled. May be NULL
 * @rest: called for each record from then on, or from the start if the file has to be
 *	sorted: as by reader_walk(), with @rest_context
 * @late: number of records passed to @fn that arrived too late for their round
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

/* Like reader_walk(). */
int reader_walk_rounds(struct reader *reader, struct reader_rounds *walk);

/*
 * Before a walk: have @fn called every few megabytes with the number of bytes that have been
 * walked; @total is 0 if unknown.
 */
void reader_tell_progress(struct reader *reader,
			  void (*fn)(void *context, uint64_t done,
				     uint64_t total),
			  void *context);

/**
 * reader_release - release a record
 * @reader: it is from
 * @record: from reader_walk(); its bytes must not be accessed any more
 *
 * Call once for each record, in any order, or memory grows with the file.
 */
void reader_release(struct reader *reader, const struct record *record);

/* Whether the file has a feature (enum perfdata_feature), which may have no contents. */
bool reader_has_feature(const struct reader *reader, unsigned int bit);

/*
 * The bytes of a feature, as they are in the file; NULL if it is missing or has none. The
 * cursor reads them in the right byte order; it is empty in these cases.
 */
const unsigned char *reader_feature(const struct reader *reader,
				    unsigned int bit, size_t *size);
struct cursor reader_feature_cursor(const struct reader *reader,
				    unsigned int bit);

/* Offset of the feature in the file. */
uint64_t reader_feature_offset(const struct reader *reader, unsigned int bit);

/* Whether the file ends before the end of the feature, which is reported as damage. */
bool reader_feature_is_cut(const struct reader *reader, unsigned int bit);

/*
 * If the file is truncated behind its records: number of incomplete features out of
 * @of. This is one of the damages, and the only one that does not affect counts.
 * Otherwise 0.
 */
unsigned int reader_nr_cut_features(const struct reader *reader,
				    unsigned int *of);

/* The value of one of KerMon's notes; NULL if it is missing. */
const char *reader_note(const struct reader *reader, const char *key);

#endif /* KERMON_PERFDATA_READ_H */
