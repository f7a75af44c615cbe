// SPDX-License-Identifier: GPL-2.0
/* Measure all ceilings of the plan, those of one number of threads after the other. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "steal.h"
#include "ui/command.h"
#include "util/monotonic.h"

/*
 * CPUs lower their clock after some milliseconds of work that takes much power, and raise it
 * when they have been idle for so long: a CPU of Intel by 3 to 14 % after 2 ms. So windows
 * come in bursts after a rest; and those of a ceiling are of several times, because other
 * cores, of which a virtual machine sees nothing, lower the clock for seconds.
 */
#define REST	4000000
#define PASSES	4

/* Of each pass. */
static const struct effort careful = {
	.window_ns = 200e3, .rest_ns = REST, .least = 64, .width = 0.005,
	.limit_ns = 100000000,
};

static const struct effort quick = {
	.window_ns = 100e3, .rest_ns = REST, .least = 16, .width = 0.02,
	.limit_ns = 15000000,
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

/* Prepare the measurement of a ceiling, unless there is none. */
static void prepare(const struct bench *bench, struct crew *crew, struct ceiling *ceiling,
		    struct measurement *found, const struct effort *effort)
{
	const bool is_bandwidth = ceiling->kind == KERMON_CEILING_BANDWIDTH;
	const bool has_huge = crew_has_huge(crew);

	if (is_bandwidth && !ceiling->bytes) {
		fail(ceiling, "no size of memory measures this level");
		return;
	}
	if (is_bandwidth && !has_huge)
		ceiling->huge = false;
	if (is_repeated(bench, ceiling)) {
		fail(ceiling, "the kernel gave no huge pages");
		return;
	}
	found->units = make_work(ceiling, &found->work);
	/* The memory that was mapped with the wish for huge pages is what there is. */
	found->work.huge = is_bandwidth && (ceiling->huge || !has_huge);
	if (is_bandwidth && ceiling->level == LEVEL_L1)
		sizes_choose_loop(crew, ceiling->pattern, ceiling->isa, &found->work, effort);
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

static int measure_pass(struct bench *bench, struct crew *crew, unsigned int threads,
			struct measurement *found, const struct effort *effort)
{
	int err = 0;

	for (size_t i = 0; !err && i < bench->nr; i++) {
		if (bench->ceilings[i].threads != threads)
			continue;
		progress_update(&bench->progress, bench->nr_done++, PASSES * bench->nr);
		if (bench->ceilings[i].state == STATE_PLANNED)
			err = measure(&found[i], crew, effort);
	}
	return err;
}

static void take_results(struct bench *bench, unsigned int threads,
			 struct measurement *found)
{
	struct ceiling *ceiling = bench->ceilings;

	for (; ceiling < bench->ceilings + bench->nr; ceiling++, found++) {
		if (ceiling->threads != threads || ceiling->state != STATE_PLANNED)
			continue;
		ceiling->estimate = found->estimate;
		if (measurement_is_valid(found)) {
			ceiling->state = STATE_MEASURED;
		} else if (found->dropped) {
			fail(ceiling, "all windows were disturbed by other programs or the hypervisor");
			bench_note(bench, "some ceilings were not measured: other programs or the hypervisor disturbed all windows");
		}
		measurement_free(found);
	}
}

static int measure_all(struct bench *bench, struct crew *crew, unsigned int threads,
		       const struct effort *effort)
{
	/* calloc() would not align operands */
	struct measurement *found = aligned_alloc(KERNEL_VECTOR,
						  bench->nr * sizeof(*found));
	int err = 0;

	if (!found)
		return -ENOMEM;
	memset(found, 0, bench->nr * sizeof(*found));
	for (size_t i = 0; i < bench->nr; i++)
		if (bench->ceilings[i].threads == threads)
			prepare(bench, crew, &bench->ceilings[i], &found[i], effort);
	for (int pass = 0; !err && pass < PASSES; pass++)
		err = measure_pass(bench, crew, threads, found, effort);
	take_results(bench, threads, found);
	free(found);
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
