// SPDX-License-Identifier: GPL-2.0
/* kermon report: prints the contents of a perf.data file as tables, CSV or JSON. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "input/damages.h"
#include "input/input_options.h"
#include "input/statements.h"
#include "input/unwinding.h"
#include "report_view.h"
#include "ui/command.h"
#include "ui/common_options.h"
#include "ui/event_match.h"
#include "ui/message.h"
#include "ui/options.h"
#include "ui/pager.h"
#include "ui/power.h"
#include "ui/progress.h"

struct arguments {
	struct report_view view;
	struct input input;
	bool text;
	bool json;
	bool csv;
	bool inverted;
	bool force;
	bool no_pager;
	enum color color;
};

/* As in perf, -g may stand alone; unlike there, also before the file. */
static bool is_calls(const char *word)
{
	struct calls_style style = { 0 };

	return *word != '-' &&
	       (!calls_parse(&style, word) || access(word, F_OK));
}

static void take_calls(struct options *options, const struct option_spec *spec,
		       void *to)
{
	const char *wrong = calls_parse(to, options->value ? options->value :
					CALLS_ALONE);

	if (!wrong)
		return;
	if (*wrong >= '0' && *wrong <= '9')
		options_stop(options, "invalid number in '%s' for '%s'; valid: a percentage, and a number of branches after it",
			     options->value, options->token);
	else
		value_unknown(options, spec->type, wrong,
			      strcspn(wrong, ","));
}

static const struct value_type value_calls = {
	.what = "kind of call graph",
	.whats = "words",
	.separators = ",",
	.name = calls_word,
	.is_value = is_calls,
	.take = take_calls,
};

#define VALUE_calls	struct calls_style

/* Whether values of CSV cannot be mistaken for the separator. */
static bool is_separator(char c)
{
	return c == '\t' || (isascii(c) && isprint(c) && !isalnum(c) &&
			     !strchr("\"+-.", c));
}

static void take_separator(struct options *options,
			   const struct option_spec *spec, void *to)
{
	const char *text = strcmp(options->value, "\\t") ? options->value :
							   "\t";

	(void)spec;
	if (is_separator(text[0]) && !text[1])
		*(char *)to = text[0];
	else
		options_stop(options, "invalid separator '%s' for '%s'; valid: a character such as ';', or '\\t'",
			     options->value, options->token);
}

static const struct value_type value_separator = { .take = take_separator };

#define VALUE_separator	char

static const struct option_spec report_options[] = {
	FILE_OPTION(INPUT_DEFAULT),
	GROUP(input, struct arguments, input),
	SORT_OPTION(struct arguments, view.sort,
		    "two tables, by comm,pid,tid and by sym,dso"),
	EVENT_OPTION(struct arguments, input.event, "time on CPU, or cycles"),
	{ 0, "percent-limit", "PERCENT", "omit rows below this percentage",
	  VALUE(percent, struct arguments, view.percent_limit),
	  .preset = "0" },
	IDLE_OPTION(struct arguments, view.idle),
	{ 0, "time-quantum", "TIME", "length of the slices of the sort key time",
	  VALUE(duration, struct arguments, input.reading.time_quantum),
	  .of = &any_duration, .preset = "100ms" },
	GROUP(filter, struct arguments, input.filter),
	{ 'g', "call-graph", "[WORD,...]",
	  "call graphs: minimum percentage, maximum branches, and these words",
	  VALUE(calls, struct arguments, view.calls), .preset = "graph,0.5" },
	{ 'G', "inverted", NULL, "call graphs with callers first",
	  VALUE(flag, struct arguments, inverted) },
	{ 0, "children", NULL, "count callees as well",
	  VALUE(flag, struct arguments, view.children),
	  .preset = "with call chains" },
	{ 0, "no-children", NULL, "count only the function itself",
	  VALUE(off, struct arguments, view.children) },
	GROUP(chains, struct arguments, input.reading),
	{ 0, "no-demangle", NULL,
	  "print mangled names of functions",
	  VALUE(flag, struct arguments, input.reading.mangled) },
	{ 0, "header", NULL, "also show the machine and the recording",
	  VALUE(flag, struct arguments, view.header) },
	{ 0, "header-only", NULL, "show only details of machine and recording",
	  VALUE(flag, struct arguments, view.header_only) },
	{ 'n', "show-nr-samples", NULL, "show the number of samples of each row",
	  VALUE(flag, struct arguments, view.samples) },
	{ 0, "show-total-period", NULL,
	  "show exact sums, also where short ones would fit the terminal",
	  VALUE(flag, struct arguments, view.exact) },
	{ 'q', "quiet", NULL,
	  "print only rows: no headings, totals and remarks",
	  VALUE(flag, struct arguments, view.quiet) },
	{ 0, "stdio", NULL, "print text, which is the default",
	  VALUE(flag, struct arguments, text) },
	GROUP(json, struct arguments, json),
	{ 0, "csv", NULL,
	  "print comma-separated values: one table with a header line",
	  VALUE(flag, struct arguments, csv) },
	{ 't', "field-separator", "CHARACTER",
	  "as --csv, with CHARACTER or \\t between values instead of a comma",
	  VALUE(separator, struct arguments, view.separator) },
	FORCE_OPTION(struct arguments, force),
	GROUP(pager, struct arguments, no_pager),
	GROUP(color, struct arguments, color),
	{}
};

