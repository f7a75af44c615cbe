// SPDX-License-Identifier: GPL-2.0
/* Measure all ceilings of the plan, those of one number of threads after the other. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "steal.h"
#include "ui/command.h"
#include "util/monotonic.h"

static const struct effort careful = {
	.window_ns = 200e3, .least = 128, .width = 0.005, .limit_ns = 400000000,
};

static const struct effort quick = {
	.window_ns = 100e3, .least = 64, .width = 0.02, .limit_ns = 60000000,
};

/* The work of a ceiling, and FLOP or bytes of one count of it by all threads. */
static double make_work(const struct ceiling *ceiling, struct work *work)
{
	*work = (struct work){ .huge = ceiling->huge };
	if (ceiling->kind == KERMON_CEILING_FLOPS) {
		work->peak = peak_kernel(ceiling->operation, ceiling->isa,
					 ceiling->precision);
		operands_for(&work->operands, ceiling->operation, ceiling->precision);
		return (double)peak_flops(work->peak) * ceiling->threads;
	}
	work->access = access_kernel(ceiling->pattern, ceiling->isa);
	operands_for(&work->operands, OPERATION_ADD, PRECISION_DOUBLE);
	work->bytes = ceiling->bytes;
	work->chunk = ceiling->bytes;
	if (ceiling->level == LEVEL_DRAM && work->chunk > 2 * WINDOW_CHUNK)
		work->chunk = WINDOW_CHUNK;
	return (double)work->chunk * ceiling->threads;
}

static void fail(struct ceiling *ceiling, const char *reason)
{
	ceiling->state = STATE_FAILED;
	ceiling->reason = reason;
}

static int measure_ceiling(struct bench *bench, struct crew *crew,
			   struct ceiling *ceiling, const struct effort *effort)
{
	struct work work;
	double units;
	int err;

	if (ceiling->kind == KERMON_CEILING_BANDWIDTH && !ceiling->bytes) {
		fail(ceiling, "no size of memory measures this level");
		return 0;
	}
	if (ceiling->kind == KERMON_CEILING_BANDWIDTH && ceiling->huge &&
	    !crew_has_huge(crew))
		ceiling->huge = false;
	units = make_work(ceiling, &work);
	/* The memory that was mapped with the wish for huge pages is what there is. */
	work.huge = ceiling->kind == KERMON_CEILING_BANDWIDTH &&
		    (ceiling->huge || !crew_has_huge(crew));
	err = measure(crew, &work, units, effort, &ceiling->estimate);
	if (!err)
		ceiling->state = STATE_MEASURED;
	if (err != -EBUSY)
		return err;
	fail(ceiling, "all windows were disturbed by other programs or the hypervisor");
	bench_note(bench, "some ceilings were not measured: other programs or the hypervisor disturbed all windows");
	return 0;
}

/* Whether the same was measured before, which had no huge pages. */
static bool is_repeated(const struct bench *bench, const struct ceiling *ceiling)
{
	const struct ceiling *other;

	for (other = bench->ceilings; other < ceiling; other++)
		if (ceiling->kind == KERMON_CEILING_BANDWIDTH && other->kind == ceiling->kind &&
		    other->level == ceiling->level && other->pattern == ceiling->pattern &&
		    other->isa == ceiling->isa && other->threads == ceiling->threads &&
		    !other->huge && !ceiling->huge)
			return true;
	return false;
}

static bool uses_memory(const struct bench *bench)
{
	return bench->selection.levels & ~(1U << LEVEL_PEAK);
}

/* Map memory, and find the sizes of the levels. */
static int prepare_memory(struct bench *bench, struct crew *crew, unsigned int threads,
			  const struct effort *effort)
{
	const uint64_t wanted = sizes_wanted(bench, threads);
	uint64_t bytes[NR_LEVELS];
	int err = crew_map(crew, wanted, true);

	if (!err && crew_has_huge(crew) && !bench->selection.quick)
		err = crew_map(crew, wanted, false);
	if (err)
		return err;
	if (!crew_has_huge(crew))
		bench_note(bench, "the kernel gave no huge pages: bandwidths are those of regular pages (see /sys/kernel/mm/transparent_hugepage/enabled)");
	sizes_find(bench, crew, threads, wanted, effort, bytes);
	for (size_t i = 0; i < bench->nr; i++)
		if (bench->ceilings[i].threads == threads &&
		    bench->ceilings[i].kind == KERMON_CEILING_BANDWIDTH)
			bench->ceilings[i].bytes = bytes[bench->ceilings[i].level];
	return 0;
}

static int measure_all(struct bench *bench, struct crew *crew, unsigned int threads,
		       const struct effort *effort)
{
	struct ceiling *ceiling = bench->ceilings;
	int err = 0;

	for (; !err && ceiling < bench->ceilings + bench->nr; ceiling++) {
		if (ceiling->threads != threads)
			continue;
		progress_update(&bench->progress, ceiling - bench->ceilings, bench->nr);
		if (is_repeated(bench, ceiling))
			fail(ceiling, "the kernel gave no huge pages");
		else
			err = measure_ceiling(bench, crew, ceiling, effort);
	}
	return err;
}

static int run_threads(struct bench *bench, unsigned int threads,
		       const struct effort *effort)
{
	struct crew *crew;
	int err = crew_start(&crew, &bench->placement, threads);

	if (err)
		return err;
	bench->counts_cycles = crew_counts_cycles(crew);
	if (uses_memory(bench))
		err = prepare_memory(bench, crew, threads, effort);
	if (!err)
		err = measure_all(bench, crew, threads, effort);
	crew_stop(crew);
	return err;
}

static uint64_t steal_of_all(const struct bench *bench)
{
	uint64_t ticks = 0;

	for (unsigned int i = 0; i < bench->placement.nr; i++)
		ticks += steal_of_cpu(bench->placement.places[i].cpu);
	return ticks;
}

int bench_run(struct bench *bench, const volatile sig_atomic_t *stop)
{
	const uint64_t begin = monotonic_ns(), before = steal_of_all(bench);
	struct effort effort = bench->selection.quick ? quick : careful;
	double seconds;
	int err = 0;

	effort.stop = stop;
	progress_start(&bench->progress, "Measuring");
	for (unsigned int i = 0; !err && i < bench->selection.nr_threads; i++)
		err = run_threads(bench, bench->selection.threads[i], &effort);
	progress_finish(&bench->progress);
	seconds = (monotonic_ns() - begin) / 1e9;
	bench->steal_percent = 100.0 * (steal_of_all(bench) - before) /
			       sysconf(_SC_CLK_TCK) / seconds / bench->placement.nr;
	bench->interrupted = *stop;
	return err == -EINTR ? 0 : err;
}
