/* SPDX-License-Identifier: GPL-2.0 */
/* The oracle: perf, counting with the same counters of the same PMU. */
#ifndef KERMON_TEST_ORACLE_H
#define KERMON_TEST_ORACLE_H

#include <stdint.h>
#include <sys/types.h>

#include <linux/kermon.h>

#define ORACLE_MAX	8

/**
 * struct oracle - perf's counters of a task and of everything that it creates
 * @nr: number of counters; the first one counts instructions
 * @fds: of perf_event_open()
 * @counts: valid after oracle_close()
 */
struct oracle {
	unsigned int nr;
	int fds[ORACLE_MAX];
	uint64_t counts[ORACLE_MAX];
};

/*
 * Count user-mode instructions and the events of @pid; 0, or -1 with errno.
 * Fails unless each event has a counter to itself.
 */
int oracle_open(struct oracle *oracle, pid_t pid,
		const struct kermon_event *events, unsigned int nr_events);

/* Read and close them; -1 with errno if any was multiplexed. */
int oracle_close(struct oracle *oracle);

/*
 * Ivy Bridge: an event that only counter 2 can count. The model lacks it, which perf does
 * not notice.
 */
#define ONLY_COUNTER_2	0x0148

/*
 * A pinned event of @cpu that is disabled, or -1 with errno. Once enabled it takes counter 2
 * from events of KerMon that are created later.
 */
int oracle_open_taker(int cpu);

/* A descriptor that holds the PMU for perf, or -1 with errno. */
int oracle_hold_pmu(void);

#endif /* KERMON_TEST_ORACLE_H */
