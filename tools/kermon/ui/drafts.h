/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that are written under another name until they are complete. A signal that ends
 * the tool removes them.
 */
#ifndef KERMON_DRAFTS_H
#define KERMON_DRAFTS_H

#include <sys/types.h>

/**
 * draft_make - make an empty file
 * @path: the name that it is to have in the end
 * @mode: its mode, less the umask
 * @fd: set to its descriptor, for reading and writing
 *
 * Return: its name for now, beside @path; to be freed. NULL: see errno.
 */
char *draft_make(const char *path, mode_t mode, int *fd);

/*
 * The file @draft is to be removed if a signal ends the tool, until it is forgotten. Writing
 * beyond a limit of size (ulimit -f) is an error from then on, EFBIG, and no such signal.
 */
void draft_watch(char *draft);
void draft_forget(const char *draft);

#endif /* KERMON_DRAFTS_H */
