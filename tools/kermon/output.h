/* SPDX-License-Identifier: GPL-2.0 */
/* The file that is recorded into. */
#ifndef KERMON_OUTPUT_H
#define KERMON_OUTPUT_H

/**
 * struct output - an open file
 * @path: the name it is to have
 * @draft: the name it has until it is kept, then NULL
 * @fd: descriptor, at the start of the empty file
 */
struct output {
	const char *path;
	char *draft;
	int fd;
};

/*
 * Makes an empty file of mode 0600 beside @path, and touches no other. 0 or
 * -errno; -EINVAL if @path is something else than a file.
 */
int output_open(struct output *output, const char *path);

/*
 * There is something to record: the file gets its name, and one that is there
 * becomes PATH.old, in place of an older one. 0 or -errno.
 */
int output_keep(struct output *output);

/* Removes a file that was not kept: all is as it was before. */
void output_close(struct output *output);

#endif /* KERMON_OUTPUT_H */
