// SPDX-License-Identifier: GPL-2.0
/*
 * How much memory a thread accesses to measure a level. What CPUs and hypervisors report of
 * L3 cannot be relied on: it may be that of the package, or be shared with other machines.
 * So the size with which its bandwidth is measured is looked for.
 */
#include <math.h>

#include "bench.h"
#include "memory.h"

/* A size is on the plateau if its bandwidth is this fraction of the best one. */
#define PLATEAU		0.85
/* L3 is a level of its own if it is faster than DRAM by this factor. */
#define DISTINCT	1.15
#define MOST_SIZES	24
/*
 * DRAM: this many times the L3 caches, at least and at most so much in total; of larger L3
 * caches twice their size, which sequential accesses do not find there again either.
 */
#define BEYOND_L3	4
#define BEYOND_LARGE	2
#define LEAST_DRAM	(64ULL << 20)
#define MOST_DRAM	(512ULL << 20)
/* L3 is looked for up to this many times L2: its bandwidth is known by then. */
#define MOST_L2		32
/* Memory that may be used: this share of what is available, for two kinds of pages. */
#define SHARE		3

static uint64_t whole_blocks(uint64_t bytes)
{
	return bytes / ACCESS_BLOCK * ACCESS_BLOCK;
}

/* What each thread has of the caches of a level, as the kernel reports them. */
static uint64_t cache_share(const struct bench *bench, unsigned int threads,
			    enum level level)
{
	return bench->placement.cache[level] /
	       placement_sharing(&bench->placement, threads, level);
}

/* All memory beyond the caches, in total. */
static uint64_t beyond_caches(const struct bench *bench, unsigned int threads)
{
	uint64_t last = bench->placement.cache[LEVEL_L3] *
			placement_caches(&bench->placement, threads, LEVEL_L3);

	if (!last)
		last = bench->placement.cache[LEVEL_L2] *
		       placement_caches(&bench->placement, threads, LEVEL_L2);
	if (BEYOND_L3 * last < LEAST_DRAM)
		return LEAST_DRAM;
	if (BEYOND_L3 * last <= MOST_DRAM)
		return BEYOND_L3 * last;
	return BEYOND_LARGE * last > MOST_DRAM ? BEYOND_LARGE * last : MOST_DRAM;
}

/* Of each thread: all inner caches, however little is available. */
static uint64_t inner_caches(const struct bench *bench)
{
	const uint64_t *cache = bench->placement.cache;

	return cache[LEVEL_L2] > cache[LEVEL_L1] ? cache[LEVEL_L2] : cache[LEVEL_L1];
}

uint64_t sizes_wanted(const struct bench *bench, unsigned int threads)
{
	const unsigned int outer = 1U << LEVEL_L3 | 1U << LEVEL_DRAM;
	const uint64_t available = memory_available() / SHARE, inner = inner_caches(bench);
	uint64_t wanted = beyond_caches(bench, threads);

	if (available && wanted > available)
		wanted = available;
	if (!(bench->selection.levels & outer) || wanted / threads < inner)
		return inner + ACCESS_BLOCK;
	return wanted / threads + ACCESS_BLOCK;
}

/* A brief measurement, without rests, so that the clock is the same for all. */
static struct estimate measure_briefly(struct crew *crew, const struct work *work,
				       const struct effort *effort)
{
	const struct effort brief = {
		.window_ns = effort->window_ns, .least = ESTIMATE_LEAST, .width = 1,
		.limit_ns = effort->limit_ns, .stop = effort->stop,
	};
	struct measurement found = { .work = *work, .units = work->chunk };

	measure(&found, crew, &brief);
	measurement_free(&found);
	return found.estimate;
}

static double bandwidth_of(struct crew *crew, uint64_t bytes,
			   const struct effort *effort)
{
	const enum isa isa = isa_is_offered(ISA_AVX) ? ISA_AVX : ISA_SSE;
	struct work work = {
		.access = access_kernel(PATTERN_LOAD, isa),
		.huge = true, .bytes = bytes,
		.chunk = bytes > 2 * WINDOW_CHUNK ? WINDOW_CHUNK : bytes,
	};

	operands_for(&work.operands, OPERATION_ADD, PRECISION_DOUBLE);
	return measure_briefly(crew, &work, effort).value;
}

static double bytes_per_cycle(struct crew *crew, const struct work *work,
			      const struct effort *effort)
{
	const struct estimate found = measure_briefly(crew, work, effort);

	return found.hertz > 0 ? found.value / found.hertz : found.value;
}

void sizes_choose_loop(struct crew *crew, enum pattern pattern, enum isa isa,
		       struct work *work, const struct effort *effort)
{
	struct work other = *work;

	other.access = long_access_kernel(pattern, isa);
	if (!other.access || work->chunk % other.access->block)
		return;
	if (bytes_per_cycle(crew, &other, effort) > bytes_per_cycle(crew, work, effort))
		work->access = other.access;
}

