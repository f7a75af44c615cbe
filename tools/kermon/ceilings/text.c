// SPDX-License-Identifier: GPL-2.0
/* Print ceilings as tables: a column for each width of instructions. */
#include <ctype.h>
#include <string.h>

#include "bench.h"
#include "ui/pager.h"
#include "ui/wrap.h"

#define GIGA		1e9
#define NAME_WIDTH	20
#define CELL_WIDTH	14

/* Equal but for the width of instructions: cells of a row. */
static bool is_same_row(const struct ceiling *one, const struct ceiling *other)
{
	if (one->kind != other->kind || one->threads != other->threads)
		return false;
	if (one->kind == KERMON_CEILING_FLOPS)
		return one->operation == other->operation &&
		       one->precision == other->precision;
	return one->level == other->level && one->pattern == other->pattern &&
	       one->huge == other->huge;
}

static bool has_value(const struct ceiling *ceiling)
{
	return ceiling->state == STATE_MEASURED || ceiling->state == STATE_DOCUMENTED;
}

static const struct ceiling *find_cell(const struct bench *bench,
				       const struct ceiling *row, enum isa isa)
{
	const struct ceiling *ceiling = bench->ceilings;

	for (; ceiling < bench->ceilings + bench->nr; ceiling++)
		if (is_same_row(ceiling, row) && ceiling->isa == isa && has_value(ceiling))
			return ceiling;
	return NULL;
}

/* The first of its row, which prints the row. */
static bool is_first(const struct bench *bench, const struct ceiling *ceiling)
{
	const struct ceiling *other = bench->ceilings;

	for (; other < ceiling; other++)
		if (is_same_row(other, ceiling) && has_value(other))
			return false;
	return has_value(ceiling);
}

static void print_name(const struct bench *bench, const struct ceiling *ceiling, FILE *out)
{
	char operation[16], name[64];
	size_t i = 0;

	if (ceiling->kind == KERMON_CEILING_FLOPS) {
		do
			operation[i] = toupper((unsigned char)
					       operation_names[ceiling->operation][i]);
		while (operation[i++]);
		snprintf(name, sizeof(name), "%s %s", precision_names[ceiling->precision],
			 operation);
	} else {
		snprintf(name, sizeof(name), "%-4s %s%s", level_names[ceiling->level],
			 pattern_names[ceiling->pattern],
			 ceiling->huge || bench->theoretical ? "" : ", 4K pages");
	}
	fprintf(out, "%-*s", NAME_WIDTH, name);
}

/* The value, with half the width of its interval in percent; '!' if that is too wide. */
static void print_cell(const struct ceiling *ceiling, FILE *out)
{
	char text[64] = "-";

	if (ceiling && ceiling->state == STATE_DOCUMENTED)
		snprintf(text, sizeof(text), "%.4g", ceiling->estimate.value / GIGA);
	else if (ceiling)
		snprintf(text, sizeof(text), "%.4g %4.1f%c", ceiling->estimate.value / GIGA,
			 50 * estimate_width(&ceiling->estimate),
			 ceiling->estimate.tight ? '%' : '!');
	fprintf(out, " %*s", CELL_WIDTH - 1, text);
}

static void print_heading(const char *unit, FILE *out)
{
	fprintf(out, "\n%-*s", NAME_WIDTH, unit);
	for (int isa = 0; isa < NR_ISAS; isa++)
		fprintf(out, " %*s", CELL_WIDTH - 1, isa_names[isa]);
	fputc('\n', out);
}

static void print_kind(const struct bench *bench, unsigned int threads,
		       enum kermon_ceiling_kind kind, const char *unit, FILE *out)
{
	const struct ceiling *ceiling = bench->ceilings;
	bool is_heading = true;

	for (; ceiling < bench->ceilings + bench->nr; ceiling++) {
		if (ceiling->threads != threads || ceiling->kind != kind ||
		    !is_first(bench, ceiling))
			continue;
		if (is_heading)
			print_heading(unit, out);
		is_heading = false;
		print_name(bench, ceiling, out);
		for (int isa = 0; isa < NR_ISAS; isa++)
			print_cell(find_cell(bench, ceiling, isa), out);
		fputc('\n', out);
	}
}

static void print_threads(const struct bench *bench, unsigned int threads, FILE *out)
{
	char cpus[CPULIST_SIZE] = "";

	if (!bench->theoretical)
		placement_list(&bench->placement, threads, cpus);
	fprintf(out, "\n%u thread%s%s%s\n", threads, threads == 1 ? "" : "s",
		*cpus ? ", CPUs " : "", cpus);
	print_kind(bench, threads, KERMON_CEILING_FLOPS, "GFLOP/s", out);
	print_kind(bench, threads, KERMON_CEILING_BANDWIDTH, "GB/s", out);
}

/* The mean clock of the windows that the values are from. */
static double mean_clock(const struct bench *bench)
{
	const struct ceiling *ceiling = bench->ceilings;
	double sum = 0;
	size_t nr = 0;

	for (; ceiling < bench->ceilings + bench->nr; ceiling++)
		if (ceiling->state == STATE_MEASURED && ceiling->estimate.hertz > 0) {
			sum += ceiling->estimate.hertz;
			nr++;
		}
	return nr ? sum / nr : 0;
}

static void print_line(FILE *out, const char *text)
{
	const size_t width = terminal_width();

	wrap_text(out, text, 0, 2, width ? width : 80);
}

static void print_legend(const struct bench *bench, FILE *out)
{
	char text[256];

	fputc('\n', out);
	if (mean_clock(bench) > 0) {
		snprintf(text, sizeof(text), "Core clock: %.3f GHz (mean, by %s). Stolen by the hypervisor: %.1f %% of the time.",
			 mean_clock(bench) / GIGA, bench->counts_cycles ?
			 "the PMU" : "additions that take a cycle each",
			 bench->steal_percent);
		print_line(out, text);
	}
	print_line(out, "Value: the fifth best window. %: half of the interval from the tenth best to the best, which covers the true quantile with a probability of 97 %. !: it was not narrow when the time was up.");
	print_line(out, "Bandwidths are what the core loads and stores, sequentially; lines that a store reads first are not counted.");
}

void text_print(const struct bench *bench, FILE *out)
{
	fprintf(out, "%s ceilings of %s (%s)\n", bench->theoretical ? "Theoretical" :
		"Measured", *bench->machine.cpudesc ? bench->machine.cpudesc :
		"a processor without a name", bench->machine.cpuid);
	if (bench->is_model && !bench->theoretical)
		fputs("This CPU is simulated: the values are those of a model.\n", out);
	for (unsigned int i = 0; i < bench->selection.nr_threads; i++)
		print_threads(bench, bench->selection.threads[i], out);
	if (!bench->theoretical)
		print_legend(bench, out);
	for (size_t i = 0; i < bench->notes.nr; i++)
		print_line(out, bench->notes.all[i]);
}
