/* SPDX-License-Identifier: GPL-2.0 */
/* Telling what is wrong with a file that was to be read. */
#ifndef KERMON_DAMAGES_H
#define KERMON_DAMAGES_H

#include <kermon/damage.h>
#include <stdbool.h>

/* One thing that is wrong with the file at @path. */
void damages_one(const char *command, const char *path,
		 const struct kermon_damage *damage);

/* Those that were kept, and how many more there are. Returns whether there is any. */
bool damages_tell(const char *command, const char *path,
		  const struct kermon_damages *damages);

/* A place for them, NULL if there is no memory for it, which is told. */
struct kermon_damages *damages_new(const char *command);

/*
 * The file could not be read, for -errno @err; @damaged: it was told what is wrong
 * with it, which explains it unless memory or the like ran out. Returns the exit status.
 */
int damages_failure(const char *command, const char *path, int err,
		    bool damaged);

#endif /* KERMON_DAMAGES_H */
