/* SPDX-License-Identifier: GPL-2.0 */
/* A log in memory, and sums over its samples. */
#ifndef KERMON_TEST_TALLY_H
#define KERMON_TEST_TALLY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/kermon.h>

#define TALLY_CPUS	64

/**
 * struct tally - sums over the samples of a log
 * @samples: number of samples
 * @invalid: number of records in place of samples, with invalid counts
 * @intervals: number of intervals in the samples
 * @reported_lost: number of samples reported lost
 * @broken: records that violate the user ABI or contradict each other: unknown type,
 *	wrong size, a gap in the sequence of a CPU that is not reported; and those
 *	that are @invalid
 * @next: sequence of the next sample of each CPU
 * @by_reason: samples by enum kermon_reason
 * @cpus: bit mask of the CPUs that wrote them
 * @last_reason: reason of the last one in time
 * @first_tsc: begin of the first interval
 * @last_tsc: end of the last interval
 * @oncpu: TSC cycles
 * @fixed: fixed counters
 * @events: programmed events
 * @energy: energy domains
 */
struct tally {
	uint64_t samples;
	uint64_t invalid;
	uint64_t intervals;
	uint64_t reported_lost;
	uint64_t broken;
	uint64_t next[TALLY_CPUS];
	uint64_t by_reason[8];
	uint64_t cpus;
	unsigned int last_reason;
	uint64_t first_tsc;
	uint64_t last_tsc;
	uint64_t oncpu;
	uint64_t fixed[4];
	uint64_t events[KERMON_MAX_EVENTS];
	uint64_t energy[KERMON_DOMAIN_COUNT];
};

/**
 * struct records - a log in memory
 * @data: records one after another; free() it
 * @len: bytes
 */
struct records {
	char *data;
	size_t len;
};

/*
 * Append the records returned by one call; returns its result, or -1 with
 * errno.
 */
ssize_t records_read(struct records *records, int fd, size_t len,
		     unsigned int flags);

/* Append until the end of the log; 0, or -1 with errno. */
int records_read_all(struct records *records, int fd);

/* The record after @record, the first one for NULL; NULL after the last. */
const struct kermon_record *records_next(const struct records *records,
					 const struct kermon_record *record);

/*
 * Sum the samples of @tid, or all if 0. Losses and order cover the whole log.
 */
void records_tally(const struct records *records, pid_t tid,
		   struct tally *tally);

/* The same for samples with this set_id. */
void records_tally_set(const struct records *records, pid_t tid, uint32_t set,
		       struct tally *tally);

/*
 * Number of samples with a single event, which counts instructions as the first
 * fixed counter does, unlike the first event of all others; -1 if a sample is
 * mixed.
 */
int records_of_one_event(const struct records *records);

/*
 * Count a worker that does @work(@data), see worker.h, with @set; 0, or -1 with
 * errno of set_events() or of reading, or ECHILD if the worker did not exit
 * properly.
 */
int tally_worker(void (*work)(void *data), void *data,
		 const struct kermon_event_set *set, struct tally *tally);

/* Add @records, which follow those already in @tally; @tid as above. */
void tally_add(struct tally *tally, const struct records *records, pid_t tid);

#endif /* KERMON_TEST_TALLY_H */
