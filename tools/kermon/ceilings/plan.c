// SPDX-License-Identifier: GPL-2.0
/* Which ceilings are measured: those of the selection that this CPU offers. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "bench.h"
#include "ui/command.h"
#include "util/array.h"

const char *const level_names[NR_LEVELS + 1] = { "L1", "L2", "L3", "DRAM", "peak" };

/* These ask XGETBV as well, whether the kernel saves the registers. */
bool isa_is_offered(enum isa isa)
{
	switch (isa) {
	case ISA_AVX:
		return __builtin_cpu_supports("avx");
	case ISA_AVX512:
		return __builtin_cpu_supports("avx512f");
	default:
		return true;
	}
}

bool fma_is_offered(enum isa isa)
{
	return __builtin_cpu_supports("fma") && isa_is_offered(isa);
}

void bench_note(struct bench *bench, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	notes_add(&bench->notes, bench->command->name, format, args);
	va_end(args);
}

struct ceiling *bench_add(struct bench *bench, const struct ceiling *ceiling)
{
	if (array_room(bench->ceilings, bench->room, bench->nr + 1))
		return NULL;
	bench->ceilings[bench->nr] = *ceiling;
	return &bench->ceilings[bench->nr++];
}

static bool is_selected(const struct bench *bench, enum isa isa)
{
	return bench->selection.isas & 1U << isa && isa_is_offered(isa);
}

static enum isa widest(const struct bench *bench)
{
	enum isa found = ISA_SCALAR;

	for (int isa = 0; isa < NR_ISAS; isa++)
		if (is_selected(bench, isa))
			found = isa;
	return found;
}

static bool needs_fma(enum operation operation)
{
	return operation == OPERATION_FMA || operation == OPERATION_FMA_ADD;
}

static int plan_peaks(struct bench *bench, unsigned int threads)
{
	struct ceiling ceiling = { .kind = KERMON_CEILING_FLOPS, .threads = threads };

	for (int i = 0; i < NR_PRECISIONS * NR_OPERATIONS * NR_ISAS; i++) {
		ceiling.isa = i % NR_ISAS;
		ceiling.operation = i / NR_ISAS % NR_OPERATIONS;
		/* double precision first */
		ceiling.precision = NR_PRECISIONS - 1 - i / NR_ISAS / NR_OPERATIONS;
		if (!is_selected(bench, ceiling.isa) ||
		    (needs_fma(ceiling.operation) && !fma_is_offered(ceiling.isa)))
			continue;
		if (!bench_add(bench, &ceiling))
			return -ENOMEM;
	}
	return 0;
}

/*
 * All widths where that matters most, in L1; beyond it only the widest instructions if it
 * has to be quick. Regular pages matter beyond L2, and are measured with the widest ones.
 */
static bool is_wanted(const struct bench *bench, const struct ceiling *ceiling)
{
	const bool is_widest = ceiling->isa == widest(bench);

	if (!is_selected(bench, ceiling->isa))
		return false;
	if (bench->selection.quick)
		return ceiling->huge && (is_widest || ceiling->level == LEVEL_L1);
	return ceiling->huge || (is_widest && ceiling->level > LEVEL_L2);
}

static int plan_level(struct bench *bench, enum level level, unsigned int threads)
{
	struct ceiling ceiling = {
		.kind = KERMON_CEILING_BANDWIDTH, .level = level, .threads = threads,
	};

	for (int i = 0; i < 2 * NR_PATTERNS * NR_ISAS; i++) {
		ceiling.isa = i % NR_ISAS;
		ceiling.pattern = i / NR_ISAS % NR_PATTERNS;
		ceiling.huge = i < NR_PATTERNS * NR_ISAS;
		if (is_wanted(bench, &ceiling) && !bench_add(bench, &ceiling))
			return -ENOMEM;
	}
	return 0;
}

static int plan_threads(struct bench *bench, unsigned int threads)
{
	int err = 0;

	if (bench->selection.levels & 1U << LEVEL_PEAK)
		err = plan_peaks(bench, threads);
	for (int level = 0; !err && level < NR_LEVELS; level++)
		if (bench->selection.levels & 1U << level)
			err = plan_level(bench, level, threads);
	return err;
}

/* One thread, the cores of a NUMA node, all cores, all hardware threads. */
static void choose_threads(struct bench *bench)
{
	struct selection *selection = &bench->selection;
	const unsigned int counts[] = {
		1, bench->placement.nr_local, bench->placement.nr_cores, bench->placement.nr,
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (!selection->nr_threads ||
		    counts[i] > selection->threads[selection->nr_threads - 1])
			selection->threads[selection->nr_threads++] = counts[i];
}

int bench_plan(struct bench *bench)
{
	int err = 0;

	if (!bench->selection.nr_threads)
		choose_threads(bench);
	for (unsigned int i = 0; !err && i < bench->selection.nr_threads; i++)
		err = plan_threads(bench, bench->selection.threads[i]);
	return err;
}
