/* SPDX-License-Identifier: GPL-2.0 */
/* The file that is recorded into. */
#ifndef KERMON_OUTPUT_H
#define KERMON_OUTPUT_H

#include <stdbool.h>

/**
 * struct output - an open file
 * @path: its name
 * @old: name of the file that was there before, NULL if there was none
 * @fd: descriptor, at the start of the empty file
 */
struct output {
	const char *path;
	char *old;
	int fd;
};

/*
 * Makes an empty file of mode 0600; one that is there becomes PATH.old. 0 or
 * -errno; -EINVAL if @path is something else than a file.
 */
int output_open(struct output *output, const char *path);

/* Nothing was recorded: puts back what was there before. */
void output_discard(struct output *output);

void output_close(struct output *output);

#endif /* KERMON_OUTPUT_H */
