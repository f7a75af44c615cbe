/* SPDX-License-Identifier: GPL-2.0 */
/* Telling what is wrong with a file that was to be read. */
#ifndef KERMON_DAMAGES_H
#define KERMON_DAMAGES_H

#include <kermon/report.h>
#include <stdbool.h>

/* One thing that is wrong with the file at @path. */
void damages_one(const char *command, const char *path,
		 const struct kermon_damage *damage);

/* After the last one: of @nr, @told were told. Returns whether there is any. */
bool damages_end(uint64_t nr, uint64_t told);

/*
 * The file could not be read, for -errno @err; @damaged: it was told what is wrong
 * with it, which explains it unless memory or the like ran out. Returns the exit status.
 */
int damages_failure(const char *command, const char *path, int err,
		    bool damaged);

#endif /* KERMON_DAMAGES_H */
