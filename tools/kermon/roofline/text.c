// SPDX-License-Identifier: GPL-2.0
/* Prints a roofline as text: the ceilings that apply, averages, the verdict, and a plot. */
#include <errno.h>
#include <inttypes.h>
#include <kermon/text.h>
#include <math.h>
#include <stdlib.h>

#include "roofline.h"
#include "terminal.h"
#include "ui/number.h"
#include "ui/shown.h"
#include "ui/table.h"
#include "ui/wrap.h"
#include "util/array.h"

static struct table_style style_of(const struct roofline_view *view)
{
	return (struct table_style){ .width = view->width, .colour = view->colour };
}

/* Four digits; "-": unknown. */
static void put_real(struct table *table, double value, bool estimated)
{
	char text[NUMBER_SIZE] = "-";

	if (!isnan(value))
		snprintf(text, sizeof(text), estimated ? "~%.4g" : "%.4g", value);
	table_cell(table, text, NULL);
}

static void put_number(struct table *table, uint64_t value)
{
	char text[NUMBER_SIZE];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	table_cell(table, text, NULL);
}

static int print_roofs(const struct roofline_view *view, const struct roofs *roofs)
{
	const struct table_style style = style_of(view);
	struct table *table = table_new();
	const struct kermon_ceiling *from;
	char range[2 * NUMBER_SIZE], title[ROOFS_NAME + 16] = "Ceilings";
	int err;

	table_column(table, TABLE_KEY, "ceiling");
	table_column(table, TABLE_VALUE, "");
	table_column(table, TABLE_KEY, "unit");
	table_column(table, TABLE_KEY, "interval");
	for (size_t i = 0; i < roofs->nr; i++) {
		from = roofs->all[i].from;
		if (!roofs->all[i].shown)
			continue;
		table_cell(table, from->label, NULL);
		put_real(table, from->value / 1e9, false);
		table_cell(table, from->kind == KERMON_CEILING_FLOPS ? "GFLOP/s" : "GB/s", NULL);
		snprintf(range, sizeof(range), "%.4g to %.4g", from->low / 1e9,
			 from->high / 1e9);
		table_cell(table, from->low < from->high ? range : "", NULL);
	}
	if (view_has_machines(view))
		snprintf(title, sizeof(title), "Ceilings of %s", roofs->name);
	table_title(title, view->colour);
	err = table_print(table, stdout, &style);
	table_free(table);
	if (!err)
		shown_line(stdout, "From %s.", roofs->path);
	return err;
}

static bool has_joules(const struct roofline_view *view)
{
	for (size_t i = 0; i < view->nr_runs; i++)
		if (run_domain(&view->runs[i], "package") < 0)
			return false;
	return true;
}

static void add_columns(const struct roofline_view *view, struct table *table)
{
	table_column(table, TABLE_KEY, "");
	if (view->by == BY_THREAD) {
		table_column(table, TABLE_KEY_NUMBER, "pid");
		table_column(table, TABLE_KEY_NUMBER, "tid");
	} else {
		table_column(table, TABLE_KEY, "file");
	}
	table_column(table, TABLE_VALUE, "seconds");
	table_column(table, TABLE_VALUE, "GFLOP");
	table_column(table, TABLE_VALUE, "GFLOP/s");
	table_column(table, TABLE_VALUE, "FLOP /byte");
	table_column(table, TABLE_VALUE, "GB/s");
	if (!has_joules(view))
		return;
	table_column(table, TABLE_VALUE, "J (package)");
	table_column(table, TABLE_VALUE, "nJ /FLOP");
}

static void add_sums(const struct roofline_view *view, const struct roofline_run *run,
		     struct table *table, const struct kermon_roofline_sums *sums)
{
	const bool about = sums->estimated;

	put_real(table, sums->seconds, false);
	put_real(table, sums->flop / 1e9, about);
	put_real(table, kermon_roofline_flops(sums) / 1e9, about);
	put_real(table, kermon_roofline_intensity(sums, sums->bytes), true);
	put_real(table, sums->placed > 0 ? sums->bytes / sums->placed / 1e9 : NAN, true);
	if (!has_joules(view))
		return;
	put_real(table, sums->joules[run_domain(run, "package")], false);
	put_real(table, sums_joules_per_flop(run, sums) * 1e9, about);
}

