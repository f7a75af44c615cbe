/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The roofline of a recording: floating-point operations, bytes and energy of each sample,
 * of each thread and of the application.
 *
 *	roofline = kermon_roofline_new(&options);
 *	err = kermon_roofline_read(roofline, "perf.data");
 *	for (i = 0; (sample = kermon_roofline_sample(roofline, i)); i++)
 *		... sample->operations.all_flop / kermon_roofline_seconds(sample)
 *	kermon_roofline_free(roofline);
 *
 * All results are owned by the roofline and valid as long as it.
 */
#ifndef KERMON_ROOFLINE_H
#define KERMON_ROOFLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kermon/abi.h>
#include <kermon/operations.h>
#include <kermon/reading.h>

KERMON_BEGIN_DECLS

struct kermon_roofline;

/* Number of energy domains that a recording may have. */
#define KERMON_ROOFLINE_DOMAINS	5

/*
 * @options may be NULL, and is copied; of its members, @filter, @progress, @damages, @cancel,
 * @time_quantum and @keys are used: the quantum for files whose samples are no intervals; the
 * keys if they are "sym", which looks up functions, with @symfs, @kallsyms and @vmlinux.
 * Return: NULL, and errno, as kermon_report_new().
 */
struct kermon_roofline *
kermon_roofline_new(const struct kermon_report_options *options);
void kermon_roofline_free(struct kermon_roofline *roofline);

/* Call once; -EALREADY after that. Return: as kermon_report_read(). */
int kermon_roofline_read(struct kermon_roofline *roofline, const char *path);

/* As kermon_report_statements(). */
const struct kermon_statements *
kermon_roofline_statements(const struct kermon_roofline *roofline);

/* What a sample of the table is. */
enum kermon_roofline_monitor {
	KERMON_MONITOR_KERMON,	/* an interval of a thread */
	KERMON_MONITOR_SPY,	/* an interval of a CPU, all threads together */
	KERMON_MONITOR_PERF,	/* a slice of time of a thread: perf_event sampled */
};

/**
 * struct kermon_roofline_origin - where a recording comes from
 * @size: sizeof(struct kermon_roofline_origin)
 * @monitor: enum kermon_roofline_monitor
 * @cpus: number of CPUs; 0: unknown
 * @command: the command line; NULL: unknown, likewise other texts
 * @hostname: of the machine
 * @cpuid: as perf has it: "GenuineIntel,6,58,9"
 * @cpudesc: name of the CPU
 * @hypervisor: signature of the hypervisor, see CPUID; NULL: none
 * @begin: ns of the clock of the recording at which the first sample begins
 * @end: ns at which the last one ends
 */
struct kermon_roofline_origin {
	size_t size;
	uint8_t monitor;
	uint32_t cpus;
	const char *command;
	const char *hostname;
	const char *cpuid;
	const char *cpudesc;
	const char *hypervisor;
	uint64_t begin;
	uint64_t end;
};

/* Known once the file has been read; likewise all that follows. */
const struct kermon_roofline_origin *
kermon_roofline_origin(const struct kermon_roofline *roofline);

/**
 * struct kermon_roofline_basis - what the numbers are based on
 * @size: sizeof(struct kermon_roofline_basis)
 * @flop: the file has events of floating-point operations
 * @counted: those of them that are counted, by precision and SIMD class
 * @accesses: it has events of both loads and stores
 * @energy: it has energy domains
 * @executed: operations were counted when executed, not when retired
 * @bytes: enum kermon_bytes_basis, the worst of all samples that have bytes
 * @sets: number of event sets that were rotated; 0: none
 * @runs: number of runs that were merged; 0: none
 * @apart: largest difference between merged runs, as in struct kermon_run
 * @packages: number of packages whose energy was recorded; 0: unknown
 */
struct kermon_roofline_basis {
	size_t size;
	bool flop;
	bool counted[KERMON_PRECISIONS][KERMON_SIMDS];
	bool accesses;
	bool energy;
	bool executed;
	uint8_t bytes;
	uint32_t sets;
	uint32_t runs;
	double apart;
	uint32_t packages;
};

/* Of the file that was read. */
const struct kermon_roofline_basis *
kermon_roofline_basis(const struct kermon_roofline *roofline);

/* Name of an energy domain: "package", "cores", "GPU", "DRAM", "platform"; NULL: no more. */
const char *kermon_roofline_domain(const struct kermon_roofline *roofline,
				   size_t index);

