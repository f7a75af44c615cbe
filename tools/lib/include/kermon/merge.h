/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs of one program, each recorded with other programmed events, become one
 * file. The first run stays what it is; the events of each further one are put to
 * where its threads did the same, by the instructions that a thread has executed.
 * Documentation/perf-data.rst tells how.
 *
 *	struct kermon_merge *merge = kermon_merge_new(NULL);
 *
 *	for each file
 *		err = kermon_merge_add(merge, path);
 *	err = kermon_merge_write(merge, fd);
 */
#ifndef KERMON_MERGE_H
#define KERMON_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include <kermon/abi.h>
#include <kermon/cancel.h>

KERMON_BEGIN_DECLS

#define KERMON_MAX_RUNS	16

/**
 * struct kermon_run - one of the runs that a file is merged of
 * @file: its name, as given
 * @events: its programmed events that are in the merged file
 * @dropped: those that are not, as an earlier run has them
 * @instructions: that all its threads executed, in the modes that were counted
 * @oncpu: ns that all its threads were on a CPU
 * @apart: by how much of the first run's instructions a thread executed more or
 *	less than its counterpart there: the largest of all threads; 0 is best
 */
struct kermon_run {
	const char *file;
	unsigned int events;
	unsigned int dropped;
	uint64_t instructions;
	uint64_t oncpu;
	double apart;
};

/* From which difference on the runs are to be labelled as such. */
#define KERMON_APART	0.01

struct kermon_merge;

/**
 * struct kermon_merge_options - how to merge; all may be 0
 * @size: sizeof(struct kermon_merge_options)
 * @cancel: ends kermon_merge_add() and kermon_merge_write() early; NULL: nothing does
 * @progress: told every few megabytes how many of @total bytes of the run that is added,
 *	or of the first run while the file is written, have been read. NULL: nobody
 * @context: handed to @progress
 */
struct kermon_merge_options {
	size_t size;
	const struct kermon_cancel *cancel;
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;
};

/*
 * @options may be NULL, and is copied. Return: NULL, and errno: ENOMEM; EINVAL if its
 * @size is not set; E2BIG if it asks for what only a later version has.
 */
struct kermon_merge *
kermon_merge_new(const struct kermon_merge_options *options);
void kermon_merge_free(struct kermon_merge *merge);

/**
 * kermon_merge_add - take in a run, the first of which is the one that stays
 * @merge: to add it to; of no use any more after an error
 * @path: its file
 *
 * Return: 0; -EINVAL if it cannot be merged with those before it, of which
 * kermon_merge_error() says why, or if one before it could not be; -E2BIG for more
 * than KERMON_MAX_RUNS or more events than a file has; -ECANCELED; else what open(2),
 * mmap(2) and malloc(3) say.
 */
int kermon_merge_add(struct kermon_merge *merge, const char *path);

/* Why not, in words; "" if the errno says it all. */
const char *kermon_merge_error(const struct kermon_merge *merge);

/* Of the runs that were added; NULL after the last. */
const struct kermon_run *kermon_merge_run(const struct kermon_merge *merge,
					  size_t index);

/*
 * Writes the file to @fd, which is empty and seekable, and stays the caller's.
 * Return: 0; -EINVAL if there is no run or one could not be added; -ECANCELED; else
 * -errno. After an error the file is incomplete.
 */
int kermon_merge_write(struct kermon_merge *merge, int fd);

KERMON_END_DECLS
#endif /* KERMON_MERGE_H */
