/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The spies of a monitor: threads, each pinned to a CPU, that sleep until the next sample
 * is due or a command arrives.
 */
#ifndef KERMON_SPY_SPIES_H
#define KERMON_SPY_SPIES_H

#include <pthread.h>
#include <stdatomic.h>

#include "backend.h"
#include "channel.h"
#include "energy/energy.h"

/* SPY_LOOK: end the interval if the CPU has gone offline. */
enum spy_command {
	SPY_START,
	SPY_CHANGE,
	SPY_LOOK,
	SPY_STOP,
};

/**
 * struct spy - a spy
 * @cpu: its CPU
 * @package: package of that
 * @backend: where its counts come from
 * @interval_ns: time between samples
 * @gone: of the monitor: the CPU is offline, and the caller knows
 * @energy: what it reads for its package; NULL: another spy does
 * @channel: its samples
 * @thread: the thread; @started: it exists
 * @clock: of its CPU time; @cpu_ns: that, once it has ended
 * @before_ns: its CPU time before SPY_START
 * @command: command, its set and @start_ns: written by the monitor before @asked
 * @asked: number of commands so far; the spy sleeps on it
 * @answer: result of the last command and its @trouble, written by the spy before @answered
 * @answered: number of commands carried out; the monitor waits for it. 1 for the opening
 * @set: what is counted; @number: its number
 * @source: of the backend
 * @due_ns: when the next sample is due; UINT64_MAX: never
 * @begin_ns: when the current interval began; @begin_tsc: likewise
 * @base: the reading then
 * @energy_ns: when energy was read last
 * @joules: what has been read but not passed on
 * @flags: of the current interval
 * @verified_ns: when the backend has verified its counters
 * @missed: deadlines missed in it
 * @merging: samples for which there was no room in it
 * @samples: and the others: totals for struct kermon_spy_cpu, read by the monitor at any time
 */
struct spy {
	unsigned int cpu;
	unsigned int package;
	const struct spy_backend *backend;
	uint64_t interval_ns;
	bool gone;
	struct energy *energy;
	struct channel channel;

	pthread_t thread;
	bool started;
	clockid_t clock;
	uint64_t cpu_ns;
	uint64_t before_ns;

	enum spy_command command;
	const struct spy_set *wanted;
	unsigned int wanted_number;
	uint64_t start_ns;
	_Atomic uint32_t asked;
	int answer;
	struct kermon_spy_trouble trouble;
	_Atomic uint32_t answered;

	const struct spy_set *set;
	unsigned int number;
	void *source;
	uint64_t due_ns;
	uint64_t begin_ns;
	uint64_t begin_tsc;
	struct spy_reading base;
	uint64_t energy_ns;
	double joules[KERMON_SPY_DOMAINS];
	uint64_t verified_ns;
	unsigned int flags;
	unsigned int missed;
	unsigned int merging;

	_Atomic int error;
	_Atomic uint64_t samples;
	_Atomic uint64_t all_missed;
	_Atomic uint64_t merged;
	_Atomic uint64_t uncounted;
};

/*
 * Create the thread, which opens the counters of @spy->set on its CPU. spy_answer() waits
 * for the result. Returns 0, or -errno with @trouble.
 */
int spy_create(struct spy *spy, struct kermon_spy_trouble *trouble);

/* Give a command to the spy, whose members for it are set. spy_answer() waits for it. */
void spy_ask(struct spy *spy, enum spy_command command);

/* Wait for the result of the opening or of the last command: 0, or -errno with @trouble. */
int spy_answer(struct spy *spy, struct kermon_spy_trouble *trouble);

/* Wait for the end of the thread, after SPY_STOP. */
void spy_join(struct spy *spy);

/* CPU time of the thread so far. */
uint64_t spy_cpu_time(const struct spy *spy);

#endif /* KERMON_SPY_SPIES_H */
