/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rings in which the events of perf_event write their records: one per CPU, which all
 * events of that CPU share.
 */
#ifndef KERMON_RINGS_H
#define KERMON_RINGS_H

#include <linux/perf_event.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rings;

/* Return: rings of @bytes each, a power of two, for all CPUs; NULL if out of memory. */
struct rings *rings_new(size_t bytes);
void rings_free(struct rings *rings);

/* Number of CPUs, online or not. */
size_t rings_count(const struct rings *rings);

/*
 * Have event @fd write to the ring of @cpu; the first one maps it. Descriptors stay the
 * caller's. Return: 0; -EPERM: more memory than the user may lock; or -errno.
 */
int rings_join(struct rings *rings, size_t cpu, int fd);

/*
 * The same, in a new ring, to which all that are followed go over: the one before has been read,
 * and the event that has it mapped has ended.
 */
int rings_renew(struct rings *rings, size_t cpu, int fd);

/*
 * The same for an event of a task: when it has no more tasks to watch, @fd hangs up, and
 * poll(2) then uses the next one that was followed.
 */
int rings_follow(struct rings *rings, size_t cpu, int fd);

/* Fill in rings_count() entries for poll(2); note which descriptors have hung up. */
void rings_poll(const struct rings *rings, struct pollfd *fds);
void rings_polled(struct rings *rings, struct pollfd *fds);

/* Whether all descriptors that are followed have hung up. */
bool rings_ended(const struct rings *rings);

/*
 * Pass all available records to @fn; each is valid until the next one. Stops and returns its
 * value when that is not 0.
 */
int rings_drain(struct rings *rings,
		int (*fn)(void *data, const struct perf_event_header *record),
		void *data);

#endif /* KERMON_RINGS_H */