static const struct option_conflict report_conflicts[] = {
	{ "csv", "json" },
	{ "csv", "inverted" },
	{ "csv", "header" },
	{ "csv", "header-only" },
	{ "csv", "color" },
	{ "field-separator", "json" },
	{ "field-separator", "inverted" },
	{ "field-separator", "header" },
	{ "field-separator", "header-only" },
	{ "field-separator", "color" },
	{ "json", "color" },
	{ "json", "quiet" },
	{ "json", "stdio" },
	{}
};

/* Report the damages of the file. Returns whether there are any. */
static bool tell_damage(const struct report_view *view)
{
	return damages_tell("report", view->path, view->damages);
}

static bool find_weight(struct report_view *view, const char *by)
{
	struct event_list events = event_list_of_report(view->report);

	view->weight = kermon_report_weight(view->report);
	if (!by || event_find(&events, by, &view->weight) == EVENT_FOUND)
		return true;
	event_tell("report", view->path, &events, by);
	return false;
}

static bool has_idle_domains(const struct report_view *view)
{
	const char *missing = power_missing(view->report, &view->idle);

	if (missing)
		message("report", "cannot subtract the idle power of '%s' from '%s', which has no such energy; kermon list shows what a machine counts",
			missing, view->path);
	return !missing;
}

/* Returns 0 or -errno; -EPIPE if the pager failed, after a message. */
static int show(struct arguments *arguments)
{
	struct pager pager = { 0 };

	if (arguments->json)
		return report_print_json(&arguments->view);
	if (arguments->csv)
		return report_print_csv(&arguments->view);
	arguments->view.width = terminal_width();
	arguments->view.colour = terminal_colour(arguments->color);
	if (!arguments->no_pager)
		pager_start(&pager, "report");
	return pager_finish(&pager, report_print_text(&arguments->view));
}

static int read_and_show(struct arguments *arguments)
{
	struct report_view *view = &arguments->view;
	int err;

	progress_start(&arguments->input.progress, "reading");
	err = kermon_report_read(view->report, view->path);
	progress_finish(&arguments->input.progress);
	if (err)
		return damages_failure("report", view->path, err,
				       tell_damage(view));
	if (!find_weight(view, arguments->input.event) || !has_idle_domains(view))
		return STATUS_FAILED;
	err = show(arguments);
	if (err == -EPIPE)
		return STATUS_FAILED;
	if (err) {
		message("report", "cannot print the report: %s", strerror(-err));
		return STATUS_FAILED;
	}
	if (arguments->csv && !view->quiet) {
		statements_tell("report", view->path,
				kermon_report_statements(view->report));
		unwinding_tell("report", view->path,
			       kermon_report_unwinding(view->report));
	}
	return tell_damage(view) ? STATUS_FAILED : STATUS_OK;
}

