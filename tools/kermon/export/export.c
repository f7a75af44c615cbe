// SPDX-License-Identifier: GPL-2.0
/* kermon export: a perf.data file in the format of another program. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export.h"
#include "ui/common_options.h"
#include "ui/event_match.h"
#include "ui/message.h"
#include "ui/output.h"
#include "util/array.h"

static const struct export_format *const formats[] = {
	&folded_format,
	&pprof_format,
	&firefox_format,
	&perfetto_format,
	&json_format,
	NULL,
};

struct arguments {
	struct export export;
	const char *path;	/* NULL: standard output */
};

static const char *name_of_format(size_t index)
{
	return formats[index] ? formats[index]->name : NULL;
}

static void take_format(struct options *options, const struct option_spec *spec,
			void *to)
{
	unsigned int index = 0;

	value_take_name(options, spec, &index);
	*(const struct export_format **)to = formats[index];
}

static const struct value_type value_format = {
	.what = "format",
	.whats = "formats",
	.name = name_of_format,
	.take = take_format,
};

#define VALUE_format	const struct export_format *

static const struct option_spec export_options[] = {
	FILE_OPTION(INPUT_DEFAULT),
	GROUP(input, struct arguments, export.source.input),
	GROUP(filter, struct arguments, export.source.input.filter),
	GROUP(chains, struct arguments, export.source.input.reading),
	EVENT_OPTION(struct arguments, export.source.input.event,
		     "the first one with samples"),
	{ 'f', "format", "FORMAT", "output format",
	  VALUE(format, struct arguments, export.format), .preset = "folded" },
	{ 0, "region-frames", NULL, "begin call chains with the regions that were marked",
	  VALUE(flag, struct arguments, export.with_regions) },
	OUTPUT_OPTION(struct arguments, path, "standard output"),
	{}
};

void export_frame_name(const struct stack_frame *frame, char *name, size_t size)
{
	const char *file = frame->place.name;
	bool bracket = file && *file == '[';

	if (frame->function)
		snprintf(name, size, "%s%s", frame->function,
			 frame->is_inlined ? " (inlined)" : "");
	else
		snprintf(name, size, bracket ? "%s" : "[%s]",
			 file ? file : "unknown");
}

static const char *name_of(const void *profile, size_t index)
{
	return kermon_profile_event(profile, index)->name;
}

static struct event_list events_of(const struct export *export,
				   const struct kermon_profile *profile)
{
	return (struct event_list){
		.of = profile,
		.nr = export->stacks.nr_events,
		.name = name_of,
	};
}

/* Returns 0, or -ENODATA if no event matches --event. */
static int find_event(struct export *export,
		      const struct kermon_profile *profile)
{
	struct event_list events = events_of(export, profile);

	if (!export->source.input.event ||
	    event_find(&events, export->source.input.event, &export->event) == EVENT_FOUND)
		return 0;
	return -ENODATA;
}

/* Returns 0 or -errno; -ENODATA as find_event(). */
static int begin(void *context, struct kermon_profile *profile)
{
	const struct kermon_profile_event *event;
	struct export *export = context;
	struct stacks *stacks = &export->stacks;
	struct kermon_metric metric;
	size_t nr;

	for (nr = 0; (event = kermon_profile_event(profile, nr)); nr++)
		stacks->of_intervals |= event->is_interval;
	stacks->exact = export->format->exact;
	stacks->by_thread = export->format->by_thread;
	stacks->nr_events = nr;
	export->totals = calloc(nr + 1, sizeof(*export->totals));
	export->kinds = calloc(nr + 1, sizeof(*export->kinds));
	if (!export->totals || !export->kinds)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		event = kermon_profile_event(profile, i);
		kermon_metric_of(event->name, event->attr, &metric);
		export->kinds[i] = metric.kind;
	}
	export->regions.kept = export->format->of_regions;
	if (export_regions_begin(&export->regions))
		return -ENOMEM;
	return find_event(export, profile);
}

static int keep_sample(struct export *export, uint64_t time, uint32_t node)
{
	if (array_room(export->samples, export->room_samples,
		       export->nr_samples + 1))
		return -ENOMEM;
	export->samples[export->nr_samples++] = (struct export_sample){
		.time = time,
		.node = node,
	};
	return 0;
}

static void see_time(struct export *export, uint64_t time)
{
	if (!export->begun)
		export->first = time;
	export->begun = true;
	export->last = time;
}

/* Add a sample to the stacks, in its regions if that is wanted. */
static int add_sample(struct export *export, const struct kermon_profile_sample *sample,
		      uint32_t *node)
{
	const char *regions[REGIONS_DEPTH];
	const size_t nr = export->with_regions ?
			  export_regions_names(&export->regions, sample, regions) : 0;

	return stacks_add(&export->stacks, sample, regions, nr, node);
}

