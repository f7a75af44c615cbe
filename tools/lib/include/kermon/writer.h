/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing perf.data: records of KerMon's log and of perf's side-band go in as
 * they come, a file that stock perf reads comes out. Documentation/perf-data.rst
 * tells how one maps to the other.
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

/**
 * struct kermon_writer_options - what is recorded, and where to
 * @size: sizeof(struct kermon_writer_options)
 * @fd: file to write, empty and seekable; stays the caller's
 * @events: the programmed events, in the order of the set, whose set_id is 0; behind
 *	it further sets that take turns with it, each with its index as set_id; copied
 * @nr_more: how many further sets there are
 * @count: KERMON_COUNT_*, the modes that the fixed counters count
 * @energy: whether the log has the energy of @info's domains
 * @info: what the machine offers; copied
 * @clock: converts the TSC. Not copied: the caller goes on to add pairs.
 * @sideband_ids: ids of the side-band's events, kermon_sideband_ids(); copied
 * @nr_sideband_ids: length of @sideband_ids, may be 0
 * @exec_pid: a process that has yet to become the program that is recorded: its
 *	samples before that are left out. 0 if there is none.
 * @argv: the command line, NULL at the end; copied
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
};

/**
 * struct kermon_writer_totals - what has been written
 * @samples: samples of the log
 * @invalid: how many of these are without counts, which could not be right
 * @before_exec: further ones that were left out, see exec_pid
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
 * Nothing is written yet: the head of the file goes before what is written first,
 * with names, command line and the notes that there are by then. So they are in the
 * file even if its end never comes. Return: 0; -EINVAL: the size of @options is not
 * set, or @info has more than a file can; -E2BIG: they ask for what only a later version
 * has; -ENOMEM.
 */
int kermon_writer_open(struct kermon_writer **writer,
		       const struct kermon_writer_options *options);

/* Records of what there is before the recording: kernel, @pid, its maps. */
int kermon_writer_start(struct kermon_writer *writer, pid_t pid);

/*
 * Whole records as kermon_session_read() returns them. -EBADMSG, with those
 * before the bad one written, if one makes no sense.
 */
int kermon_writer_log(struct kermon_writer *writer, const void *records,
		      size_t size);

/* A record of the side-band, as it stands in its ring. */
int kermon_writer_sideband(struct kermon_writer *writer,
			   const struct perf_event_header *record);

/*
 * All rings have been read: from here on, no record is older than the newest
 * one of the last call's. What was written so far is in the file and can be
 * read even if the rest never comes.
 */
int kermon_writer_round(struct kermon_writer *writer);

/*
 * Some rings have been read, but older records may still come: what was written so
 * far is in the file, and that is all.
 */
int kermon_writer_save(struct kermon_writer *writer);

/* Adds "key=value" to KerMon's section, see Documentation/perf-data.rst. */
int kermon_writer_note(struct kermon_writer *writer, const char *key,
		       const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void kermon_writer_totals(const struct kermon_writer *writer,
			  struct kermon_writer_totals *totals);

/* Writes what comes after the data; nothing can be written after it. */
int kermon_writer_finish(struct kermon_writer *writer);

void kermon_writer_close(struct kermon_writer *writer);

KERMON_END_DECLS
#endif /* KERMON_WRITER_H */