/* Why a sample was taken. */
enum kermon_roofline_why {
	KERMON_WHY_UNKNOWN,
	KERMON_WHY_PREEMPTED,	/* switched out, still runnable */
	KERMON_WHY_SLEEP,	/* switched out, waiting */
	KERMON_WHY_EXIT,	/* the last one of the thread */
	KERMON_WHY_TICK,	/* the interval was over */
	KERMON_WHY_EXEC,	/* the last one of the old program */
	KERMON_WHY_ROTATION,	/* the next set was due */
	KERMON_WHY_SET,		/* the set was changed */
	KERMON_WHYS		/* as of this header: later versions may have more */
};

/* A word for it: "preempted"; NULL: unknown, or there is no such reason. */
const char *kermon_roofline_why_name(unsigned int why);

/**
 * struct kermon_roofline_sample - a row of the table
 * @size: sizeof(struct kermon_roofline_sample)
 * @thread: index of its thread
 * @cpu: on which it ended
 * @why: enum kermon_roofline_why
 * @alone: its thread had the package to itself
 * @estimated: counts are scaled or come from other runs
 * @begin: ns of the clock of the recording
 * @end: likewise
 * @oncpu: ns on the CPU; 0: not recorded
 * @error: of the counts, as a fraction; NaN: unknown; 0 unless @estimated
 * @instructions: NaN: not counted, likewise @cycles
 * @joules: by domain; NaN: not measured here
 * @operations: operations and bytes; what a set counts that had no turn in a row is NaN, and
 *	its operations by class are 0
 */
struct kermon_roofline_sample {
	size_t size;
	uint32_t thread;
	uint32_t cpu;
	uint8_t why;
	bool alone;
	bool estimated;
	uint64_t begin;
	uint64_t end;
	uint64_t oncpu;
	double error;
	double instructions;
	double cycles;
	double joules[KERMON_ROOFLINE_DOMAINS];
	struct kermon_operations operations;
};

/* Sample @index in the order of their ends; NULL beyond the last one. */
const struct kermon_roofline_sample *
kermon_roofline_sample(const struct kermon_roofline *roofline, size_t index);

/* The time that rates of the sample refer to: on the CPU if known. */
static inline double
kermon_roofline_seconds(const struct kermon_roofline_sample *sample)
{
	return (double)(sample->oncpu ? sample->oncpu :
			sample->end - sample->begin) / 1e9;
}

/**
 * struct kermon_roofline_interval - who was on a CPU: one for each sample, unless sets were
 *	rotated, so that several intervals are one sample
 * @size: sizeof(struct kermon_roofline_interval)
 * @thread: index of the thread
 * @cpu: where it was
 * @why: enum kermon_roofline_why: the reason of its end
 * @begin: ns of the clock of the recording
 * @end: likewise
 * @oncpu: ns on the CPU: less than from @begin to @end where it is not known when in between,
 *	as of several stays (kermon run --coalesce), or a slice of time. Time and energy are
 *	then spread evenly
 */
struct kermon_roofline_interval {
	size_t size;
	uint32_t thread;
	uint32_t cpu;
	uint8_t why;
	uint64_t begin;
	uint64_t end;
	uint64_t oncpu;
};

/* Interval @index in the order of their ends; NULL beyond the last one. */
const struct kermon_roofline_interval *
kermon_roofline_interval(const struct kermon_roofline *roofline, size_t index);

/*
 * Joules of interval @index by domain, as in struct kermon_roofline_sample; NULL beyond the
 * last one. Those of the application come from these: the power of a package is, at each
 * instant, the mean of the intervals there on its CPUs that measure it, weighted by the share
 * of time for which they are there.
 */
const double *
kermon_roofline_interval_joules(const struct kermon_roofline *roofline, size_t index);

/* Number of the package of @cpu; 0 if it is unknown. */
unsigned int kermon_roofline_package(const struct kermon_roofline *roofline, uint32_t cpu);

