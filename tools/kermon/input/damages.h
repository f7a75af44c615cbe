/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to damages.c: messages about damages of a file that is read.
 */
#ifndef KERMON_DAMAGES_H
#define KERMON_DAMAGES_H

#include <kermon/damage.h>
#include <stdbool.h>

/* Print one damage of the file at @path. */
void damages_one(const char *command, const char *path,
		 const struct kermon_damage *damage);

/* Print the damages that were kept, and the number of others. Returns whether any exist. */
bool damages_tell(const char *command, const char *path,
		  const struct kermon_damages *damages);

/* Allocate a list of damages; NULL if out of memory, after a message. */
struct kermon_damages *damages_new(const char *command);

/*
 * Report that the file could not be read because of -errno @err. With @damaged, a damage
 * has been reported and explains the failure, unless this machine ran out of a resource.
 * Returns the exit status.
 */
int damages_failure(const char *command, const char *path, int err,
		    bool damaged);

#endif /* KERMON_DAMAGES_H */
