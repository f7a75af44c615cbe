// SPDX-License-Identifier: GPL-2.0
/* kermon readperf: writes the four tables of CERN's readperf from any perf.data file. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <kermon/readperf.h>

#include "input/damages.h"
#include "input/input_options.h"
#include "input/statements.h"
#include "ui/common_options.h"
#include "ui/csv.h"
#include "ui/fields.h"
#include "ui/message.h"
#include "ui/number.h"
#include "ui/output.h"
#include "ui/pager.h"
#include "ui/table.h"

#define COMMAND	"readperf"

enum { STAT, OVERVIEW, PROCESSES, RESULTS, NR_TABLES };

static const char *const table_names[NR_TABLES] = {
	[STAT] = "stat.csv",
	[OVERVIEW] = "overview.csv",
	[PROCESSES] = "processes.csv",
	[RESULTS] = "results.csv",
};

/* A table that is being written. */
struct file {
	char *path;
	struct output output;
	struct csv csv;
};

struct arguments {
	struct input input;
	const char *folder;
	bool quiet;
	int unwritten;		/* -errno: the overview could not be written on */
	enum color color;
	struct kermon_readperf *readperf;
	struct file files[NR_TABLES];
};

static const struct option_spec readperf_options[] = {
	FILE_OPTION(INPUT_DEFAULT),
	GROUP(input, struct arguments, input),
	{ 0, "output-dir", "DIR", "write the tables to this folder",
	  VALUE(folder, struct arguments, folder),
	  .preset = "the current one" },
	GROUP(quiet, struct arguments, quiet),
	GROUP(color, struct arguments, color),
	{}
};

static int open_file(struct file *file, const char *folder, const char *name)
{
	int err;

	if (asprintf(&file->path, "%s/%s", folder, name) < 0) {
		file->path = NULL;
		return -ENOMEM;
	}
	err = output_open_export(&file->output, file->path);
	if (err)
		return err;
	file->csv.out = fdopen(file->output.fd, "w");
	if (!file->csv.out)
		return -errno;
	return 0;
}

/* Returns 0, or -errno of any previous write. */
static int flush_file(struct file *file)
{
	if (fflush(file->csv.out) || ferror(file->csv.out))
		return errno ? -errno : -EIO;
	return 0;
}

static int keep_file(struct file *file)
{
	return output_keep(&file->output);
}

static void close_file(struct file *file)
{
	if (file->csv.out) {
		fclose(file->csv.out);
		file->output.fd = -1;
	}
	if (file->path)
		output_close(&file->output);
	free(file->path);
}

static int tell_unwritten(const struct file *file, int err)
{
	message(COMMAND, "cannot write %s: %s",
		file->path ? file->path : "a table", output_reason(err));
	return STATUS_FAILED;
}

/* Check all tables before the first one is created. */
static bool spares_inputs(const struct arguments *arguments)
{
	bool spared = true;
	char *path;

	for (size_t i = 0; i < NR_TABLES && spared; i++) {
		if (asprintf(&path, "%s/%s", arguments->folder, table_names[i]) < 0)
			return true;	/* opening the table then fails with a message */
		spared = input_is_spared(&arguments->input, COMMAND, path);
		free(path);
	}
	return spared;
}

static int open_files(struct arguments *arguments)
{
	int err;

	if (!spares_inputs(arguments))
		return STATUS_FAILED;
	for (size_t i = 0; i < NR_TABLES; i++) {
		err = open_file(&arguments->files[i], arguments->folder,
				table_names[i]);
		if (err)
			return tell_unwritten(&arguments->files[i], err);
	}
	return STATUS_OK;
}

/* Call @step for each table until it fails. */
static int with_files(struct arguments *arguments, int (*step)(struct file *file))
{
	int err;

	for (size_t i = 0; i < NR_TABLES; i++) {
		err = step(&arguments->files[i]);
		if (err)
			return tell_unwritten(&arguments->files[i], err);
	}
	return STATUS_OK;
}

/* Replace the old tables only after all new ones have been written. */
static int keep_files(struct arguments *arguments)
{
	int status = with_files(arguments, flush_file);

	return status ? status : with_files(arguments, keep_file);
}

static const char *known(const char *name)
{
	return name ? name : "[unknown]";
}

static void print_names(struct csv *csv, const char *const *names)
{
	for (; *names; names++)
		csv_text(csv, *names);
}

/* The next event other than the side-band, starting at *@index; NULL if there is none. */
static const char *next_event(const struct arguments *arguments, size_t *index,
			      enum kermon_metric_kind *kind)
{
	struct kermon_metric metric;
	const char *event;

	for (; (event = kermon_readperf_event(arguments->readperf, *index,
					      &metric)); ++*index)
		if (metric.kind != KERMON_METRIC_SIDEBAND)
			break;
	*kind = metric.kind;
	return event;
}

