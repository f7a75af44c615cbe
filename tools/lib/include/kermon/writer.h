/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write perf.data from records of KerMon's log and of perf's side-band as they arrive.
 * Stock perf can read the file. Documentation/perf-data.rst describes how records are
 * converted.
 */
#ifndef KERMON_WRITER_H
#define KERMON_WRITER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <kermon/abi.h>
#include <kermon/clock.h>
#include <kermon/control.h>
#include <kermon/events.h>

KERMON_BEGIN_DECLS

/* Highest level of compression. */
#define KERMON_COMPRESSION_MAX	22

/**
 * struct kermon_writer_options - what is recorded, and where to write it
 * @size: sizeof(struct kermon_writer_options)
 * @fd: file to write, empty and, unless @pipe is set, seekable; stays the caller's
 * @events: the programmed events in the order of the set, whose set_id is 0, followed by
 *	further sets for rotation, each with its index as set_id; copied
 * @nr_more: number of further sets
 * @count: KERMON_COUNT_*, the modes that the fixed counters count
 * @energy: whether the log has the energy of @info's domains
 * @info: properties of the machine; copied
 * @clock: converts the TSC. Not copied: the caller continues to add pairs.
 * @sideband_ids: ids of the side-band's events, kermon_sideband_ids(); copied
 * @nr_sideband_ids: length of @sideband_ids, may be 0
 * @exec_pid: a process that has not executed the program yet: its samples before that are
 *	omitted. 0: none
 * @argv: the command line, NULL at the end; copied
 * @nr_cpus: the highest number of a CPU in the log plus one; 0: of this machine
 * @unordered: samples of a CPU may arrive late, as with KERMON_SET_COALESCE: they are only
 *	written when kermon_writer_round() says that no older ones will come, or at the end
 * @pipe: write the form for pipes, in which nothing is changed once it is written
 * @compression: level of zstd, from 1 to KERMON_COMPRESSION_MAX, with which records are
 *	compressed, as by perf record -z; 0: they are not
 */
struct kermon_writer_options {
	size_t size;
	int fd;
	const struct kermon_selection *events;
	unsigned int nr_more;
	unsigned int count;
	bool energy;
	const struct kermon_info *info;
	const struct kermon_clock *clock;
	const uint64_t *sideband_ids;
	size_t nr_sideband_ids;
	pid_t exec_pid;
	char *const *argv;
	unsigned int nr_cpus;
	bool unordered;
	bool pipe;
	int compression;
};

/**
 * struct kermon_writer_totals - what has been written so far
 * @samples: samples of the log
 * @invalid: number of these with impossible counts, which are omitted
 * @before_exec: further samples that were omitted, see exec_pid
 * @lost: samples that the log reported as lost
 * @sideband_lost: records of the side-band that were lost
 * @bytes: size of the file so far
 */
struct kermon_writer_totals {
	uint64_t samples;
	uint64_t invalid;
	uint64_t before_exec;
	uint64_t lost;
	uint64_t sideband_lost;
	uint64_t bytes;
};

struct kermon_writer;

/*
 * Create a writer. Nothing is written yet: the first write is preceded by the head of
 * the file with names, command line and all notes so far, so that these are in the file
 * even if it is never finished. Return: 0; -EINVAL: the size of @options is not set, @info
 * exceeds the format, or the compression is out of range; -E2BIG: @options uses members of
 * a later version, or a pipe is to carry the ids of more than 8000 CPUs; -ENOMEM.
 */
int kermon_writer_open(struct kermon_writer **writer,
		       const struct kermon_writer_options *options);

/*
 * Write records for the state before the recording: the kernel, and the tasks and
 * mappings of @pid. Return: 0, -ENOMEM, -errno of write(2), or -EIO if zstd fails.
 *
 * After an error of write(2), that and all further functions return it: the file is
 * incomplete.
 */
int kermon_writer_start(struct kermon_writer *writer, pid_t pid);

/*
 * Write whole records as returned by kermon_session_read(). Return: 0; -EBADMSG: a
 * record is invalid, and those before it have been written.
 */
int kermon_writer_log(struct kermon_writer *writer, const void *records,
		      size_t size);

/* Whether the log has ended with a KERMON_RECORD_REVOKED: root has ended the recording. */
bool kermon_writer_revoked(const struct kermon_writer *writer);

/* Write a record of the side-band, as it is in the ring. Return: as kermon_writer_start(). */
int kermon_writer_sideband(struct kermon_writer *writer,
			   const struct perf_event_header *record);

/*
 * All rings have been read: no later record is older than the newest one at the
 * previous call. Everything so far is written to the file, so that it can be read even
 * if the rest is never written. Return: as kermon_writer_start().
 */
int kermon_writer_round(struct kermon_writer *writer);

/*
 * Some rings have been read, but older records may still arrive: only write everything
 * so far to the file. Return: as kermon_writer_start().
 */
int kermon_writer_save(struct kermon_writer *writer);

/* Add "key=value" to KerMon's notes, see Documentation/perf-data.rst. Return: 0 or -ENOMEM. */
int kermon_writer_note(struct kermon_writer *writer, const char *key,
		       const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What has been written so far. */
void kermon_writer_totals(const struct kermon_writer *writer,
			  struct kermon_writer_totals *totals);

/*
 * Write what follows the data; nothing can be written afterwards. Return: as
 * kermon_writer_start().
 */
int kermon_writer_finish(struct kermon_writer *writer);

/* Close it, also if the file was not finished. @writer may be NULL. */
void kermon_writer_close(struct kermon_writer *writer);

KERMON_END_DECLS
#endif /* KERMON_WRITER_H */
