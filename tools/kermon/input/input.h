/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The recording that a command reads sample by sample, and what is told when it has been
 * read.
 *
 *	if (source_begin(&source, command))
 *		return STATUS_FAILED;
 *	... options into source.input
 *	err = source_read(&source, &callbacks, context);
 *	status = source_status(&source, err);
 *	source_end(&source);
 */
#ifndef KERMON_SOURCE_H
#define KERMON_SOURCE_H

#include <kermon/profile.h>

#include "input_options.h"

/**
 * struct source - a recording to read
 * @command: name of the command that reads it
 * @input: which one, and how
 * @profile: that it was read as
 */
struct source {
	const char *command;
	struct input input;
	struct kermon_profile *profile;
};

/* 0, or -ENOMEM, which is told. To be ended in both cases. */
int source_begin(struct source *source, const struct command *command);
void source_end(struct source *source);

/* As kermon_profile_read(). The profile stays until source_end(). */
int source_read(struct source *source,
		const struct kermon_profile_callbacks *callbacks,
		void *context);

/*
 * Tells what is wrong with the file, or why it could not be read. @err: that of
 * source_read(); of -EPIPE main() tells. Returns the exit status.
 */
int source_status(const struct source *source, int err);

#endif /* KERMON_SOURCE_H */
