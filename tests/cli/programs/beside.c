// SPDX-License-Identifier: GPL-2.0
/*
 * LD_PRELOADed into a program that counts itself by PAPI or by likwid's marker API: where it
 * reads its counts, KerMon reads them as well. For each read a line is written to standard
 * error: "beside: SINCE READ EVENT THEIRS OURS", counts since the call SINCE has set both to 0.
 * Between the two, the library executes some instructions of its own, the same for each read
 * of a kind. How many is known from the same calls without anything in between, which are made
 * before the program's: "empty: SINCE READ EVENT THEIRS OURS".
 *
 * For likwid, whose example only sleeps, there is also a region with KNOWN instructions:
 * "known: SINCE READ EVENT THEIRS OURS".
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <dlfcn.h>
#include <linux/kermon.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <kermon/self.h>

#define PAPI_TOT_INS	(int)0x80000032
#define PAPI_TOT_CYC	(int)0x8000003b
#define EVENT_USR	0x10000
#define MAX_EVENTS	8

enum { INSTRUCTIONS, CYCLES, NR_EVENTS };

static struct kermon_self self;
static unsigned int first;

struct reading {
	uint64_t counts[NR_EVENTS];
};

/* Where counts begin, and since which call. */
static struct reading base;
static const char *since;
static bool running;

/* How lines begin; NULL: there are none. */
static const char *label = "beside";
static bool calibrating;

/* In a function of the library, which calls others of them. */
static bool inside;

static void fail(const char *what)
{
	fprintf(stderr, "beside: %s\n", what);
	_exit(99);
}

static struct reading now(void)
{
	struct reading reading;

	if (kermon_read_range(&self, first, NR_EVENTS, reading.counts))
		fail("kermon_read_range");
	return reading;
}

static void *next(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	if (!function)
		fail(name);
	return function;
}

#define NEXT(name)	((__typeof__(&name))next(#name))

/* Event selects: instructions, and cycles of Intel or AMD. */
static __attribute__((constructor)) void begin(void)
{
	struct kermon_event events[NR_EVENTS] = {};
	struct kermon_event_set set = {
		.count = KERMON_COUNT_USER,
		.nr_events = NR_EVENTS,
		.events = (uintptr_t)events,
	};
	unsigned int a, b, c, d;

	__cpuid(0, a, b, c, d);
	events[INSTRUCTIONS].config = 0xc0 | EVENT_USR;
	events[CYCLES].config = (c == signature_AMD_ecx ? 0x76 : 0x3c) | EVENT_USR;
	/* Of this program, not of what it executes. */
	unsetenv("LD_PRELOAD");
	if (syscall(KERMON_NR_SET_EVENTS, 0, &set, sizeof(set), 0) < 0)
		fail("set_events");
	if (kermon_self_open(&self) || !kermon_self_is_fast(&self))
		fail("kermon_self_open");
	first = self.page->nr_fixed;
}

/* PAPI: as papi.h declares them. */
int PAPI_start(int set);
int PAPI_reset(int set);
int PAPI_read(int set, long long *values);
int PAPI_accum(int set, long long *values);
int PAPI_stop(int set, long long *values);
int PAPI_list_events(int set, int *events, int *number);

static int list(int set, int *events)
{
	int number = MAX_EVENTS;

	if (NEXT(PAPI_list_events)(set, events, &number) || number > MAX_EVENTS)
		fail("PAPI_list_events");
	return number;
}

static void say(const char *since_what, const char *read, int event, long long theirs,
		uint64_t ours)
{
	if (label)
		fprintf(stderr, "%s: %s %s %s %lld %llu\n", label, since_what, read,
			event == CYCLES ? "cycles" : "instructions", theirs,
			(unsigned long long)ours);
}

static void compare(const char *read, int set, const long long *values,
		    const struct reading *at)
{
	int events[MAX_EVENTS];
	int number = list(set, events);

	for (int i = 0; i < number; i++) {
		const int event = events[i] == PAPI_TOT_INS ? INSTRUCTIONS :
				  events[i] == PAPI_TOT_CYC ? CYCLES : NR_EVENTS;

		if (event < NR_EVENTS)
			say(since, read, event, values[i],
			    at->counts[event] - base.counts[event]);
	}
}

static int set_to_zero(const char *name, int (*function)(int set), int set)
{
	int ret = function(set);

	if (!inside) {
		base = now();
		since = name;
	}
	return ret;
}

static void calibrate(int set);

int PAPI_start(int set)
{
	int ret;

	if (!calibrating)
		calibrate(set);
	ret = set_to_zero("PAPI_start", NEXT(PAPI_start), set);

	running = !ret;
	return ret;
}

int PAPI_reset(int set)
{
	return set_to_zero("PAPI_reset", NEXT(PAPI_reset), set);
}