/* Whether that is one of the keys, which make sense. */
static bool has_key(const char *keys, const char *name)
{
	size_t len;

	for (;; keys += len + 1) {
		len = strcspn(keys, ",");
		if (len == strlen(name) && !strncmp(keys, name, len))
			return true;
		if (!keys[len])
			return false;
	}
}

/* Slices of time that nobody would see are a mistake. */
static bool asks_for_time(const struct arguments *arguments)
{
	return arguments->view.sort && has_key(arguments->view.sort, "time");
}

/* Print call graphs by default only in text; JSON has them with -g, CSV never. */
static void choose_calls(struct arguments *arguments)
{
	struct calls_style *calls = &arguments->view.calls;

	if (arguments->csv ||
	    (arguments->json && !calls->given && !arguments->inverted))
		calls->type = CALLS_NONE;
	if (arguments->inverted)
		calls->direction = KERMON_CALLEES;
	else if (!calls->directed)
		calls->direction = arguments->view.children ? KERMON_CALLEES :
							      KERMON_CALLERS;
	arguments->input.reading.calls = arguments->view.children ||
				   calls->type != CALLS_NONE;
}

/* What the command line asks for, into @arguments; the status is the walk's. */
static bool take_arguments(struct options *options,
			   const struct command *command, int argc, char **argv,
			   struct arguments *arguments)
{
	struct report_view *view = &arguments->view;

	if (!options_parse(options, command, argc, argv, arguments))
		return false;
	arguments->input.path = view->path = input_path(options);
	view->header |= view->header_only;
	arguments->csv |= view->separator;
	arguments->input.progress.off |= view->quiet;
	if (arguments->csv && options_given(options, "call-graph") &&
	    view->calls.type != CALLS_NONE)
		options_stop(options, "'%s' cannot be used with '--call-graph'",
			     view->separator ? "--field-separator" : "--csv");
	if (arguments->input.reading.time_quantum && !asks_for_time(arguments))
		options_stop(options, "'--time-quantum' requires '-s time'");
	choose_calls(arguments);
	/* perf keeps the outermost functions then, without those that have the samples. */
	if (arguments->input.reading.max_stack &&
	    view->calls.direction == KERMON_CALLEES)
		options_stop(options, "'--max-stack' requires '-g callee' or '--no-children'");
	return !options->done;
}

/* What tables are made of, and no more. */
static const char *keys_of(const struct arguments *arguments)
{
	if (arguments->view.sort)
		return arguments->view.sort;
	return arguments->csv ? REPORT_CSV_KEYS : "comm,pid,tid;sym,dso";
}

static int report_with(struct arguments *arguments)
{
	struct kermon_report_options *reading = &arguments->input.reading;
	int status;

	reading->keys = keys_of(arguments);
	reading->by_weight = arguments->input.event;
	arguments->view.damages = arguments->input.damages;
	arguments->view.report = kermon_report_new(reading);
	if (!arguments->view.report) {
		message("report", "out of memory");
		return STATUS_FAILED;
	}
	status = read_and_show(arguments);
	kermon_report_free(arguments->view.report);
	return status;
}

static int run_report(const struct command *command, int argc, char **argv)
{
	struct arguments arguments = {
		.view = {
			.children = true,
			.calls = { .type = CALLS_GRAPH, .min_percent = 0.5 },
		},
	};
	struct options options;
	int status = STATUS_FAILED;

	if (!input_begin(&arguments.input, command))
		status = take_arguments(&options, command, argc, argv,
					&arguments) ?
			 report_with(&arguments) : options.status;
	input_end(&arguments.input);
	return status;
}

const struct command report_command = {
	.name = "report",
	.synopsis = "[OPTION]... [FILE]",
	.summary = "Show what a perf.data file says, by thread and function",
	.options = report_options,
	.conflicts = report_conflicts,
	.operand = &value_input,
	.max_operands = 1,
	.run = run_report,
};
