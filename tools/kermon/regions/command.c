// SPDX-License-Identifier: GPL-2.0
/* kermon regions: time, counts and values of the regions that a program has marked. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "input/damages.h"
#include "input/statements.h"
#include "regions.h"
#include "ui/command.h"
#include "ui/message.h"
#include "ui/options.h"
#include "ui/pager.h"
#include "util/array.h"

static const struct option_spec regions_options[] = {
	FILE_OPTION(INPUT_DEFAULT),
	GROUP(input, struct regions_view, input),
	{ 0, "thread", NULL, "show each thread by itself",
	  VALUE(flag, struct regions_view, by_thread) },
	{ 0, "flat", NULL, "sum up regions of the same name, wherever they are",
	  VALUE(flag, struct regions_view, flat) },
	{ 0, "calls", "NAME", "show each call of the regions that match NAME",
	  VALUE(text, struct regions_view, wanted) },
	{ 0, "pie", NULL, "show the shares of the regions at the top",
	  VALUE(flag, struct regions_view, pie) },
	{ 0, "values", NULL, "show the values that were attached",
	  VALUE(flag, struct regions_view, values) },
	GROUP(json, struct regions_view, json),
	{ 0, "csv", NULL, "print comma-separated values: one table with a header line",
	  VALUE(flag, struct regions_view, csv) },
	GROUP(pager, struct regions_view, no_pager),
	GROUP(color, struct regions_view, color),
	{}
};

static const struct option_conflict regions_conflicts[] = {
	{ "csv", "json" },
	{ "csv", "color" },
	{ "json", "color" },
	{ "flat", "pie" },
	{ "thread", "pie" },
	{ "values", "pie" },
	{ "calls", "thread" },
	{ "calls", "flat" },
	{ "calls", "pie" },
	{ "calls", "values" },
	{}
};

static int copy_counts(const struct regions_view *view, const uint64_t *counts, uint64_t **copy)
{
	const size_t size = regions_counted(view->file.regions) * sizeof(*counts);

	*copy = NULL;
	if (!counts || !size)
		return 0;
	*copy = malloc(size);
	if (!*copy)
		return -ENOMEM;
	memcpy(*copy, counts, size);
	return 0;
}

/* Keep the calls that were asked for. */
static int keep_call(void *context, const struct region_call *call)
{
	struct regions_view *view = context;
	struct iteration *new;

	if (!regions_node(view->file.regions, call->node)->wanted)
		return 0;
	if (array_room(view->iterations, view->room_iterations, view->nr_iterations + 1))
		return -ENOMEM;
	new = &view->iterations[view->nr_iterations];
	new->call = *call;
	if (copy_counts(view, call->counts, &new->counts))
		return -ENOMEM;
	view->nr_iterations++;
	return 0;
}

/* Returns 0 or -errno; -EPIPE if the pager failed, after a message. */
static int show(struct regions_view *view)
{
	struct pager pager = { 0 };

	if (view->json)
		return regions_print_json(view);
	if (view->csv)
		return regions_print_csv(view);
	view->width = terminal_width();
	view->colour = terminal_colour(view->color);
	if (!view->no_pager)
		pager_start(&pager, "regions");
	return pager_finish(&pager, regions_print_text(view));
}

static int tell_unmarked(const struct regions_view *view)
{
	message("regions", "%s: no program has marked regions in this recording",
		view->input.path);
	message_hint("mark them with <kermon/region.h> or ITT, and record with --regions of 'kermon run' or 'record'");
	return STATUS_FAILED;
}

static int tell_no_call(const struct regions_view *view)
{
	message("regions", "%s: no region matches '%s'", view->input.path, view->wanted);
	message_hint("'kermon regions --flat' lists their names");
	return STATUS_FAILED;
}

static int show_all(struct regions_view *view)
{
	int err;

	if (!regions_are_in(view->file.pipeline.reader) ||
	    !regions_trouble(view->file.regions)->threads)
		return tell_unmarked(view);
	if (view->wanted && !view->nr_iterations)
		return tell_no_call(view);
	err = regions_make_rows(view);
	if (!err)
		err = show(view);
	if (err && err != -EPIPE)
		message("regions", "cannot print the report: %s", strerror(-err));
	return err ? STATUS_FAILED : STATUS_OK;
}

static bool tell_damage(const struct regions_view *view)
{
	return damages_tell("regions", view->input.path, view->input.damages);
}

static int read_and_show(struct regions_view *view)
{
	const struct regions_options options = {
		.iterations = view->wanted, .call = view->wanted ? keep_call : NULL,
		.context = view,
	};
	int err, status;

	view->input.reading.damages = view->input.damages;
	progress_start(&view->input.progress, "reading");
	err = regions_file_read(&view->file, view->input.path, &options, &view->input.reading);
	progress_finish(&view->input.progress);
	if (err)
		return damages_failure("regions", view->input.path, err, tell_damage(view));
	status = show_all(view);
	if (view->csv)
		statements_tell("regions", view->input.path,
				&view->file.pipeline.facts.statements);
	return tell_damage(view) ? STATUS_FAILED : status;
}

static int run_regions(const struct command *command, int argc, char **argv)
{
	static struct regions_view view;	/* too large for the stack */
	struct options options;
	int status;

	memset(&view, 0, sizeof(view));
	if (input_begin(&view.input, command))
		return STATUS_FAILED;
	if (options_parse(&options, command, argc, argv, &view)) {
		view.input.path = input_path(&options);
		status = read_and_show(&view);
		regions_free_rows(&view);
		regions_file_end(&view.file);
	} else {
		status = options.status;
	}
	input_end(&view.input);
	return status;
}

const struct command regions_command = {
	.name = "regions",
	.synopsis = "[OPTION]... [FILE]",
	.summary = "Show time and counts of the regions that a program has marked",
	.options = regions_options,
	.conflicts = regions_conflicts,
	.operand = &value_input,
	.max_operands = 1,
	.run = run_regions,
};
