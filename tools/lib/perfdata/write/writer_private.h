/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files of perfdata/write: struct kermon_writer, the state
 * of the file being written. Not for other folders.
 */
#ifndef KERMON_PERFDATA_WRITER_PRIVATE_H
#define KERMON_PERFDATA_WRITER_PRIVATE_H

#include <kermon/writer.h>

#include "attrs.h"
#include "blob.h"
#include "compress.h"
#include "marked.h"
#include "reference.h"
#include "util/hash.h"

#define WRITER_BUFFER	(1 << 18)

/**
 * struct program_start - when a process executed the program that is recorded
 * @pid: of the process; 0 if all of it is recorded
 * @known: @time is valid
 * @exact: @time is that of the sample that ended there
 * @lost: records of the log were lost before @time was known
 * @time: in the clock of the file
 */
struct program_start {
	pid_t pid;
	bool known;
	bool exact;
	bool lost;
	uint64_t time;
};

struct held_sample;

/**
 * struct held - samples that wait for older ones, see held.c
 * @samples: @nr of them, with room for @room
 * @added: number of samples that have waited
 * @newest: the latest time of a sample or a record of the side-band so far
 * @round: what that was at the last round: what comes now is not older
 */
struct held {
	struct held_sample *samples;
	size_t nr;
	size_t room;
	uint64_t added;
	uint64_t newest;
	uint64_t round;
};

/**
 * struct marked - marks of regions
 * @floor: what is written now must not be older: a reader may have gone on from there
 * @totals: what was written
 * @names: some names, by their numbers, see tracing_regions.c
 */
struct marked {
	uint64_t floor;
	struct marked_totals totals;
	struct hash names;
};

/**
 * struct kermon_writer - a file being written
 * @fd: the file
 * @pipe: it may be a pipe: what is written is never changed
 * @clock: the caller's
 * @reference: when the recording began, by the clock of the samples and the wall clock
 * @root: precedes the names of files that describe the machine: "", or a folder in tests
 * @info: of the machine
 * @attrs: the events
 * @ids: of all events, in their order; one per CPU, but for the side-band
 * @nr_ids: length of @ids
 * @sums: what each event has counted on each CPU, in the order of @ids
 * @times: time of the last sample of each CPU
 * @unordered: samples of a CPU may arrive late
 * @held: those that wait, if they may
 * @argv: command line
 * @notes: strings "key=value" of PERFDATA_KERMON
 * @nr_notes: number of notes
 * @files: names of mapped files, for build ids; a tsearch(3) tree
 * @exec: when the program began
 * @sampled: what perf_event has sampled
 * @marked: marks of regions
 * @lost_totals: records that were lost according to the events themselves
 * @has_kernel: an event samples kernel mode
 * @headed: everything before the data has been written
 * @data: offset of the data
 * @end: offset of what is written next, including @buffer
 * @first_time: of the samples; UINT64_MAX if there is none
 * @last_time: of the samples; 0 if there is none
 * @totals: samples and losses
 * @compressor: of the records; NULL: they are written as they are
 * @error: first error of write(2); nothing is written after it
 * @used: bytes in @buffer
 * @buffer: data that has not been written yet
 */
struct kermon_writer {
	int fd;
	bool pipe;
	const struct kermon_clock *clock;
	struct reference reference;
	const char *root;
	struct kermon_info info;
	struct attrs attrs;
	uint64_t *ids;
	size_t nr_ids;
	uint64_t *sums;
	uint64_t *times;
	bool unordered;
	struct held held;
	char **argv;
	struct blob notes;
	uint32_t nr_notes;
	void *files;
	struct program_start exec;
	struct kermon_sampled_totals sampled;
	struct marked marked;
	uint64_t lost_totals;
	bool has_kernel;
	bool headed;
	uint64_t data;
	uint64_t end;
	uint64_t first_time;
	uint64_t last_time;
	struct kermon_writer_totals totals;
	bool revoked;
	struct compressor *compressor;
	int error;
	size_t used;
	char buffer[WRITER_BUFFER];
};

/*
 * Append a whole record; or data that is not compressed, in any pieces. Errors are also
 * stored in writer->error.
 */
int writer_put(struct kermon_writer *writer, const void *data, size_t size);
int writer_put_plain(struct kermon_writer *writer, const void *data, size_t size);

/* Ids of event @index; @nr is set to their number. */
const uint64_t *writer_ids(const struct kermon_writer *writer,
			   unsigned int index, size_t *nr);

/*
 * Append @nr ids to those of the file, as those of event @index: @ids, or NULL for those that
 * KerMon assigns. Return: 0 or -ENOMEM.
 */
