// SPDX-License-Identifier: GPL-2.0
/*
 * Ceilings from documentation: what a core executes per cycle, by microarchitecture, times
 * the clock. Only what the manuals of the manufacturers state is here.
 */
#include <cpuid.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "machine/processor.h"
#include "ui/command.h"
#include "ui/message.h"
#include "util/monotonic.h"
#include "util/sysfile.h"

/**
 * struct core - a microarchitecture
 * @name: its name
 * @vendor: of the CPU
 * @family: of the CPU
 * @models: model numbers, ends with -1
 * @bits: width of vectors that are executed as one
 * @widest: widest instructions that it has
 * @per_cycle: instructions of at most @bits per cycle, by operation; of add+mul and
 *	fma+add, of both together; 0: it has none
 * @load: bytes that are loaded from L1 per cycle
 * @store: bytes that are stored
 * @both: bytes per cycle with two loads per store
 * @access: bytes of the widest access that takes a cycle
 * @l2: bytes per cycle between L2 and L1; 0: not stated
 * @source: where this is from
 */
struct core {
	const char *name;
	const char *vendor;
	unsigned int family;
	const short *models;
	unsigned int bits;
	enum isa widest;
	double per_cycle[NR_OPERATIONS];
	double load;
	double store;
	double both;
	unsigned int access;
	double l2;
	const char *source;
};

#define INTEL	"GenuineIntel"
#define AMD	"AuthenticAMD"
#define MODELS(...)	(const short[]){ __VA_ARGS__, -1 }
/* ADD, MUL, FMA, ADD+MUL, FMA+ADD */
#define RATES(...)	{ __VA_ARGS__ }

static const struct core cores[] = {
	{ "Sandy Bridge", INTEL, 6, MODELS(42, 45), 256, ISA_AVX, RATES(1, 1, 0, 2, 0),
	  32, 16, 48, 16, 32,
	  "Intel 64 and IA-32 Architectures Optimization Reference Manual, Sandy Bridge: one ADD and one MUL per cycle" },
	{ "Ivy Bridge", INTEL, 6, MODELS(58, 62), 256, ISA_AVX, RATES(1, 1, 0, 2, 0),
	  32, 16, 48, 16, 32,
	  "Intel 64 and IA-32 Architectures Optimization Reference Manual, Sandy Bridge: one ADD and one MUL per cycle" },
	{ "Haswell", INTEL, 6, MODELS(60, 63, 69, 70), 256, ISA_AVX, RATES(1, 2, 2, 2, 2),
	  64, 32, 96, 32, 64,
	  "Intel 64 and IA-32 Architectures Optimization Reference Manual, Haswell: two FMA or MUL, or one ADD, per cycle" },
	{ "Broadwell", INTEL, 6, MODELS(61, 71, 79, 86), 256, ISA_AVX, RATES(1, 2, 2, 2, 2),
	  64, 32, 96, 32, 64,
	  "Intel 64 and IA-32 Architectures Optimization Reference Manual, Haswell: two FMA or MUL, or one ADD, per cycle" },
	{ "Skylake", INTEL, 6, MODELS(78, 94, 142, 158, 165, 166), 256, ISA_AVX,
	  RATES(2, 2, 2, 2, 2), 64, 32, 96, 32, 64,
	  "Intel 64 and IA-32 Architectures Optimization Reference Manual, Skylake: two FMA, MUL or ADD per cycle" },
	{ "Skylake Server", INTEL, 6, MODELS(85), 512, ISA_AVX512, RATES(2, 2, 2, 2, 2),
	  128, 64, 192, 64, 64,
	  "Intel 64 and IA-32 Architectures Optimization Reference Manual, Skylake Server with two FMA units of 512 bits" },
	{ "Zen 2", AMD, 23, MODELS(49, 71, 96, 104, 113, 144), 256, ISA_AVX,
	  RATES(2, 2, 2, 4, 4), 64, 32, 96, 32, 32,
	  "AMD Software Optimization Guide for family 17h, models 30h and later (56305): two FMA or MUL and two ADD per cycle" },
	{ "Zen 3", AMD, 25, MODELS(0, 1, 8, 33, 64, 68, 80), 256, ISA_AVX,
	  RATES(2, 2, 2, 4, 4), 64, 32, 96, 32, 32,
	  "AMD Software Optimization Guide for family 19h (56665): two FMA or MUL and two ADD per cycle" },
	{ "Zen 4", AMD, 25, MODELS(16, 17, 24, 97, 116, 117, 120, 160, 161), 256, ISA_AVX512,
	  RATES(2, 2, 2, 4, 4), 64, 32, 96, 32, 32,
	  "AMD Software Optimization Guide for Zen 4 (57647): two FMA or MUL and two ADD per cycle, 512 bits as two halves" },
};

