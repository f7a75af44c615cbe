// SPDX-License-Identifier: GPL-2.0
/* kermon script: prints a perf.data file sample by sample, as perf script does. */
#define _GNU_SOURCE
#include <errno.h>
#include <kermon/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"
#include "input/input.h"
#include "ui/common_options.h"
#include "ui/message.h"
#include "ui/pager.h"

/**
 * struct arguments - the command line, and what is missing from the file
 * @missing: a field of -F that samples of the file lack
 * @event: the event whose samples lack it
 */
struct arguments {
	struct source source;
	struct script script;
	const char *missing;
	const char *event;
	bool no_pager;
};

static const char *name_of_field(size_t index)
{
	return script_fields_name(index);
}

static void take_fields(struct options *options, const struct option_spec *spec,
			void *to)
{
	const char *wrong, *at;

	wrong = script_fields_parse(to, options->value, &at);
	if (wrong == script_fields_unknown)
		value_unknown(options, spec->type, at + strspn(at, "+-"),
			      strcspn(at + strspn(at, "+-"), ","));
	else if (wrong)
		options_stop(options, "invalid list of fields '%s': %s",
			     options->value, wrong);
}

static const struct value_type value_fields = {
	.what = "field",
	.whats = "fields",
	.separators = ",:+-",
	.name = name_of_field,
	.take = take_fields,
};

#define VALUE_fields	struct script_fields

/* Records that are printed between the samples: a bit for each type. */
#define SHOW(name, types, help)						\
	{ 0, "show-" name "-events", NULL, help,				\
	  VALUE(bits, struct arguments, script.records), .number = (types) }

static const struct option_spec script_options[] = {
	FILE_OPTION(INPUT_DEFAULT),
	GROUP(input, struct arguments, source.input),
	GROUP(filter, struct arguments, source.input.filter),
	GROUP(inline, struct arguments, source.input.reading),
	{ 'F', "fields", "[KIND:]FIELD,...",
	  "fields to print, or +FIELD,-FIELD,... to change that",
	  VALUE(fields, struct arguments, script.fields) },
	{ 'G', "hide-call-graph", NULL,
	  "print where a sample is, not how it got there",
	  VALUE(flag, struct arguments, script.no_frames) },
	{ 0, "ns", NULL, "print times to the nanosecond",
	  VALUE(flag, struct arguments, script.ns) },
	{ 0, "reltime", NULL, "print times since the first sample",
	  VALUE(number, struct arguments, script.clock),
	  .number = CLOCK_SINCE_FIRST },
	{ 0, "deltatime", NULL, "print times since the sample before",
	  VALUE(number, struct arguments, script.clock),
	  .number = CLOCK_SINCE_LAST },
	{ 0, "no-demangle", NULL,
	  "print the names of functions as their files have them",
	  VALUE(number, struct arguments, script.names),
	  .number = KERMON_NAME_LINKED },
	SHOW("task", 1U << PERF_RECORD_COMM | 1U << PERF_RECORD_FORK |
		     1U << PERF_RECORD_EXIT,
	     "print names, forks and exits of threads, too"),
	SHOW("mmap", 1U << PERF_RECORD_MMAP | 1U << PERF_RECORD_MMAP2,
	     "print what they mapped, too"),
	SHOW("switch", 1U << PERF_RECORD_SWITCH |
		       1U << PERF_RECORD_SWITCH_CPU_WIDE,
	     "print when they were switched in and out, too"),
	SHOW("namespace", 1U << PERF_RECORD_NAMESPACES,
	     "print their namespaces, too"),
	SHOW("cgroup", 1U << PERF_RECORD_CGROUP, "print control groups, too"),
	SHOW("lost", 1U << PERF_RECORD_LOST, "print how much was lost, too"),
	SHOW("bpf", 1U << PERF_RECORD_KSYMBOL | 1U << PERF_RECORD_BPF_EVENT,
	     "print programs of BPF and code that the kernel made, too"),
	GROUP(pager, struct arguments, no_pager),
	{}
};

static const struct option_rule script_rules[] = {
	{ "reltime", OPTION_EXCLUDES, "deltatime" },
	{}
};

/* Page faults, which are software events, are printed with the accessed variables. */
static bool wants_data(const struct script *script)
{
	return script->fields.masks[KIND_SOFTWARE] & FIELD_BIT(ADDR);
}

/* Choose the fields of each event. Returns 0, or -ENODATA if a field of -F is missing. */
static int choose_fields(struct arguments *arguments,
			 struct kermon_profile *profile)
{
	struct script *script = &arguments->script;
	const struct kermon_profile_event *event;

