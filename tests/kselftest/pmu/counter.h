/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of the PMU model, named as in tests/qemu/README.md, counted for this
 * thread with perf_event_open().
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
	/* the same for arithmetic only; fused operations count twice */
	ARITH_SCALAR_SINGLE,
	ARITH_SCALAR_DOUBLE,
	ARITH_PACKED_SINGLE,
	ARITH_PACKED_DOUBLE,
	ARITH_AVX_SINGLE,
	ARITH_AVX_DOUBLE,
	/* operations on elements; they take two counters each */
	ADD_FLOPS,
	MULTIPLY_FLOPS,
	DIVIDE_FLOPS,
	FUSED_FLOPS,
	NR_EVENTS
};

const char *event_name(enum event event);

/* Unit mask and event code on this CPU; 0 if the event is not supported. */
uint64_t event_config(enum event event);

/* Events that fit into the general counters at a time; on Core 2, two. */
#define GROUP_SIZE	4

struct group {
	enum event events[GROUP_SIZE];
	int fds[GROUP_SIZE];
	int nr;
};

/* Attributes of event select @config, disabled, for user mode only. */
struct perf_event_attr event_attr(uint64_t config);

/* Open an event for this thread on any CPU; returns -errno. */
int event_open(struct perf_event_attr *attr, int group_fd);

/*
 * Open as many supported events as fit, from @first on, and return the next one,
 * or NR_EVENTS; exits on failure.
 */
enum event group_open(struct group *group, enum event first);
void group_close(struct group *group);

/*
 * Count the events of @fn(@arg) in user mode, minus the overhead of an empty
 * function. Returns false if the group was multiplexed.
 */
bool group_count(struct group *group, void (*fn)(void *), void *arg,
		 uint64_t counts[GROUP_SIZE]);

#endif
