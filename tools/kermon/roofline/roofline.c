// SPDX-License-Identifier: GPL-2.0
/* kermon roofline: where an application stands under the ceilings of its machine. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kermon/text.h>

#include "page/page.h"
#include "png.h"
#include "roofline.h"
#include "ui/common_options.h"
#include "ui/completion.h"
#include "ui/message.h"
#include "ui/output.h"
#include "ui/pager.h"
#include "util/array.h"

/**
 * struct arguments - the command line
 * @labels: --label: names of the recordings, separated by commas; NULL: those of files
 */
struct arguments {
	struct roofline_view view;
	struct input input;
	const char *labels;
	const char *svg;
	const char *png;
	const char *html;
	bool json;
	bool csv;
	bool no_pager;
	enum color color;
};

static const char *const dots_names[] = {
	[DOTS_TIME] = "time",
	[DOTS_SIMD] = "simd",
	[DOTS_THREAD] = "thread",
	[DOTS_FUNCTION] = "function",
	NULL
};

static const struct value_type value_dots = {
	.what = "colour",
	.whats = "colours",
	.names = dots_names,
	.take = value_take_name,
};

#define VALUE_dots	unsigned int

static const char *const by_names[] = {
	[BY_THREAD] = "thread",
	[BY_FUNCTION] = "function",
	NULL
};

static const struct value_type value_by = {
	.what = "group",
	.whats = "groups",
	.names = by_names,
	.take = value_take_name,
};

#define VALUE_by	unsigned int

static const char *const plot_names[] = {
	[PLOT_SAMPLES] = "samples",
	[PLOT_AVERAGE] = "average",
	[PLOT_TIME] = "time",
	[PLOT_POWER] = "power",
	[PLOT_LANES] = "lanes",
	[PLOT_NONE] = "none",
	NULL
};

static const struct value_type value_plot = {
	.what = "plot",
	.whats = "plots",
	.names = plot_names,
	.take = value_take_name,
};

#define VALUE_plot	unsigned int

/* The option may be repeated. */
static void take_ceilings(struct options *options, const struct option_spec *spec, void *to)
{
	struct ceiling_files *files = to;

	(void)spec;
	if (array_room(files->all, files->room, files->nr + 1))
		options_stop(options, "out of memory");
	else
		files->all[files->nr++] = options->value;
}

static const struct value_type value_ceilings = {
	.take = take_ceilings,
	.complete = completion_files,
};

#define VALUE_ceilings	struct ceiling_files

static const struct option_spec roofline_options[] = {
	FILE_OPTION(INPUT_DEFAULT),
	{ 0, "ceilings", "FILE", "ceilings to compare with, also if they are of another machine",
	  VALUE(ceilings, struct arguments, view.given),
	  .preset = "those of the machine that was recorded" },
	{ 0, "label", "NAME,...", "names of the recordings",
	  VALUE(text, struct arguments, labels), .preset = "those of their files" },
	{ 0, "by", "GROUP", "what to sum up samples by",
	  VALUE(by, struct arguments, view.by), .preset = "thread" },
	{ 0, "view", "PLOT", "what to plot in the terminal",
	  VALUE(plot, struct arguments, view.plot), .preset = "samples" },
	{ 0, "svg", "FILE", "draw a picture as SVG", VALUE(file, struct arguments, svg) },
	{ 0, "png", "FILE", "draw the same picture as PNG", VALUE(file, struct arguments, png) },
	{ 0, "html", "FILE", "write an interactive page, which needs no other file",
	  VALUE(file, struct arguments, html) },
	{ 0, "dots", "COLOUR", "what the colour of a sample shows in pictures",
	  VALUE(dots, struct arguments, view.dots), .preset = "time" },
	GROUP(json, struct arguments, json),
	{ 0, "csv", NULL, "print comma-separated values: a header line, and a line for each sample",
	  VALUE(flag, struct arguments, csv) },
	GROUP(filter, struct arguments, input.filter),
	GROUP(input, struct arguments, input),
	GROUP(pager, struct arguments, no_pager),
	GROUP(color, struct arguments, color),
	{}
};

static const struct option_conflict roofline_conflicts[] = {
	{ "json", "csv" },
	{ "json", "view" },
	{ "json", "color" },
	{ "csv", "view" },
	{ "csv", "color" },
	{}
};

static int tell_unwritten(const char *path, int err)
{
	message("roofline", "cannot write %s: %s", path, output_reason(err));
	return STATUS_FAILED;
}

static bool is_standard_output(const char *path)
{
	return path && !strcmp(path, "-");
}

static int write_svg(const struct arguments *arguments)
{
	if (is_standard_output(arguments->svg))
		return roofline_picture(&arguments->view, stdout);
	return output_write(arguments->svg, roofline_picture, &arguments->view);
}

static int write_page(const void *context, FILE *out)
{
	const struct roofline_view *view = context;
	char title[512];

	snprintf(title, sizeof(title), "Roofline of %s", view->runs[0].label);
	return page_write(out, title, roofline_write_json, view);
}

static int write_html(const struct arguments *arguments)
{
	if (is_standard_output(arguments->html))
		return write_page(&arguments->view, stdout);
	return output_write(arguments->html, write_page, &arguments->view);
}

static int write_pictures(const struct arguments *arguments)
{
	int err = arguments->svg ? write_svg(arguments) : 0;

	if (err)
		return tell_unwritten(arguments->svg, err);
	if (arguments->html)
		err = write_html(arguments);
	if (err)
		return tell_unwritten(arguments->html, err);
	if (arguments->png)
		err = png_write(&arguments->view, arguments->png);
	return err ? tell_unwritten(arguments->png, err) : STATUS_OK;
}

