/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to profile_input.c: a recording that a command reads sample by sample.
 *
 *	if (!profile_input_begin(&source, command)) {
 *		... parse options into source.input
 *		err = profile_input_read(&source, &callbacks, context);
 *		status = profile_input_status(&source, err);
 *	}
 *	profile_input_end(&source);
 */
#ifndef KERMON_PROFILE_INPUT_H
#define KERMON_PROFILE_INPUT_H

#include <kermon/profile.h>

#include "input_options.h"

/**
 * struct profile_input - a recording that is read as a profile
 * @command: name of the command, for messages
 * @input: options
 * @profile: the profile, from profile_input_read() on
 */
struct profile_input {
	const char *command;
	struct input input;
	struct kermon_profile *profile;
};

/* Returns 0, or -ENOMEM after a message. Call profile_input_end() in both cases. */
int profile_input_begin(struct profile_input *source,
			const struct command *command);
void profile_input_end(struct profile_input *source);

/* Read the recording. Returns as kermon_profile_read(). */
int profile_input_read(struct profile_input *source,
		       const struct kermon_profile_callbacks *callbacks,
		       void *context);

/*
 * Print what is wrong with the file, or why it was not read; @err is the result of
 * profile_input_read(). main() reports -EPIPE. Returns the exit status.
 */
int profile_input_status(const struct profile_input *source, int err);

#endif /* KERMON_PROFILE_INPUT_H */
