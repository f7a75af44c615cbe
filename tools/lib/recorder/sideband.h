/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The side-band of an application: perf's records of forks, exits, names and executable
 * mappings, from an event that counts nothing.
 */
#ifndef KERMON_SIDEBAND_H
#define KERMON_SIDEBAND_H

#include <kermon/clock.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stddef.h>
#include <sys/types.h>

struct sideband;

/*
 * Watch the threads of process @pid and those that they create from now on, on all
 * online CPUs. Return: 0; -EACCES: kernel.perf_event_paranoid is too high for this
 * user; -EPERM: the limit of locked memory does not even allow small rings; -ESRCH: the
 * process does not exist or is exiting.
 */
int sideband_open(struct sideband **sideband, pid_t pid,
		  enum kermon_clock_kind kind);
void sideband_close(struct sideband *sideband);

/* The ids of its events, sideband_nr_ids() of them. */
const uint64_t *sideband_ids(const struct sideband *sideband);
size_t sideband_nr_ids(const struct sideband *sideband);

/* Fill in sideband_count() entries for poll(2). */
size_t sideband_count(const struct sideband *sideband);
void sideband_poll(const struct sideband *sideband, struct pollfd *fds);

/* Pass all available records to @fn. Stops and returns its value when that is not 0. */
int sideband_drain(struct sideband *sideband,
		   int (*fn)(void *data, const struct perf_event_header *record),
		   void *data);

#endif /* KERMON_SIDEBAND_H */
