// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <kermon/self.h>

#include "log.h"
#include "quantities.h"
#include "registers.h"
#include "subject.h"
#include "worker.h"

/* Of a thread to open its counts, one in a millisecond. */
#define MAX_TRIES	3000

struct job {
	void (*run)(struct kermon_self *self, struct readings *readings, void *data);
	struct readings *readings;
	void *data;
};

static void work(void *data)
{
	const struct job *job = data;
	struct kermon_self self;
	int tries = 0;

	/* Others may have the counters just now: the torture starts subjects at any time. */
	do
		job->readings->error = kermon_self_open(&self);
	while (job->readings->error == -EBUSY && tries++ < MAX_TRIES && !usleep(1000));
	if (!job->readings->error)
		job->run(&self, job->readings, job->data);
}

int subject_start(struct subject *subject, const struct kermon_event_set *set,
		  void (*run)(struct kermon_self *self, struct readings *readings,
			      void *data),
		  void *data)
{
	struct job job = { .run = run, .data = data };

	subject->log = -1;
	subject->pid = -1;
	subject->readings = mmap(NULL, sizeof(*subject->readings),
				 PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (subject->readings == MAP_FAILED)
		return -1;
	subject->readings->fast = true;
	job.readings = subject->readings;
	subject->pid = worker_start(work, &job);
	if (pin(subject->pid, 0))
		return -1;
	subject->log = set_events(subject->pid, set, sizeof(*set), 0);
	return subject->log < 0 ? -1 : 0;
}

void subject_go(const struct subject *subject)
{
	worker_go(subject->pid);
}

int subject_wait(const struct subject *subject)
{
	int status;

	return waitpid(subject->pid, &status, 0) == subject->pid ? status : -1;
}

void subject_end(struct subject *subject)
{
	if (subject->pid > 0) {
		kill(subject->pid, SIGKILL);
		waitpid(subject->pid, NULL, 0);
	}
	if (subject->log >= 0)
		close(subject->log);
	munmap(subject->readings, sizeof(*subject->readings));
}

bool pages_are_shown(void)
{
	return !counters_are_shared() || !cpu_is_core2();
}

void subject_work(uint64_t rounds)
{
	if (__builtin_cpu_supports("avx"))
		code_arithmetic(rounds, NULL);
	else
		code_sse(rounds, NULL);
}

uint64_t subject_round(enum quantity quantity)
{
	return __builtin_cpu_supports("avx") ? arithmetic_round[quantity]
					     : sse_round[quantity];
}

void subject_read(const struct kermon_self *self, struct readings *readings,
		  enum way way)
{
	struct kermon_counts *counts = &readings->counts[readings->nr];
	int error;

	if (way == BY_CALL) {
		error = kermon_read_call(self, counts);
	} else {
		readings->fast = readings->fast && kermon_self_is_fast(self);
		error = kermon_read_all(self, counts);
	}
	readings->nr++;
	if (error && !readings->error)
		readings->error = error;
}

uint64_t subject_delta(const struct readings *readings, unsigned int from,
		       unsigned int to, unsigned int i)
{
	return readings->counts[to].values[i] - readings->counts[from].values[i];
}

/* What reading has, too. */
static bool is_common(enum quantity quantity)
{
	return quantity == INSTRUCTIONS || quantity == LOADS || quantity == STORES ||
	       quantity == BRANCHES;
}

/* Operations take two counters of AMD each. */
static const struct quantity_set amd_sets[NR_SETS] = {
	{
		.name = "additions",
		.quantities = { ADD_FLOPS, INSTRUCTIONS },
		.events = { { .config = 0x10103 }, { .config = 0x100c0 } },
	},
	{
		.name = "multiplications",
		.quantities = { MULTIPLY_FLOPS, INSTRUCTIONS },
		.events = { { .config = 0x10203 }, { .config = 0x100c0 } },
	},
};

/*
 * KerMon counts no AMD events by pairs of legacy counters: see counters.c. These events
 * are those of the model of the CPU.
 */
static const struct quantity_set legacy_sets[NR_SETS] = {
	{
		.name = "additions",
		.quantities = { ADD_FLOPS, INSTRUCTIONS },
		.events = { { .config = 0x108ff }, { .config = 0x100c0 } },
	},
	{
		.name = "multiplications",
		.quantities = { MULTIPLY_FLOPS, INSTRUCTIONS },
		.events = { { .config = 0x110ff }, { .config = 0x100c0 } },
	},
};

const struct quantity_set *subject_quantities(unsigned int number)
{
	if (!cpu_is_amd())
		return quantity_set(number);
	return cpu_is_legacy() ? &legacy_sets[number] : &amd_sets[number];
}

struct kermon_event_set subject_set(unsigned int number)
{
	return event_set_of(subject_quantities(number));
}

unsigned int subject_lone_event(void)
{
	unsigned int i = 0;

	while (is_common(subject_quantities(0)->quantities[i]))
		i++;
	return i;
}

bool subject_is_exact(const struct readings *readings, unsigned int from,
		      unsigned int to, unsigned int number, uint64_t rounds)
{
	const struct quantity_set *set = subject_quantities(number);
	const unsigned int nr_fixed = readings->counts[to].nr_fixed;
	const unsigned int nr = readings->counts[to].nr_values - nr_fixed;
	unsigned int i;
	uint64_t expected, delta;
	unsigned int nr_lone = 0;
	bool exact = true;

	for (i = 0; i < nr && i < SET_SIZE; i++) {
		if (is_common(set->quantities[i]))
			continue;
		nr_lone++;
		delta = subject_delta(readings, from, to, nr_fixed + i);
		expected = rounds * subject_round(set->quantities[i]);
		if (delta == expected)
			continue;
		printf("# %s, event %u: %llu instead of %llu\n", set->name, i,
		       (unsigned long long)delta, (unsigned long long)expected);
		exact = false;
	}
	return exact && nr_lone;
}

/* Rounds of work between two reads. */
#define PAIR_ROUNDS	3

void subject_check_pairs(struct kermon_self *self, struct readings *readings, unsigned int nr)
{
	const unsigned int lone = subject_lone_event();
	const uint64_t expected =
		PAIR_ROUNDS * subject_round(subject_quantities(0)->quantities[lone]);
	struct pairs *pairs = &readings->pairs;
	struct kermon_counts counts;
	uint64_t before, after;

	readings->error = kermon_read_call(self, &counts);
	while (!readings->error && nr--) {
		pairs->slow += !kermon_self_is_fast(self);
		readings->error = kermon_read(self, counts.nr_fixed + lone, &before);
		subject_work(PAIR_ROUNDS);
		pairs->slow += !kermon_self_is_fast(self);
		readings->error = readings->error ?:
				  kermon_read(self, counts.nr_fixed + lone, &after);
		if (readings->error)
			break;
		pairs->wrong += after - before != expected;
		pairs->nr++;
	}
}
