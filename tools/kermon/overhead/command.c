// SPDX-License-Identifier: GPL-2.0
/* kermon bench overhead: what it costs a thread to count itself, by several methods. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "machine/hypervisor.h"
#include "overhead.h"
#include "ui/command.h"
#include "ui/common_options.h"
#include "ui/message.h"
#include "ui/options.h"
#include "ui/output.h"
#include "ui/progress.h"
#include "ui/values.h"

/**
 * struct arguments - of the command line
 * @study: what to measure
 * @json: print JSON
 * @csv: print CSV
 * @svg: file for box plots
 */
struct arguments {
	struct study study;
	bool json;
	bool csv;
	const char *svg;
};

static volatile int stop;

static void on_signal(int number)
{
	(void)number;
	stop = 1;
}

static const char *name_of_method(size_t index)
{
	return index < MAX_METHODS ? methods[index].name : NULL;
}

static const char *help_of_method(size_t index)
{
	return methods[index].what;
}

#define VALUE_methods	unsigned int

static const struct value_type value_methods = {
	.what = "method",
	.whats = "methods",
	.separators = ",",
	.name = name_of_method,
	.help = help_of_method,
	.take = value_take_names,
};

/* As the probe takes them: hexadecimal numbers, separated by commas. */
static bool is_list_of_codes(const char *text)
{
	for (unsigned int nr = 0; nr < MAX_EVENTS; nr++, text++) {
		const size_t digits = strspn(text, "0123456789abcdefABCDEF");

		if (!digits || digits > RAW_DIGITS)
			return false;
		text += digits;
		if (*text != ',')
			return !*text;
	}
	return false;
}

static void take_raw(struct options *options, const struct option_spec *spec, void *to)
{
	if (is_list_of_codes(options->value))
		*(const char **)to = options->value;
	else
		options_stop(options, "invalid value '%s' for '%s'; valid: up to %d hexadecimal numbers of up to %d digits, such as 01c0,00c4",
			     options->value, spec->name, MAX_EVENTS, RAW_DIGITS);
}

#define VALUE_raw	const char *

static const struct value_type value_raw = { .take = take_raw };

static const struct value_range any_events = { .min = 1, .max = MAX_EVENTS };
static const struct value_range any_reads = { .min = 1, .max = MAX_READS };
static const struct value_range any_repetitions = { .min = 1, .max = 1000000 };

static const struct option_spec options_of_overhead[] = {
	{ 0, "method", "NAME,...", "measure only these methods",
	  VALUE(methods, struct arguments, study.methods), .preset = "all" },
	{ 0, "events", "N", "measure 1 to N events at the same time",
	  VALUE(count, struct arguments, study.most_events), .preset = "1", .of = &any_events },
	{ 0, "reads", "N", "read N times in each process",
	  VALUE(count, struct arguments, study.nr_reads), .preset = "16", .of = &any_reads },
	{ 'r', "repeat", "N", "start N processes for each method",
	  VALUE(count, struct arguments, study.repetitions), .preset = "1024",
	  .of = &any_repetitions },
	{ 0, "software", NULL, "count software events of perf, which need no PMU",
	  VALUE(flag, struct arguments, study.software) },
	{ 0, "raw", "CODE,...", "count these events: unit mask and event select as 01c0",
	  VALUE(raw, struct arguments, study.raw), .preset = "events that every CPU has" },
	{ 0, "kernel-mode", NULL, "let the events count what the kernel executes, too",
	  VALUE(flag, struct arguments, study.kernel) },
	{ 0, "accesses", NULL,
	  "also count instructions, system calls, RDPMC, RDMSR and WRMSR",
	  VALUE(flag, struct arguments, study.accesses) },
	{ 0, "probes", "DIR", "measure the programs in DIR, which kermon brings along",
	  VALUE(folder, struct arguments, study.probes),
	  .preset = "../libexec/kermon beside kermon" },
	{ 0, "csv", NULL, "print comma-separated values",
	  VALUE(flag, struct arguments, csv) },
	{ 0, "svg", "FILE", "write box plots to FILE", VALUE(file, struct arguments, svg) },
	GROUP(json, struct arguments, json),
	{}
};

