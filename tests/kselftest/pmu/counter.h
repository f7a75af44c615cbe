/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of the PMU model by their names in tests/qemu/README.md, counted
 * for this thread through perf_event_open().
 */
#ifndef KERMON_TEST_COUNTER_H
#define KERMON_TEST_COUNTER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

enum event {
	INSTRUCTIONS,
	CYCLES,
	REF_CYCLES,
	BRANCHES,
	LOADS,
	STORES,
	X87,
	SCALAR_SINGLE,
	SCALAR_DOUBLE,
	PACKED_SINGLE,
	PACKED_DOUBLE,
	AVX_SINGLE,
	AVX_DOUBLE,
	NR_EVENTS
};

extern const struct event_type {
	const char *name;
	uint64_t config;	/* unit mask and event code */
} event_types[NR_EVENTS];

/* Events that the general counters hold at a time. */
#define GROUP_SIZE	4

struct group {
	int fds[GROUP_SIZE];
	int nr;
};

/* Attributes of event select @config, disabled, for user mode only. */
struct perf_event_attr event_attr(uint64_t config);

/* Open an event for this thread on any CPU; returns -errno. */
int event_open(struct perf_event_attr *attr, int group_fd);

/* Open up to GROUP_SIZE events from @first on; exits if it cannot. */
void group_open(struct group *group, enum event first);
void group_close(struct group *group);

/*
 * Count what @fn(@arg) executes in user mode, without what an empty function
 * takes. False if the group was not on the PMU all the time.
 */
bool group_count(struct group *group, void (*fn)(void *), void *arg,
		 uint64_t counts[GROUP_SIZE]);

#endif
