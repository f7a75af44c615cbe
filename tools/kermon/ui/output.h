/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to output.c: output files that are complete or not there at all.
 */
#ifndef KERMON_OUTPUT_H
#define KERMON_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

/**
 * struct output - an open file
 * @path: final path
 * @target: the same, with links resolved for an export; NULL if written directly
 * @draft: temporary path until it is placed; NULL if written directly
 * @old: PATH.old, to which the previous recording is renamed; NULL for an export
 * @saved: temporary path of the former PATH.old until the file is kept, or NULL
 * @removed: if there is @saved, that file, open from when the new one is kept; or -1
 * @moved: the previous recording has been renamed to PATH.old
 * @placed: the file has its final path
 * @kept: the file is not removed by output_close()
 * @stream: it is standard output, which may be a pipe
 * @obstacle: the file that made output_place() fail
 * @fd: descriptor, at the start of the empty file
 */
struct output {
	const char *path;
	char *target;
	char *draft;
	char *old;
	char *saved;
	int removed;
	bool moved;
	bool placed;
	bool kept;
	bool stream;
	const char *obstacle;
	int fd;
};

/*
 * For a recording: create an empty file of mode 0600 in the directory of @path, and change
 * no other. /dev/null is written directly, and so is standard output if @path is "-".
 * Returns 0 or -errno; -EINVAL if @path is not a regular file; -ENOTTY if standard output
 * is a terminal.
 */
int output_open(struct output *output, const char *path);

/* A temporary file without a name, which ends with output_close(). Returns 0 or -errno. */
int output_open_scratch(struct output *output);

/*
 * Check whether output_open() will accept @path, without changing anything: for an early
 * error before long work. Returns 0 or -errno, as there.
 */
int output_check(const char *path);

/* The file for messages: its path, or "standard output". */
const char *output_name(const struct output *output);

/* Whether what is written can be read again. */
bool output_lasts(const struct output *output);

/* The reason for error @err in words. */
const char *output_reason(int err);

/*
 * The same for an export, which is written sequentially. As with a shell's redirection, its
 * mode is that of the existing file, which is replaced without PATH.old, or else 0666 less
 * the umask; links are followed. A character device, a pipe or an open file such as
 * /dev/stdout is written directly. Directories and block devices are -EINVAL.
 */
int output_open_export(struct output *output, const char *path);
int output_check_export(const char *path);

/*
 * Whether writing an export to @path leaves the file @input, or "-" for standard input,
 * unchanged; if not, print a message. output_spares_old() is for a recording, which
 * renames the file at @path to PATH.old.
 */
bool output_spares(const char *command, const char *path, const char *input);
bool output_spares_old(const char *command, const char *path, const char *input);

/* Whether @path is a name of @file. */
bool output_is_at(const struct stat *file, const char *path);

/*
 * Rename the file to its final path, and the previous recording to PATH.old. Unless
 * output_keep() follows, output_close() undoes this. Returns 0 or -errno.
 */
int output_place(struct output *output);

/* Place the file if it is not yet, and keep it. Returns 0 or -errno. */
int output_keep(struct output *output);

/* Write what @write writes to an open file, and keep it. Returns 0 or -errno, as @write. */
int output_print(struct output *output,
		 int (*write)(const void *context, FILE *out), const void *context);

/*
 * Write an export to @path: all that @write writes, or nothing if that fails. @write
 * returns 0 or -errno, and so does this.
 */
int output_write(const char *path, int (*write)(const void *context, FILE *out),
		 const void *context);

/* Close the file; unless it was kept, remove it and restore the previous files. */
void output_close(struct output *output);

#endif /* KERMON_OUTPUT_H */
