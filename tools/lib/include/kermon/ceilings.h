/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ceilings of a machine: its peak performance and its bandwidth, as measured by "kermon
 * roofline bench", or from documentation.
 *
 *	struct kermon_ceilings_error error;
 *
 *	if (kermon_ceilings_read(&ceilings, path, &error))
 *		... error.text
 *	for (size_t i = 0; i < kermon_ceilings_nr(ceilings); i++)
 *		... kermon_ceilings_get(ceilings, i)->value
 *	kermon_ceilings_free(ceilings);
 */
#ifndef KERMON_CEILINGS_H
#define KERMON_CEILINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

/* What the file begins with: {"format": "kermon ceilings 1"}. */
#define KERMON_CEILINGS_FORMAT	"kermon ceilings 1"

/* Limits of a file: its size, and the number of its ceilings. */
#define KERMON_CEILINGS_BYTES	(4U << 20)
#define KERMON_CEILINGS_MOST	16384

#define KERMON_CEILINGS_TEXT	512

/**
 * struct kermon_ceilings_error - why a file cannot be read
 * @text: the reason, with the position in the file, without its path
 */
struct kermon_ceilings_error {
	char text[KERMON_CEILINGS_TEXT];
};

enum kermon_ceiling_kind {
	KERMON_CEILING_FLOPS,		/* a peak, in FLOP/s: horizontal in a roofline */
	KERMON_CEILING_BANDWIDTH,	/* in bytes/s, as the core sees them: a slope */
};

/**
 * struct kermon_ceiling - a ceiling. Texts are never NULL: "" where they do not apply
 * @size: sizeof(struct kermon_ceiling)
 * @kind: what it limits
 * @label: in words: "double FMA avx, 1 thread"; "DRAM 2:1 avx, 2 threads, 2M pages"
 * @operation: of FLOPS: add, mul, fma, add+mul, fma+add
 * @precision: of FLOPS: single, double
 * @level: of BANDWIDTH: L1, L2, L3, DRAM
 * @pattern: of BANDWIDTH: load, store, 2:1 (loads to stores), 1:1
 * @isa: width of the instructions: scalar, sse (128 bits), avx, avx2 (256), avx512
 * @pages: of BANDWIDTH: 4K, 2M; "": not known
 * @placement: one, cores (each on a core), threads (all hardware threads), numa (cores of
 *	one node)
 * @cpus: a list of CPUs, "0-3"; "" if theoretical
 * @source: documentation that a theoretical value is from
 * @threads: number of threads that it is the sum of
 * @value: in FLOP/s or bytes/s, greater than 0
 * @low: begin of the confidence interval; @value if theoretical
 * @high: end of it
 * @hertz: core clock while it was measured; 0: not known
 * @bytes_per_thread: size of the memory that each thread accessed; 0: does not apply
 * @windows: number of measurements; 0 if theoretical
 * @outliers: number of those far from the others
 */
struct kermon_ceiling {
	size_t size;
	enum kermon_ceiling_kind kind;
	const char *label;
	const char *operation;
	const char *precision;
	const char *level;
	const char *pattern;
	const char *isa;
	const char *pages;
	const char *placement;
	const char *cpus;
	const char *source;
	unsigned int threads;
	double value;
	double low;
	double high;
	double hertz;
	uint64_t bytes_per_thread;
	uint64_t windows;
	uint64_t outliers;
};

/**
 * struct kermon_ceilings_about - where ceilings are from. Texts are never NULL
 * @size: sizeof(struct kermon_ceilings_about)
 * @theoretical: from documentation, not measured
 * @incomplete: the measurement was interrupted
 * @is_virtual: measured in a virtual machine
 * @is_model: measured on a simulated CPU, whose cycles are a model
 * @hostname: of the machine
 * @cpuid: of the CPU, as in perf.data: "GenuineIntel,6,58,9"
 * @cpudesc: its name
 * @cpus: number of online CPUs; 0: not known
 * @kernel: release of the kernel
 * @when: time of the measurement, in ISO 8601
 * @tool: what has measured
 */
struct kermon_ceilings_about {
	size_t size;
	bool theoretical;
	bool incomplete;
	bool is_virtual;
	bool is_model;
	const char *hostname;
	const char *cpuid;
	const char *cpudesc;
	unsigned int cpus;
	const char *kernel;
	const char *when;
	const char *tool;
};

struct kermon_ceilings;

/*
 * Read the file at @path. Return: 0; -EINVAL: it is not a valid file of ceilings; another
 * -errno: it cannot be read. @error has the reason in words.
 */
int kermon_ceilings_read(struct kermon_ceilings **ceilings, const char *path,
			 struct kermon_ceilings_error *error);
void kermon_ceilings_free(struct kermon_ceilings *ceilings);

/* Number of ceilings. */
size_t kermon_ceilings_nr(const struct kermon_ceilings *ceilings);

/* Ceiling @index, in the order of the file, peaks first; NULL after the last. */
const struct kermon_ceiling *
kermon_ceilings_get(const struct kermon_ceilings *ceilings, size_t index);

/* The machine and the measurement. */
const struct kermon_ceilings_about *
kermon_ceilings_about(const struct kermon_ceilings *ceilings);

/* Whether they were measured with --quick: less exactly, and not all of them. */
bool kermon_ceilings_is_quick(const struct kermon_ceilings *ceilings);

#define KERMON_MACHINE_TEXT	128

/**
 * struct kermon_machine - what tells machines apart, as in the header of perf.data
 * @hostname: name of the host; "": not known
 * @cpuid: of the CPU: "GenuineIntel,6,58,9"; "": not known
 * @cpudesc: its name; "": not known
 * @cpus: number of online CPUs; 0: not known
 */
struct kermon_machine {
	char hostname[KERMON_MACHINE_TEXT];
	char cpuid[KERMON_MACHINE_TEXT];
	char cpudesc[KERMON_MACHINE_TEXT];
	unsigned int cpus;
};

/* Fill in this machine. */
void kermon_machine_here(struct kermon_machine *machine);

#define KERMON_CEILINGS_PATH	4096

/*
 * Where ceilings of @machine are kept: in kermon/ceilings of $XDG_DATA_HOME, or else of
 * ~/.local/share; its texts may be truncated. Theoretical ones are beside measured ones.
 * Return: 0; -ENOENT: there is no home; -ENAMETOOLONG.
 */
int kermon_ceilings_default_path(const struct kermon_machine *machine, bool theoretical,
				 char path[KERMON_CEILINGS_PATH]);

enum kermon_ceilings_match {
	KERMON_CEILINGS_UNKNOWN,	/* one of both does not say which CPU it has */
	KERMON_CEILINGS_SAME,		/* the same CPU and number of CPUs */
	KERMON_CEILINGS_OTHER,
};

/*
 * Whether ceilings are those of such a machine: with NULL and 0 for what is not known of
 * it. Names of hosts are not compared.
 */
enum kermon_ceilings_match
kermon_ceilings_match(const struct kermon_ceilings *ceilings, const char *cpuid,
		      const char *cpudesc, unsigned int cpus);

KERMON_END_DECLS
#endif /* KERMON_CEILINGS_H */