int writer_add_ids(struct kermon_writer *writer, unsigned int index,
		   const uint64_t *ids, size_t nr);

/* sampled.c: note what a record of perf_event contains, if it is of sampled events. */
void sampled_note(struct kermon_writer *writer,
		  const struct perf_event_header *record);

/* intervals.c: whether a sample of the log can be put; put it. */
bool interval_is_valid(const struct kermon_writer *writer,
		       const struct kermon_sample *sample);
int interval_put(struct kermon_writer *writer,
		 const struct kermon_sample *from, uint64_t time);

/*
 * held.c: note the time of a record; keep a copy of a sample; put those
 * up to a time; put those for which no older ones will come. Return: 0, -ENOMEM, or as
 * writer_put().
 */
void held_note(struct held *held, uint64_t time);
int held_add(struct held *held, const struct kermon_sample *sample, uint64_t time);
int held_put(struct kermon_writer *writer, uint64_t until);
int held_round(struct kermon_writer *writer);
void held_free(struct held *held);

/* Remember the file of an executable mapping. */
int writer_add_file(struct kermon_writer *writer, const char *name);

/**
 * enum features_when - when features are written
 * @FEATURES_EARLY: those that are known before the recording
 * @FEATURES_LATE: those that are known only at its end
 * @FEATURES_ALL: all of them but the notes, at its end
 */
enum features_when {
	FEATURES_EARLY,
	FEATURES_LATE,
	FEATURES_ALL,
};

/*
 * Call @fn with each feature that has contents, in ascending order, until it returns
 * non-zero; it may change the contents. Return: 0, what @fn returned, or -ENOMEM.
 */
typedef int (*features_fn)(void *data, enum perfdata_feature bit,
			   struct blob *feature);
int features_each(const struct kermon_writer *writer, enum features_when when,
		  features_fn fn, void *data);

/* The contents of KERMON, which have more to say at the end. */
void features_notes(const struct kermon_writer *writer, struct blob *blob);

/*
 * Build the features for offset @start of the file: their table and sections, and the
 * bits for the header. Return: 0 or -ENOMEM.
 */
int features_build(const struct kermon_writer *writer, uint64_t start,
		   enum features_when when, struct blob *blob, uint64_t bits[4]);

/* For tests: the bit of each feature that can be written; -1: no more. */
int features_bit(size_t index);

/* modules.c: write records for the mappings of the kernel's modules. */
int modules_put(struct kermon_writer *writer);

/**
 * struct module - a module of the running kernel
 * @name: as in /proc/modules
 * @path: its file, or "[name]" if that is not found
 * @start: address of its text; 0 if it is hidden
 * @size: bytes
 */
struct module {
	char name[64];
	char path[512];
	uint64_t start;
	uint64_t size;
};

/* Call @fn with each module until it returns non-zero, which is returned, else 0. */
int modules_each(int (*fn)(void *data, const struct module *module), void *data);

/* Write @record, whose fixed part has @size bytes, followed by @name and a sample_id. */
int writer_put_named(struct kermon_writer *writer, struct perf_event_header *record,
		     size_t size, const char *name);

/* Build the contents of TRACING_DATA; none without tracepoints. */
void tracing_collect(const struct kermon_writer *writer, struct blob *blob);

/*
 * tracing_regions.c: the format of a tracepoint that no kernel has, or nothing if it is not of
 * regions. A name that the format of later marks contains: 0 or -ENOMEM.
 */
void tracing_regions(const struct kermon_writer *writer, const struct perf_event_attr *attr,
		     struct blob *format);
int tracing_remember(struct kermon_writer *writer, uint32_t id, const char *name);
void tracing_forget(struct kermon_writer *writer);

/* Build the contents of BUILD_ID, for all files of @writer. */
void buildid_collect(const struct kermon_writer *writer, struct blob *blob);

/*
 * pipe.c: for a pipe, whether everything fits (0 or -E2BIG), what precedes the data, and
 * what follows it. The names of the events and the notes are records in a file, too, and so
 * is how it is compressed: perf ignores the features of a file that is not finished.
 */
int pipe_check(const struct kermon_writer *writer);
int pipe_put_head(struct kermon_writer *writer);
int pipe_put_tail(struct kermon_writer *writer);
int pipe_put_names(struct kermon_writer *writer);
int pipe_put_notes(struct kermon_writer *writer);
int pipe_put_compression(struct kermon_writer *writer);

#endif /* KERMON_PERFDATA_WRITER_PRIVATE_H */