/* Two columns per event: the number of sample records, and the sum with its unit. */
static void print_event_names(const struct arguments *arguments,
			      struct csv *csv)
{
	struct fields fields = { .nr = 0 };
	enum kermon_metric_kind kind;
	char name[FIELD_NAME];
	const char *event;

	for (size_t i = 0; (event = next_event(arguments, &i, &kind)); i++) {
		snprintf(name, sizeof(name), "%s_records", event);
		csv_text(csv, fields_add(&fields, name));
		field_of_event(event, kind, name);
		csv_text(csv, fields_add(&fields, name));
	}
	fields_free(&fields);
	csv_end(csv);
}

static void print_sums(const struct arguments *arguments, struct csv *csv,
		       const struct kermon_readperf_sum *sums)
{
	enum kermon_metric_kind kind;

	for (size_t i = 0; next_event(arguments, &i, &kind); i++) {
		csv_number(csv, sums[i].records);
		if (kind == KERMON_METRIC_ENERGY)
			csv_real(csv, kermon_joules(sums[i].period));
		else
			csv_number(csv, sums[i].period);
	}
	csv_end(csv);
}

/* The last column of the overview, which depends on the type of the record. */
static void print_info(struct csv *csv,
		       const struct kermon_readperf_record *record)
{
	char text[4352];

	switch (record->info) {
	case KERMON_INFO_MMAP:
		snprintf(text, sizeof(text),
			 "%s %" PRIx64 " %" PRIx64 " %" PRIx64, record->text,
			 record->address, record->length, record->offset);
		break;
	case KERMON_INFO_COMM:
		snprintf(text, sizeof(text), "%s", record->text);
		break;
	case KERMON_INFO_FORK:
		snprintf(text, sizeof(text), "%" PRIu32, record->parent);
		break;
	case KERMON_INFO_SAMPLE:
		snprintf(text, sizeof(text), "%" PRIx64 " %" PRIu64,
			 record->address, record->period);
		break;
	default:
		text[0] = '\0';
	}
	csv_text(csv, text);
}

static void print_known(struct csv *csv, uint32_t number)
{
	if (number == UINT32_MAX)
		csv_text(csv, NULL);
	else
		csv_number(csv, number);
}

/* Write a record to the overview while the file is read. */
static int print_record(void *context,
			const struct kermon_readperf_record *record)
{
	struct arguments *arguments = context;
	struct csv *csv = &arguments->files[OVERVIEW].csv;

	csv_number(csv, record->number);
	csv_text(csv, record->type);
	print_known(csv, record->pid);
	print_known(csv, record->tid);
	if (record->time)
		csv_number(csv, record->time);
	else
		csv_text(csv, NULL);
	csv_text(csv, record->event);
	print_info(csv, record);
	csv_end(csv);
	if (ferror(csv->out))
		arguments->unwritten = errno ? -errno : -EIO;
	return arguments->unwritten;
}

static void print_stat(const struct arguments *arguments, struct csv *csv)
{
	static const char *const names[] = { "type", "records", NULL };
	const char *type;
	uint64_t nr;

	print_names(csv, names);
	csv_end(csv);
	for (size_t i = 0;
	     (nr = kermon_readperf_count(arguments->readperf, i, &type)); i++) {
		csv_text(csv, type);
		csv_number(csv, nr);
		csv_end(csv);
	}
}

static void print_time(struct csv *csv, uint64_t time)
{
	if (time)
		csv_number(csv, time);
	else
		csv_text(csv, NULL);
}

static void print_processes(const struct arguments *arguments, struct csv *csv)
{
	static const char *const names[] = {
		"pid", "name", "mmaps", "fork_ns", "exit_ns", NULL
	};
	const struct kermon_readperf_process *process;

	print_names(csv, names);
	print_event_names(arguments, csv);
	for (size_t i = 0;
	     (process = kermon_readperf_process(arguments->readperf, i)); i++) {
		print_known(csv, process->pid);
		csv_text(csv, known(process->comm));
		csv_number(csv, process->mmaps);
		print_time(csv, process->forked);
		print_time(csv, process->exited);
		print_sums(arguments, csv, process->sums);
	}
}

static void print_results(const struct arguments *arguments, struct csv *csv)
{
	static const char *const names[] = {
		"function", "source", "binary", "estimate", NULL
	};
	const struct kermon_readperf_function *function;

	print_names(csv, names);
	print_event_names(arguments, csv);
	for (size_t i = 0;
	     (function = kermon_readperf_function(arguments->readperf, i));
	     i++) {
		csv_text(csv, known(function->symbol));
		csv_text(csv, known(function->source));
		csv_text(csv, known(function->binary));
		csv_text(csv, kermon_readperf_is_estimate(arguments->readperf) ?
			      "yes" : "no");
		print_sums(arguments, csv, function->sums);
	}
}

