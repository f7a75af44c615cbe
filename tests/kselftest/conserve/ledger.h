/* SPDX-License-Identifier: GPL-2.0 */
/* Totals of each task in a log, and whether its intervals fit together. */
#ifndef KERMON_TEST_LEDGER_H
#define KERMON_TEST_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/kermon.h>

#include "tally.h"

#define LEDGER_CPUS	2

/**
 * struct account - totals of a task
 * @intervals: number of intervals on a CPU
 * @instructions: sum over them
 * @exits: number of samples with KERMON_REASON_EXIT
 * @exited: the last sample in time is one of these
 * @moves: number of times that it was on another CPU than before
 */
struct account {
	uint64_t intervals;
	uint64_t instructions;
	uint64_t exits;
	bool exited;
	uint64_t moves;
};

/**
 * struct ledger - the samples of a log
 * @samples: by thread or by CPU, then by time
 * @nr: number of samples
 * @instructions: sum over the samples of each CPU
 * @overlaps: number of intervals that begin before the previous one of the same CPU, or
 *	of the same task, has ended
 * @gaps: number of gaps after a tick, where there must be none
 */
struct ledger {
	const struct kermon_sample **samples;
	size_t nr;
	uint64_t instructions[LEDGER_CPUS];
	uint64_t overlaps;
	uint64_t gaps;
};

/*
 * Make a ledger sorted by thread. @records must stay valid until ledger_free().
 * 0, or -1 with errno.
 */
int ledger_make(struct ledger *ledger, const struct records *records);

/* Sort by CPU; ledger_account() must not be called any more. */
void ledger_sort_by_cpu(struct ledger *ledger);

void ledger_free(struct ledger *ledger);

/* All zero if @tid has no sample. */
struct account ledger_account(const struct ledger *ledger, pid_t tid);

#endif /* KERMON_TEST_LEDGER_H */