/**
 * struct kermon_roofline_sums - of a thread or of the application
 * @size: sizeof(struct kermon_roofline_sums)
 * @samples: number of samples
 * @seconds: of a thread: the sum of the times that rates of its samples refer to. Of the
 *	application: during which any of its threads was on a CPU
 * @counted: of these, seconds in which operations were counted: what rates refer to
 * @placed: seconds in which both operations and bytes were counted
 * @busy: sum of the seconds of all threads: divided by @seconds, how many ran in parallel
 * @flop: NaN: not counted
 * @bytes: of the samples whose operations are known, too, if there are any, otherwise of all;
 *	NaN: not counted; likewise @bytes_low and @bytes_high
 * @placed_flop: those of samples whose bytes are known: the intensity is that of these
 * @by_class: operations by precision and SIMD class
 * @instructions: NaN: not counted; likewise @cycles
 * @joules: by domain; NaN: not measured. Of the application: energy that several samples
 *	contain is counted once
 * @counted_joules: likewise, of samples whose operations are known: by @flop, joules per FLOP
 * @estimated: any sample is
 * @simd: enum kermon_simd with most operations; KERMON_SIMD_UNKNOWN: none, or not known
 * @error: of the counts, as a fraction: mean of the samples where it is known, weighted by
 *	operations; NaN: of none
 */
struct kermon_roofline_sums {
	size_t size;
	uint64_t samples;
	double seconds;
	double counted;
	double placed;
	double busy;
	double flop;
	double bytes;
	double bytes_low;
	double bytes_high;
	double placed_flop;
	double by_class[KERMON_PRECISIONS][KERMON_SIMDS];
	double instructions;
	double cycles;
	double joules[KERMON_ROOFLINE_DOMAINS];
	double counted_joules[KERMON_ROOFLINE_DOMAINS];
	bool estimated;
	uint8_t simd;
	double error;
};

/* FLOP per second, and FLOP per byte, with @bytes as above; NaN: unknown. */
double kermon_roofline_flops(const struct kermon_roofline_sums *sums);
double kermon_roofline_intensity(const struct kermon_roofline_sums *sums, double bytes);

/**
 * struct kermon_roofline_thread - a thread, or a CPU of kermon spy
 * @size: sizeof(struct kermon_roofline_thread)
 * @pid: of its process; likewise @tid. 0 for CPUs
 * @cpu: of kermon spy, otherwise of the last sample
 * @comm: its last name; "CPU 3" of kermon spy
 * @sums: over all of its samples
 */
struct kermon_roofline_thread {
	size_t size;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	const char *comm;
	const struct kermon_roofline_sums *sums;
};

/* Thread @index, in the order of first samples; NULL beyond the last one. */
const struct kermon_roofline_thread *
kermon_roofline_thread(const struct kermon_roofline *roofline, size_t index);

/**
 * struct kermon_roofline_function - a function in which samples ended
 * @size: sizeof(struct kermon_roofline_function)
 * @name: demangled; NULL: code without a symbol
 * @file: the name of its file, without folders; NULL: what was mapped there is unknown
 * @sums: over these samples, as of a thread. Of slices of time, over the samples of the file,
 *	each of which is of one function; without energy
 */
struct kermon_roofline_function {
	size_t size;
	const char *name;
	const char *file;
	const struct kermon_roofline_sums *sums;
};

/*
 * Function @index, in the order of first samples; NULL beyond the last one. There are some if
 * they were asked for, and if samples have addresses: those of CPUs have none.
 */
const struct kermon_roofline_function *
kermon_roofline_function(const struct kermon_roofline *roofline, size_t index);

/*
 * Index of the function in which sample @index ended, where sets were rotated with its last
 * interval; UINT32_MAX: not known, or it is a slice of time, of several functions. What the
 * sample counted may be of others before, too.
 */
uint32_t
kermon_roofline_function_of(const struct kermon_roofline *roofline, size_t index);

/* Sums over all samples. */
const struct kermon_roofline_sums *
kermon_roofline_total(const struct kermon_roofline *roofline);

/**
 * struct kermon_roofline_power - power of a domain, constant for a while
 * @begin: ns of the clock of the recording; up to that of the next element
 * @watts: NaN: nothing ran that measured it
 */
struct kermon_roofline_power {
	uint64_t begin;
	double watts;
};

/*
 * Power of @domain over time, of all packages together: @nr elements. Where several samples
 * contain the same energy, it is the mean of theirs. Samples of less than a millisecond
 * measure little: the energy register is read once per millisecond.
 */
const struct kermon_roofline_power *
kermon_roofline_power(const struct kermon_roofline *roofline, size_t domain, size_t *nr);

KERMON_END_DECLS

#endif /* KERMON_ROOFLINE_H */
