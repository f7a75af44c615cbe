// SPDX-License-Identifier: GPL-2.0
/* Prints the samples of a roofline as comma-separated values. */
#include <math.h>

#include "roofline.h"
#include "ui/csv.h"

static void write_header(struct csv *csv, const char *const *domains, size_t nr,
			 bool functions)
{
	static const char *const names[] = {
		"run", "comm", "pid", "tid", "cpu", "begin_s", "seconds", "oncpu_s", "why",
		"flop", "bytes", "bytes_low", "bytes_high", "gflops_per_s", "flop_per_byte",
		"simd", "instructions", "cycles", "estimated", "error", "alone",
	};
	char name[32];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		csv_text(csv, names[i]);
	for (size_t i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "%s_j", domains[i]);
		csv_text(csv, name);
	}
	if (functions)
		csv_text(csv, "function");
	csv_end(csv);
}

static void write_operations(struct csv *csv, const struct kermon_roofline_sample *sample)
{
	const struct kermon_operations *operations = &sample->operations;

	csv_real(csv, operations->all_flop);
	csv_real(csv, operations->bytes);
	csv_real(csv, operations->bytes_low);
	csv_real(csv, operations->bytes_high);
	csv_real(csv, operations->all_flop / kermon_roofline_seconds(sample) / 1e9);
	csv_real(csv, kermon_intensity(operations, operations->bytes));
	csv_text(csv, simd_name(operations->simd));
}

static void write_sample(struct csv *csv, const struct roofline_run *run,
			 const struct kermon_roofline_sample *sample)
{
	const struct kermon_roofline_thread *thread =
		kermon_roofline_thread(run->table, sample->thread);
	const uint64_t begin = kermon_roofline_origin(run->table)->begin;

	csv_text(csv, run->label);
	csv_text(csv, thread->comm);
	csv_number(csv, thread->pid);
	csv_number(csv, thread->tid);
	csv_number(csv, sample->cpu);
	csv_real(csv, (double)(sample->begin - begin) / 1e9);
	csv_real(csv, (double)(sample->end - sample->begin) / 1e9);
	csv_real(csv, sample->oncpu ? (double)sample->oncpu / 1e9 : NAN);
	csv_text(csv, kermon_roofline_why_name(sample->why));
	write_operations(csv, sample);
	csv_real(csv, sample->instructions);
	csv_real(csv, sample->cycles);
	csv_number(csv, sample->estimated);
	csv_real(csv, sample->error);
	csv_number(csv, sample->alone);
}

/* Nothing if it is not known, as of samples of CPUs. */
static void write_function(struct csv *csv, const struct roofline_run *run, size_t sample)
{
	const struct kermon_roofline_function *function = kermon_roofline_function(
		run->table, kermon_roofline_function_of(run->table, sample));

	csv_text(csv, function ? function_name(function) : NULL);
}

int roofline_print_csv(const struct roofline_view *view)
{
	const char *domains[KERMON_ROOFLINE_DOMAINS];
	size_t nr = runs_domains(view, domains);
	const struct kermon_roofline_sample *sample;
	const struct roofline_run *run;
	struct csv csv = { .out = stdout };
	int domain;

	write_header(&csv, domains, nr, view_has_functions(view));
	for (size_t i = 0; i < view->nr_runs; i++) {
		run = &view->runs[i];
		for (size_t j = 0; (sample = kermon_roofline_sample(run->table, j)); j++) {
			write_sample(&csv, run, sample);
			for (size_t k = 0; k < nr; k++) {
				domain = run_domain(run, domains[k]);
				csv_real(&csv, domain < 0 ? NAN : sample->joules[domain]);
			}
			if (view_has_functions(view))
				write_function(&csv, run, j);
			csv_end(&csv);
		}
	}
	return 0;
}
