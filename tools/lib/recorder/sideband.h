/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The side-band: perf's records of forks, exits, names and executable mappings
 * of the application, from an event that counts nothing.
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
 * Watches the threads of process @pid and what they create from now on, on every
 * CPU that is online. -EACCES: kernel.perf_event_paranoid is too high for this
 * user. -EPERM: the user may not lock even the memory of small buffers. -ESRCH:
 * there is no such process, or it is ending.
 */
int sideband_open(struct sideband **sideband, pid_t pid,
		  enum kermon_clock_kind kind);
void sideband_close(struct sideband *sideband);

/* Ids of its events, sideband_nr_ids() of them. */
const uint64_t *sideband_ids(const struct sideband *sideband);
size_t sideband_nr_ids(const struct sideband *sideband);

/* sideband_count() entries to poll(2). */
size_t sideband_count(const struct sideband *sideband);
void sideband_poll(const struct sideband *sideband, struct pollfd *fds);

/*
 * Hands all records that are there to @fn, until it returns non-zero, which is
 * returned.
 */
int sideband_drain(struct sideband *sideband,
		   int (*fn)(void *data, const struct perf_event_header *record),
		   void *data);

#endif /* KERMON_SIDEBAND_H */