static int read_counts(const char *name, int (*function)(int set, long long *values), int set,
		       long long *values)
{
	const struct reading at = now();
	const bool outside = !inside;
	int ret;

	inside = true;
	ret = function(set, values);
	inside = !outside;
	if (!ret && values && running && outside)
		compare(name, set, values, &at);
	return ret;
}

int PAPI_read(int set, long long *values)
{
	return read_counts("PAPI_read", NEXT(PAPI_read), set, values);
}

int PAPI_stop(int set, long long *values)
{
	int ret = read_counts("PAPI_stop", NEXT(PAPI_stop), set, values);

	running = false;
	return ret;
}

/* Adds the counts to the values, and sets them to 0. */
int PAPI_accum(int set, long long *values)
{
	int (*const function)(int set, long long *values) = NEXT(PAPI_accum);
	long long added[MAX_EVENTS];
	struct reading at, after;
	int events[MAX_EVENTS];
	int number = list(set, events), ret;

	for (int i = 0; i < number; i++)
		added[i] = -values[i];
	inside = true;
	at = now();
	ret = function(set, values);
	after = now();
	inside = false;
	for (int i = 0; i < number; i++)
		added[i] += values[i];
	if (!ret && running)
		compare("PAPI_accum", set, added, &at);
	base = after;
	since = "PAPI_accum";
	return ret;
}

/* The first round finds code and data that are new. */
static void calibrate(int set)
{
	long long values[MAX_EVENTS] = {};

	calibrating = true;
	for (unsigned int i = 0; i < 2 * 3 * 3; i++) {
		label = NULL;
		PAPI_start(set);
		if (i % 3 == 1)
			PAPI_reset(set);
		else if (i % 3 == 2)
			PAPI_accum(set, values);
		label = i < 3 * 3 ? NULL : "empty";
		if (i / 3 % 3 == 0)
			PAPI_read(set, values);
		else if (i / 3 % 3 == 1)
			PAPI_accum(set, values);
		if (i / 3 % 3 != 2)
			label = NULL;
		PAPI_stop(set, values);
	}
	label = "beside";
	calibrating = false;
}

/* likwid: as likwid.h declares them. */
int likwid_markerStartRegion(const char *name);
int likwid_markerStopRegion(const char *name);
void likwid_markerGetRegion(const char *name, int *number, double *events, double *time,
			    int *count);

/* Instructions of work(): a loop of two, and what sets its counter. */
#define KNOWN		10000001

static void work(void)
{
	uint32_t rounds = KNOWN / 2;

	__asm__ volatile("movl %1, %0\n"
			 "1:\tdecl %0\n\t"
			 "jnz 1b" : "=&r" (rounds) : "i" (KNOWN / 2) : "cc");
}

/* Names as long as the one of the program, as likwid looks them up. */
enum { EMPTY, WORK, PROGRAM, NR_REGIONS };

static const char *const names[] = { "nothing", "working" };

/* Sums, as those of likwid. */
static struct reading sums[NR_REGIONS];

static struct reading *sum_of(const char *name)
{
	int i;

	for (i = 0; i < PROGRAM && strcmp(name, names[i]); i++)
		;
	return &sums[i];
}

/* Twice with nothing, of which the second one counts, as the first finds code that is new. */
static void calibrate_regions(void)
{
	double events[MAX_EVENTS], time;
	int number, count;

	calibrating = true;
	for (unsigned int i = 0; i < 4; i++) {
		const int region = i / 2;

		likwid_markerStartRegion(names[region]);
		if (region == WORK)
			work();
		likwid_markerStopRegion(names[region]);
		label = region == WORK ? "known" : "empty";
		number = MAX_EVENTS;
		likwid_markerGetRegion(names[region], &number, events, &time, &count);
	}
	label = "beside";
	calibrating = false;
}

int likwid_markerStartRegion(const char *name)
{
	static bool is_calibrated;
	int ret;

	if (!is_calibrated && !calibrating) {
		is_calibrated = true;
		calibrate_regions();
	}
	ret = NEXT(likwid_markerStartRegion)(name);
	base = now();
	return ret;
}

int likwid_markerStopRegion(const char *name)
{
	int (*const function)(const char *name) = NEXT(likwid_markerStopRegion);
	const struct reading at = now();
	/* Later, as this takes longer for some names. */
	struct reading *sum = sum_of(name);

	for (int i = 0; i < NR_EVENTS; i++)
		sum->counts[i] += at.counts[i] - base.counts[i];
	return function(name);
}

void likwid_markerGetRegion(const char *name, int *number, double *events, double *time,
			    int *count)
{
	NEXT(likwid_markerGetRegion)(name, number, events, time, count);
	for (int i = 0; i < NR_EVENTS && i < *number; i++)
		say("Init", "GetRegion", i, events[i], sum_of(name)->counts[i]);
}
