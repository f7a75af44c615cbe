// SPDX-License-Identifier: GPL-2.0
/* kermon top: shows which threads use the CPU, and what they execute there. */
#include <errno.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "machine/hypervisor.h"
#include "machine/proc.h"
#include "machine/selection.h"
#include "top.h"
#include "ui/completion.h"
#include "ui/message.h"
#include "ui/values.h"
#include "util/nearmatch.h"

/* Files that are not of threads: standard streams, /proc, energy, the output. */
#define OTHER_FILES	(32 + ENERGY_COUNTERS)

static const struct value_range delays = {
	.min = 10000000, .max = 3600 * 1000000000ULL,
};

#define VALUE_events	const char *

static const struct value_type value_events = {
	.separators = ",",
	.take = value_take_text,
	.complete = selection_complete,
};

static void complete_columns(struct completion *completion)
{
	const struct column *column;

	for (unsigned int i = 0; (column = column_at(i)); i++)
		completion_offer(completion, column->name, column->help);
}

#define VALUE_column	const char *

static const struct value_type value_column = {
	.take = value_take_text,
	.complete = complete_columns,
};

static const struct option_spec options_of_top[] = {
	{ 'd', "delay", "TIME", "length of an interval",
	  VALUE(duration, struct top, delay_ns), .of = &delays, .preset = "1s" },
	{ 'n', "iterations", "N", "end after N intervals",
	  VALUE(count, struct top, iterations) },
	{ 'p', "pid", "PID,...", "show only these processes",
	  VALUE(pids, struct top, pids) },
	{ 't', "tid", "TID,...", "show only these threads",
	  VALUE(pids, struct top, tids) },
	{ 'u', "uid", "USER", "show only processes of this user, by name or number",
	  VALUE(text, struct top, user) },
	{ 0, "per-process", NULL, "a row per process, not per thread",
	  VALUE(flag, struct top, per_process) },
	{ 's', "sort", "COLUMN", "sort by this column",
	  VALUE(column, struct top, sort), .preset = "run" },
	{ 'e', "event", "SET|EVENT,...", "count these for each thread",
	  VALUE(events, struct top, text),
	  .preset = "instructions, cycles, and floating-point operations" },
	{ 'b', "batch", NULL, "print a table per interval, without a live view",
	  VALUE(flag, struct top, batch) },
	{ 0, "csv", NULL, "print comma-separated values: a header line, and a line per interval and row",
	  VALUE(flag, struct top, csv) },
	GROUP(json, struct top, json),
	OUTPUT_OPTION(struct top, path, "standard output; beside a live view, CSV"),
	GROUP(color, struct top, color),
	{}
};

static const struct option_conflict conflicts_of_top[] = {
	{ "csv", "json" },
	{ "pid", "uid" },
	{ "tid", "uid" },
	{ "pid", "tid" },
	{}
};

static int say_events(const struct top *top, int err,
		      const struct kermon_event_error *error)
{
	if (err == -E2BIG)
		message(top->command->name, "'%s' is one event too many: %d are the most",
			error->word, THREADS_CHOSEN);
	else
		selection_say(top->command->name, KERMON_COUNT_USER | KERMON_COUNT_KERNEL,
			      err, error);
	return STATUS_USAGE;
}

static int choose_events(struct top *top)
{
	char hypervisor[HYPERVISOR_SIZE], refused[KERMON_EVENT_NAME];
	struct kermon_event_error error;
	int err = threads_events_choose(&top->events, top->text, &error);

	if (err)
		return say_events(top, err, &error);
	if (threads_events_probe(&top->events, refused)) {
		message(top->command->name, "this CPU cannot count '%s'", refused);
		message_hint("'kermon list' shows the sets and events of this CPU");
		return STATUS_FAILED;
	}
	reason_find(top);
	hypervisor_name(hypervisor);
	top->emulated = hypervisor_is_emulator(hypervisor);
	if (!top->text || !top->events.error)
		return STATUS_OK;
	message(top->command->name, "cannot count '%s': counters: %s", top->text,
		top->reason);
	return STATUS_FAILED;
}

static int say_unknown_column(const struct top *top)
{
	struct nearmatch match = { .word = top->sort };
	char names[512] = "";
	const struct column *column;
	size_t length = 0;

	for (unsigned int i = 0; (column = column_at(i)); i++) {
		nearmatch_offer(&match, column->name);
		length += snprintf(names + length, sizeof(names) - length, "%s%s",
				   i ? ", " : "", column->name);
	}
	message(top->command->name, "unknown column '%s'; valid columns: %s, and events "
		"of -e", top->sort, names);
	message_similar(match.names, match.nr, "");
	return STATUS_USAGE;
}

static int choose_column(struct top *top)
{
	int index = top->sort ? column_find(top, top->sort) : THREADS_RUN;

	if (index < 0)
		return say_unknown_column(top);
	top->view.column = index;
	top->view.processes = top->per_process;
	return STATUS_OK;
}

