/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The options of all commands that look at samples: which ones. In a table of
 * options stands FILTER_OPTIONS, and the walk over them asks filter_option() first.
 */
#ifndef KERMON_FILTER_OPTIONS_H
#define KERMON_FILTER_OPTIONS_H

#include <kermon/filter.h>
#include <stdbool.h>

#include "ui/options.h"

/* Keys behind those that commands number from 256 on. */
enum {
	FILTER_KEY_PID = 1024,
	FILTER_KEY_TID,
	FILTER_KEY_TIME,
};

#define FILTER_OPTIONS							\
	{ 'c', 'c', "comms", "NAME,...", "only threads with these names" }, \
	{ 0, FILTER_KEY_PID, "pid", "PID,...", "only these processes" }, \
	{ 0, FILTER_KEY_TID, "tid", "TID,...", "only these threads" },	\
	{ 'C', 'C', "cpu", "CPU,...", "only these CPUs: 0-3,8" },	\
	{ 'd', 'd', "dsos", "NAME,...",					\
	  "only addresses in these programs and libraries" },		\
	{ 'S', 'S', "symbols", "NAME,...", "only addresses in these functions" }, \
	{ 0, FILTER_KEY_TIME, "time", "FROM,TO",			\
	  "only these seconds, or parts of the recording: 10%-20%" }

/*
 * Adds the value of an option to the filter; what makes no sense ends the walk.
 * Returns whether @key is of one of these options.
 */
bool filter_option(struct options *options, int key,
		   struct kermon_filter *filter);

#endif /* KERMON_FILTER_OPTIONS_H */
