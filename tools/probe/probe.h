/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A probe is a fresh process that starts, reads and stops counters once, by one method, and
 * reports how long each step took. It is a program of its own, so that neither pages nor
 * symbols of the tool have been touched before, and is linked in two ways.
 *
 *	kermon-probe METHOD EVENTS READS [software]
 *
 * writes a struct probe_report to its standard output; exit status 0. If the method does
 * not work here, it says why in a line of text on standard error; exit status 1.
 */
#ifndef KERMON_PROBE_H
#define KERMON_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#define PROBE_MAX_EVENTS	16
#define PROBE_MAX_READS		64

/**
 * struct probe_report - TSC cycles that each step took
 * @magic: PROBE_MAGIC
 * @nr_events: events that were counted at the same time
 * @nr_reads: length of @reads in use
 * @pad: 0
 * @empty: two readings of the TSC with nothing in between; not subtracted from the others
 * @start: from before the counters are started until they count
 * @reads: each read in turn, of all events; the first one finds nothing in caches
 * @stop: from before they are stopped until they do not count any more
 * @counts: what the first two events counted between start and stop, to be plausible
 */
struct probe_report {
	uint64_t magic;
	uint32_t nr_events;
	uint32_t nr_reads;
	uint64_t empty;
	uint64_t start;
	uint64_t reads[PROBE_MAX_READS];
	uint64_t stop;
	uint64_t counts[PROBE_MAX_EVENTS];
};

#define PROBE_MAGIC	0x65626f7270ULL

/**
 * struct probe_method - a way to count
 * @name: of the command line
 * @open: prepare @nr_events events; 0, or a negative error with probe_say() called
 * @start: let them count
 * @read: values so far
 * @stop: let them not count any more, and leave the values in @counts
 *
 * The last three return 0 or a negative error, and are what is measured.
 */
struct probe_method {
	const char *name;
	int (*open)(unsigned int nr_events);
	int (*start)(void);
	int (*read)(uint64_t *counts);
	int (*stop)(uint64_t *counts);
};

extern const struct probe_method perf_methods[];
extern const struct probe_method kermon_methods[];

/* Of libraries that are loaded, hence not in the probe that is linked statically. */
extern const struct probe_method library_methods[] __attribute__((weak));

/* Say why a method does not work here; returns @error. */
int probe_say(int error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Count software events of perf instead. */
extern bool probe_software;

/* Event select and unit mask of the event @i, as perf's PERF_TYPE_RAW has them. */
uint64_t probe_event(unsigned int i);

#endif /* KERMON_PROBE_H */
