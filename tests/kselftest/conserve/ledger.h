/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the samples of a log say of each task, and whether their intervals fit
 * together.
 */
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
 * struct account - of a task
 * @intervals: that it was on a CPU
 * @instructions: sum over them
 * @exits: samples that say that they are the last one
 * @exited: the last one in time is one of these
 * @moves: times that it was on another CPU than the time before
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
 * @samples: by thread, or by CPU; and those by time
 * @nr: of them
 * @instructions: sum over the samples of each CPU
 * @overlaps: intervals that begin before another one of the same CPU, or of the same
 *	task, has ended
 * @gaps: that follow upon a tick, where there can be none
 */
struct ledger {
	const struct kermon_sample **samples;
	size_t nr;
	uint64_t instructions[LEDGER_CPUS];
	uint64_t overlaps;
	uint64_t gaps;
};

/* By thread. @records stay until ledger_free(). 0, or -1 with errno. */
int ledger_make(struct ledger *ledger, const struct records *records);

/* By CPU from now on. ledger_account() cannot be asked any more. */
void ledger_sort_by_cpu(struct ledger *ledger);

void ledger_free(struct ledger *ledger);

/* All zero if no sample is of @tid. */
struct account ledger_account(const struct ledger *ledger, pid_t tid);

#endif /* KERMON_TEST_LEDGER_H */
