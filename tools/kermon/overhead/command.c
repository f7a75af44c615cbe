// SPDX-License-Identifier: GPL-2.0
/* kermon bench overhead: what it costs a thread to count itself, by several methods. */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

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

static void take_methods(struct options *options, const struct option_spec *spec, void *to)
{
	const char *text = options->value;
	unsigned int bits = 0;
	size_t length;
	int index;

	for (;; text += length + 1) {
		length = strcspn(text, ",");
		index = value_find(spec->type, text, length);
		if (index < 0) {
			value_unknown(options, spec->type, text, length);
			return;
		}
		bits |= 1U << index;
		if (!text[length])
			break;
	}
	*(unsigned int *)to = bits;
}

#define VALUE_methods	unsigned int

static const struct value_type value_methods = {
	.what = "method",
	.whats = "methods",
	.separators = ",",
	.name = name_of_method,
	.help = help_of_method,
	.take = take_methods,
};

/* As the probe takes them: hexadecimal numbers, separated by commas. */
static bool is_list_of_codes(const char *text)
{
	char *end;

	for (unsigned int nr = 0; nr < MAX_EVENTS; nr++, text = end + 1) {
		if (!isxdigit((unsigned char)*text))
			return false;
		strtoull(text, &end, 16);
		if (*end != ',')
			return !*end;
	}
	return false;
}

static void take_raw(struct options *options, const struct option_spec *spec, void *to)
{
	if (is_list_of_codes(options->value))
		*(const char **)to = options->value;
	else
		options_stop(options, "invalid value '%s' for '%s'; valid: up to %d hexadecimal numbers, such as 01c0,00c4",
			     options->value, spec->name, MAX_EVENTS);
}

#define VALUE_raw	const char *

static const struct value_type value_raw = { .take = take_raw };

static const struct option_spec options_of_overhead[] = {
	{ 0, "method", "NAME,...", "measure only these methods",
	  VALUE(methods, struct arguments, study.methods), .preset = "all" },
	{ 0, "events", "N", "measure 1 to N events at the same time",
	  VALUE(count, struct arguments, study.most_events), .preset = "1" },
	{ 0, "reads", "N", "read N times in each process",
	  VALUE(count, struct arguments, study.nr_reads), .preset = "16" },
	{ 'r', "repeat", "N", "start N processes for each method",
	  VALUE(count, struct arguments, study.repetitions), .preset = "1024" },
	{ 0, "software", NULL, "count software events of perf, which need no PMU",
	  VALUE(flag, struct arguments, study.software) },
	{ 0, "raw", "CODE,...", "count these events: event select and unit mask as 01c0",
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

static bool check(const struct command *command, const struct study *study)
{
	const char *what = NULL;
	unsigned int most = 0;

	if (study->most_events > MAX_EVENTS) {
		what = "events";
		most = MAX_EVENTS;
	} else if (study->nr_reads > MAX_READS) {
		what = "reads";
		most = MAX_READS;
	} else if (study->repetitions > 1000000) {
		what = "repeat";
		most = 1000000;
	}
	if (!what)
		return true;
	options_bad(command, "--%s must be at most %u", what, most);
	return false;
}

static int print(const struct command *command, const struct arguments *arguments)
{
	const struct study *study = &arguments->study;
	int err = 0;

	if (arguments->json)
		study_print_json(study, stdout);
	else if (arguments->csv)
		study_print_csv(study, stdout);
	else
		study_print(study, stdout);
	if (arguments->svg)
		err = output_write(arguments->svg, study_print_svg, study);
	if (err) {
		message(command->name, "cannot write %s: %s", arguments->svg,
			output_reason(err));
		return STATUS_FAILED;
	}
	return study_has_results(study) ? STATUS_OK : STATUS_FAILED;
}

static int failed(const struct command *command, int err)
{
	if (err == -EINTR)
		message(command->name, "interrupted");
	else if (err == -ENOENT)
		message(command->name, "the programs that are measured are missing: kermon-probe-dynamic and kermon-probe-static, in ../libexec/kermon beside this one or where --probes says");
	else
		message(command->name, "cannot measure: %s", strerror(-err));
	return STATUS_FAILED;
}

static int run(const struct command *command, int argc, char **argv)
{
	const struct sigaction action = { .sa_handler = on_signal };
	struct arguments arguments = {
		.study = { .methods = ~0U, .most_events = 1, .nr_reads = 16,
			   .repetitions = 1024 },
	};
	struct progress progress = {};
	struct options options;
	int status, err;

	if (!options_parse(&options, command, argc, argv, &arguments))
		return options.status;
	if (!check(command, &arguments.study))
		return STATUS_USAGE;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	progress_start(&progress, "measuring");
	err = study_collect(&arguments.study, &progress, &stop);
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
