/* SPDX-License-Identifier: GPL-2.0 */
/* The file that is written. */
#ifndef KERMON_OUTPUT_H
#define KERMON_OUTPUT_H

#include <stdbool.h>
#include <sys/stat.h>

/**
 * struct output - an open file
 * @path: the name it is to have
 * @target: the same, behind links for an export; NULL of what is written directly
 * @draft: the name it has until it is placed; NULL of what is written directly
 * @old: PATH.old, which the recording before is moved to; NULL of an export
 * @saved: the name of what was PATH.old until the file is kept, or NULL
 * @moved: what was there is PATH.old now
 * @placed: the file has its name
 * @kept: and is to stay
 * @obstacle: the file in the way, if placing it failed
 * @fd: descriptor, at the start of the empty file
 */
struct output {
	const char *path;
	char *target;
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
 * For a recording: makes an empty file of mode 0600 beside @path, and touches no other.
 * 0 or -errno; -EINVAL if @path is something else than a file.
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
 * The same for an export, which is written from begin to end. Its mode is what a shell's
 * redirection gives it: that of the file which is there, and whose place it takes without
 * keeping it as PATH.old, or else 0666 less the umask. A link stays, with the export behind
 * it. A device, a pipe, or what is open as /dev/stdout or the like, is written directly.
 * To -EINVAL, folders and disks are left.
 */
int output_open_export(struct output *output, const char *path);
int output_check_export(const char *path);

/*
 * Whether the file @input, or "-" for standard input, stays what it is if an export is
 * written to @path: if not, that is said. output_spares_old() is of a recording, which
 * moves what is there to PATH.old.
 */
bool output_spares(const char *command, const char *path, const char *input);
bool output_spares_old(const char *command, const char *path, const char *input);

/* Whether @path is a name of @file. */
bool output_is_at(const struct stat *file, const char *path);

/*
 * The file gets its name, and the recording that is there becomes PATH.old, in place of an
 * older one, until output_close(), unless it is kept. 0 or -errno.
 */
int output_place(struct output *output);

/* Places it, if it is not yet, for good: there is something in it. 0 or -errno. */
int output_keep(struct output *output);

/* If it was not kept, removes it: all is as it was before. */
void output_close(struct output *output);

#endif /* KERMON_OUTPUT_H */