static const struct option_conflict overhead_conflicts[] = {
	{ "csv", "json" },
	{ "software", "raw" },
	{ "software", "kernel-mode" },
	{}
};

/* What has no place in the rows is said beside them. */
static void print_csv(const struct command *command, const struct study *study)
{
	const struct cell *cell = NULL;
	char hypervisor[HYPERVISOR_SIZE], text[MISSING_SIZE];

	study_print_csv(study, stdout);
	hypervisor_name(hypervisor);
	if (!study->exact && *hypervisor)
		message(command->name, "this is a virtual machine (%s): the cycles are not those of the hardware",
			hypervisor_label(hypervisor));
	while ((cell = study_next_missing(study, cell))) {
		study_say_missing(cell, text);
		message(command->name, "%s", text);
	}
}

static int tell_unwritten(const struct command *command, const char *path, int err)
{
	message(command->name, "cannot write %s: %s", path, output_reason(err));
	return STATUS_FAILED;
}

/* Before the methods are measured, which may take hours. */
static int check_picture(const struct command *command, const char *path)
{
	const int err = path ? output_check_export(path) : 0;

	return err ? tell_unwritten(command, path, err) : STATUS_OK;
}

static int draw(const struct command *command, const struct arguments *arguments)
{
	const char *path = arguments->svg;
	const int err = path ? output_write(path, study_print_svg, &arguments->study) : 0;

	return err ? tell_unwritten(command, path, err) : STATUS_OK;
}

static int print(const struct command *command, const struct arguments *arguments)
{
	const struct study *study = &arguments->study;

	if (arguments->json)
		study_print_json(study, stdout);
	else if (arguments->csv)
		print_csv(command, study);
	else
		study_print(study, stdout);
	if (study_has_results(study))
		return draw(command, arguments);
	message(command->name, "no method could be measured%s",
		arguments->csv ? "" : "; each says why above");
	return STATUS_FAILED;
}

static int failed(const struct command *command, int err)
{
	if (err == -EINTR)
		message(command->name, "interrupted");
	else if (err == -ENOENT || err == -EACCES)
		message(command->name, "the programs that are measured %s: kermon-probe-dynamic and kermon-probe-static, in ../libexec/kermon beside this one or where --probes says",
			err == -ENOENT ? "are missing" : "may not be executed");
	else
		message(command->name, "cannot measure: %s", strerror(-err));
	return STATUS_FAILED;
}

/* The end of a terminal, too: an instance of tracefs would stay. */
static void catch_signals(void)
{
	static const int ending[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	const struct sigaction action = { .sa_handler = on_signal };
	struct sigaction before;

	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		/* As nohup has it. */
		if (!sigaction(ending[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(ending[i], &action, NULL);
}

static int run(const struct command *command, int argc, char **argv)
{
	struct arguments arguments = {
		.study = { .methods = ~0U, .most_events = 1, .nr_reads = 16,
			   .repetitions = 1024, .stop = &stop },
	};
	struct progress progress = {};
	struct options options;
	int status, err;

	if (!options_parse(&options, command, argc, argv, &arguments))
		return options.status;
	status = check_picture(command, arguments.svg);
	if (status)
		return status;
	catch_signals();
	progress_start(&progress, "measuring");
	err = study_collect(&arguments.study, &progress);
	progress_finish(&progress);
	status = err ? failed(command, err) : print(command, &arguments);
	study_free(&arguments.study);
	return status;
}

const struct command bench_overhead_command = {
	.name = "bench-overhead",
	.synopsis = "[OPTION]...",
	.summary = "measure what it costs a thread to count itself, by several methods",
	.options = options_of_overhead,
	.conflicts = overhead_conflicts,
	.run = run,
};
