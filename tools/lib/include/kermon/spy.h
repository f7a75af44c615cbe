/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Watch logical CPUs on any kernel: one spy per CPU, a thread that is pinned there and
 * sleeps between samples, and a monitor, the thread that calls these functions. What a
 * sample counts belongs to the CPU, whichever tasks ran there.
 *
 *	kermon_spy_open(&spy, &options, &trouble);
 *	kermon_spy_start(spy);
 *	while (... four times a second)
 *		kermon_spy_drain(spy, take_sample, data);
 *	kermon_spy_stop(spy);
 *	kermon_spy_drain(spy, take_sample, data);
 *	kermon_spy_close(spy);
 */
#ifndef KERMON_SPY_H
#define KERMON_SPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kermon/abi.h>
#include <kermon/events.h>

KERMON_BEGIN_DECLS

/* Most events of a set, most energy domains, and most different sets of a monitor. */
#define KERMON_SPY_EVENTS	24
#define KERMON_SPY_DOMAINS	8
#define KERMON_SPY_SETS		256

/* Shortest and longest interval. Counters of energy have to be read once a minute. */
#define KERMON_SPY_MIN_NS	1000000ULL
#define KERMON_SPY_MAX_NS	60000000000ULL

/**
 * enum kermon_spy_kind - kinds of trouble
 * @KERMON_SPY_UNKNOWN: there is no backend of that name
 * @KERMON_SPY_NO_PMU: the kernel offers no hardware events: a virtual machine without PMU
 * @KERMON_SPY_DENIED: this user may not count per CPU: kernel.perf_event_paranoid
 * @KERMON_SPY_HELD: something else holds the counters of a CPU: perf, KerMon, a watchdog
 * @KERMON_SPY_EVENT: the name of an event is invalid, see @event
 * @KERMON_SPY_REFUSED: this CPU or kernel does not count the event @what
 * @KERMON_SPY_EXCESS: the events up to @what need more counters than there are
 * @KERMON_SPY_CPU: the CPU is offline, or not permitted to this process
 * @KERMON_SPY_SYSTEM: another error of the system
 */
enum kermon_spy_kind {
	KERMON_SPY_NONE,
	KERMON_SPY_UNKNOWN,
	KERMON_SPY_NO_PMU,
	KERMON_SPY_DENIED,
	KERMON_SPY_HELD,
	KERMON_SPY_EVENT,
	KERMON_SPY_REFUSED,
	KERMON_SPY_EXCESS,
	KERMON_SPY_CPU,
	KERMON_SPY_SYSTEM,
};

/**
 * struct kermon_spy_trouble - why something failed
 * @kind: what it is
 * @error: -errno
 * @cpu: the CPU on which it failed; -1: on all
 * @what: the event or set
 * @event: of KERMON_SPY_EVENT: as from kermon_events_select(), whose result is @error
 */
struct kermon_spy_trouble {
	enum kermon_spy_kind kind;
	int error;
	int cpu;
	char what[KERMON_EVENT_NAME];
	struct kermon_event_error event;
};

/**
 * struct kermon_spy_options - what to watch
 * @size: sizeof(struct kermon_spy_options)
 * @backend: name of the backend; NULL: chosen, see kermon_spy_reason()
 * @sets: sets of events, each as for kermon_events_select(); numbered from 0 in this order.
 *	All CPUs begin with the first one. NULL: "fixed"
 * @nr_sets: length of @sets
 * @cpus: the logical CPUs, each once; NULL: all, of which some may be offline
 * @nr_cpus: length of @cpus
 * @interval_ns: time between samples, KERMON_SPY_MIN_NS to KERMON_SPY_MAX_NS
 * @channel: samples that wait for the monitor per CPU, a power of two; 0: one second's
 * @no_energy: do not read energy
 */
struct kermon_spy_options {
	size_t size;
	const char *backend;
	const char *const *sets;
	unsigned int nr_sets;
	const unsigned int *cpus;
	unsigned int nr_cpus;
	uint64_t interval_ns;
	unsigned int channel;
	bool no_energy;
};

