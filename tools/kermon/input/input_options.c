// SPDX-License-Identifier: GPL-2.0
/* Options of all commands that read recordings, and their defaults. */
#include <errno.h>
#include <kermon/profile.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input_options.h"
#include "ui/completion.h"
#include "ui/message.h"
#include "ui/output.h"

static void take_input(struct options *options, const struct option_spec *spec,
		       void *to)
{
	(void)spec;
	(void)to;
	options_add_operand(options, options->value);
}

const struct value_type value_input = {
	.take = take_input,
	.complete = completion_files,
	.is_recording = true,
};

/* In a folder that does not exist, no file would be found, for which there are other reasons. */
static void take_existing(struct options *options, const struct option_spec *spec,
			  void *to)
{
	struct stat st;
	int err = stat(options->value, &st) ? errno :
		  S_ISDIR(st.st_mode) ? 0 : ENOTDIR;

	(void)spec;
	if (err)
		options_stop(options, "invalid folder '%s' for '%s': %s",
			     options->value, options->token, strerror(err));
	*(const char **)to = options->value;
}

static const struct value_type value_existing = {
	.take = take_existing,
	.complete = completion_folders,
};

#define VALUE_existing	const char *

const struct option_spec input_options[] = {
	{ 0, "symfs", "DIR", "look up binaries below this folder",
	  VALUE(existing, struct input, reading.symfs), .preset = "/" },
	{ 0, "kallsyms", "FILE",
	  "read kernel symbols from this copy of /proc/kallsyms",
	  VALUE(file, struct input, reading.kallsyms) },
	{ 'k', "vmlinux", "FILE", "read kernel symbols and lines from this file",
	  VALUE(file, struct input, reading.vmlinux) },
	{ 0, "no-progress", NULL, "do not show progress",
	  VALUE(flag, struct input, progress.off) },
	{}
};

/* What a filter takes, for messages. */
struct filter_kind {
	const char *what;
	const char *valid;
};

static void take_filter(struct options *options, const struct option_spec *spec,
			void *to)
{
	const struct filter_kind *kind = spec->of;
	struct input_filter *filter = to;
	int err = kermon_filter_add(filter->filter, spec->number,
				    options->value);

	filter->used = true;
	if (err == -EINVAL)
		options_stop(options, "invalid %s '%s' for '%s'; valid: %s",
			     kind->what, options->value, options->token,
			     kind->valid);
	else if (err)
		options_stop(options, "%s", strerror(-err));
}

static const struct value_type value_filter = { .take = take_filter };

#define FILTER(by, ...)							\
	.type = &value_filter, .number = KERMON_FILTER_##by,		\
	.of = &(const struct filter_kind){ __VA_ARGS__ }
#define NAMES	"names, separated by commas"
#define NUMBERS	"numbers, separated by commas"

/* perf diff has other letters for two of them than perf report. */
#define COMMS(letter)							\
	{ letter, "comms", "NAME,...", "only threads with these names",	\
	  FILTER(COMM, "list of names", NAMES) }
#define CPUS(letter)							\
	{ letter, "cpu", "CPU,...", "only these CPUs: 0-3,8",		\
	  FILTER(CPU, "CPU list", "numbers and ranges: 0-3,8") }

static const struct option_spec other_filter_options[] = {
	{ 0, "pid", "PID,...", "only these processes",
	  FILTER(PID, "list of processes", NUMBERS) },
	{ 0, "tid", "TID,...", "only these threads",
	  FILTER(TID, "list of threads", NUMBERS) },
	{ 'd', "dsos", "NAME,...",
	  "only addresses in these programs and libraries",
	  FILTER(DSO, "list of programs and libraries", NAMES) },
	{ 'S', "symbols", "NAME,...", "only addresses in these functions",
	  FILTER(SYMBOL, "list of functions", NAMES) },
	{ 0, "time", "FROM,TO",
	  "only this time range in seconds, time of day (10:30,10:31) or part of the recording (10%-20%)",
	  FILTER(TIME, "time range",
		 "FROM,TO in seconds or as 2026-11-25 10:29:33, or 10%-20%") },
	{}
};

