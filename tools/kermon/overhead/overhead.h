/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kermon bench overhead: what it costs a thread to start, read and stop its own counters, by
 * several methods. Each measurement is made by a fresh process, see tools/probe/probe.h.
 *
 * A *method* is a way to count, linked in one way; a *cell* are the results of a method
 * for one number of events; a *step* is what is timed in it; a *box* sums up a step over all
 * processes of a cell.
 */
#ifndef KERMON_OVERHEAD_H
#define KERMON_OVERHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct progress;

/* Times of a measurement; STEP_TOTAL is the sum of start, first read and stop. */
enum step {
	STEP_START,
	STEP_FIRST,
	STEP_LATER,
	STEP_STOP,
	STEP_TOTAL,
	NR_STEPS,
};

extern const char *const step_names[NR_STEPS];

/* Whether processes that read that often have this step. */
static inline bool step_exists(enum step step, unsigned int nr_reads)
{
	return step != STEP_LATER || nr_reads > 1;
}

/* Of the column with names of methods and steps. */
#define NAME_WIDTH	25

/**
 * struct method - a way to count
 * @name: on the command line
 * @probe: what the probe calls it
 * @linked: how the probe is linked: "dynamic" or "static"
 * @what: for people
 */
struct method {
	const char *name;
	const char *probe;
	const char *linked;
	const char *what;
};

/* Ends with {}. */
extern const struct method methods[];
#define MAX_METHODS	32

/**
 * struct box - TSC cycles of a step: quartiles, as a box plot draws them
 * @min: the least
 * @low: a quarter of the values are at most that
 * @median: half of them
 * @high: three quarters
 * @max: the greatest
 */
struct box {
	double min;
	double low;
	double median;
	double high;
	double max;
};

/* Reads of a measurement, and events, at most. */
#define MAX_READS	64
#define MAX_EVENTS	8

/* A list of events: up to four digits and a comma each. */
#define RAW_DIGITS	4
#define RAW_SIZE	(MAX_EVENTS * (RAW_DIGITS + 1))

/* Processes whose accesses are counted, of which the medians are taken. */
#define OBSERVED	3

/**
 * struct accesses - what a step executes, beyond an empty function
 * @instructions: of user mode
 * @calls: system calls
 * @rdpmc: of user mode, and of kernel mode if @wrmsr is known; NAN if it is not, and there are
 *	system calls, which may execute it
 * @rdmsr: of registers of the PMU; NAN if unknown
 * @wrmsr: likewise
 */
struct accesses {
	double instructions;
	double calls;
	double rdpmc;
	double rdmsr;
	double wrmsr;
};

/* Of struct accesses, for headings and for rows that have one of them. */
#define NR_ACCESSES	5
extern const char *const access_names[NR_ACCESSES];
double access_of(const struct accesses *accesses, unsigned int i);

/**
 * struct cell - the results of a method
 * @method: the method
 * @events: counted at the same time
 * @nr: processes that were measured; 0: it does not work here
 * @failed: further processes, which could not be measured
 * @steps: what they took; STEP_LATER are all reads but the first one
 * @reads: each read in turn
 * @nr_reads: length of @reads
 * @empty: what functions that do nothing take, which all steps include; medians; STEP_TOTAL
 *	has three of them
 * @added: what each event counted until a read, since the one before it or the start
 * @work: what each event counted in PROBE_WORK_INSTRUCTIONS instructions
 * @accesses: of each step; of no use unless @observed
 * @observed: accesses were counted, those of kernel mode if @unseen is ""
 * @unseen: why they are unknown: those of kernel mode, or all unless @observed
 * @why: why the last one failed
 */
struct cell {
	const struct method *method;
	unsigned int events;
	unsigned int nr;
	unsigned int failed;
	struct box steps[NR_STEPS];
	struct box reads[MAX_READS];
	unsigned int nr_reads;
	double empty[NR_STEPS];
	struct box added[MAX_READS][MAX_EVENTS];
	struct box work[MAX_EVENTS];
	struct accesses accesses[NR_STEPS];
	bool observed;
	char unseen[256];
	char why[256];
};