static int sample(void *context, const struct kermon_profile_sample *sample)
{
	struct export *export = context;
	uint32_t node;
	int err;

	if (!export->any && !export->source.input.event)
		export->event = sample->event->index;
	export->any = true;
	see_time(export, sample->time);
	export->has_event |= sample->event->index == export->event;
	export->totals[sample->event->index] += sample->period;
	if (export->format->only_regions ||
	    (export->format->timeline && sample->event->index != export->event))
		return 0;
	err = add_sample(export, sample, &node);
	if (err || !export->format->timeline)
		return err;
	return keep_sample(export, sample->time, node);
}

static int mark(void *context, const struct kermon_profile_sample *mark)
{
	struct export *export = context;

	see_time(export, mark->time);
	return export_regions_mark(&export->regions, mark);
}

static int record(void *context, const struct kermon_profile_record *record)
{
	struct export *export = context;

	return export_regions_record(&export->regions, record);
}

/* Threads that have regions but no samples are shown, too. */
static int end(void *context, struct kermon_profile *profile)
{
	struct export *export = context;
	int err = export_regions_end(&export->regions);
	struct export_call *call;

	(void)profile;
	for (size_t i = 0; i < export->regions.nr && !err && export->stacks.by_thread; i++) {
		call = &export->regions.calls[i];
		err = stacks_root(&export->stacks, call->call.thread->comm,
				  call->call.thread->pid, call->call.thread->tid, &call->root);
	}
	return err;
}

static const struct kermon_profile_callbacks callbacks = {
	.size = sizeof(callbacks),
	.begin = begin,
	.sample = sample,
	.record = record,
	.mark = mark,
	.end = end,
};

static int tell_unwritten(const char *path, int err)
{
	message("export", "cannot write %s: %s",
		path ? path : "to standard output", output_reason(err));
	return STATUS_FAILED;
}

static int write_to(const void *context, FILE *out)
{
	const struct export *export = context;

	return export->format->write(export, out);
}

static int write_out(const struct arguments *arguments)
{
	const struct export *export = &arguments->export;
	const char *path = arguments->path;
	int err;

	if (path)
		err = output_write(path, write_to, export);
	else
		err = export->format->write(export, stdout);
	if (!err)
		return STATUS_OK;
	return tell_unwritten(path, err);
}

static int tell_missing(const struct export *export)
{
	struct event_list events = events_of(export, export->source.profile);

	event_tell("export", export->source.input.path, &events, export->source.input.event);
	return STATUS_FAILED;
}

/* If the file has no samples at all, a statement already says so. */
static void tell_unsampled(const struct export *export)
{
	const struct profile_input *source = &export->source;

	if (export->any && !export->has_event)
		message("export", source->input.filter.used ?
			"%s: no sample of %s matches the filter" :
			"%s: the file has no samples of %s",
			source->input.path, name_of(source->profile, export->event));
}

static int read_and_write(struct arguments *arguments)
{
	struct export *export = &arguments->export;
	int status, written, err;

	err = profile_input_read(&export->source, &callbacks, export);
	if (err == -ENODATA && export->totals)
		return tell_missing(export);
	status = profile_input_status(&export->source, err);
	if (err)
		return status;
	if (export->format->only_regions && !export->regions.nr) {
		message("export", "%s: no program has marked regions in this recording",
			export->source.input.path);
		return STATUS_FAILED;
	}
	if (!export->format->only_regions)
		tell_unsampled(export);
	written = write_out(arguments);
	return written ? written : status;
}

/* Check the output before the file is read, which may take long. */
static int check_output(const struct arguments *arguments)
{
	int err;

	if (!arguments->path)
		return STATUS_OK;
	err = output_check_export(arguments->path);
	if (err)
		return tell_unwritten(arguments->path, err);
	return input_is_spared(&arguments->export.source.input, "export",
			       arguments->path) ? STATUS_OK : STATUS_FAILED;
}

static int export_with(struct options *options, const struct command *command,
		       int argc, char **argv, struct arguments *arguments)
{
	if (!options_parse(options, command, argc, argv, arguments))
		return options->status;
	arguments->export.source.input.path = input_path(options);
	if (arguments->path && !strcmp(arguments->path, "-"))
		arguments->path = NULL;
	if (arguments->export.format->binary && !arguments->path &&
	    isatty(STDOUT_FILENO))
		return options_bad(options->command,
				   "format '%s' is binary, not for a terminal; write it to a file with -o FILE",
				   arguments->export.format->name);
	return check_output(arguments) ? STATUS_FAILED :
					 read_and_write(arguments);
}

static int run_export(const struct command *command, int argc, char **argv)
{
	struct arguments arguments = { .export.format = &folded_format };
	struct export *export = &arguments.export;
	struct options options;
	int status = STATUS_FAILED;

	if (!profile_input_begin(&export->source, command))
		status = export_with(&options, command, argc, argv,
				     &arguments);
	stacks_free(&export->stacks);
	free(export->kinds);
	free(export->totals);
	free(export->samples);
	export_regions_free(&export->regions);
	profile_input_end(&export->source);
	return status;
}

const struct command export_command = {
	.name = "export",
	.synopsis = "[OPTION]... [FILE]",
	.summary = "Write a perf.data file as folded stacks, pprof, Firefox, Perfetto",
	.options = export_options,
	.operand = &value_input,
	.max_operands = 1,
	.run = run_export,
};
