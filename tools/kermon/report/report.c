// SPDX-License-Identifier: GPL-2.0
/* kermon report: prints the contents of a perf.data file as tables, CSV or JSON. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/damages.h"
#include "input/filter_options.h"
#include "input/inline_options.h"
#include "input/statements.h"
#include "input/unwinding.h"
#include "report_view.h"
#include "ui/command.h"
#include "ui/event_match.h"
#include "ui/message.h"
#include "ui/names.h"
#include "ui/options.h"
#include "ui/pager.h"
#include "ui/progress.h"

enum {
	KEY_BY = 256,
	KEY_PERCENT_LIMIT,
	KEY_HEADER,
	KEY_HEADER_ONLY,
	KEY_JSON,
	KEY_CSV,
	KEY_CHILDREN,
	KEY_NO_CHILDREN,
	KEY_SYMFS,
	KEY_KALLSYMS,
	KEY_NO_PAGER,
	KEY_TIME_QUANTUM,
};

static const struct option_spec report_options[] = {
	{ 'i', 'i', "input", "FILE", "file to read (default: perf.data)" },
	{ 's', 's', "sort", "KEY,...",
	  "one table with these keys: comm, pid, tid, cpu, dso, sym, event, srcline, srcfile, cgroup... (see kermon-report(1))" },
	{ 0, KEY_BY, "by", "EVENT",
	  "event to sort by (default: time on CPU, or cycles)" },
	{ 0, KEY_PERCENT_LIMIT, "percent-limit", "PERCENT",
	  "leave out rows below this share (default: 0)" },
	{ 0, KEY_TIME_QUANTUM, "time-quantum", "TIME",
	  "length of what the key time tells apart: 10ms, 1s... (default: 100ms)" },
	FILTER_OPTIONS,
	{ 'g', 'g', "call-graph", "WORD,...",
	  "graphs of calls: none, or graph, fractal, flat or folded; least percentage; most branches; caller or callee; percent, period or count (default: graph,0.5)" },
	{ 0, KEY_CHILDREN, "children", NULL,
	  "count what a function called as well (default with call chains)" },
	{ 0, KEY_NO_CHILDREN, "no-children", NULL,
	  "count only what a function did itself" },
	INLINE_OPTIONS,
	{ 0, KEY_HEADER, "header", NULL,
	  "show machine and recording as well" },
	{ 0, KEY_HEADER_ONLY, "header-only", NULL,
	  "show machine and recording only" },
	{ 0, KEY_JSON, "json", NULL, "print JSON, numbers to the last count" },
	{ 0, KEY_CSV, "csv", NULL,
	  "print comma-separated values: one table, with a line of names" },
	{ 0, KEY_SYMFS, "symfs", "DIR", "look up binaries below this folder" },
	{ 0, KEY_KALLSYMS, "kallsyms", "FILE",
	  "take the kernel's symbols from this copy of /proc/kallsyms" },
	{ 0, KEY_NO_PAGER, "no-pager", NULL, "do not start a pager" },
	{}
};

struct arguments {
	struct report_view view;
	struct kermon_report_options options;
	struct progress progress;
	struct kermon_filter *filter;
	const char *by;
	bool json;
	bool csv;
	bool no_pager;
};

static bool parse_percent(const char *text, double *percent)
{
	char *end;

	*percent = strtod(text, &end);
	if (end != text && *end == '%')
		end++;
	return end != text && !*end && *percent >= 0 && *percent <= 100;
}

/* "100ms": a number and its unit, which is never left out; in ns. */
static bool parse_quantum(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 },
		{ "s", 1000000000 },
	};
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*ns = strtoull(text, &end, 10);
	if (errno || !*ns)
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(end, units[i].name))
			return !__builtin_mul_overflow(*ns, units[i].ns, ns);
	return false;
}

static void stop_at_graph(struct options *options)
{
	char names[NAMES_SIZE];

	options_stop(options, "invalid call graph '%s'; valid: %s, a percentage, a number of branches",
		     options->value, names_list(calls_word, names));
}

/* What is shown, and how. */
static bool view_option(struct options *options, int key,
			struct report_view *view)
{
	switch (key) {
	case 'i':
		view->path = options->value;
		return true;
	case 's':
		view->sort = options->value;
		names_keys_option(options);
		return true;
	case KEY_PERCENT_LIMIT:
		if (!parse_percent(options->value, &view->percent_limit))
			options_stop(options, "invalid percentage '%s'",
				     options->value);
		return true;
	case KEY_HEADER_ONLY:
		view->header_only = true;
		/* fall through */
	case KEY_HEADER:
		view->header = true;
		return true;
	case 'g':
		if (!calls_parse(&view->calls, options->value))
			stop_at_graph(options);
		return true;
	case KEY_CHILDREN:
	case KEY_NO_CHILDREN:
		view->children = key == KEY_CHILDREN;
		return true;
	default:
		return false;
	}
}

