// SPDX-License-Identifier: GPL-2.0
/*
 * Prints a roofline as JSON, "kermon roofline 1": the samples as columns, because there may
 * be hundreds of thousands of them. kermon-roofline(1) describes it.
 */
#include <errno.h>
#include <math.h>

#include "roofline.h"
#include "ui/digits.h"
#include "ui/json.h"

#define NOT_KNOWN	"null"

static const char *monitor_name(const struct roofline_run *run)
{
	static const char *const names[] = {
		[KERMON_MONITOR_KERMON] = "kermon",
		[KERMON_MONITOR_SPY] = "spy",
		[KERMON_MONITOR_PERF] = "perf",
	};

	return names[kermon_roofline_origin(run->table)->monitor];
}

static const char *match_name(const struct roofline_run *run)
{
	static const char *const names[] = {
		[KERMON_CEILINGS_UNKNOWN] = "unknown",
		[KERMON_CEILINGS_SAME] = "same",
		[KERMON_CEILINGS_OTHER] = "other",
	};

	return run->roofs->ceilings ? names[run->match] : "unknown";
}

/* By CPU: where joules are those of the same package. */
static void write_packages(struct json *json, const struct roofline_run *run)
{
	json_begin_array(json, "packages");
	for (size_t cpu = 0; cpu < run_cpus(run); cpu++)
		json_number(json, NULL, kermon_roofline_package(run->table, cpu));
	json_end_array(json);
}

/* The machine that it is compared with. */
static void write_machine(struct json *json, const struct roofline_view *view,
			  const struct roofline_run *run)
{
	if (run->roofs->ceilings)
		json_number(json, "machine", run->roofs - view->machines);
	else
		json_text(json, "machine", NULL);
}

static void write_run(struct json *json, const struct roofline_view *view,
		      const struct roofline_run *run)
{
	const struct kermon_roofline_origin *origin = kermon_roofline_origin(run->table);
	const struct kermon_statements *statements = kermon_roofline_statements(run->table);

	json_begin_object(json, NULL);
	json_text(json, "label", run->label);
	json_text(json, "file", run->path);
	json_text(json, "monitor", monitor_name(run));
	json_text(json, "command", origin->command);
	json_text(json, "hostname", origin->hostname);
	json_text(json, "cpudesc", origin->cpudesc);
	json_text(json, "cpuid", origin->cpuid);
	json_number(json, "cpus", origin->cpus);
	write_packages(json, run);
	json_number(json, "begin_s", 0);
	json_exact(json, "clock_begin_s", (double)origin->begin / 1e9);
	json_exact(json, "duration_s", (double)(origin->end - origin->begin) / 1e9);
	json_bool(json, "model", run->model);
	json_begin_array(json, "statements");
	for (size_t i = 0; i < statements->nr; i++)
		json_text(json, NULL, statements->all[i].text);
	json_end_array(json);
	json_text(json, "ceilings", match_name(run));
	write_machine(json, view, run);
	json_end_object(json);
}

static const char *text_or_null(const char *text)
{
	return *text ? text : NULL;
}

static void write_roof(struct json *json, const struct roof *roof, size_t machine,
		       bool theoretical)
{
	const struct kermon_ceiling *from = roof->from;

	json_begin_object(json, NULL);
	json_text(json, "kind", from->kind == KERMON_CEILING_FLOPS ? "flops" : "bandwidth");
	json_text(json, "label", from->label);
	json_text(json, "level", text_or_null(from->level));
	json_text(json, "operation", text_or_null(from->operation));
	json_text(json, "pattern", text_or_null(from->pattern));
	json_text(json, "isa", text_or_null(from->isa));
	json_text(json, "precision", text_or_null(from->precision));
	json_text(json, "pages", text_or_null(from->pages));
	json_text(json, "placement", text_or_null(from->placement));
	json_number(json, "threads", from->threads);
	json_real(json, "value", from->value);
	json_real(json, "low", from->low);
	json_real(json, "high", from->high);
	json_bool(json, "theoretical", theoretical);
	json_bool(json, "shown", roof->shown);
	json_number(json, "machine", machine);
	json_end_object(json);
}