static int choose_user(struct top *top)
{
	const struct passwd *entry;
	unsigned long number;
	char *end;

	if (!top->user)
		return STATUS_OK;
	top->options.by_user = true;
	entry = getpwnam(top->user);
	number = strtoul(top->user, &end, 10);
	if (!entry && (*top->user < '0' || *top->user > '9' || *end ||
		       number >= UINT32_MAX)) {
		message(top->command->name, "no user '%s'", top->user);
		return STATUS_FAILED;
	}
	top->options.uid = entry ? entry->pw_uid : number;
	return STATUS_OK;
}

/* A thread of another process is not a process. */
static int add_target(struct top *top, struct threads_target *target, pid_t id, bool thread)
{
	const pid_t pid = proc_process(id);

	if (!pid || (!thread && pid != id)) {
		message(top->command->name, "no %s with %s %d",
			thread ? "thread" : "process", thread ? "tid" : "pid", id);
		if (pid)
			message_hint("it is a thread of process %d: -t %d", pid, id);
		return STATUS_FAILED;
	}
	*target = (struct threads_target){ .pid = pid, .tid = thread ? id : 0 };
	return STATUS_OK;
}

static int choose_targets(struct top *top)
{
	const bool thread = top->tids.nr;
	const struct pid_list *list = thread ? &top->tids : &top->pids;
	struct threads_target *targets;
	int status = STATUS_OK;

	if (!list->nr)
		return STATUS_OK;
	targets = calloc(list->nr, sizeof(*targets));
	if (!targets) {
		message(top->command->name, "out of memory");
		return STATUS_FAILED;
	}
	for (size_t i = 0; i < list->nr && !status; i++)
		status = add_target(top, &targets[i], list->ids[i], thread);
	top->options.targets = targets;
	top->options.nr_targets = list->nr;
	return status;
}

/* One per thread and event: as many as the administrator permits. */
static size_t files_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	getrlimit(RLIMIT_NOFILE, &limit);
	return limit.rlim_cur > OTHER_FILES ? limit.rlim_cur - OTHER_FILES : 0;
}

static int choose_format(struct top *top)
{
	const bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

	top->format = top->json ? FORMAT_JSON : top->csv ? FORMAT_CSV :
		      top->batch ? FORMAT_TEXT : FORMAT_SCREEN;
	if (top->format != FORMAT_SCREEN || terminal)
		return STATUS_OK;
	message(top->command->name, "the live view requires a terminal");
	message_hint("print tables instead: -b, or --csv, or --json");
	return STATUS_USAGE;
}

/* A file gets its name at once, so that it can be read while it grows. */
static int open_file(struct top *top)
{
	int err = output_open_export(&top->output, top->path);

	if (!err)
		err = output_keep(&top->output);
	if (!err) {
		top->out = fdopen(dup(top->output.fd), "w");
		err = top->out ? 0 : -errno;
	}
	return err;
}

static int open_output(struct top *top)
{
	int err = 0;

	if (top->path && strcmp(top->path, "-"))
		err = open_file(top);
	else if (top->format != FORMAT_SCREEN)
		top->out = stdout;
	if (!err && top->out)
		err = format_begin(top, top->out, top->format == FORMAT_SCREEN ?
				   FORMAT_CSV : top->format);
	return err ? top_say_output(top, err) : STATUS_OK;
}

static int open_threads(struct top *top)
{
	int err;

	top->options.events = &top->events;
	top->options.max_files = files_limit();
	gauges_open(&top->gauges);
	err = threads_open(&top->threads, &top->options);
	return err ? top_say_proc(top, err) : STATUS_OK;
}

static int prepare(struct top *top)
{
	int status = choose_format(top);

	if (!status)
		status = choose_user(top);
	if (!status)
		status = choose_targets(top);
	if (!status)
		status = choose_events(top);
	if (!status)
		status = choose_column(top);
	if (!status)
		status = open_threads(top);
	return status ? status : open_output(top);
}

static void close_all(struct top *top)
{
	if (top->out && top->out != stdout)
		fclose(top->out);
	output_close(&top->output);
	threads_close(top->threads);
	if (top->threads)
		gauges_close(&top->gauges);
	free(top->view.rows);
	free((void *)top->options.targets);
	pid_list_free(&top->pids);
	pid_list_free(&top->tids);
}

/* As a program without handlers would end. */
static void die_of(int number)
{
	fflush(stdout);
	signal(number, SIG_DFL);
	raise(number);
}

static int run_top(const struct command *command, int argc, char **argv)
{
	struct top top = {
		.command = command,
		.delay_ns = 1000000000,
		.output.fd = -1,
	};
	struct options options;
	int status;

	/* A file that exceeds its limit is an error to report. */
	signal(SIGXFSZ, SIG_IGN);
	if (options_parse(&options, command, argc, argv, &top)) {
		status = prepare(&top);
		if (!status)
			status = top.format == FORMAT_SCREEN ? live_run(&top) :
				 batch_run(&top);
	} else {
		status = options.status;
	}
	close_all(&top);
	if (top.signal)
		die_of(top.signal);
	return status;
}

const struct command top_command = {
	.name = "top",
	.synopsis = "[OPTION]...",
	.summary = "Show which threads use the CPU, and what they execute",
	.options = options_of_top,
	.conflicts = conflicts_of_top,
	.run = run_top,
};