	for (size_t i = 0; (event = kermon_profile_event(profile, i)); i++)
		if (event->attr->type == PERF_TYPE_TRACEPOINT &&
		    event->attr->sample_type & PERF_SAMPLE_CALLCHAIN &&
		    !script->no_frames)
			script_fields_chains(&script->fields);
	for (size_t i = 0; (event = kermon_profile_event(profile, i)); i++) {
		arguments->missing = script_fields_of(&script->fields, event,
						      &script->masks[i]);
		arguments->event = event->name;
		if (arguments->missing)
			return -ENODATA;
	}
	return 0;
}

/* Write "   name: " to a new string. Returns 0 or -ENOMEM. */
static int write_name(char **to, const char *name, size_t width)
{
	char *escaped = kermon_text_escaped(name);

	if (!escaped || asprintf(to, "%*s: ", (int)width, escaped) < 0)
		*to = NULL;
	free(escaped);
	return *to ? 0 : -ENOMEM;
}

/* Write all names, aligned to the longest one. Returns 0 or -ENOMEM. */
static int write_names(struct script *script, struct kermon_profile *profile)
{
	const struct kermon_profile_event *event;
	size_t width = 0, len;

	for (size_t i = 0; (event = kermon_profile_event(profile, i)); i++) {
		len = strlen(event->name);
		if (len > width)
			width = len;
	}
	for (size_t i = 0; (event = kermon_profile_event(profile, i)); i++)
		if (write_name(&script->event_names[i], event->name, width))
			return -ENOMEM;
	return 0;
}

static int begin(void *context, struct kermon_profile *profile)
{
	struct arguments *arguments = context;
	struct script *script = &arguments->script;
	size_t nr = 0;
	int err;

	while (kermon_profile_event(profile, nr))
		nr++;
	script->registers = script_registers(kermon_profile_arch(profile));
	script->places = script_places_new();
	script->masks = calloc(nr + 1, sizeof(*script->masks));
	script->event_names = calloc(nr + 1, sizeof(*script->event_names));
	if (!script->masks || !script->places || !script->event_names)
		return -ENOMEM;
	err = choose_fields(arguments, profile);
	return err ? err : write_names(script, profile);
}

static void end(struct script *script)
{
	for (char **name = script->event_names; name && *name; name++)
		free(*name);
	free(script->event_names);
	script_places_free(script->places);
	free(script->masks);
}

static int sample(void *context, const struct kermon_profile_sample *sample)
{
	struct arguments *arguments = context;

	return script_sample(&arguments->script, sample);
}

static int record(void *context, const struct kermon_profile_record *record)
{
	struct arguments *arguments = context;

	return script_record(&arguments->script, record);
}

static int count(void *context, const struct kermon_profile_count *count)
{
	struct arguments *arguments = context;

	return script_count(&arguments->script, count);
}

static const struct kermon_profile_callbacks callbacks = {
	.size = sizeof(callbacks),
	.begin = begin,
	.sample = sample,
	.record = record,
	.count = count,
};

/* Report what is wrong with the file, or why it was not read. Returns the exit status. */
static int tell_end(const struct arguments *arguments, int err)
{
	if (err != -ENODATA || !arguments->missing)
		return source_status(&arguments->source, err);
	message("script", "%s: the samples of '%s' have no %s",
		arguments->source.input.path, arguments->event, arguments->missing);
	return STATUS_FAILED;
}

static int read_and_print(struct arguments *arguments)
{
	struct script *script = &arguments->script;
	struct pager pager = { 0 };
	int err, unwritten;

	if (!arguments->no_pager)
		pager_start(&pager, "script");
	arguments->source.input.reading.data = wants_data(script);
	err = source_read(&arguments->source, &callbacks, arguments);
	unwritten = line_flush(&script->line);
	err = pager_finish(&pager, err ? err : unwritten);
	end(script);
	return tell_end(arguments, err);
}

static int run_script(const struct command *command, int argc, char **argv)
{
	static struct arguments arguments;	/* too large for the stack */
	struct options options;
	int status = STATUS_FAILED;

	memset(&arguments, 0, sizeof(arguments));
	arguments.script.names = KERMON_NAME_SHORT;
	script_fields_default(&arguments.script.fields);
	if (source_begin(&arguments.source, command)) {
		source_end(&arguments.source);
		return status;
	}
	if (options_parse(&options, command, argc, argv, &arguments)) {
		arguments.source.input.path = input_path(&options);
		status = read_and_print(&arguments);
	} else {
		status = options.status;
	}
	source_end(&arguments.source);
	return status;
}

const struct command script_command = {
	.name = "script",
	.synopsis = "[OPTION]... [FILE]",
	.summary = "Print a perf.data file sample by sample, as perf script does",
	.options = script_options,
	.rules = script_rules,
	.operand = &value_input,
	.max_operands = 1,
	.run = run_script,
};