static void write_source(struct json *json, const struct roofs *roofs)
{
	const struct kermon_ceilings_about *about = kermon_ceilings_about(roofs->ceilings);

	json_begin_object(json, NULL);
	json_text(json, "name", roofs->name);
	json_text(json, "path", roofs->path);
	json_text(json, "hostname", about->hostname);
	json_text(json, "cpudesc", about->cpudesc);
	json_text(json, "when", about->when);
	json_text(json, "tool", about->tool);
	json_bool(json, "theoretical", about->theoretical);
	json_bool(json, "incomplete", about->incomplete);
	json_bool(json, "model", about->is_model);
	json_bool(json, "explicit", roofs->given);
	json_end_object(json);
}

static void write_roofs(struct json *json, const struct roofline_view *view)
{
	const struct roofs *roofs;

	json_begin_array(json, "machines");
	for (size_t i = 0; i < view->nr_machines; i++)
		write_source(json, &view->machines[i]);
	json_end_array(json);
	json_begin_array(json, "ceilings");
	for (size_t i = 0; i < view->nr_machines; i++) {
		roofs = &view->machines[i];
		for (size_t j = 0; j < roofs->nr; j++)
			write_roof(json, &roofs->all[j], i,
				   kermon_ceilings_about(roofs->ceilings)->theoretical);
	}
	json_end_array(json);
}

static void write_joules(struct json *json, const struct roofline_run *run,
			 const struct kermon_roofline_sums *sums)
{
	const char *domain;

	json_begin_object(json, "joules");
	for (size_t i = 0; (domain = kermon_roofline_domain(run->table, i)); i++)
		json_real(json, domain, sums->joules[i]);
	json_end_object(json);
}

static void write_sums(struct json *json, const struct roofline_run *run,
		       const struct kermon_roofline_sums *sums)
{
	json_exact(json, "flop", sums->flop);
	json_exact(json, "bytes", sums->bytes);
	json_exact(json, "bytes_low", sums->bytes_low);
	json_exact(json, "bytes_high", sums->bytes_high);
	json_exact(json, "seconds", sums->seconds);
	json_real(json, "flops_per_s", kermon_roofline_flops(sums));
	json_real(json, "intensity", kermon_roofline_intensity(sums, sums->bytes));
	json_real(json, "intensity_low", kermon_roofline_intensity(sums, sums->bytes_high));
	json_real(json, "intensity_high", kermon_roofline_intensity(sums, sums->bytes_low));
	json_exact(json, "instructions", sums->instructions);
	json_exact(json, "cycles", sums->cycles);
	write_joules(json, run, sums);
	json_real(json, "joules_per_flop", sums_joules_per_flop(run, sums));
	json_text(json, "simd", simd_name(sums->simd));
	json_number(json, "samples", sums->samples);
	json_bool(json, "estimated", sums->estimated);
	json_real(json, "error", sums->error);
}

static void write_threads(struct json *json, const struct roofline_view *view, size_t index)
{
	const struct roofline_run *run = &view->runs[index];
	const struct kermon_roofline_thread *thread;

	for (size_t i = 0; (thread = kermon_roofline_thread(run->table, i)); i++) {
		json_begin_object(json, NULL);
		json_number(json, "run", index);
		json_number(json, "pid", thread->pid);
		json_number(json, "tid", thread->tid);
		json_number(json, "cpu", thread->cpu);
		json_text(json, "comm", thread->comm);
		write_sums(json, run, thread->sums);
		json_end_object(json);
	}
}

static void write_functions(struct json *json, const struct roofline_view *view, size_t index)
{
	const struct roofline_run *run = &view->runs[index];
	const struct kermon_roofline_function *function;

	for (size_t i = 0; (function = kermon_roofline_function(run->table, i)); i++) {
		json_begin_object(json, NULL);
		json_number(json, "run", index);
		json_text(json, "name", function_name(function));
		json_text(json, "file", function->file);
		write_sums(json, run, function->sums);
		json_end_object(json);
	}
}

