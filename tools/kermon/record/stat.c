// SPDX-License-Identifier: GPL-2.0
/*
 * kermon stat: runs a command and prints what it counted. KerMon records it into a
 * temporary file, which is summed up; a kernel without KerMon counts by perf_event.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/hypervisor.h"
#include "machine/machine.h"
#include "request.h"
#include "ui/common_options.h"
#include "ui/message.h"
#include "ui/output.h"
#include "ui/values.h"

#define RUNS_MAX	10000

/**
 * struct statistics - the command line, and what was counted so far
 * @request: what to count
 * @path: file for the result; NULL: standard error
 * @json: print JSON
 * @threads: also print a table of threads
 * @all_domains: show all domains of energy
 * @idle: power of the idle machine, to be subtracted
 * @runs: how often to run the command
 * @totals: of the runs so far
 * @report: of the last run, for the table of threads
 * @revoked: root has ended the recording of the last run
 * @interrupted: signal that interrupted the last run, or 0
 * @signal: signal that the tool has to die of, or 0
 */
struct statistics {
	struct request request;
	const char *path;
	bool json;
	bool threads;
	bool all_domains;
	struct idle_power idle;
	unsigned int runs;
	struct totals totals;
	struct kermon_report *report;
	bool revoked;
	int interrupted;
	int signal;
};

/* A signal that arrived between two runs; during a run, it is read with signalfd(2). */
static volatile sig_atomic_t between;

static void note_signal(int number)
{
	between = number;
}

