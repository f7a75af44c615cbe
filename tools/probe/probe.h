/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A probe is a fresh process that starts, reads and stops counters once, by one method, and
 * reports how long each step took. It is a program of its own, so that neither pages nor
 * symbols of the tool have been touched before, and is linked in two ways.
 *
 *	kermon-probe METHOD EVENTS READS [OPTION...]
 *
 *	software	count software events of perf
 *	kernel		count in kernel mode as well
 *	raw=HEX,...	count these events: unit mask and event select
 *	steps		count instructions and register accesses of user mode instead of time
 *	marks=FILE	write the beginning and the end of each step to FILE, likewise
 *
 * writes a struct probe_report to its standard output; exit status 0. If the method does
 * not work here, it says why in a line of text on standard error, which begins with
 * PROBE_SAYS, as libraries write there as well; exit status 1.
 */
#ifndef KERMON_PROBE_H
#define KERMON_PROBE_H

#include <stdbool.h>
#include <stdint.h>

/* How the line with the reason begins. */
#define PROBE_SAYS		"kermon-probe: "

#define PROBE_MAX_EVENTS	8
#define PROBE_MAX_READS		64

/*
 * What is observed with "steps" and "marks"; PROBE_LATER is the last read, if there is more
 * than one.
 */
enum probe_step {
	PROBE_START,
	PROBE_FIRST,
	PROBE_LATER,
	PROBE_STOP,
	PROBE_STEPS,
};

/* How "marks" begin and end: "kermon: begin 0", with the number of the step. */
#define PROBE_MARK_BEGIN	"kermon: begin "
#define PROBE_MARK_END		"kermon: end "

/**
 * struct probe_code - what a step executes in user mode, beyond an empty function
 * @instructions: instructions, of which one with REP is one
 * @calls: system calls among them
 * @rdpmc: RDPMC among them
 */
struct probe_code {
	uint64_t instructions;
	uint64_t calls;
	uint64_t rdpmc;
};

/**
 * struct probe_times - TSC cycles that each step took
 * @start: from before the counters are started until they count
 * @reads: each read in turn, of all events; the first one finds nothing in caches
 * @stop: from before they are stopped until they do not count any more
 */
struct probe_times {
	uint64_t start;
	uint64_t reads[PROBE_MAX_READS];
	uint64_t stop;
};

/**
 * struct probe_report - how long each step took, and what was counted
 * @magic: PROBE_MAGIC
 * @nr_events: events that were counted at the same time
 * @nr_reads: reads in a row
 * @empty: of functions that do nothing; they are not subtracted from the others
 * @times: of the method
 * @values: what was counted until each read, since the start: nr_events of the first one,
 *	then of the second
 * @work: what each event counted in work that is known, see probe_work(); negative if it
 *	counted less with the work than without
 * @code: instead of times, with "steps"
 */
struct probe_report {
	uint64_t magic;
	uint32_t nr_events;
	uint32_t nr_reads;
	struct probe_times empty;
	struct probe_times times;
	uint64_t values[PROBE_MAX_READS * PROBE_MAX_EVENTS];
	int64_t work[PROBE_MAX_EVENTS];
	struct probe_code code[PROBE_STEPS];
};

#define PROBE_MAGIC	0x34626f7270ULL

/* What probe_work() executes in user mode. */
#define PROBE_WORK_INSTRUCTIONS	10001
#define PROBE_WORK_BRANCHES	5000

/**
 * struct probe_method - a way to count
 * @name: of the command line
 * @open: prepare @nr_events events; 0, or a negative error with probe_say() called
 * @start: let them count
 * @read: values so far
 * @stop: let them not count any more, and leave the values in @counts
 * @close: undo what does not end with the process; may be NULL
 * @begun: counts at the start that @read includes, of counters that run all the time; NULL:
 *	it counts from 0
 * @check: after the measurement: 0, or a negative error with probe_say() called if nothing
 *	was on counters; may be NULL
 * @explain: what an error of @start, @read or @stop means; NULL: strerror()
 *
 * @start, @read and @stop are what is measured. They return 0 or an error, negative unless
 * @explain knows others.
 */
struct probe_method {
	const char *name;
	int (*open)(unsigned int nr_events);
	int (*start)(void);
	int (*read)(uint64_t *counts);
	int (*stop)(uint64_t *counts);
	void (*close)(void);
	const uint64_t *(*begun)(void);
	int (*check)(void);
	const char *(*explain)(int error);
};

extern const struct probe_method perf_methods[];
extern const struct probe_method kermon_methods[];

/* Of libraries that are loaded, hence not in the probe that is linked statically. */
extern const struct probe_method papi_methods[] __attribute__((weak));
extern const struct probe_method likwid_methods[] __attribute__((weak));

/* One whose functions do nothing, not even known to the compiler. */
extern const struct probe_method *volatile probe_nothing;

/* reasons.c: say why a method does not work here; returns @error. */
int probe_say(int error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Say that @what failed, why, and what to do about it; returns @error, a negative errno. */
int probe_say_perf(int error, const char *what);
int probe_say_kermon(int error, const char *what);

/* Count software events of perf instead. */
extern bool probe_software;

/* Count in kernel mode as well. */
extern bool probe_kernel;

/* The CPU on which this process runs, all the time. */
extern int probe_cpu;

/* Whose events are numbered otherwise than Intel's. */
bool probe_is_amd(void);

/* Unit mask and event select of the event @i, as perf's PERF_TYPE_RAW has them. */
uint64_t probe_event(unsigned int i);

/*
 * Choose other events: hexadecimal numbers of 16 bits, separated by commas. False if they are
 * not.
 */
bool probe_events_take(const char *text);

/* Whether the events are chosen by probe_events_take(). */
bool probe_events_are_raw(void);

/* Cycles of the TSC. Nothing is moved across, by the compiler or by the processor. */
static inline uint64_t probe_now(void)
{
	uint64_t low, high;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence"
			 : "=a" (low), "=d" (high) : : "memory");
	return high << 32 | low;
}

/* Without the C library, whose memcpy() a dynamic linker may have to find. */
static inline void probe_copy(uint64_t *to, const uint64_t *from, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		to[i] = from[i];
		__asm__ volatile("" : : : "memory");
	}
}

/* observe.c: run a method as probe.c does, but count what it executes, or mark its steps. */
int observe_code(const struct probe_method *method, struct probe_report *report);
int observe_marks(const struct probe_method *method, struct probe_report *report,
		  const char *path);

#endif /* KERMON_PROBE_H */
