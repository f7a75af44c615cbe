/* SPDX-License-Identifier: GPL-2.0 */
/* The file that is written. */
#ifndef KERMON_OUTPUT_H
#define KERMON_OUTPUT_H

#include <stdbool.h>
#include <sys/stat.h>

/**
 * struct output - an open file
 * @path: the name it is to have
 * @draft: the name it has until it is placed; NULL of what is written directly
 * @old: PATH.old
 * @saved: the name of what was PATH.old until the file is kept, or NULL
 * @moved: what was there is PATH.old now
 * @placed: the file has its name
 * @kept: and is to stay
 * @obstacle: the file in the way, if placing it failed
 * @fd: descriptor, at the start of the empty file
 */
struct output {
	const char *path;
	char *draft;
	char *old;
	char *saved;
	bool moved;
	bool placed;
	bool kept;
	const char *obstacle;
	int fd;
};

/*
 * Makes an empty file of mode 0600 beside @path, and touches no other. 0 or
 * -errno; -EINVAL if @path is something else than a file.
 */
int output_open(struct output *output, const char *path);

/*
 * Whether output_open() will take @path, as far as can be told without touching anything:
 * for what is to be known before a long way. 0 or -errno, as there.
 */
int output_check(const char *path);

/* In words, why @path cannot be written. */
const char *output_reason(int err);

/*
 * The same for what is written from begin to end: a device, a pipe, or what is open as
 * /dev/stdout or the like, is written directly. To -EINVAL, folders and disks are left.
 */
int output_open_stream(struct output *output, const char *path);
int output_check_stream(const char *path);

/* Whether @path is a name of @file. */
bool output_is_at(const struct stat *file, const char *path);

/*
 * The file gets its name, and one that is there becomes PATH.old, in place of an older
 * one, until output_close(), unless it is kept. 0 or -errno.
 */
int output_place(struct output *output);

/* Places it, if it is not yet, for good: there is something in it. 0 or -errno. */
int output_keep(struct output *output);

/* If it was not kept, removes it: all is as it was before. */
void output_close(struct output *output);

#endif /* KERMON_OUTPUT_H */
