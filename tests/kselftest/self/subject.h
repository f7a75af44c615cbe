/* SPDX-License-Identifier: GPL-2.0 */
/* A process that reads its own counts, and what it has read. */
#ifndef KERMON_TEST_SUBJECT_H
#define KERMON_TEST_SUBJECT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/kermon_self.h>

#include "quantities.h"

struct kermon_self;

/* More reads than a test takes. */
#define MAX_READS	8

/**
 * struct pairs - two reads each of the event that only the code between them has
 * @nr: how many there are
 * @wrong: whose difference was not that of the code
 * @slow: reads when the page could not be read
 */
struct pairs {
	unsigned long long nr, wrong, slow;
};

/**
 * struct readings - what a subject has read, in memory that it shares with the test
 * @error: the first one, as a negative number
 * @fast: the page could be read, at each read
 * @nr: how many there are
 * @counts: of each
 * @pairs: of subject_check_pairs()
 */
struct readings {
	int error;
	bool fast;
	unsigned int nr;
	struct kermon_counts counts[MAX_READS];
	struct pairs pairs;
};

/* How a subject reads. */
enum way {
	BY_PAGE,
	BY_CALL,
};

/**
 * struct subject - a child that is monitored, on CPU 0
 * @pid: its pid
 * @log: descriptor of its log
 * @readings: what it has read
 */
struct subject {
	pid_t pid;
	int log;
	struct readings *readings;
};

/*
 * Start a child that is monitored with @set, opens its own counts, and calls
 * @run(self, readings, @data) after subject_go(). 0, or -1 with errno.
 */
int subject_start(struct subject *subject, const struct kermon_event_set *set,
		  void (*run)(struct kermon_self *self, struct readings *readings,
			      void *data),
		  void *data);
void subject_go(const struct subject *subject);

/* Wait for its end; the status of waitpid(). */
int subject_wait(const struct subject *subject);

/* Close and free all; kills it if need be. */
void subject_end(struct subject *subject);

/*
 * Whether a thread can have its page: beside perf not where it cannot set counters in
 * full, see <linux/kermon.h>. A set without counters always can.
 */
bool pages_are_shown(void);

/* code_arithmetic(), or what this CPU has of it, and what a round of that has. */
void subject_work(uint64_t rounds);
uint64_t subject_round(enum quantity quantity);

/* Add one reading. */
void subject_read(const struct kermon_self *self, struct readings *readings,
		  enum way way);

/* Value @i of reading @to less that of reading @from. */
uint64_t subject_delta(const struct readings *readings, unsigned int from,
		       unsigned int to, unsigned int i);

/*
 * As quantity_set(), but with an event that only subject_work() has in each set @number;
 * plain_set() with these events.
 */
const struct quantity_set *subject_quantities(unsigned int number);
struct kermon_event_set subject_set(unsigned int number);

/* The first event of set 0 that only subject_work() has. */
unsigned int subject_lone_event(void);

/* Read the lone event of set 0 @nr times before and after a little work, unless that fails. */
void subject_check_pairs(struct kermon_self *self, struct readings *readings, unsigned int nr);

/*
 * What set @number, counted between the readings @from and @to, says of @rounds of
 * subject_work(): whether all events that only this code has are exact.
 */
bool subject_is_exact(const struct readings *readings, unsigned int from,
		      unsigned int to, unsigned int number, uint64_t rounds);

#endif /* KERMON_TEST_SUBJECT_H */
