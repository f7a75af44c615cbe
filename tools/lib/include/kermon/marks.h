/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Receive the marks of regions that an application writes: see <kermon/region.h>. Its
 * collector finds the receiver by a socket whose name is in the environment, and hands over
 * a ring for each thread. A recorder drains them: see struct kermon_recorder_options.
 *
 *	kermon_marks_open(&marks, &options);
 *	... run the application with KERMON_MARKS=kermon_marks_socket(marks)
 *	... and record it
 *	kermon_marks_close(marks);
 */
#ifndef KERMON_MARKS_H
#define KERMON_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

/* The environment of the application: the name of the socket. */
#define KERMON_MARKS_ENVIRONMENT	"KERMON_MARKS"

/* Bytes of a ring of marks, a power of two, and how many if nothing is said. */
#define KERMON_MARKS_RING_MIN		4096
#define KERMON_MARKS_RING_MAX		(1ULL << 30)
#define KERMON_MARKS_RING_DEFAULT	(4ULL << 20)

/**
 * struct kermon_marks_options - what the application collects
 * @size: sizeof(struct kermon_marks_options)
 * @counts: marks carry counts where the thread may read its own; else times alone
 * @wait: a thread waits for room in its ring, instead of losing marks
 * @paused: nothing is collected before kermon_resume()
 * @ring_bytes: size of a ring of marks, in bytes; 0: KERMON_MARKS_RING_DEFAULT
 * @iterations: pattern, as in fnmatch(3), of the regions that are counted as iterations; NULL:
 *	none are
 * @first: number of the first iteration that is collected, from 1; 0: all
 * @last: number of the last one; 0: no end
 * @include: patterns of the regions that are collected with all in them, separated by
 *	commas; NULL: all
 * @exclude: likewise, of those that are not collected; NULL: none
 * @max_rings: most rings at a time; 0: 8192
 * @max_bytes: most memory of all of them at a time, in bytes; 0: half of the machine's
 */
struct kermon_marks_options {
	size_t size;
	bool counts;
	bool wait;
	bool paused;
	uint64_t ring_bytes;
	const char *iterations;
	uint64_t first;
	uint64_t last;
	const char *include;
	const char *exclude;
	uint64_t max_rings;
	uint64_t max_bytes;
};

/**
 * struct kermon_marks_totals - what has been received so far
 * @marks: number of marks
 * @names: number of names
 * @processes: number of processes, or programs that one has executed in turn
 * @threads: number of threads that have marked something
 * @lost: marks that found no room in their ring
 * @invalid: records that no collector writes; they were left out
 * @broken: rings that were given up because of that
 * @refused_user: rings of programs of another user, which were refused
 * @refused_task: likewise, of processes or threads that cannot be seen from here
 * @refused_limit: likewise, beyond the limits of memory, rings or open files
 * @refused_form: likewise, that are no rings of this version
 */
struct kermon_marks_totals {
	uint64_t marks;
	uint64_t names;
	uint64_t processes;
	uint64_t threads;
	uint64_t lost;
	uint64_t invalid;
	uint64_t broken;
	uint64_t refused_user;
	uint64_t refused_task;
	uint64_t refused_limit;
	uint64_t refused_form;
};

struct kermon_marks;

/*
 * Listen. Return: 0; -EINVAL: the size of @options is not set, or @ring_bytes is not a power
 * of two within its limits; -E2BIG: the patterns are longer than 15 KiB together, or @options
 * uses members of a later version; -ENOMEM; or -errno of socket(2).
 */
int kermon_marks_open(struct kermon_marks **marks, const struct kermon_marks_options *options);

/* The value of KERMON_MARKS_ENVIRONMENT, valid until kermon_marks_close(). */
const char *kermon_marks_socket(const struct kermon_marks *marks);

/* What has been received so far. */
void kermon_marks_totals(const struct kermon_marks *marks, struct kermon_marks_totals *totals);

/* After the recorder that uses it was closed. @marks may be NULL. */
void kermon_marks_close(struct kermon_marks *marks);

KERMON_END_DECLS
#endif /* KERMON_MARKS_H */
