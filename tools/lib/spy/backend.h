/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Backends: where the counts of a CPU come from. A new one is a file with a struct
 * spy_backend, and a row in backends.c.
 */
#ifndef KERMON_SPY_BACKEND_H
#define KERMON_SPY_BACKEND_H

#include <kermon/spy.h>

/**
 * struct spy_machine - what backends know of this machine
 * @cpu: a CPU to try on, one of those that are watched
 * @fixed: bits of the fixed events: instructions, cycles, reference cycles
 * @software: bits of the events that the backend software can count
 */
struct spy_machine {
	unsigned int cpu;
	unsigned int fixed;
	unsigned int software;
};

/**
 * struct spy_set - a set, as its backend has translated it
 * @public: text and events
 * @events: of @public
 * @kept: number of events at the beginning that all sets of the backend have, and that
 *	count on when the set is changed
 * @index: of each event, if the backend needs it
 * @selectors: of each event, what a counter is programmed with by the backend msr
 */
struct spy_set {
	struct kermon_spy_set public;
	unsigned int kept;
	unsigned int index[KERMON_SPY_EVENTS];
	uint64_t selectors[KERMON_SPY_EVENTS];
	struct kermon_spy_event events[KERMON_SPY_EVENTS];
};

/**
 * struct spy_reading - what has been counted so far
 * @enabled: ns in which it was to be counted
 * @running: ns in which it was counted
 * @values: by event of the set
 */
struct spy_reading {
	uint64_t enabled;
	uint64_t running;
	uint64_t values[KERMON_SPY_EVENTS];
};

/**
 * struct spy_backend - the functions of a backend
 * @name: its name
 * @outlives_cpu: when the CPU is offline, @read still returns what was counted until then
 * @probe: whether it can be used: 0, or -errno with @trouble; fills in its part of @machine
 * @select: translate @set->public.text: 0, or -errno with @trouble
 * @open: start to count @set on @cpu, for calls from there. Returns 0, or -errno with
 *	@trouble and nothing to close
 * @change: count @set instead. @base is the last reading of the former set; it becomes the
 *	reading from which the new one begins, with the kept events where they were. Returns 0,
 *	or -errno with @trouble, and counts the former set on, from @base
 * @read: fill in @reading, exactly as far as possible if it is the @last one. Returns 0;
 *	-EAGAIN: the counters are taken away at the moment; another -errno
 * @verify: whether everything that was read since the last time is right: 0; -EAGAIN: counters
 *	were taken away meanwhile; another -errno. Called less often than @read, before its
 *	results are passed on. NULL: it always is
 * @close: stop counting
 */
struct spy_backend {
	const char *name;
	bool outlives_cpu;
	int (*probe)(struct spy_machine *machine, struct kermon_spy_trouble *trouble);
	int (*select)(const struct spy_machine *machine, struct spy_set *set,
		      struct kermon_spy_trouble *trouble);
	int (*open)(void **source, unsigned int cpu, const struct spy_set *set,
		    struct kermon_spy_trouble *trouble);
	int (*change)(void *source, const struct spy_set *set, struct spy_reading *base,
		      struct kermon_spy_trouble *trouble);
	int (*read)(void *source, struct spy_reading *reading, bool last);
	int (*verify)(void *source);
	void (*close)(void *source);
};

extern const struct spy_backend spy_perf, spy_msr, spy_software;

/* Fill in @trouble, and return @error. @what may be NULL. */
int spy_fail(struct kermon_spy_trouble *trouble, enum kermon_spy_kind kind, int error,
	     int cpu, const char *what);

/*
 * perf.c: open an event of perf_event on @cpu, to be read as a group. @leader: descriptor of
 * the leader of the group; -1: it leads one, which is pinned. Returns a descriptor or -errno.
 */
int spy_open_event(const struct kermon_spy_event *event, unsigned int cpu, int leader);

/**
 * struct spy_values - what read(2) returns for a group of events
 * @nr: number of @values
 * @enabled: as in struct spy_reading
 * @running: likewise
 * @values: by event of the group
 */
struct spy_values {
	uint64_t nr;
	uint64_t enabled;
	uint64_t running;
	uint64_t values[KERMON_SPY_EVENTS];
};

/*
 * perf.c: read the group of @nr events whose descriptors are @fds, also if the CPU is offline.
 * Returns 0, or -errno; -EAGAIN: it cannot be counted at the moment.
 */
int spy_read_group(const int *fds, unsigned int nr, struct spy_values *values);

/*
 * perf.c: translate a set of hardware events: the fixed ones of @machine, which are kept, then
 * those that are named. Returns as select.
 */
int spy_select_hardware(const struct spy_machine *machine, struct spy_set *set,
			struct kermon_spy_trouble *trouble);

/* Add an event to @set; -E2BIG with @trouble if there is no room. */
int spy_add_event(struct spy_set *set, const struct kermon_spy_event *event,
		  unsigned int index, struct kermon_spy_trouble *trouble);

/*
 * Choose the backend called @name, or the best one for these sets if it is NULL. @reason:
 * why not one before it. Returns 0, or -errno with @trouble.
 */
int spy_choose(const char *name, const char *const *sets, unsigned int nr_sets,
	       struct spy_machine *machine, const struct spy_backend **backend,
	       enum kermon_spy_kind *reason, struct kermon_spy_trouble *trouble);

/* Translate the set @text into @set, to be freed by spy_free_set(). Returns as select. */
int spy_make_set(const struct spy_backend *backend, const struct spy_machine *machine,
		 const char *text, struct spy_set **set,
		 struct kermon_spy_trouble *trouble);
void spy_free_set(struct spy_set *set);

#endif /* KERMON_SPY_BACKEND_H */