/**
 * struct processor - a CPU whose clock and memory are known
 * @name: as given by the user, and a part of its description
 * @cpuid: as in perf.data
 * @cpudesc: likewise
 * @cpus: number of hardware threads
 * @cores: number of cores
 * @hertz: clock
 * @memory: bytes per second
 * @memory_source: where that is from
 */
static const struct processor {
	const char *name;
	const char *cpuid;
	const char *cpudesc;
	unsigned int cpus;
	unsigned int cores;
	double hertz;
	double memory;
	const char *memory_source;
} processors[] = {
	{ "i7-3770K", "GenuineIntel,6,58,9", "Intel(R) Core(TM) i7-3770K CPU @ 3.50GHz", 8, 4,
	  3.5e9, 2 * 8 * 5600e6 / 3,
	  "two channels of 8 bytes of DDR3-1866, the memory of the paper's machine" },
};

struct theory {
	const struct core *core;
	double hertz;
	unsigned int cores;
	char source[256];
	const struct processor *processor;
};

/* Sources of the ceilings, which outlive them. */
static char peak_source[400], cache_source[400];

static bool has_model(const struct core *core, unsigned int model)
{
	for (const short *known = core->models; *known >= 0; known++)
		if ((unsigned int)*known == model)
			return true;
	return false;
}

/* By perf's "GenuineIntel,6,58,9". */
static const struct core *find_core(const char *cpuid)
{
	char vendor[32];
	unsigned int family, model;

	if (sscanf(cpuid, "%31[^,],%u,%u", vendor, &family, &model) != 3)
		return NULL;
	for (size_t i = 0; i < sizeof(cores) / sizeof(cores[0]); i++)
		if (!strcmp(cores[i].vendor, vendor) && cores[i].family == family &&
		    has_model(&cores[i], model))
			return &cores[i];
	return NULL;
}

/* Cycles per second by additions that take a cycle each: the best of some short runs. */
static double measured_clock(void)
{
	const uint64_t rounds = 20000;
	uint64_t begin, ns, best = UINT64_MAX;

	for (int i = 0; i < 200; i++) {
		begin = monotonic_ns();
		kernel_clock(rounds);
		ns = monotonic_ns() - begin;
		best = ns && ns < best ? ns : best;
	}
	return rounds * CLOCK_ADDS * 1e9 / best;
}

/* The highest clock that the kernel, CPUID or the name of the CPU state. */
static void find_clock(struct theory *theory, const char *cpudesc)
{
	unsigned int base = 0, most = 0, bus, unused;
	const char *at = strrchr(cpudesc, '@');
	uint64_t kilohertz;
	double named;

	if (sysfile_number(&kilohertz, 10,
			   "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq")) {
		theory->hertz = kilohertz * 1e3;
		strcpy(theory->source, "the highest clock according to the kernel");
	} else if (__get_cpuid(0x16, &base, &most, &bus, &unused) && (most & 0xffff)) {
		theory->hertz = (most & 0xffff) * 1e6;
		strcpy(theory->source, "the highest clock according to CPUID");
	} else if (at && sscanf(at, "@ %lfGHz", &named) == 1 && named > 0) {
		theory->hertz = named * 1e9;
		strcpy(theory->source, "the clock in the name of the CPU");
	} else {
		theory->hertz = measured_clock();
		strcpy(theory->source, "the clock that was measured, as none is stated");
	}
}

