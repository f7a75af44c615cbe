/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to folder.c: a folder with a file per CPU, which has the set that the CPU counts.
 * Whoever writes another set to the file changes that.
 */
#ifndef KERMON_FOLDER_H
#define KERMON_FOLDER_H

#include "watch.h"

/**
 * struct folder - the folder
 * @path: its path; NULL: none
 * @fd: inotify(7), -1: none
 * @made: the folder was created here
 * @files: of each CPU of the sums: its file was created here
 */
struct folder {
	const char *path;
	int fd;
	bool made;
	bool *files;
};

/*
 * Create the folder if it is not there, and the files of CPUs; those that are there already
 * say what is to be counted. The spies run. Returns the exit status.
 */
int folder_open(struct folder *folder, struct watch *watch);

/* Carry out what was written to the files. */
void folder_take(struct folder *folder, struct watch *watch);

/* Remove what was created. */
void folder_close(struct folder *folder, const struct watch *watch);

#endif /* KERMON_FOLDER_H */