/* Name of backend @index, in the order in which they are preferred; NULL after the last. */
const char *kermon_spy_backend_name(unsigned int index);

struct kermon_spy;

/*
 * Create the spies, open their counters, and leave them asleep. Return: 0; -EINVAL and
 * -E2BIG: @options are invalid; another -errno, with @trouble filled in.
 */
int kermon_spy_open(struct kermon_spy **spy,
		    const struct kermon_spy_options *options,
		    struct kermon_spy_trouble *trouble);

/* The backend in use. */
const char *kermon_spy_backend(const struct kermon_spy *spy);

/*
 * Why it was chosen: KERMON_SPY_NONE: it is the best there is, or it was asked for; else
 * the kind of trouble with those before it. KERMON_SPY_EVENT: the events are its own.
 */
enum kermon_spy_kind kermon_spy_reason(const struct kermon_spy *spy);

/* Units of counts. KERMON_SPY_NS: of /proc/stat, in steps of 1 s / sysconf(_SC_CLK_TCK). */
enum kermon_spy_unit {
	KERMON_SPY_NUMBER,
	KERMON_SPY_NS,
};

/**
 * struct kermon_spy_event - an event of a set
 * @name: as in recordings
 * @unit: of its counts
 * @type: PERF_TYPE_*
 * @config: of the event, for perf
 * @extra: its config1
 */
struct kermon_spy_event {
	char name[KERMON_EVENT_NAME];
	enum kermon_spy_unit unit;
	uint32_t type;
	uint64_t config;
	uint64_t extra;
};

/**
 * struct kermon_spy_set - a set
 * @size: sizeof(struct kermon_spy_set)
 * @text: as given
 * @nr: number of events
 * @events: its events, in the order of the counts of a sample
 */
struct kermon_spy_set {
	size_t size;
	const char *text;
	unsigned int nr;
	const struct kermon_spy_event *events;
};

/* Set @number; NULL after the last. It does not change. */
const struct kermon_spy_set *kermon_spy_set(const struct kermon_spy *spy,
					    unsigned int number);

/* The number of the set @text, which is added if it is new; or -errno with @trouble. */
int kermon_spy_add_set(struct kermon_spy *spy, const char *text,
		       struct kermon_spy_trouble *trouble);

/* Name of energy domain @index, "power/energy-pkg/"; NULL after the last. */
const char *kermon_spy_domain(const struct kermon_spy *spy, unsigned int index);

/* Why there is no energy: -ENODEV, -EACCES, -EPERM (powercap), -EIO; or 0. */
int kermon_spy_energy_error(const struct kermon_spy *spy);

/**
 * enum kermon_spy_flags - of a sample
 * @KERMON_SPY_FIRST: the first one after the set was changed: it includes the change
 * @KERMON_SPY_CUT: it ended early, because the set was changed or the monitor stopped
 * @KERMON_SPY_ENERGY: it has the energy of the package since the sample before that had it
 * @KERMON_SPY_UNCOUNTED: the counters were taken away meanwhile: the counts are too low
 * @KERMON_SPY_OFFLINE: the CPU has gone offline in it, and counted until then
 */
enum kermon_spy_flags {
	KERMON_SPY_FIRST = 1,
	KERMON_SPY_CUT = 2,
	KERMON_SPY_ENERGY = 4,
	KERMON_SPY_UNCOUNTED = 8,
	KERMON_SPY_OFFLINE = 16,
};

/**
 * struct kermon_spy_sample - what a CPU did in an interval, which begins where the one
 *	before ended; valid during the call
 * @size: sizeof(struct kermon_spy_sample)
 * @cpu: the logical CPU
 * @set: number of the set that was counted
 * @flags: of enum kermon_spy_flags
 * @missed: deadlines that the spy missed, because it did not run: so many intervals are
 *	summed in this sample in addition to its own
 * @merged: samples for which there was no room in the channel, likewise
 * @begin_ns: begin in CLOCK_MONOTONIC
 * @end_ns: end
 * @begin_tsc: begin as time stamp counter; 0 on machines without one
 * @end_tsc: end
 * @enabled_ns: time in which it was to be counted
 * @running_ns: time in which it was counted
 * @nr: length of @counts
 * @counts: by event of the set
 * @package: the package that the CPU belongs to
 * @nr_domains: length of @joules; 0 without KERMON_SPY_ENERGY
 * @joules: by domain, of the whole package: shared by all its CPUs
 * @energy_ns: when energy was read, in CLOCK_MONOTONIC
 */
