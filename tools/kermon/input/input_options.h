/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The recording that a command reads: the options that say which one, which samples of
 * it and how. In the table of a command stand those groups that it has use for:
 *
 *	FILE_OPTION(INPUT_DEFAULT),
 *	GROUP(input, struct arguments, input),
 *	GROUP(filter, struct arguments, input.filter),
 *	GROUP(inline, struct arguments, input.reading),
 *	EVENT_OPTION(struct arguments, input.event, "cycles"),
 *
 * and FILE is its operand, .operand = &value_input: "-i FILE" is the same as FILE.
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

/* Which samples of a recording: @used: not all of them. */
struct input_filter {
	struct kermon_filter *filter;
	bool used;
};

/**
 * struct input - a recording to read
 * @path: of it
 * @reading: how
 * @filter: which samples
 * @event: the one it is about, as written; NULL: nobody said
 * @progress: how far it has been read
 * @damages: what is wrong with it
 */
struct input {
	const char *path;
	struct kermon_report_options reading;
	struct input_filter filter;
	const char *event;
	struct progress progress;
	struct kermon_damages *damages;
};

/* A recording; its name becomes an operand. */
extern const struct value_type value_input;

/* -i, which is stored as an operand; without it, @standard is read */
#define FILE_OPTION(standard)						\
	{ 'i', "input", "FILE", "recording to read, as the argument FILE", \
	  .type = &value_input, .preset = (standard) }

/* --symfs, --kallsyms, --no-progress */
#define GROUP_input	struct input
extern const struct option_spec input_options[];

/* -c, --pid, --tid, -C, -d, -S, --time */
#define GROUP_filter	struct input_filter
extern const struct option_spec filter_options[];

/* --inline, --no-inline, of commands that show call chains */
#define GROUP_inline	struct kermon_report_options
extern const struct option_spec inline_options[];

/* An event of the recording, as it was written. */
#define VALUE_event	const char *
extern const struct value_type value_event;

/* -e; without it, it is the event @standard, in words */
#define EVENT_OPTION(in, member, standard)				\
	{ 'e', "event", "EVENT",					\
	  "use this event: NAME, NAME:MODIFIERS or NAME#2",		\
	  VALUE(event, in, member), .preset = (standard) }

/* 0, or -ENOMEM, which is told. To be ended in both cases. */
int input_begin(struct input *input, const struct command *command);
void input_end(struct input *input);

/* The first of the operands, or perf.data. */
const char *input_path(const struct options *options);

/* Whether to write to @path leaves alone what is read; if not, @command says it. */
bool input_is_spared(const struct input *input, const char *command,
		     const char *path);

#endif /* KERMON_INPUT_OPTIONS_H */
