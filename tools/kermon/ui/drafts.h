/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to drafts.c: files that are written under a temporary name until they are
 * complete, and that are removed if a signal kills the tool.
 */
#ifndef KERMON_DRAFTS_H
#define KERMON_DRAFTS_H

#include <sys/types.h>

/**
 * draft_make - create an empty file
 * @path: its final path
 * @mode: its mode, to which the umask is applied
 * @fd: set to its descriptor, for reading and writing
 *
 * Return: its temporary path, in the same directory, to be freed; NULL on failure, with
 * errno set.
 */
char *draft_make(const char *path, mode_t mode, int *fd);

/*
 * The same, and remove the file if a signal kills the tool, until draft_forget(). Also ignore
 * SIGXFSZ, so that exceeding the file size limit (ulimit -f) is the error EFBIG.
 */
char *draft_make_watched(const char *path, mode_t mode, int *fd);
void draft_forget(const char *draft);

#endif /* KERMON_DRAFTS_H */