const struct option_spec filter_options[] = {
	COMMS('c'), CPUS('C'), { .group = other_filter_options }, {}
};

const struct option_spec diff_filter_options[] = {
	COMMS('C'), CPUS(0), { .group = other_filter_options }, {}
};

const struct option_spec chains_options[] = {
	{ 0, "max-stack", "NUMBER",
	  "maximum length of call chains: of each the innermost functions",
	  VALUE(count, struct kermon_report_options, max_stack),
	  .preset = "no limit" },
	{ 0, "inline", NULL, "show inlined functions in all call chains",
	  VALUE(number, struct kermon_report_options, inlines),
	  .number = KERMON_INLINES_ALL,
	  .preset = "in those unwound from copies of the stack" },
	{ 0, "no-inline", NULL, "show no inlined functions",
	  VALUE(number, struct kermon_report_options, inlines),
	  .number = KERMON_INLINES_NONE },
	{}
};

/* Offer the events, and end reading. */
static int offer_events(void *context, struct kermon_profile *profile)
{
	const struct kermon_profile_event *event;

	for (size_t i = 0; (event = kermon_profile_event(profile, i)); i++)
		completion_offer(context, event->name, NULL);
	return -1;
}

static void complete_events(struct completion *completion)
{
	static const struct kermon_profile_callbacks callbacks = {
		.size = sizeof(callbacks),
		.begin = offer_events,
	};
	const char *path = completion->path ? completion->path : INPUT_DEFAULT;
	struct kermon_profile *profile;

	if (!strcmp(path, "-"))
		return;
	profile = kermon_profile_new(NULL, &callbacks, completion);
	if (profile)
		kermon_profile_read(profile, path);
	kermon_profile_free(profile);
}

static void take_event(struct options *options, const struct option_spec *spec,
		       void *to)
{
	(void)spec;
	*(const char **)to = options->value;
}

const struct value_type value_event = {
	.take = take_event,
	.complete = complete_events,
};

int input_begin(struct input *input, const struct command *command)
{
	*input = (struct input){
		.path = INPUT_DEFAULT,
		.filter.filter = kermon_filter_new(),
		.damages = kermon_damages_new(NULL, NULL),
	};
	input->reading = (struct kermon_report_options){
		.size = sizeof(input->reading),
		.progress = progress_update,
		.context = &input->progress,
		.filter = input->filter.filter,
		.damages = input->damages,
	};
	if (input->filter.filter && input->damages)
		return 0;
	message(command->name, "out of memory");
	return -ENOMEM;
}

void input_end(struct input *input)
{
	kermon_filter_free(input->filter.filter);
	kermon_damages_free(input->damages);
}

static void do_nothing(int number)
{
	(void)number;
}

/*
 * Ctrl-C ends all programs of a pipeline. The one that records writes what is left when it
 * ends, which is read: only a second one ends this program.
 */
static void outlive_first_interrupt(void)
{
	const struct sigaction action = {
		.sa_handler = do_nothing, .sa_flags = SA_RESETHAND | SA_RESTART,
	};
	struct sigaction before;

	if (!sigaction(SIGINT, NULL, &before) && before.sa_handler == SIG_DFL)
		sigaction(SIGINT, &action, NULL);
}

static bool stdin_is_fifo(void)
{
	struct stat st;

	return !fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode);
}

/*
 * Whether standard input is a pipe with data; waits for that. That of a command which ssh,
 * cron or a container has started is often one that is closed and empty.
 */
static bool stdin_is_pipe(void)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

	return stdin_is_fifo() && (poll(&in, 1, -1) <= 0 || in.revents & POLLIN);
}

const char *input_path(const struct options *options)
{
	const char *path = options->nr_operands ? options->operands[0] :
			   stdin_is_pipe() ? "-" : INPUT_DEFAULT;

	if (!strcmp(path, "-") && stdin_is_fifo())
		outlive_first_interrupt();
	return path;
}

bool input_is_spared(const struct input *input, const char *command,
		     const char *path)
{
	const char *const symbols[] = {
		input->reading.kallsyms, input->reading.vmlinux,
	};

	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
		if (symbols[i] && !output_spares(command, path, symbols[i]))
			return false;
	return output_spares(command, path, input->path);
}