static bool add(struct bench *bench, struct ceiling ceiling, double value,
		const char *source)
{
	if (value <= 0)
		return true;
	ceiling.state = STATE_DOCUMENTED;
	ceiling.estimate = (struct estimate){ .value = value, .low = value, .high = value };
	ceiling.source = source;
	return bench_add(bench, &ceiling);
}

static bool add_peaks(struct bench *bench, const struct theory *theory,
		      unsigned int threads)
{
	const struct core *core = theory->core;
	struct ceiling ceiling = { .kind = KERMON_CEILING_FLOPS, .threads = threads };
	const struct peak_kernel *peak;
	unsigned int instructions;
	double rate;

	for (int i = 0; i < NR_PRECISIONS * NR_OPERATIONS * NR_ISAS; i++) {
		ceiling.isa = i % NR_ISAS;
		ceiling.operation = i / NR_ISAS % NR_OPERATIONS;
		ceiling.precision = NR_PRECISIONS - 1 - i / NR_ISAS / NR_OPERATIONS;
		peak = peak_kernel(ceiling.operation, ceiling.isa, ceiling.precision);
		instructions = peak->adds + peak->muls + peak->fmas;
		rate = core->per_cycle[ceiling.operation];
		/* narrower vectors are as many per cycle as those of @bits */
		if (ceiling.isa == ISA_AVX512)
			rate *= core->bits / 512.0;
		if (ceiling.isa > core->widest ||
		    !(bench->selection.isas & 1U << ceiling.isa))
			continue;
		if (!add(bench, ceiling, rate * peak_flops(peak) / instructions *
			 theory->hertz * threads, peak_source))
			return false;
	}
	return true;
}

/* Accesses of an instruction set per cycle are those of the widest ones, but narrower. */
static bool add_l1(struct bench *bench, const struct theory *theory, unsigned int threads)
{
	const struct core *core = theory->core;
	struct ceiling ceiling = {
		.kind = KERMON_CEILING_BANDWIDTH, .level = LEVEL_L1, .threads = threads,
	};
	const double bytes[] = {
		[PATTERN_LOAD] = core->load,
		[PATTERN_STORE] = core->store,
		[PATTERN_TWO_ONE] = core->both,
	};
	unsigned int width;

	for (int i = 0; i < 3 * NR_ISAS; i++) {
		ceiling.isa = i % NR_ISAS;
		ceiling.pattern = i / NR_ISAS;
		width = access_kernel(ceiling.pattern, ceiling.isa)->width;
		if (width > core->access)
			width = core->access;
		if (ceiling.isa > core->widest ||
		    !(bench->selection.isas & 1U << ceiling.isa))
			continue;
		if (!add(bench, ceiling, bytes[ceiling.pattern] * width / core->access *
			 theory->hertz * threads, cache_source))
			return false;
	}
	return true;
}

static bool add_levels(struct bench *bench, const struct theory *theory,
		       unsigned int threads)
{
	const unsigned int levels = bench->selection.levels;
	struct ceiling ceiling = {
		.kind = KERMON_CEILING_BANDWIDTH, .level = LEVEL_L2,
		.isa = theory->core->widest, .threads = threads,
	};

	if (levels & 1U << LEVEL_PEAK && !add_peaks(bench, theory, threads))
		return false;
	if (levels & 1U << LEVEL_L1 && !add_l1(bench, theory, threads))
		return false;
	if (levels & 1U << LEVEL_L2 &&
	    !add(bench, ceiling, theory->core->l2 * theory->hertz * threads, cache_source))
		return false;
	ceiling.level = LEVEL_DRAM;
	return !(levels & 1U << LEVEL_DRAM) || !theory->processor ||
	       add(bench, ceiling, theory->processor->memory,
		   theory->processor->memory_source);
}

