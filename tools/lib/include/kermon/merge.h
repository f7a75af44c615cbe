/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Merge runs of one program, each recorded with other programmed events, into one file.
 * The first run is copied unchanged. The events of each further run are added where its
 * threads, or the CPUs of kermon spy, had made the same progress, measured in executed
 * instructions.
 * Documentation/perf-data.rst describes how.
 *
 *	struct kermon_merge *merge = kermon_merge_new(NULL);
 *
 *	for each file
 *		err = kermon_merge_add(merge, path);
 *	err = kermon_merge_write(merge, fd);
 */
#ifndef KERMON_MERGE_H
#define KERMON_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kermon/abi.h>
#include <kermon/cancel.h>

KERMON_BEGIN_DECLS

#define KERMON_MAX_RUNS	16

/**
 * struct kermon_run - one of the runs in a merged file
 * @file: its name, as given
 * @events: number of its programmed events in the merged file
 * @dropped: number of those that were dropped because an earlier run has them
 * @instructions: executed by all its threads or CPUs, in the modes that were counted
 * @oncpu: ns on a CPU, of all its threads; of kermon spy: from its begin to its end
 * @apart: difference between the instructions of a thread and those of its counterpart
 *	in the first run, as a fraction of the latter: the maximum of all threads; 0 is best.
 *	Of kermon spy: the sum of the differences of all CPUs, as a fraction of the
 *	instructions of the first run
 * @regions: whether it has marks of regions; the merged file has those of the first run
 */
struct kermon_run {
	const char *file;
	unsigned int events;
	unsigned int dropped;
	uint64_t instructions;
	uint64_t oncpu;
	double apart;
	bool regions;
};

/* Difference above which the runs are to be labelled as different. */
#define KERMON_APART	0.01

struct kermon_merge;

/**
 * struct kermon_merge_options - how to merge; all may be 0
 * @size: sizeof(struct kermon_merge_options)
 * @cancel: makes kermon_merge_add() and kermon_merge_write() return early; may be NULL
 * @progress: called every few megabytes with the number of bytes read out of @total, of
 *	the run that is added, or of the first run while the file is written; may be NULL
 * @context: passed to @progress
 * @compression: of the records of the merged file: see struct kermon_writer_options
 */
struct kermon_merge_options {
	size_t size;
	const struct kermon_cancel *cancel;
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;
	int compression;
};

/*
 * @options may be NULL, and is copied. Return: NULL, and errno: ENOMEM; EINVAL if its
 * @size is not set or the compression is out of range; E2BIG if it uses members of a later version.
 */
struct kermon_merge *
kermon_merge_new(const struct kermon_merge_options *options);
void kermon_merge_free(struct kermon_merge *merge);

/**
 * kermon_merge_add - add a run; the first one is the base of the merged file
 * @merge: to add it to; unusable after an error
 * @path: its file
 *
 * Return: 0; -EINVAL if it cannot be merged with the previous ones, for the reason in
 * kermon_merge_error(), or if adding a previous one failed; -E2BIG for more than
 * KERMON_MAX_RUNS or more events than a file can have; -ECANCELED; otherwise an error of
 * open(2), mmap(2) or malloc(3).
 */
int kermon_merge_add(struct kermon_merge *merge, const char *path);

/* The reason why a run cannot be merged; "" if the errno is sufficient. */
const char *kermon_merge_error(const struct kermon_merge *merge);

/* Run @index of those that were added; NULL beyond the last one. */
const struct kermon_run *kermon_merge_run(const struct kermon_merge *merge,
					  size_t index);

/* Whether the first run is of CPUs, by kermon spy, and so are the others. */
bool kermon_merge_is_of_cpus(const struct kermon_merge *merge);

/*
 * Write the file to @fd, which must be empty and seekable, and remains the caller's.
 * Return: 0; -EINVAL if there is no run or one could not be added; -ECANCELED; else
 * -errno. After an error the file is incomplete.
 */
int kermon_merge_write(struct kermon_merge *merge, int fd);

KERMON_END_DECLS
#endif /* KERMON_MERGE_H */
