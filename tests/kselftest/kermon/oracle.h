/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The oracle: the same counters on the same PMU, counted by perf.
 */
#ifndef KERMON_TEST_ORACLE_H
#define KERMON_TEST_ORACLE_H

#include <stdint.h>
#include <sys/types.h>

#include <linux/kermon.h>

#define ORACLE_MAX	8

/**
 * struct oracle - perf's counters of a task and of all that it creates
 * @nr: how many; the first one counts instructions
 * @fds: of perf_event_open()
 * @counts: after oracle_close()
 */
struct oracle {
	unsigned int nr;
	int fds[ORACLE_MAX];
	uint64_t counts[ORACLE_MAX];
};

/*
 * Count user-mode instructions and the events of @pid; 0, or -1 with errno.
 * Each one has a counter to itself or the oracle will not speak.
 */
int oracle_open(struct oracle *oracle, pid_t pid,
		const struct kermon_event *events, unsigned int nr_events);

/* Read and close them; -1 with errno if any was not counting all the time. */
int oracle_close(struct oracle *oracle);

/* A descriptor that holds the PMU for perf, or -1 with errno. */
int oracle_hold_pmu(void);

#endif /* KERMON_TEST_ORACLE_H */
