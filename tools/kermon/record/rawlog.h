/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to rawlog.c: the file of --raw-log, which gets the log as the kernel writes
 * it, in addition to perf.data.
 */
#ifndef KERMON_RAWLOG_H
#define KERMON_RAWLOG_H

#include <stdbool.h>

#include "ui/output.h"

/**
 * struct rawlog - an open file
 * @fd: descriptor, or -1
 * @made: its path if the tool has created it, to remove it unless the recording begins;
 *	owned by this
 * @failed: truncating it has failed
 */
struct rawlog {
	int fd;
	char *made;
	bool failed;
};

/*
 * Open @path without changing its content. Returns 0 or -errno; -EEXIST if it is, by any
 * name, the file of @output or the previous recording that @output keeps.
 */
int rawlog_open(struct rawlog *raw, const struct output *output,
		const char *path);

/* Truncate the file when the recording begins. Returns 0 or -errno. */
int rawlog_begin(struct rawlog *raw);

/* Close the file, if any; remove it if it was created and the recording never began. */
void rawlog_close(struct rawlog *raw);

#endif /* KERMON_RAWLOG_H */