/* Sum of the periods of each event, to be freed; NULL if out of memory. */
static uint64_t *make_totals(const struct kermon_readperf *readperf)
{
	const struct kermon_readperf_function *function;
	struct kermon_metric metric;
	size_t nr = 0;
	uint64_t *totals;

	while (kermon_readperf_event(readperf, nr, &metric))
		nr++;
	totals = calloc(nr + 1, sizeof(*totals));
	for (size_t i = 0;
	     totals && (function = kermon_readperf_function(readperf, i)); i++)
		for (size_t event = 0; event < nr; event++)
			totals[event] += function->sums[event].period;
	return totals;
}

static void add_share(struct table *table, uint64_t period, uint64_t total,
		      bool estimate)
{
	char text[NUMBER_SIZE] = "-";
	double share = total ? 100.0 * (double)period / (double)total : 0;

	if (total && estimate)
		number_about_real(share, 2, text);
	else if (total)
		snprintf(text, sizeof(text), "%.2f", share);
	table_cell(table, text, NULL);
}

/* Print the shares of functions to standard output. */
static int print_functions(const struct arguments *arguments)
{
	struct table_style style = {
		.width = terminal_width(),
		.colour = terminal_colour(arguments->color),
	};
	const struct kermon_readperf *readperf = arguments->readperf;
	bool estimate = kermon_readperf_is_estimate(readperf);
	const struct kermon_readperf_function *function;
	struct table *table = table_new();
	enum kermon_metric_kind kind;
	const char *event;
	uint64_t *totals = make_totals(readperf);
	char name[256];
	int err;

	table_column(table, TABLE_KEY, "function");
	table_column(table, TABLE_KEY, "binary");
	for (size_t i = 0; (event = next_event(arguments, &i, &kind)); i++) {
		snprintf(name, sizeof(name), "%s %%", event);
		table_column(table, TABLE_VALUE, name);
	}
	for (size_t i = 0;
	     totals && (function = kermon_readperf_function(readperf, i)); i++) {
		table_cell(table, known(function->symbol), NULL);
		table_cell(table, known(function->binary), NULL);
		for (size_t j = 0; next_event(arguments, &j, &kind); j++)
			add_share(table, function->sums[j].period, totals[j],
				  estimate);
	}
	err = totals ? table_print(table, stdout, &style) : -ENOMEM;
	table_free(table);
	free(totals);
	return err;
}

static bool tell_damage(const struct arguments *arguments)
{
	return damages_tell(COMMAND, arguments->input.path,
			    arguments->input.damages);
}

static int read_file(struct arguments *arguments)
{
	static const char *const names[] = {
		"nr", "type", "pid", "tid", "time_ns", "event", "info", NULL
	};
	int err;

	print_names(&arguments->files[OVERVIEW].csv, names);
	csv_end(&arguments->files[OVERVIEW].csv);
	progress_start(&arguments->input.progress, "reading");
	err = kermon_readperf_read(arguments->readperf, arguments->input.path);
	progress_finish(&arguments->input.progress);
	return err;
}

static int write_tables(struct arguments *arguments)
{
	int status = open_files(arguments), err;

	if (status)
		return status;
	err = read_file(arguments);
	if (arguments->unwritten)
		return tell_unwritten(&arguments->files[OVERVIEW],
				      arguments->unwritten);
	if (err)
		return damages_failure(COMMAND, arguments->input.path, err,
				       tell_damage(arguments));
	print_stat(arguments, &arguments->files[STAT].csv);
	print_processes(arguments, &arguments->files[PROCESSES].csv);
	print_results(arguments, &arguments->files[RESULTS].csv);
	status = keep_files(arguments);
	if (status)
		return status;
	if (!arguments->quiet && print_functions(arguments)) {
		message(COMMAND, "out of memory");
		return STATUS_FAILED;
	}
	statements_tell(COMMAND, arguments->input.path,
			kermon_readperf_statements(arguments->readperf));
	return tell_damage(arguments) ? STATUS_FAILED : STATUS_OK;
}

static int readperf_with(struct arguments *arguments)
{
	int status;

	arguments->readperf = kermon_readperf_new(&arguments->input.reading,
						  print_record, arguments);
	if (!arguments->readperf) {
		message(COMMAND, "out of memory");
		return STATUS_FAILED;
	}
	status = write_tables(arguments);
	kermon_readperf_free(arguments->readperf);
	for (size_t i = 0; i < NR_TABLES; i++)
		close_file(&arguments->files[i]);
	return status;
}

static int run_readperf(const struct command *command, int argc, char **argv)
{
	struct arguments arguments = { .folder = "." };
	struct options options;
	int status;

	if (input_begin(&arguments.input, command))
		return STATUS_FAILED;
	if (options_parse(&options, command, argc, argv, &arguments)) {
		arguments.input.path = input_path(&options);
		status = readperf_with(&arguments);
	} else {
		status = options.status;
	}
	input_end(&arguments.input);
	return status;
}

const struct command readperf_command = {
	.name = "readperf",
	.synopsis = "[OPTION]... [FILE]",
	.summary = "Write every record, process and function of a file as tables",
	.options = readperf_options,
	.operand = &value_input,
	.max_operands = 1,
	.run = run_readperf,
};