static void write_average(struct json *json, const struct roofline_view *view, size_t index)
{
	const struct roofline_run *run = &view->runs[index];
	const struct kermon_roofline_sums *total = kermon_roofline_total(run->table);

	json_begin_object(json, NULL);
	json_number(json, "run", index);
	json_text(json, "label", "application");
	json_real(json, "parallel", run_parallel(run));
	if (run->roofs->ceilings)
		json_number(json, "ceiling_threads", roofs_threads(run));
	else
		json_text(json, "ceiling_threads", NULL);
	write_sums(json, run, total);
	json_end_object(json);
}

/**
 * struct column - of the samples: writes the element of one
 * @run: that it is from
 * @number: of the run
 * @threads: number of threads in the runs before
 * @functions: likewise
 * @index: of the sample
 * @domain: of a column of joules: its index in @run; below 0: the run has none
 */
struct column {
	FILE *out;
	const struct roofline_run *run;
	size_t number;
	size_t threads;
	size_t functions;
	size_t index;
	int domain;
};

typedef void column_put(const struct column *column,
			const struct kermon_roofline_sample *sample);

static uint64_t since_begin(const struct column *column, uint64_t time)
{
	return time - kermon_roofline_origin(column->run->table)->begin;
}

static void put_run(const struct column *column, const struct kermon_roofline_sample *sample)
{
	(void)sample;
	digits_put(column->out, column->number);
}

static void put_thread(const struct column *column, const struct kermon_roofline_sample *sample)
{
	digits_put(column->out, column->threads + sample->thread);
}

static void put_cpu(const struct column *column, const struct kermon_roofline_sample *sample)
{
	digits_put(column->out, sample->cpu);
}

static void put_begin(const struct column *column, const struct kermon_roofline_sample *sample)
{
	digits_put_seconds(column->out, since_begin(column, sample->begin));
}

static void put_seconds(const struct column *column,
			const struct kermon_roofline_sample *sample)
{
	digits_put_seconds(column->out, sample->end - sample->begin);
}

static void put_oncpu(const struct column *column, const struct kermon_roofline_sample *sample)
{
	if (sample->oncpu)
		digits_put_seconds(column->out, sample->oncpu);
	else
		fputs(NOT_KNOWN, column->out);
}

/* Numbers from 1 on: 0 is not known. */
static void put_index(FILE *out, unsigned int from_one)
{
	if (from_one)
		digits_put(out, from_one - 1);
	else
		fputs(NOT_KNOWN, out);
}

static void put_function(const struct column *column,
			 const struct kermon_roofline_sample *sample)
{
	const uint32_t function = kermon_roofline_function_of(column->run->table, column->index);

	(void)sample;
	if (kermon_roofline_function(column->run->table, function))
		digits_put(column->out, column->functions + function);
	else
		fputs(NOT_KNOWN, column->out);
}

static void put_why(const struct column *column, const struct kermon_roofline_sample *sample)
{
	put_index(column->out, sample->why);
}

static void put_simd(const struct column *column, const struct kermon_roofline_sample *sample)
{
	put_index(column->out, sample->operations.simd);
}

#define REAL_COLUMN(name, value)							\
static void put_##name(const struct column *column,					\
		       const struct kermon_roofline_sample *sample)			\
{											\
	digits_put_real(column->out, value, NOT_KNOWN);					\
}

REAL_COLUMN(flop, sample->operations.all_flop)
REAL_COLUMN(bytes, sample->operations.bytes)
REAL_COLUMN(bytes_low, sample->operations.bytes_low)
REAL_COLUMN(bytes_high, sample->operations.bytes_high)
REAL_COLUMN(instructions, sample->instructions)
REAL_COLUMN(cycles, sample->cycles)
REAL_COLUMN(alone, sample->alone)
REAL_COLUMN(estimated, sample->estimated)
REAL_COLUMN(error, sample->error)