/* Whether standard output is for a picture. */
static bool prints_picture(const struct arguments *arguments)
{
	return is_standard_output(arguments->svg) || is_standard_output(arguments->png) ||
	       is_standard_output(arguments->html);
}

/* Two documents in one stream are none. */
static int check_streams(const struct arguments *arguments, const struct command *command)
{
	const struct {
		const char *option;
		bool prints;
	} outputs[] = {
		{ "--json", arguments->json },
		{ "--csv", arguments->csv },
		{ "--svg -", is_standard_output(arguments->svg) },
		{ "--png -", is_standard_output(arguments->png) },
		{ "--html -", is_standard_output(arguments->html) },
	};
	const char *first = NULL;

	for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++) {
		if (outputs[i].prints && first)
			return options_bad(command, "%s and %s both write to standard output: name a file for one of them",
					   first, outputs[i].option);
		if (outputs[i].prints)
			first = outputs[i].option;
	}
	return STATUS_OK;
}

static int print_text(struct arguments *arguments)
{
	struct pager pager = { 0 };

	arguments->view.width = terminal_width();
	arguments->view.colour = terminal_colour(arguments->color);
	if (!arguments->no_pager)
		pager_start(&pager, "roofline");
	return pager_finish(&pager, roofline_print_text(&arguments->view));
}

static int print(struct arguments *arguments)
{
	int err = 0;

	if (arguments->json)
		err = roofline_print_json(&arguments->view);
	else if (arguments->csv)
		err = roofline_print_csv(&arguments->view);
	else if (!prints_picture(arguments))
		err = print_text(arguments);
	if (err && err != -EPIPE)
		message("roofline", "%s", strerror(-err));
	return err ? STATUS_FAILED : STATUS_OK;
}

/* Take the next name of --label, which must not be empty. */
static bool take_label(struct roofline_run *run, const char **labels)
{
	size_t length = strcspn(*labels, ",");
	char *name = strndup(*labels, length);

	run->label = name && length ? kermon_text_escaped(name) : NULL;
	free(name);
	*labels += length + ((*labels)[length] == ',');
	return run->label;
}

static int take_labels(struct arguments *arguments, const struct command *command, size_t nr)
{
	const char *labels = arguments->labels;
	size_t i = 0;

	if (!labels)
		return STATUS_OK;
	while (i < nr && take_label(&arguments->view.runs[i], &labels))
		i++;
	if (i < nr || *labels)
		return options_bad(command, "--label requires a name for each of the %zu recordings",
				   nr);
	return STATUS_OK;
}

static int read_all(struct arguments *arguments, char *const *paths, bool *damaged)
{
	int status = STATUS_OK;

	for (; *paths && !status; paths++)
		status = runs_read(&arguments->view, &arguments->input, *paths, damaged);
	if (!status)
		status = machines_find(&arguments->view);
	if (!status)
		labels_make(&arguments->view);
	return status;
}

/* Before the files are read, which may take long. */
static int check_picture(const char *path, char *const *paths)
{
	int err;

	if (!path || is_standard_output(path))
		return STATUS_OK;
	err = output_check_export(path);
	if (err)
		return tell_unwritten(path, err);
	for (; *paths; paths++)
		if (!output_spares("roofline", path, *paths))
			return STATUS_FAILED;
	return STATUS_OK;
}

static int check_pictures(const struct arguments *arguments, char *const *paths)
{
	int status = check_picture(arguments->svg, paths);

	if (!status)
		status = check_picture(arguments->png, paths);
	if (!status)
		status = check_picture(arguments->html, paths);
	return status || !arguments->png || png_is_possible() ? status : STATUS_FAILED;
}

static int show(struct arguments *arguments, char *const *paths)
{
	bool damaged = false;
	int status = check_pictures(arguments, paths);

	if (!status)
		status = read_all(arguments, paths, &damaged);
	if (status)
		return status;
	runs_tell_without(&arguments->view);
	status = print(arguments);
	if (!status)
		status = write_pictures(arguments);
	if (damaged || !runs_have_flop(&arguments->view))
		return STATUS_FAILED;
	return status;
}

static int roofline_with(struct options *options, const struct command *command, int argc,
			 char **argv, struct arguments *arguments)
{
	const char *standard[] = { NULL, NULL };
	size_t nr;
	int status;

	if (!options_parse(options, command, argc, argv, arguments))
		return options->status;
	status = check_streams(arguments, command);
	if (status)
		return status;
	standard[0] = input_path(options);
	nr = options->nr_operands ? options->nr_operands : 1;
	if (runs_begin(&arguments->view, nr)) {
		message("roofline", "out of memory");
		return STATUS_FAILED;
	}
	status = take_labels(arguments, command, nr);
	if (status)
		return status;
	return show(arguments, options->nr_operands ? options->operands :
						      (char *const *)standard);
}

static int run_roofline(const struct command *command, int argc, char **argv)
{
	struct arguments *arguments = calloc(1, sizeof(*arguments));
	struct options options;
	int status = STATUS_FAILED;

	if (!arguments) {
		message("roofline", "out of memory");
		return STATUS_FAILED;
	}
	if (!input_begin(&arguments->input, command))
		status = roofline_with(&options, command, argc, argv, arguments);
	runs_free(&arguments->view);
	machines_free(&arguments->view);
	notes_free(&arguments->view.labels);
	input_end(&arguments->input);
	free(arguments);
	return status;
}

const struct command roofline_command = {
	.name = "roofline",
	.synopsis = "[OPTION]... [FILE]...",
	.summary = "Show where a program stands under the ceilings of its machine",
	.options = roofline_options,
	.conflicts = roofline_conflicts,
	.operand = &value_input,
	.max_operands = OPERANDS_ANY,
	.run = run_roofline,
};
