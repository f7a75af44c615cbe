/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of perfdata/write share: struct kermon_writer with the state of the
 * file being written. Not for other folders.
 */
#ifndef KERMON_PERFDATA_WRITER_PRIVATE_H
#define KERMON_PERFDATA_WRITER_PRIVATE_H

#include <kermon/writer.h>

#include "attrs.h"
#include "blob.h"

#define WRITER_BUFFER	(1 << 18)

/**
 * struct program_start - when a process became the program that is recorded
 * @pid: of the process, 0 if all of it is recorded
 * @known: @time is valid
 * @exact: it is that of the sample that ended there
 * @lost: records of the log were lost before @time was known
 * @time: of the file
 */
struct program_start {
	pid_t pid;
	bool known;
	bool exact;
	bool lost;
	uint64_t time;
};

/**
 * struct kermon_writer - a file being written
 * @fd: the file
 * @clock: the caller's
 * @info: what the machine offers
 * @attrs: the events
 * @sideband_ids: of the last event
 * @nr_sideband_ids: length of @sideband_ids
 * @argv: command line
 * @notes: strings "key=value" as PERFDATA_KERMON has them
 * @nr_notes: how many
 * @files: names that have been mapped, for build ids; a tsearch(3) tree
 * @exec: when the program began
 * @headed: the head has been written
 * @data: offset of the data
 * @end: offset of what is written next, what is in @buffer included
 * @first_time: of the samples; UINT64_MAX if there is none
 * @last_time: of the samples, 0 if there is none
 * @totals: samples and losses
 * @error: first one of write(2); nothing is written after it
 * @used: bytes in @buffer
 * @buffer: data that has not been written yet
 */
struct kermon_writer {
	int fd;
	const struct kermon_clock *clock;
	struct kermon_info info;
	struct attrs attrs;
	uint64_t *sideband_ids;
	size_t nr_sideband_ids;
	char **argv;
	struct blob notes;
	uint32_t nr_notes;
	void *files;
	struct program_start exec;
	bool headed;
	uint64_t data;
	uint64_t end;
	uint64_t first_time;
	uint64_t last_time;
	struct kermon_writer_totals totals;
	int error;
	size_t used;
	char buffer[WRITER_BUFFER];
};

/* Appends; what fails is remembered in writer->error and returned. */
int writer_put(struct kermon_writer *writer, const void *data, size_t size);

/* Ids of event @index and how many there are. */
const uint64_t *writer_ids(const struct kermon_writer *writer,
			   unsigned int index, size_t *nr, uint64_t *own);

/* Remembers the file of an executable mapping. */
int writer_add_file(struct kermon_writer *writer, const char *name);

/*
 * Features, to stand at offset @start of the file: their table, the sections, and the
 * bits for the header. With @early those only that are known before the recording.
 * 0 or -ENOMEM.
 */
int features_build(const struct kermon_writer *writer, uint64_t start,
		   bool early, struct blob *blob, uint64_t bits[4]);

/* Each of those that may be written, for tests of all: its bit; -1: no more. */
int features_bit(size_t index);

/* Contents of BUILD_ID, of the kernel and of all files of @writer. */
void buildid_collect(const struct kermon_writer *writer, struct blob *blob);

#endif /* KERMON_PERFDATA_WRITER_PRIVATE_H */