static void put_joules(const struct column *column, const struct kermon_roofline_sample *sample)
{
	digits_put_real(column->out, column->domain < 0 ? NAN : sample->joules[column->domain],
			NOT_KNOWN);
}

static size_t nr_threads(const struct roofline_run *run)
{
	size_t nr = 0;

	while (kermon_roofline_thread(run->table, nr))
		nr++;
	return nr;
}

static size_t nr_functions(const struct roofline_run *run)
{
	size_t nr = 0;

	while (kermon_roofline_function(run->table, nr))
		nr++;
	return nr;
}

static void write_column(struct json *json, const struct roofline_view *view,
			 const char *name, column_put *put, const char *domain)
{
	const struct kermon_roofline_sample *sample;
	struct column column = { .out = json->out };
	bool any = false;

	json_begin_array(json, name);
	for (size_t i = 0; i < view->nr_runs; i++) {
		column.run = &view->runs[i];
		column.number = i;
		column.domain = domain ? run_domain(column.run, domain) : -1;
		for (size_t j = 0; (sample = kermon_roofline_sample(column.run->table, j)); j++) {
			if (any)
				putc_unlocked(',', json->out);
			any = true;
			column.index = j;
			put(&column, sample);
		}
		column.threads += nr_threads(column.run);
		column.functions += nr_functions(column.run);
	}
	json_end_array(json);
}

static void write_samples(struct json *json, const struct roofline_view *view)
{
	static const struct {
		const char *name;
		column_put *put;
	} columns[] = {
		{ "run", put_run }, { "thread", put_thread }, { "cpu", put_cpu },
		{ "begin", put_begin }, { "seconds", put_seconds }, { "oncpu", put_oncpu },
		{ "why", put_why }, { "flop", put_flop }, { "bytes", put_bytes },
		{ "bytes_low", put_bytes_low }, { "bytes_high", put_bytes_high },
		{ "simd", put_simd }, { "instructions", put_instructions },
		{ "cycles", put_cycles }, { "alone", put_alone },
		{ "estimated", put_estimated }, { "error", put_error },
	};
	const char *domains[KERMON_ROOFLINE_DOMAINS];
	size_t nr = runs_domains(view, domains);

	json_begin_object(json, "samples");
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		write_column(json, view, columns[i].name, columns[i].put, NULL);
	if (view_has_functions(view))
		write_column(json, view, "function", put_function, NULL);
	json_begin_array(json, "joules");
	for (size_t i = 0; i < nr; i++)
		write_column(json, view, NULL, put_joules, domains[i]);
	json_end_array(json);
	json_end_object(json);
}

static void write_stay(struct json *json, const struct column *column, size_t index)
{
	const struct kermon_roofline_interval *stay =
		kermon_roofline_interval(column->run->table, index);

	fprintf(json->out, "%s\n    [%zu,%zu,%u,", json->comma ? "," : "", column->number,
		column->threads + stay->thread, stay->cpu);
	json->comma = true;
	digits_put_seconds(json->out, since_begin(column, stay->begin));
	putc_unlocked(',', json->out);
	digits_put_seconds(json->out, stay->end - stay->begin);
	putc_unlocked(',', json->out);
	put_index(json->out, stay->why);
	putc_unlocked(',', json->out);
}

/* By domain, as the joules of samples. */
static void write_stay_joules(struct json *json, const struct column *column, size_t index,
			      const char *const *domains, size_t nr)
{
	const double *joules = kermon_roofline_interval_joules(column->run->table, index);
	int domain;

	putc_unlocked('[', json->out);
	for (size_t i = 0; i < nr; i++) {
		if (i)
			putc_unlocked(',', json->out);
		domain = run_domain(column->run, domains[i]);
		digits_put_real(json->out, domain < 0 ? NAN : joules[domain], NOT_KNOWN);
	}
	putc_unlocked(']', json->out);
}

/* Only where it is not known when the thread was on the CPU. */
static void write_stay_oncpu(struct json *json, const struct kermon_roofline_interval *stay)
{
	if (!stay_is_spread(stay))
		return;
	putc_unlocked(',', json->out);
	digits_put_seconds(json->out, stay->oncpu);
}