/* The geometric middle of the first sizes in a row that are as fast as the best one. */
static uint64_t middle_of_plateau(const uint64_t *sizes, const double *bandwidths,
				  unsigned int nr, double *bandwidth)
{
	unsigned int first = 0, end;

	*bandwidth = 0;
	for (unsigned int i = 0; i < nr; i++)
		if (bandwidths[i] > *bandwidth)
			*bandwidth = bandwidths[i];
	while (first < nr && bandwidths[first] < PLATEAU * *bandwidth)
		first++;
	for (end = first; end < nr && bandwidths[end] >= PLATEAU * *bandwidth;)
		end++;
	return whole_blocks(sqrt((double)sizes[first] * sizes[end - 1]));
}

/*
 * Sizes from clearly beyond L2 to what L3 is said to have, as far as there is clearly more
 * memory, with which they are compared.
 */
static unsigned int sizes_of_l3(const struct bench *bench, unsigned int threads,
				uint64_t dram, uint64_t sizes[MOST_SIZES])
{
	const uint64_t l2 = bench->placement.cache[LEVEL_L2];
	uint64_t first = 2 * l2, last = cache_share(bench, threads, LEVEL_L3);
	unsigned int nr = 0;

	if (first > last / 2)
		first = l2 + l2 / 4;
	if (!first || BEYOND_L3 * first > dram)
		return 0;
	if (last > dram / BEYOND_LARGE)
		last = dram / BEYOND_LARGE;
	for (double size = first; nr < MOST_SIZES && size <= last && size <= MOST_L2 * l2;
	     size *= M_SQRT2)
		sizes[nr++] = whole_blocks(size);
	return nr;
}

static void note_no_l3(struct bench *bench, unsigned int threads, uint64_t dram)
{
	const uint64_t l2 = bench->placement.cache[LEVEL_L2];

	if (!l2 || cache_share(bench, threads, LEVEL_L3) < l2 + l2 / 4)
		bench_note(bench, "L3: not measured: the kernel reports none that is larger than L2");
	else
		bench_note(bench, "L3, %u thread%s: not measured: it requires more than the %ju MiB of available memory that each may use",
			   threads, threads == 1 ? "" : "s", (uintmax_t)(dram >> 20));
}

static uint64_t find_l3(struct bench *bench, struct crew *crew, unsigned int threads,
			uint64_t dram, const struct effort *effort)
{
	double bandwidths[MOST_SIZES], best, beyond;
	uint64_t sizes[MOST_SIZES], found;
	unsigned int nr = sizes_of_l3(bench, threads, dram, sizes);

	if (!nr) {
		note_no_l3(bench, threads, dram);
		return 0;
	}
	for (unsigned int i = 0; i < nr && !*effort->stop; i++)
		bandwidths[i] = bandwidth_of(crew, sizes[i], effort);
	if (*effort->stop)
		return 0;
	found = middle_of_plateau(sizes, bandwidths, nr, &best);
	beyond = bandwidth_of(crew, dram, effort);
	if (best < DISTINCT * beyond) {
		bench_note(bench, "L3, %u thread%s: not measured: no size between L2 and %ju MiB has a bandwidth of its own",
			   threads, threads == 1 ? "" : "s", (uintmax_t)(dram >> 20));
		return 0;
	}
	if (found * 4 < cache_share(bench, threads, LEVEL_L3) && found < sizes[nr - 1] / 4)
		bench_note(bench, "L3, %u thread%s: measured with %ju KiB each: with more, the bandwidth drops, though %ju KiB are reported",
			   threads, threads == 1 ? "" : "s", (uintmax_t)(found >> 10),
			   (uintmax_t)(cache_share(bench, threads, LEVEL_L3) >> 10));
	return found;
}

/* Whether the memory of all threads is beyond the caches; noted if DRAM is wanted. */
static bool is_beyond(struct bench *bench, unsigned int threads, uint64_t mapped)
{
	const uint64_t wanted = beyond_caches(bench, threads);

	if (mapped * threads >= wanted)
		return true;
	if (bench->selection.levels & 1U << LEVEL_DRAM)
		bench_note(bench, "DRAM, %u thread%s: not measured: it requires %ju MiB, a third of the available memory is %ju MiB",
			   threads, threads == 1 ? "" : "s", (uintmax_t)(wanted >> 20),
			   (uintmax_t)(mapped * threads >> 20));
	return false;
}

void sizes_find(struct bench *bench, struct crew *crew, unsigned int threads,
		uint64_t mapped, const struct effort *effort, uint64_t bytes[NR_LEVELS])
{
	const unsigned int levels = bench->selection.levels;

	for (int level = LEVEL_L1; level <= LEVEL_L2; level++)
		bytes[level] = whole_blocks(cache_share(bench, threads, level) / 2);
	if (bytes[LEVEL_L1] >= LONG_BLOCK)
		bytes[LEVEL_L1] = bytes[LEVEL_L1] / LONG_BLOCK * LONG_BLOCK;
	bytes[LEVEL_DRAM] = whole_blocks(mapped);
	bytes[LEVEL_L3] = 0;
	if (levels & 1U << LEVEL_L3)
		bytes[LEVEL_L3] = find_l3(bench, crew, threads, bytes[LEVEL_DRAM], effort);
	if (!is_beyond(bench, threads, mapped))
		bytes[LEVEL_DRAM] = 0;
	for (int level = LEVEL_L1; level <= LEVEL_L2; level++)
		if (levels & 1U << level && !bytes[level])
			bench_note(bench, "%s: not measured: the kernel reports no such cache",
				   level_names[level]);
}