static bool add_all(struct bench *bench, const struct theory *theory)
{
	struct selection *selection = &bench->selection;
	bool is_added = true;

	if (!selection->nr_threads) {
		selection->threads[selection->nr_threads++] = 1;
		if (theory->cores > 1)
			selection->threads[selection->nr_threads++] = theory->cores;
	}
	for (unsigned int i = 0; i < selection->nr_threads; i++)
		is_added = is_added && add_levels(bench, theory, selection->threads[i]);
	return is_added;
}

/* Whether the CPU has what was selected; if not, say what it has. */
static bool check_selection(const struct bench *bench, const struct theory *theory)
{
	const struct selection *selection = &bench->selection;
	const unsigned int most = selection->nr_threads ?
				  selection->threads[selection->nr_threads - 1] : 1;
	const enum isa widest = theory->core->widest;

	if (most > theory->cores) {
		message(bench->command->name, "%u threads: more than the %u cores whose ceilings add up",
			most, theory->cores);
		message_hint("threads of the same core share its ceilings: use --threads=%u",
			     theory->cores);
		return false;
	}
	if (selection->isas & ((2U << widest) - 1))
		return true;
	message(bench->command->name, "%s has none of these instruction sets; its widest one is %s",
		theory->core->name, isa_names[widest]);
	return false;
}

static const struct processor *find_processor(const struct bench *bench, const char *name)
{
	const struct processor *processor = processors;

	for (; processor < processors + sizeof(processors) / sizeof(processors[0]); processor++)
		if (name ? !strcmp(name, processor->name) :
			   !!strstr(bench->machine.cpudesc, processor->name))
			return processor;
	return NULL;
}

static void be_processor(struct bench *bench, struct theory *theory)
{
	const struct processor *processor = theory->processor;

	memset(&bench->machine, 0, sizeof(bench->machine));
	strcpy(bench->machine.cpuid, processor->cpuid);
	strcpy(bench->machine.cpudesc, processor->cpudesc);
	bench->machine.cpus = processor->cpus;
	bench->is_virtual = bench->is_model = false;
	theory->cores = processor->cores;
	theory->hertz = processor->hertz;
	strcpy(theory->source, "its clock without turbo");
}

static int say_unknown(const struct bench *bench, const char *name)
{
	if (name) {
		message(bench->command->name, "unknown CPU '%s'; valid: i7-3770K, or none for this one",
			name);
		return STATUS_USAGE;
	}
	message(bench->command->name, "no documentation of this CPU is known: %s (%s)",
		bench->machine.cpudesc, bench->machine.cpuid);
	message_hint("measure its ceilings: 'kermon roofline bench'");
	return STATUS_FAILED;
}

int theory_make(struct bench *bench, const char *name)
{
	struct theory theory = { .processor = find_processor(bench, name) };

	if (name && !theory.processor)
		return say_unknown(bench, name);
	if (name) {
		be_processor(bench, &theory);
	} else {
		theory.cores = bench->placement.nr_cores;
		find_clock(&theory, bench->machine.cpudesc);
	}
	theory.core = find_core(bench->machine.cpuid);
	if (!theory.core)
		return say_unknown(bench, NULL);
	if (!check_selection(bench, &theory))
		return STATUS_USAGE;
	snprintf(peak_source, sizeof(peak_source), "%s, at %.3f GHz: %s", theory.core->source,
		 theory.hertz / 1e9, theory.source);
	snprintf(cache_source, sizeof(cache_source), "the same manual, bytes per cycle, at %.3f GHz: %s",
		 theory.hertz / 1e9, theory.source);
	bench_note(bench, "%s: %s, %.3f GHz (%s).", theory.core->name, theory.core->source,
		   theory.hertz / 1e9, theory.source);
	if (theory.processor)
		bench_note(bench, "DRAM: %s.", theory.processor->memory_source);
	else
		bench_note(bench, "DRAM: not stated; the kernel does not report the memory of this machine.");
	if (!add_all(bench, &theory)) {
		message(bench->command->name, "out of memory");
		return STATUS_FAILED;
	}
	if (bench->nr)
		return STATUS_OK;
	message(bench->command->name, "no documentation states the bandwidths of these levels");
	message_hint("measure them: 'kermon roofline bench'");
	return STATUS_FAILED;
}
