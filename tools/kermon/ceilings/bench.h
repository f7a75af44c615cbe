/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the files of kermon roofline bench: the ceilings to measure, and what was found.
 */
#ifndef KERMON_CEILINGS_BENCH_H
#define KERMON_CEILINGS_BENCH_H

#include <kermon/ceilings.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "measure.h"
#include "placement.h"
#include "ui/notes.h"
#include "ui/progress.h"

struct command;

/* Bits of selection.levels: those of levels, and of peaks. */
#define LEVEL_PEAK	NR_LEVELS
#define ALL_LEVELS	((1U << (NR_LEVELS + 1)) - 1)
#define ALL_ISAS	((1U << NR_ISAS) - 1)

#define MOST_COUNTS	16

/**
 * struct selection - what to measure
 * @levels: bits of enum level, and of LEVEL_PEAK
 * @isas: bits of enum isa
 * @threads: numbers of threads, ascending
 * @nr_threads: length of @threads; 0: one, all cores, all hardware threads
 * @quick: coarse, and fewer ceilings
 */
struct selection {
	unsigned int levels;
	unsigned int isas;
	unsigned int threads[MOST_COUNTS];
	unsigned int nr_threads;
	bool quick;
};

enum state {
	STATE_PLANNED,
	STATE_MEASURED,
	STATE_FAILED,		/* @reason says why */
	STATE_DOCUMENTED,	/* @source says where */
};

/**
 * struct ceiling - a ceiling to measure, or from documentation
 * @kind: which of the following members apply
 * @operation: of a peak; likewise @precision
 * @level: of a bandwidth; likewise @pattern
 * @isa: width of the instructions
 * @huge: of a bandwidth, huge pages are wanted
 * @threads: number of threads
 * @bytes: of each thread, of a bandwidth
 * @state: how far it is
 * @estimate: the result; only its value if it is documented
 * @reason: why it was not measured
 * @source: documentation
 */
struct ceiling {
	enum kermon_ceiling_kind kind;
	enum operation operation;
	enum precision precision;
	enum level level;
	enum pattern pattern;
	enum isa isa;
	bool huge;
	unsigned int threads;
	uint64_t bytes;
	enum state state;
	struct estimate estimate;
	const char *reason;
	const char *source;
};

/**
 * struct bench - all of it
 * @command: for messages
 * @selection: what to measure
 * @placement: CPUs, of measured ceilings
 * @machine: the machine
 * @theoretical: the ceilings are documented
 * @is_virtual: it is a virtual machine
 * @is_model: the CPU is simulated
 * @ceilings: the ceilings, those of one number of threads after the other
 * @nr: number of ceilings
 * @room: for so many
 * @progress: of measured ceilings
 * @nr_done: number of ceilings that were measured, each as often as it was
 * @started: when, seconds of the epoch
 * @steal_percent: of the CPUs' time, while it was measured
 * @counts_cycles: the clock was counted by the PMU
 * @interrupted: the user has stopped it
 * @notes: what has to be known about the result
 */
struct bench {
	const struct command *command;
	struct selection selection;
	struct placement placement;
	struct kermon_machine machine;
	bool theoretical;
	bool is_virtual;
	bool is_model;
	struct ceiling *ceilings;
	size_t nr;
	size_t room;
	struct progress progress;
	size_t nr_done;
	int64_t started;
	double steal_percent;
	bool counts_cycles;
	bool interrupted;
	struct notes notes;
};

/* Bytes that a window accesses of more memory: each goes on behind the former one. */
#define WINDOW_CHUNK	(8192ULL * ACCESS_BLOCK)

extern const char *const level_names[NR_LEVELS + 1];

/* Add a note; the same one only once. */
void bench_note(struct bench *bench, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Whether the CPU and the kernel offer instructions of this width, and FMA of that width. */
bool isa_is_offered(enum isa isa);
bool fma_is_offered(enum isa isa);

/* Make the list of ceilings. Return: 0 or -ENOMEM. */
int bench_plan(struct bench *bench);
struct ceiling *bench_add(struct bench *bench, const struct ceiling *ceiling);

/* Measure them; *stop ends that. Return: 0, or -errno if nothing could be measured. */
int bench_run(struct bench *bench, const volatile sig_atomic_t *stop);

/*
 * How much memory each of @threads threads needs: all of its L1 and L2, and of what is
 * available now as much as the other levels require.
 */
uint64_t sizes_wanted(const struct bench *bench, unsigned int threads);

/*
 * Find how much of it each thread accesses, by level; 0: the level cannot be measured, which
 * is noted. The crew has huge memory of @mapped bytes each, as sizes_wanted() returned them:
 * another call may return more, as other programs end.
 */
void sizes_find(struct bench *bench, struct crew *crew, unsigned int threads,
		uint64_t mapped, const struct effort *effort, uint64_t bytes[NR_LEVELS]);

/* Give work on L1 long rounds if they are faster on this CPU. */
void sizes_choose_loop(struct crew *crew, enum pattern pattern, enum isa isa,
		       struct work *work, const struct effort *effort);

/* Note results that cannot be right: narrower instructions or outer levels that are faster. */
void checks_note(struct bench *bench);

/* Fill in ceilings of the CPU named @name, NULL: this one. Returns an exit status. */
int theory_make(struct bench *bench, const char *name);

/* As a table, and as a file of ceilings; the latter returns 0 or -errno. */
void text_print(const struct bench *bench, FILE *out);
int file_print(const void *bench, FILE *out);

#endif /* KERMON_CEILINGS_BENCH_H */
