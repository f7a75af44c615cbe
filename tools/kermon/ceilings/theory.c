// SPDX-License-Identifier: GPL-2.0
/* Ceilings from documentation: what a core executes per cycle, times the clock. */
#include <cpuid.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "clock.h"
#include "cores.h"
#include "machine/processor.h"
#include "ui/command.h"
#include "ui/message.h"
#include "util/sysfile.h"

/* CPUID.(EAX=7,ECX=0):EDX */
#define AMX_TILE	(1U << 24)

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

static void measure_clock(struct theory *theory)
{
	bool counted;

	theory->hertz = clock_measure(&counted);
	strcpy(theory->source, counted ?
	       "the clock that the PMU counted, as none is stated" :
	       "the clock that was measured by additions, as none is stated and no PMU counts cycles");
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
		measure_clock(theory);
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

static bool has_isa(const struct bench *bench, const struct theory *theory, enum isa isa)
{
	return isa <= theory->core->widest && bench->selection.isas & 1U << isa;
}

static bool add_peaks(struct bench *bench, const struct theory *theory,
		      unsigned int threads)
{
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
		rate = core_rates(theory->core, ceiling.isa)->operations[ceiling.operation];
		if (!has_isa(bench, theory, ceiling.isa))
			continue;
		if (!add(bench, ceiling, rate * peak_flops(peak) / instructions *
			 theory->hertz * threads, peak_source))
			return false;
	}
	return true;
}

static bool add_l1(struct bench *bench, const struct theory *theory, unsigned int threads)
{
	struct ceiling ceiling = {
		.kind = KERMON_CEILING_BANDWIDTH, .level = LEVEL_L1, .threads = threads,
	};
	const struct core_rates *rates;
	unsigned int width;

	for (int i = 0; i < 3 * NR_ISAS; i++) {
		ceiling.isa = i % NR_ISAS;
		ceiling.pattern = i / NR_ISAS;
		width = access_kernel(ceiling.pattern, ceiling.isa)->width;
		rates = core_rates(theory->core, ceiling.isa);
		if (!has_isa(bench, theory, ceiling.isa))
			continue;
		if (!add(bench, ceiling, width * theory->hertz * threads *
			 (ceiling.pattern == PATTERN_LOAD ? rates->loads :
			  ceiling.pattern == PATTERN_STORE ? rates->stores : rates->both),
			 cache_source))
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

/*
 * The core of this machine. Hypervisors can state the model of another one, which the
 * instructions that there are contradict.
 */
static const struct core *find_core(struct bench *bench)
{
	const struct core *core = core_find(bench->machine.cpuid), *other = core_with_amx();
	unsigned int eax, ebx, ecx, edx = 0;

	__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx);
	if (!core || core->has_amx || !(edx & AMX_TILE))
		return core;
	bench_note(bench, "CPUID states a model of %s, but also AMX, which that lacks: taken for %s, the first core with AMX.",
		   core->name, other->name);
	return other;
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
	theory.core = name ? core_find(bench->machine.cpuid) : find_core(bench);
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
	if (bench->is_model)
		bench_note(bench, "This CPU is emulated: an emulator need not reach these values, nor several CPUs those of several threads, if they take turns.");
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
