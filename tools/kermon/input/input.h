/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file that a command reads sample by sample: the options that say which one
 * and which samples of it, and what is told when it has been read.
 *
 *	if (source_begin(&source, command))
 *		return STATUS_FAILED;
 *	while ((key = options_next(&options)))
 *		if (!source_option(&source, &options, key))
 *			... one of the command's own
 *	...
 *	err = source_read(&source, &callbacks, context);
 *	status = source_status(&source, err);
 *	source_end(&source);
 */
#ifndef KERMON_SOURCE_H
#define KERMON_SOURCE_H

#include <kermon/profile.h>

#include "filter_options.h"
#include "inline_options.h"
#include "ui/options.h"

enum {
	SOURCE_KEY_SYMFS = 2048,
	SOURCE_KEY_KALLSYMS,
};

#define SOURCE_OPTIONS							\
	{ 'i', 'i', "input", "FILE", "file to read (default: perf.data)" }, \
	FILTER_OPTIONS,							\
	INLINE_OPTIONS,							\
	{ 0, SOURCE_KEY_SYMFS, "symfs", "DIR",				\
	  "look up binaries below this folder" },			\
	{ 0, SOURCE_KEY_KALLSYMS, "kallsyms", "FILE",			\
	  "take the kernel's symbols from this copy of /proc/kallsyms" }

/**
 * struct source - a file to read
 * @command: name of the command that reads it
 * @path: of the file
 * @reading: how it is read
 * @filter: which samples of it; @is_filtered: not all of them
 * @damages: what is wrong with it
 * @profile: that it was read as
 */
struct source {
	const char *command;
	const char *path;
	struct kermon_report_options reading;
	struct kermon_filter *filter;
	bool is_filtered;
	struct kermon_damages *damages;
	struct kermon_profile *profile;
};

/* 0, or -ENOMEM, which is told. To be ended in both cases. */
int source_begin(struct source *source, const struct command *command);
void source_end(struct source *source);

/* Takes an option of SOURCE_OPTIONS; false if it is none. */
bool source_option(struct source *source, struct options *options, int key);

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
