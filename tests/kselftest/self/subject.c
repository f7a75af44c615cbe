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
#include "subject.h"
#include "worker.h"

struct job {
	void (*run)(struct kermon_self *self, struct readings *readings, void *data);
	struct readings *readings;
	void *data;
};

static void work(void *data)
{
	const struct job *job = data;
	struct kermon_self self;

	job->readings->error = kermon_self_open(&self);
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

unsigned int subject_lone_event(void)
{
	unsigned int i;

	for (i = 0; i < SET_SIZE; i++) {
		if (!is_common(quantity_set(0)->quantities[i]))
			break;
	}
	return i;
}

bool subject_is_exact(const struct readings *readings, unsigned int from,
		      unsigned int to, unsigned int number, uint64_t rounds)
{
	const struct quantity_set *set = quantity_set(number);
	const unsigned int nr_fixed = readings->counts[to].nr_fixed;
	const unsigned int nr = readings->counts[to].nr_values - nr_fixed;
	unsigned int i;
	uint64_t expected, delta;
	bool exact = true;

	for (i = 0; i < nr && i < SET_SIZE; i++) {
		if (is_common(set->quantities[i]))
			continue;
		delta = subject_delta(readings, from, to, nr_fixed + i);
		expected = rounds * arithmetic_round[set->quantities[i]];
		if (delta == expected)
			continue;
		printf("# %s, event %u: %llu instead of %llu\n", set->name, i,
		       (unsigned long long)delta, (unsigned long long)expected);
		exact = false;
	}
	return exact;
}
