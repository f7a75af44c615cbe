/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel's tracepoints say of the same time as a log: they know neither the
 * hooks nor the module of KerMon.
 */
#ifndef KERMON_TEST_HISTORY_H
#define KERMON_TEST_HISTORY_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct topic - an event of which there can be a history
 * @system: folder of the event in tracefs
 * @name: of the event
 * @filter: which of them
 * @from: what stands before the one number of interest, NULL for none
 * @to: what stands before the other one
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

/* Readings of the energy of the package; who goes and who comes. */
extern const struct topic energy_topic, switch_topic;

/**
 * struct happening - an event
 * @tsc: when
 * @cpu: where
 * @from: see struct topic; 0 without
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
 * @all: in the order of time; free() it
 * @nr: of them
 */
struct history {
	struct happening *all;
	size_t nr;
};

/* 0, or -1 with errno. */
int history_begin(const struct topic *topic);
int history_end(const struct topic *topic, struct history *history);

#endif /* KERMON_TEST_HISTORY_H */
