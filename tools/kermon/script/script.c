// SPDX-License-Identifier: GPL-2.0
/* kermon script: prints a perf.data file sample by sample, as perf script does. */
#define _GNU_SOURCE
#include <errno.h>
#include <kermon/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "script.h"
#include "ui/message.h"
#include "ui/names.h"
#include "ui/pager.h"

enum {
	KEY_NS = 256,
	KEY_RELTIME,
	KEY_DELTATIME,
	KEY_NO_DEMANGLE,
	KEY_NO_PAGER,
	KEY_SHOW_TASKS,
	KEY_SHOW_MMAPS,
	KEY_SHOW_SWITCHES,
	KEY_SHOW_NAMESPACES,
	KEY_SHOW_CGROUPS,
	KEY_SHOW_LOST,
	KEY_SHOW_BPF,
	KEY_COUNT,
};

/* Records that are printed between the samples: a bit for each type, by option. */
static const uint32_t shown_records[KEY_COUNT - KEY_SHOW_TASKS] = {
	1U << PERF_RECORD_COMM | 1U << PERF_RECORD_FORK | 1U << PERF_RECORD_EXIT,
	1U << PERF_RECORD_MMAP | 1U << PERF_RECORD_MMAP2,
	1U << PERF_RECORD_SWITCH | 1U << PERF_RECORD_SWITCH_CPU_WIDE,
	1U << PERF_RECORD_NAMESPACES,
	1U << PERF_RECORD_CGROUP,
	1U << PERF_RECORD_LOST,
	1U << PERF_RECORD_KSYMBOL | 1U << PERF_RECORD_BPF_EVENT,
};

static const struct option_spec script_options[] = {
	SOURCE_OPTIONS,
	{ 'F', 'F', "fields", "[KIND:]FIELD,...",
	  "what to print, or +FIELD,-FIELD,... to change that" },
	{ 'G', 'G', "hide-call-graph", NULL,
	  "print where a sample is, not how it got there" },
	{ 0, KEY_NS, "ns", NULL, "print times to the nanosecond" },
	{ 0, KEY_RELTIME, "reltime", NULL, "times since the first sample" },
	{ 0, KEY_DELTATIME, "deltatime", NULL,
	  "times since the sample before" },
	{ 0, KEY_NO_DEMANGLE, "no-demangle", NULL,
	  "print the names of functions as their files have them" },
	{ 0, KEY_SHOW_TASKS, "show-task-events", NULL,
	  "print names, forks and exits of threads, too" },
	{ 0, KEY_SHOW_MMAPS, "show-mmap-events", NULL,
	  "print what they mapped, too" },
	{ 0, KEY_SHOW_SWITCHES, "show-switch-events", NULL,
	  "print when they were switched in and out, too" },
	{ 0, KEY_SHOW_NAMESPACES, "show-namespace-events", NULL,
	  "print their namespaces, too" },
	{ 0, KEY_SHOW_CGROUPS, "show-cgroup-events", NULL,
	  "print control groups, too" },
	{ 0, KEY_SHOW_LOST, "show-lost-events", NULL,
	  "print how much was lost, too" },
	{ 0, KEY_SHOW_BPF, "show-bpf-events", NULL,
	  "print programs of BPF and code that the kernel made, too" },
	{ 0, KEY_NO_PAGER, "no-pager", NULL, "do not start a pager" },
	{}
};

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

static void take_fields(struct options *options, struct script *script)
{
	const char *wrong = script_fields_parse(&script->fields,
						options->value);
	char names[NAMES_SIZE];

	if (wrong == script_fields_unknown)
		options_stop(options, "invalid list of fields '%s'; %s: %s",
			     options->value, wrong,
			     names_list(script_fields_name, names));
	else if (wrong)
		options_stop(options, "invalid list of fields '%s': %s",
			     options->value, wrong);
}

/* Page faults, which are software events, are printed with the accessed variables. */
static bool wants_data(const struct script *script)
{
	return script->fields.masks[KIND_SOFTWARE] & FIELD_BIT(ADDR);
}

static void take_option(struct options *options, int key,
			struct arguments *arguments)
{
	struct script *script = &arguments->script;

	if (source_option(&arguments->source, options, key))
		return;
	if (key >= KEY_SHOW_TASKS && key < KEY_COUNT)
		script->records |= shown_records[key - KEY_SHOW_TASKS];
	switch (key) {
	case 'F':
		take_fields(options, script);
		break;
	case 'G':
		script->no_frames = true;
		break;
	case KEY_NS:
		script->ns = true;
		break;
	case KEY_RELTIME:
		script->clock = CLOCK_SINCE_FIRST;
		break;
	case KEY_DELTATIME:
		script->clock = CLOCK_SINCE_LAST;
		break;
	case KEY_NO_DEMANGLE:
		script->names = KERMON_NAME_LINKED;
		break;
	case KEY_NO_PAGER:
		arguments->no_pager = true;
		break;
	}
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
		arguments->source.path, arguments->event, arguments->missing);
	return STATUS_FAILED;
}

static int read_and_print(struct arguments *arguments)
{
	struct script *script = &arguments->script;
	struct pager pager = { 0 };
	int err, unwritten;

	if (!arguments->no_pager)
		pager_start(&pager, "script");
	arguments->source.reading.data = wants_data(script);
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
	int key;

	memset(&arguments, 0, sizeof(arguments));
	arguments.script.names = KERMON_NAME_SHORT;
	script_fields_default(&arguments.script.fields);
	if (!source_begin(&arguments.source, command)) {
		options_begin(&options, command, argc, argv);
		while ((key = options_next(&options)))
			take_option(&options, key, &arguments);
		status = options_no_words(&options, "-i FILE") ?
			 read_and_print(&arguments) : options.status;
	}
	source_end(&arguments.source);
	return status;
}

const struct command script_command = {
	.name = "script",
	.synopsis = "[OPTION]...",
	.summary = "Print a perf.data file sample by sample, as perf script does",
	.options = script_options,
	.run = run_script,
};
