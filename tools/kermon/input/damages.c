// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the damages of a file, or why it could not be read.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "damages.h"
#include "ui/command.h"
#include "ui/message.h"

void damages_one(const char *command, const char *path,
		 const struct kermon_damage *damage)
{
	if (damage->offset == KERMON_NO_OFFSET)
		message(command, "%s: %s", path, damage->text);
	else
		message(command, "%s: at offset %" PRIu64 ": %s", path,
			damage->offset, damage->text);
}

bool damages_tell(const char *command, const char *path,
		  const struct kermon_damages *damages)
{
	uint64_t nr = kermon_damages_count(damages), told = 0;
	const struct kermon_damage *damage;

	while ((damage = kermon_damages_get(damages, told))) {
		damages_one(command, path, damage);
		told++;
	}
	if (nr > told)
		message_hint("and %" PRIu64 " more damages", nr - told);
	return nr;
}

struct kermon_damages *damages_new(const char *command)
{
	struct kermon_damages *damages = kermon_damages_new(NULL, NULL);

	if (!damages)
		message(command, "out of memory");
	return damages;
}

/* Errors of this machine, which no damage of the file explains. */
static bool is_of_this_machine(int err)
{
	return err == -ENOMEM || err == -ENOSPC || err == -EIO;
}

int damages_failure(const char *command, const char *path, int err,
		    bool damaged)
{
	if (err == -ENOENT) {
		message(command, "%s: no such file", path);
		message_hint("record one with 'kermon run', or name another file");
	} else if (err == -ENOMSG) {
		message(command, "%s: the file has no samples, only counts of perf stat",
			path);
		message_hint("'kermon script' prints the counts");
	} else if (!damaged || is_of_this_machine(err)) {
		message(command, "cannot read %s: %s", path, strerror(-err));
		if (err == -EACCES)
			message_hint("only its owner may read a perf.data file: see 'ls -l'");
	}
	return STATUS_FAILED;
}