static void add_thread(const struct roofline_view *view, const struct roofline_run *run,
		       struct table *table, const struct kermon_roofline_thread *thread)
{
	table_cell(table, thread->comm, NULL);
	if (run_is_of_cpus(run)) {
		table_cell(table, "", NULL);
		table_cell(table, "", NULL);
	} else {
		put_number(table, thread->pid);
		put_number(table, thread->tid);
	}
	add_sums(view, run, table, thread->sums);
}

static void add_function(const struct roofline_view *view, const struct roofline_run *run,
			 struct table *table, const struct kermon_roofline_function *function)
{
	table_cell(table, function_name(function), NULL);
	table_cell(table, function->file ? function->file : "", NULL);
	add_sums(view, run, table, function->sums);
}

/* A row of the table: the index of a thread or function, and how long it ran. */
struct group {
	size_t index;
	double seconds;
};

static int by_seconds(const void *a, const void *b)
{
	const struct group *left = a, *right = b;

	if (left->seconds == right->seconds)
		return (left->index > right->index) - (left->index < right->index);
	return left->seconds < right->seconds ? 1 : -1;
}

/* The threads or functions of a recording, those that ran longest first. */
static int add_groups(const struct roofline_view *view, const struct roofline_run *run,
		      struct table *table)
{
	const struct kermon_roofline_sums *sums;
	struct group *all = NULL;
	size_t nr = 0, room = 0;

	for (; (sums = run_sums(run, view->by, nr)); nr++) {
		if (array_room(all, room, nr + 1)) {
			free(all);
			return -ENOMEM;
		}
		all[nr] = (struct group){ nr, sums->seconds };
	}
	if (nr)
		qsort(all, nr, sizeof(*all), by_seconds);
	for (size_t i = 0; i < nr; i++) {
		if (view->by == BY_FUNCTION)
			add_function(view, run, table,
				     kermon_roofline_function(run->table, all[i].index));
		else
			add_thread(view, run, table,
				   kermon_roofline_thread(run->table, all[i].index));
	}
	free(all);
	return 0;
}

static int print_averages(const struct roofline_view *view, const struct roofline_run *run)
{
	const struct table_style style = style_of(view);
	struct table *table = table_new();
	int err;

	add_columns(view, table);
	table_cell(table, "application", NULL);
	table_cell(table, "", NULL);
	if (view->by == BY_THREAD)
		table_cell(table, "", NULL);
	add_sums(view, run, table, kermon_roofline_total(run->table));
	err = add_groups(view, run, table);
	table_title(view->nr_runs > 1 ? run->label : "Averages", view->colour);
	if (!err)
		err = table_print(table, stdout, &style);
	table_free(table);
	return err;
}

/* Texts quote names in files. */
static void print_words(const struct roofline_view *view, const char *text)
{
	char *plain = kermon_text_escaped(text);

	if (plain && view->width)
		wrap_text(stdout, plain, 0, 0, view->width);
	else if (plain)
		printf("%s\n", plain);
	free(plain);
}

static void print_verdicts(const struct roofline_view *view)
{
	char text[VERDICT_SIZE];
	bool any = false;

	for (size_t i = 0; i < view->nr_runs; i++) {
		verdict_write(&view->runs[i], text);
		if (!*text)
			continue;
		if (!any)
			table_title("Verdict", view->colour);
		any = true;
		print_words(view, text);
	}
}

static void print_labels(const struct roofline_view *view)
{
	if (view->labels.nr)
		table_title("How to read it", view->colour);
	for (size_t i = 0; i < view->labels.nr; i++)
		print_words(view, view->labels.all[i]);
}

int roofline_print_text(const struct roofline_view *view)
{
	int err = 0;

	if (view->plot != PLOT_NONE)
		err = terminal_plot(view);
	for (size_t i = 0; i < view->nr_machines && !err; i++)
		err = print_roofs(view, &view->machines[i]);
	for (size_t i = 0; i < view->nr_runs && !err; i++)
		err = print_averages(view, &view->runs[i]);
	if (err)
		return err;
	print_verdicts(view);
	print_labels(view);
	return 0;
}