/* Signals that end the runs, but let the tool print the table. */
static const int ending[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

#define NR_ENDING	(sizeof(ending) / sizeof(ending[0]))

/* Ignored signals, as by nohup(1), stay so. */
static void catch_signals(struct sigaction before[NR_ENDING])
{
	const struct sigaction catch = { .sa_handler = note_signal };

	for (size_t i = 0; i < NR_ENDING; i++) {
		sigaction(ending[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(ending[i], &catch, NULL);
	}
}

static void restore_signals(const struct sigaction before[NR_ENDING])
{
	for (size_t i = 0; i < NR_ENDING; i++)
		sigaction(ending[i], &before[i], NULL);
}

static void take_runs(struct options *options, const struct option_spec *spec,
		      void *to)
{
	char *end;
	unsigned long runs;

	errno = 0;
	runs = strtoul(options->value, &end, 10);
	if (errno || *end || end == options->value || !runs || runs > RUNS_MAX)
		options_stop(options, "invalid %s '%s' for '%s'; valid: 1 to %d",
			     spec->arg, options->value, options->token, RUNS_MAX);
	else
		*(unsigned int *)to = runs;
}

static const struct value_type value_runs = {
	.take = take_runs,
};

#define VALUE_runs	unsigned int

static const struct option_spec options_of_stat[] = {
	GROUP(counting, struct statistics, request),
	{ 'r', "repeat", "N", "run the command N times, and print means",
	  VALUE(runs, struct statistics, runs), .preset = "1" },
	{ 0, "per-thread", NULL, "also print a table of threads",
	  VALUE(flag, struct statistics, threads) },
	{ 0, "all-domains", NULL,
	  "show all energy domains, not only the package",
	  VALUE(flag, struct statistics, all_domains) },
	IDLE_OPTION(struct statistics, idle),
	OUTPUT_OPTION(struct statistics, path, "standard error"),
	GROUP(json, struct statistics, json),
	{}
};

static const struct option_conflict conflicts_of_stat[] = {
	{ "per-thread", "json" },
	{ "per-thread", "repeat" },
	{}
};

static int take_outcome(const struct outcome *outcome, void *data)
{
	struct statistics *stat = data;

	stat->revoked = outcome->revoked;
	stat->interrupted = outcome->interrupted;
	stat->signal = outcome->signal;
	kermon_report_free(stat->report);
	return totals_add(&stat->totals, outcome, &stat->report);
}

/* perf stat has subcommands of these names. */
static void say_subcommand(const char *name)
{
	if (!strcmp(name, "record"))
		message_hint("'kermon run' records a command");
	else if (!strcmp(name, "report"))
		message_hint("'kermon report' shows a recording");
}

/* Run the command until a run fails, is interrupted or revoked; returns the last exit status. */
static int repeat(struct statistics *stat)
{
	unsigned int done = 0;
	int status;

	do {
		status = request_record(&stat->request);
	} while (stat->totals.elapsed.nr == ++done && done < stat->runs &&
		 !stat->interrupted && !stat->revoked && !between);
	if (between)
		stat->signal = between;
	else if (done < stat->runs && stat->interrupted)
		stat->signal = stat->interrupted;
	return status;
}

/* @limit: action of SIGXFSZ for the command; the tool ignores it for its output file. */
static int run_all(struct statistics *stat, const struct sigaction *limit)
{
	struct sigaction before[NR_ENDING], ignored;
	int status;

	catch_signals(before);
	sigaction(SIGXFSZ, limit, &ignored);
	status = repeat(stat);
	sigaction(SIGXFSZ, &ignored, NULL);
	restore_signals(before);
	if (status == STATUS_NOT_FOUND && !stat->totals.elapsed.nr)
		say_subcommand(*stat->request.argv);
	return status;
}

static int print(const void *context, FILE *out)
{
	const struct statistics *stat = context;
	const struct totals_view view = {
		.totals = &stat->totals,
		.report = stat->threads ? stat->report : NULL,
		.command = stat->request.argv,
		.runs = stat->totals.elapsed.nr,
		.all_domains = stat->all_domains,
		.idle = stat->idle,
		.out = out,
	};
	int err = stat->json ? totals_print_json(&view) : totals_print_text(&view);

	if (!err && (fflush(out) || ferror(out)))
		err = errno ? -errno : -EIO;
	return err;
}

/* The first reason why an event was not counted that the user can do something about. */
static int refusal_of(const struct totals *totals)
{
	const struct total *total;
	int error;

	for (unsigned int i = 0; i < totals->nr; i++) {
		total = &totals->counts[i];
		error = total->metric.kind == KERMON_METRIC_ENERGY ?
			0 : total->error;
		if (error == -EACCES || error == -EPERM || error == -EMFILE)
			return error;
	}
	return 0;
}

/* Why there is no energy, if the user can do something about it. */
static void say_energy(const struct statistics *stat)
{
	const char *name = stat->request.command->name;
	char grant[MACHINE_GRANT], hypervisor[HYPERVISOR_SIZE];

	hypervisor_name(hypervisor);
	switch (-totals_energy_error(&stat->totals)) {
	case EACCES:
		message(name, "energy was not counted: this user may not count "
			"that of the whole machine");
		machine_grant(grant);
		if (stat->totals.by_perf)
			message_hint("as root: sysctl kernel.perf_event_paranoid=0");
		else
			message_hint("that requires CAP_PERFMON; %s", grant);
		break;
	case EPERM:
		message(name, "energy was not counted: only root can read "
			"/sys/class/powercap");
		message_hint("as root, load perf's PMU 'power': modprobe rapl");
		break;
	case ENODEV:
		if (!stat->totals.by_perf || *hypervisor)
			break;
		message(name, "energy was not counted: this kernel has neither "
			"perf's PMU 'power' nor powercap");
		message_hint("as root: modprobe rapl");
		break;
	}
}

/* Idle power that was given, but not subtracted from anything. */
static void say_idle(const struct statistics *stat)
{
	const struct totals *totals = &stat->totals;
	const char *events[TOTALS_MAX], *missing;
	size_t nr = 0;

	for (unsigned int i = 0; i < totals->nr; i++)
		if (totals->counts[i].value.nr)
			events[nr++] = totals->counts[i].name;
	missing = power_without(events, nr, &stat->idle);
	if (missing)
		message(stat->request.command->name, "cannot subtract the idle power of '%s': "
			"no such energy was counted", missing);
}

/* KerMon is there, but this user may not have its counters. Returns whether that is so. */
static bool say_no_counters(const char *name)
{
	struct machine machine;
	struct finding finding;

	machine_look(&machine);
	if (!machine.patched || !machine.has_info || machine_may_count(&machine))
		return false;
	machine_counting(&machine, &finding);
	message(name, "counted by perf_event: this user may not occupy counters, which "
		"KerMon needs");
	message_hint("%s", finding.remedy);
	return true;
}

/* What was asked for, but is not in the counts of perf_event. */
static void say_limits(const struct statistics *stat)
{
	const struct request *request = &stat->request;
	const char *name = request->command->name;
	const int error = refusal_of(&stat->totals);
	const char *needed = say_no_counters(name) ? "KerMon's counters" : "KerMon";

	if (request->rotate_ns || request->by_signal || request->log_bytes)
		message(name, "--rotate and --log-size had no effect: they "
			"require %s", needed);
	if (stat->threads)
		message(name, "no table of threads: --per-thread requires %s", needed);
	if (!error)
		return;
	message(name, "some events were not counted: %s", strerror(-error));
	message_hint(error == -EMFILE ? "raise the limit: ulimit -n" :
		     "count user mode alone, or as root: sysctl "
		     "kernel.perf_event_paranoid=1");
}

/* Print to standard error, standard output for "-", or a file. */
static int print_all(const struct statistics *stat, struct output *output)
{
	int err;

	if (!stat->path)
		err = print(stat, stderr);
	else if (!strcmp(stat->path, "-"))
		err = print(stat, stdout);
	else
		err = output_print(output, print, stat);
	if (!err && stat->totals.by_perf)
		say_limits(stat);
	if (!err)
		say_energy(stat);
	if (!err)
		say_idle(stat);
	if (!err)
		return STATUS_OK;
	/* main() reports errors of standard output. */
	if (!ferror(stdout))
		message(stat->request.command->name,
			"cannot write the counts: %s", strerror(-err));
	return STATUS_FAILED;
}

/* A file that cannot be written is an error before the command runs. */
static int open_output(const struct statistics *stat, struct output *output)
{
	int err;

	*output = (struct output){ .fd = -1 };
	if (!stat->path || !strcmp(stat->path, "-"))
		return STATUS_OK;
	err = output_open_export(output, stat->path);
	if (!err)
		return STATUS_OK;
	message(stat->request.command->name, "cannot write '%s': %s", stat->path,
		output_reason(err));
	return STATUS_FAILED;
}

static int count(struct statistics *stat)
{
	struct sigaction limit;
	struct output output;
	int status, printed = STATUS_OK;

	sigaction(SIGXFSZ, NULL, &limit);
	status = open_output(stat, &output);
	if (!status)
		status = run_all(stat, &limit);
	if (stat->totals.elapsed.nr)
		printed = print_all(stat, &output);
	output_close(&output);
	kermon_report_free(stat->report);
	if (stat->signal) {
		signal(stat->signal, SIG_DFL);
		raise(stat->signal);
	}
	return printed ? printed : status;
}

static int run_stat(const struct command *command, int argc, char **argv)
{
	struct statistics stat = {
		.request = REQUEST_DEFAULTS(command, argv),
		.runs = 1,
	};
	struct options options;

	if (!options_parse(&options, command, argc, argv, &stat))
		return options.status;
	stat.request.argv = options.operands;
	if (!*stat.request.argv)
		return options_bad(command, "need a COMMAND to run");
	stat.request.output = NULL;
	stat.request.quiet = true;
	stat.request.any_kernel = true;
	stat.request.outlive = true;
	stat.request.ended = take_outcome;
	stat.request.data = &stat;
	return count(&stat);
}

const struct command stat_command = {
	.name = "stat",
	.synopsis = "[OPTION]... [--] COMMAND [ARGUMENT]...",
	.summary = "Run a command and print what it counted",
	.options = options_of_stat,
	.conflicts = conflicts_of_stat,
	.takes_command = true,
	.run = run_stat,
};
