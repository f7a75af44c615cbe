/* SPDX-License-Identifier: GPL-2.0 */
/* The file for the log as the kernel has written it, beside the recording. */
#ifndef KERMON_RAWLOG_H
#define KERMON_RAWLOG_H

#include <stdbool.h>

#include "ui/output.h"

/**
 * struct rawlog - an open file
 * @fd: descriptor, or -1
 * @made: its name if the tool has made it, to be removed unless the recording begins
 * @failed: it could not be emptied
 */
struct rawlog {
	int fd;
	char *made;
	bool failed;
};

/*
 * Opens @path, and leaves what is in it. 0 or -errno; -EEXIST if that is the file of
 * @output or of the recording before it, by whatever name.
 */
int rawlog_open(struct rawlog *raw, const struct output *output,
		const char *path);

/* The recording begins: empties the file. 0 or -errno. */
int rawlog_begin(struct rawlog *raw);

/* May be called if nothing was opened. */
void rawlog_close(struct rawlog *raw);

#endif /* KERMON_RAWLOG_H */
