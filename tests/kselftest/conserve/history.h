/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events from the kernel's tracepoints during the time of a log, as an
 * independent source: they know neither the hooks nor the module of KerMon.
 */
#ifndef KERMON_TEST_HISTORY_H
#define KERMON_TEST_HISTORY_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct topic - a type of event to record
 * @system: folder of the event in tracefs
 * @name: of the event
 * @filter: selects events
 * @from: text before the first number of interest, NULL for none
 * @to: text before the second one
 * @base: of these numbers
 */
struct topic {
	const char *system;
	const char *name;
	const char *filter;
	const char *from;
	const char *to;
	int base;
};

/* Reads of the package energy; outgoing and incoming tasks of a switch. */
extern const struct topic energy_topic, switch_topic;

/**
 * struct happening - an event
 * @tsc: time
 * @cpu: CPU
 * @from: see struct topic; 0 if there is none
 * @to: likewise
 */
struct happening {
	uint64_t tsc;
	unsigned int cpu;
	uint64_t from;
	uint64_t to;
};

/**
 * struct history - the events between history_begin() and history_end()
 * @all: ordered by time; free() it
 * @nr: number of events
 */
struct history {
	struct happening *all;
	size_t nr;
};

/* 0, or -1 with errno. */
int history_begin(const struct topic *topic);
int history_end(const struct topic *topic, struct history *history);

#endif /* KERMON_TEST_HISTORY_H */