static void take_option(struct options *options, int key,
			struct arguments *arguments)
{
	if (filter_option(options, key, arguments->filter) ||
	    inline_option(key, &arguments->options.inlines) ||
	    view_option(options, key, &arguments->view))
		return;
	switch (key) {
	case KEY_BY:
		arguments->by = options->value;
		break;
	case KEY_JSON:
		arguments->json = true;
		break;
	case KEY_CSV:
		arguments->csv = true;
		break;
	case KEY_SYMFS:
		arguments->options.symfs = options->value;
		break;
	case KEY_KALLSYMS:
		arguments->options.kallsyms = options->value;
		break;
	case KEY_TIME_QUANTUM:
		if (!parse_quantum(options->value,
				   &arguments->options.time_quantum))
			options_stop(options, "invalid time '%s'; it takes a unit, as 100ms",
				     options->value);
		break;
	case KEY_NO_PAGER:
		arguments->no_pager = true;
		break;
	}
}

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

/* Returns 0 or -errno; -EPIPE if the pager failed, after a message. */
static int show(struct arguments *arguments)
{
	struct pager pager = { 0 };

	if (arguments->json)
		return report_print_json(&arguments->view);
	if (arguments->csv)
		return report_print_csv(&arguments->view);
	arguments->view.width = terminal_width();
	arguments->view.colour = terminal_colour();
	if (!arguments->no_pager)
		pager_start(&pager, "report");
	return pager_finish(&pager, report_print_text(&arguments->view));
}

static int read_and_show(struct arguments *arguments)
{
	struct report_view *view = &arguments->view;
	int err;

	progress_start(&arguments->progress, "reading");
	err = kermon_report_read(view->report, view->path);
	progress_finish(&arguments->progress);
	if (err)
		return damages_failure("report", view->path, err,
				       tell_damage(view));
	if (!find_weight(view, arguments->by))
		return STATUS_FAILED;
	err = show(arguments);
	if (err == -EPIPE)
		return STATUS_FAILED;
	if (err) {
		message("report", "cannot print the report: %s", strerror(-err));
		return STATUS_FAILED;
	}
	if (arguments->csv) {
		statements_tell("report", view->path,
				kermon_report_statements(view->report));
		unwinding_tell("report", view->path,
			       kermon_report_unwinding(view->report));
	}
	return tell_damage(view) ? STATUS_FAILED : STATUS_OK;
}

static int out_of_memory(void)
{
	message("report", "out of memory");
	return STATUS_FAILED;
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

/* What the command line asks for, into @arguments; the status is the walk's. */
static bool take_arguments(struct options *options, struct arguments *arguments)
{
	int key;

	while ((key = options_next(options)))
		take_option(options, key, arguments);
	if (options_no_words(options, "-i FILE") && arguments->json && arguments->csv)
		options_stop(options, "--json or --csv, not both");
	if (!options->done && arguments->options.time_quantum &&
	    !asks_for_time(arguments))
		options_stop(options,
			     "--time-quantum is of the key time: -s time,...");
	return !options->done;
}

/* Print call graphs by default only in text; JSON has them with -g, CSV never. */
static void choose_calls(struct arguments *arguments)
{
	struct calls_style *calls = &arguments->view.calls;

	if (arguments->csv || (arguments->json && !calls->given))
		calls->type = CALLS_NONE;
	if (!calls->directed)
		calls->direction = arguments->view.children ? KERMON_CALLEES :
							      KERMON_CALLERS;
	arguments->options.calls = arguments->view.children ||
				   calls->type != CALLS_NONE;
}

/* What tables are made of, and no more. */
static const char *keys_of(const struct arguments *arguments)
{
	if (arguments->view.sort)
		return arguments->view.sort;
	return arguments->csv ? REPORT_CSV_KEYS : "comm,pid,tid,dso,sym";
}

static int report_with(struct arguments *arguments)
{
	struct kermon_damages *damages = damages_new("report");
	int status;

	if (!damages)
		return STATUS_FAILED;
	choose_calls(arguments);
	arguments->options.keys = keys_of(arguments);
	arguments->options.filter = arguments->filter;
	arguments->options.by_weight = arguments->by;
	arguments->options.damages = damages;
	arguments->view.damages = damages;
	arguments->view.report = kermon_report_new(&arguments->options);
	status = arguments->view.report ? read_and_show(arguments) :
					  out_of_memory();
	kermon_report_free(arguments->view.report);
	kermon_damages_free(damages);
	return status;
}

static int run_report(const struct command *command, int argc, char **argv)
{
	struct arguments arguments = {
		.view = {
			.path = "perf.data",
			.children = true,
			.calls = { .type = CALLS_GRAPH, .min_percent = 0.5 },
		},
		.filter = kermon_filter_new(),
		.options = {
			.size = sizeof(arguments.options),
			.progress = progress_update,
			.context = &arguments.progress,
		},
	};
	struct options options;
	int status;

	if (!arguments.filter)
		return out_of_memory();
	options_begin(&options, command, argc, argv);
	status = take_arguments(&options, &arguments) ?
		 report_with(&arguments) : options.status;
	kermon_filter_free(arguments.filter);
	return status;
}

const struct command report_command = {
	.name = "report",
	.synopsis = "[OPTION]...",
	.summary = "Show what a perf.data file says, by thread and function",
	.options = report_options,
	.run = run_report,
};