/* The stays on CPUs, which are other than the samples where sets were rotated. */
static void write_stays(struct json *json, const struct roofline_view *view)
{
	const char *domains[KERMON_ROOFLINE_DOMAINS];
	const size_t nr = runs_domains(view, domains);
	struct column column = { .out = json->out };

	json_begin_array(json, "intervals");
	for (size_t i = 0; i < view->nr_runs; i++) {
		column.run = &view->runs[i];
		column.number = i;
		for (size_t j = 0; kermon_roofline_basis(column.run->table)->sets &&
				   kermon_roofline_interval(column.run->table, j); j++) {
			write_stay(json, &column, j);
			write_stay_joules(json, &column, j, domains, nr);
			write_stay_oncpu(json, kermon_roofline_interval(column.run->table, j));
			putc_unlocked(']', json->out);
		}
		column.threads += nr_threads(column.run);
	}
	json_end_array(json);
}

static void write_names(struct json *json, const struct roofline_view *view)
{
	const char *domains[KERMON_ROOFLINE_DOMAINS];
	size_t nr = runs_domains(view, domains);

	json_begin_array(json, "simd");
	for (unsigned int i = KERMON_SIMD_SCALAR; i < KERMON_SIMDS; i++)
		json_text(json, NULL, simd_name(i));
	json_end_array(json);
	json_begin_array(json, "whys");
	for (unsigned int i = KERMON_WHY_UNKNOWN + 1; i < KERMON_WHYS; i++)
		json_text(json, NULL, kermon_roofline_why_name(i));
	json_end_array(json);
	json_begin_array(json, "domains");
	for (size_t i = 0; i < nr; i++)
		json_text(json, NULL, domains[i]);
	json_end_array(json);
}

static void write_words(struct json *json, const struct roofline_view *view)
{
	char text[VERDICT_SIZE];

	json_begin_array(json, "verdict");
	for (size_t i = 0; i < view->nr_runs; i++) {
		verdict_write(&view->runs[i], text);
		if (*text)
			json_text(json, NULL, text);
	}
	json_end_array(json);
	json_begin_array(json, "labels");
	for (size_t i = 0; i < view->labels.nr; i++)
		json_text(json, NULL, view->labels.all[i]);
	json_end_array(json);
}

/* What the colour of a dot says. */
static const char *colours_of(const struct roofline_view *view)
{
	if (view->dots == DOTS_SIMD)
		return "simd";
	if (view->dots == DOTS_THREAD)
		return "thread";
	if (view->dots == DOTS_FUNCTION)
		return "function";
	return view->nr_runs > 1 ? "run" : "time";
}

int roofline_write_json(const void *context, FILE *out)
{
	const struct roofline_view *view = context;
	struct json json = { .out = out };

	json_begin_object(&json, NULL);
	json_text(&json, "format", "kermon roofline 1");
	json_begin_array(&json, "runs");
	for (size_t i = 0; i < view->nr_runs; i++)
		write_run(&json, view, &view->runs[i]);
	json_end_array(&json);
	write_roofs(&json, view);
	json_begin_array(&json, "threads");
	for (size_t i = 0; i < view->nr_runs; i++)
		write_threads(&json, view, i);
	json_end_array(&json);
	json_begin_array(&json, "functions");
	for (size_t i = 0; i < view->nr_runs; i++)
		write_functions(&json, view, i);
	json_end_array(&json);
	write_names(&json, view);
	write_samples(&json, view);
	write_stays(&json, view);
	json_begin_array(&json, "averages");
	for (size_t i = 0; i < view->nr_runs; i++)
		write_average(&json, view, i);
	json_end_array(&json);
	write_words(&json, view);
	json_text(&json, "dots", colours_of(view));
	json_end_object(&json);
	return ferror(out) ? -EIO : 0;
}

int roofline_print_json(const struct roofline_view *view)
{
	return roofline_write_json(view, stdout);
}