/**
 * struct study - what is measured, and the results
 * @methods: bit mask of indices in methods[]
 * @most_events: 1 to this many events
 * @nr_reads: reads of each process
 * @repetitions: processes of a cell
 * @software: count software events, which need no PMU
 * @kernel: count in kernel mode as well
 * @raw: events to count, as the probe takes them, RAW_SIZE characters at most; NULL: those
 *	that every machine has
 * @accesses: count accesses to registers, too
 * @probes: folder of the programs that are measured; NULL: beside the tool
 * @exact: the TSC counts instructions here
 * @stop: set by a signal: kill the process that is measured, and end
 * @cells: the results
 * @nr_cells: length of @cells
 */
struct study {
	unsigned int methods;
	unsigned int most_events;
	unsigned int nr_reads;
	unsigned int repetitions;
	bool software;
	bool kernel;
	const char *raw;
	bool accesses;
	const char *probes;
	bool exact;
	const volatile int *stop;
	struct cell *cells;
	size_t nr_cells;
};

struct probe_report;

/* boxes.c: sorts @values, of which there is at least one. */
struct box box_of(double *values, size_t nr);

/* clock.c: whether every instruction takes one cycle of the TSC, as on an emulator. */
bool clock_counts_instructions(void);

/**
 * run_probe() - run.c: a fresh process
 * @study: how to measure
 * @cell: the method; the reason in @why if it does not work
 * @mode: a further word of its command line, or NULL
 * @report: what it reports
 * @pid: its id, if not NULL
 *
 * Return: 0; -ECHILD if the method does not work; -EINTR if @study is to end; -ENOENT or
 * -EACCES without the program; or another error.
 */
int run_probe(const struct study *study, struct cell *cell, const char *mode,
	      struct probe_report *report, pid_t *pid);

/*
 * accesses.c: fill in @accesses of a cell that works. 0, also if the reason is in @unseen, or
 * a negative error.
 */
int observe_cell(const struct study *study, struct cell *cell);

/**
 * struct tracing - tracing.c: tracepoints of register accesses
 * @folder: of this instance of tracefs
 * @marks: its file for marks
 */
struct tracing {
	char folder[128];
	char marks[160];
};

/* 0, or a negative error with the reason in @why. */
int tracing_open(struct tracing *tracing, char *why, size_t size);
void tracing_close(const struct tracing *tracing);

/**
 * tracing_take() - add accesses of kernel mode, and forget them
 * @tracing: where they are
 * @pid: the process
 * @steps: which it has marked, as a bit mask by enum probe_step
 * @accesses: by enum probe_step
 * @why: the reason if they are unknown
 * @size: of @why
 *
 * Return: 0 or a negative error.
 */
int tracing_take(const struct tracing *tracing, pid_t pid, unsigned int steps,
		 struct accesses *accesses, char *why, size_t size);

/* collect.c: fill in @cells. 0, or -ENOMEM, -ENOENT (no probe), -EINTR if @stop. */
int study_collect(struct study *study, struct progress *progress);
void study_free(struct study *study);
bool study_has_results(const struct study *study);

/*
 * The first cell after @last of which not all processes were measured, with the reason in @why;
 * NULL: there is none. @last is NULL for the first one. Of a method that does not work, only
 * the first cell.
 */
const struct cell *study_next_missing(const struct study *study, const struct cell *last);

#define MISSING_SIZE	512

/* What is missing of such a cell, and why. */
void study_say_missing(const struct cell *cell, char text[MISSING_SIZE]);

/* text.c, counts.c, rows.c and picture.c: print the results. */
void study_print(const struct study *study, FILE *out);
void study_print_counts(const struct study *study, FILE *out);
int study_print_csv(const void *study, FILE *out);
int study_print_json(const void *study, FILE *out);
int study_print_svg(const void *study, FILE *out);

#endif /* KERMON_OVERHEAD_H */