struct kermon_spy_sample {
	size_t size;
	unsigned int cpu;
	unsigned int set;
	unsigned int flags;
	unsigned int missed;
	unsigned int merged;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t begin_tsc;
	uint64_t end_tsc;
	uint64_t enabled_ns;
	uint64_t running_ns;
	unsigned int nr;
	const uint64_t *counts;
	unsigned int package;
	unsigned int nr_domains;
	const double *joules;
	uint64_t energy_ns;
};

typedef int (*kermon_spy_fn)(const struct kermon_spy_sample *sample, void *data);

/*
 * Let all spies begin their first interval at the same time, immediately. Return: 0 or
 * -errno, with @trouble filled in.
 */
int kermon_spy_start(struct kermon_spy *spy, struct kermon_spy_trouble *trouble);

/*
 * Call @fn for all samples that wait, in the order of their ends, until it returns
 * non-zero, which is returned; the other samples stay. Return: otherwise 0.
 */
int kermon_spy_drain(struct kermon_spy *spy, kermon_spy_fn fn, void *data);

/*
 * End the interval of @cpu, and count set @number from there on. Other CPUs are not
 * affected. Returns when that has happened. Return: 0; -ENOENT: no such CPU or set;
 * -EAGAIN: the channel is full, drain first; -EALREADY: the CPU counts that set; another
 * -errno with @trouble: the CPU counts the former set as before.
 */
int kermon_spy_change(struct kermon_spy *spy, unsigned int cpu, unsigned int number,
		      struct kermon_spy_trouble *trouble);

/*
 * Called for a CPU that has gone offline, or has come online: then it is watched, unless
 * @trouble says why it is not.
 */
typedef void (*kermon_spy_move_fn)(unsigned int cpu, bool online,
				   const struct kermon_spy_trouble *trouble, void *data);

/*
 * Notice which CPUs have gone offline or come online since the last call, and begin to watch
 * the latter: those that were watched before with the same set. To be called about as often as
 * kermon_spy_drain(); @fn may be NULL. Return: 0 or -errno.
 */
int kermon_spy_follow(struct kermon_spy *spy, kermon_spy_move_fn fn, void *data);

/* End the last intervals, and all spies. */
void kermon_spy_stop(struct kermon_spy *spy);

/**
 * struct kermon_spy_cpu - a spy
 * @cpu: its logical CPU
 * @package: package of that
 * @set: number of the set that it counts
 * @error: 0; -ENODEV: the CPU is offline, its samples have ended; or -errno of reading its
 *	counters, which ended them as well
 * @samples: number of samples so far
 * @missed: number of deadlines missed
 * @merged: number of samples for which there was no room
 * @uncounted: number of samples with KERMON_SPY_UNCOUNTED
 * @cost_ns: CPU time of the spy itself since kermon_spy_start(), which its CPU counts too
 */
struct kermon_spy_cpu {
	unsigned int cpu;
	unsigned int package;
	unsigned int set;
	int error;
	uint64_t samples;
	uint64_t missed;
	uint64_t merged;
	uint64_t uncounted;
	uint64_t cost_ns;
};

/* Fill in @info of spy @index, in ascending order of CPUs; false after the last. */
bool kermon_spy_cpu(const struct kermon_spy *spy, unsigned int index,
		    struct kermon_spy_cpu *info);

/* Close it, also if it was not stopped. @spy may be NULL. */
void kermon_spy_close(struct kermon_spy *spy);

KERMON_END_DECLS
#endif /* KERMON_SPY_H */
