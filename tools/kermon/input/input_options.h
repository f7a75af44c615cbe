/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to input_options.c: the options of all commands that read recordings. The table
 * of a command includes the groups that apply:
 *
 *	FILE_OPTION(INPUT_DEFAULT),
 *	GROUP(input, struct arguments, input),
 *	GROUP(filter, struct arguments, input.filter),
 *	GROUP(chains, struct arguments, input.reading),
 *	EVENT_OPTION(struct arguments, input.event, "cycles"),
 *
 * Recordings are operands, .operand = &value_input: "-i FILE" is the same as "FILE".
 */
#ifndef KERMON_INPUT_OPTIONS_H
#define KERMON_INPUT_OPTIONS_H

#include <kermon/filter.h>
#include <kermon/report.h>
#include <stdbool.h>

#include "ui/options.h"
#include "ui/progress.h"
#include "ui/values.h"

#define INPUT_DEFAULT	"perf.data"

/* Filter of samples; @used is set if it has any condition. */
struct input_filter {
	struct kermon_filter *filter;
	bool used;
};

/**
 * struct input - a recording to read
 * @path: path of the recording, of commands that read one
 * @reading: options of libkermon
 * @filter: filter of samples
 * @event: name of the event to use; NULL for the default
 * @progress: progress of reading
 * @damages: damages found by reading
 */
struct input {
	const char *path;
	struct kermon_report_options reading;
	struct input_filter filter;
	const char *event;
	struct progress progress;
	struct kermon_damages *damages;
};

/* The path of a recording, which becomes an operand. */
extern const struct value_type value_input;

/* -i; @standard is the default in words */
#define FILE_OPTION(standard)						\
	{ 'i', "input", "FILE", "recording to read, same as the argument FILE", \
	  .type = &value_input, .preset = (standard) }

/* -f, which perf requires for files of other users; stored in @member of @in, a bool */
#define FORCE_OPTION(in, member)					\
	{ 'f', "force", NULL, "read files of any owner, as without this option", \
	  VALUE(flag, in, member) }

/* --symfs, --kallsyms, -k, --no-progress */
#define GROUP_input	struct input
extern const struct option_spec input_options[];

/* -c, --pid, --tid, -C, -d, -S, --time */
#define GROUP_filter	struct input_filter
extern const struct option_spec filter_options[];

/* The same with the letters of perf diff: -C is --comms, and --cpu has none. */
#define GROUP_diff_filter	struct input_filter
extern const struct option_spec diff_filter_options[];

/* --max-stack, --inline, --no-inline, for commands that show call chains */
#define GROUP_chains	struct kermon_report_options
extern const struct option_spec chains_options[];

/* Name of an event of the recording, as given. */
#define VALUE_event	const char *
extern const struct value_type value_event;

/* -e; @standard is the default in words */
#define EVENT_OPTION(in, member, standard)				\
	{ 'e', "event", "EVENT",					\
	  "event to use: NAME, NAME:MODIFIERS or NAME#2",		\
	  VALUE(event, in, member), .preset = (standard) }

/* Returns 0, or -ENOMEM after a message. Call input_end() in both cases. */
int input_begin(struct input *input, const struct command *command);
void input_end(struct input *input);

/* The first operand; without any, standard input if it is a pipe, as in perf, or perf.data. */
const char *input_path(const struct options *options);

/* Whether writing to @path would not replace an input file; if it would, print a message. */
bool input_is_spared(const struct input *input, const char *command,
		     const char *path);

#endif /* KERMON_INPUT_OPTIONS_H */
