/* SPDX-License-Identifier: GPL-2.0 */
/* What is known of a command when it has ended: a recording, or counts of perf_event. */
#ifndef KERMON_OUTCOME_H
#define KERMON_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include <kermon/events.h>

#include "energy/energy.h"

#define OUTCOME_COUNTS	(KERMON_MAX_SELECTED + 8)

/**
 * struct outcome_count - what perf_event counted
 * @name: of the event; interned or static
 * @attr_type: PERF_TYPE_*
 * @config: of the event
 * @error: 0, or -errno of perf_event_open(2): the kernel does not count it
 * @value: the count, over all threads
 * @enabled: ns in which it was to be counted, over all threads
 * @running: ns in which it was counted; less than @enabled if perf multiplexed
 */
struct outcome_count {
	const char *name;
	uint32_t attr_type;
	uint64_t config;
	int error;
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

/* The count, scaled to the whole time, as perf stat does. */
double outcome_scaled(const struct outcome_count *count);

/**
 * struct outcome - a command that was recorded or counted, and has ended
 * @file: descriptor of the complete perf.data, or -1 if perf_event counted
 * @counts: counts of perf_event, @nr_counts of them
 * @energy: of the machine, or why neither this nor the recording has any; no domains if
 *	there is a recording
 * @elapsed_ns: from the start of the command to its end, or to that of the recording if
 *	all descendants were waited for; of a process that was there already, the length of
 *	the recording
 * @waited: @usage is known
 * @usage: of the command and of the descendants that were waited for
 * @revoked: root has ended the recording: it lacks the rest of the command
 * @interrupted: SIGINT, SIGQUIT, SIGTERM or SIGHUP, if the tool received it meanwhile; or 0
 * @signal: signal of which the tool has to die, as the command did, once it is done; or 0
 */
struct outcome {
	int file;
	const struct outcome_count *counts;
	unsigned int nr_counts;
	const struct energy_total *energy;
	uint64_t elapsed_ns;
	bool waited;
	struct rusage usage;
	bool revoked;
	int interrupted;
	int signal;
};

#endif /* KERMON_OUTCOME_H */
