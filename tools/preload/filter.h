/* SPDX-License-Identifier: GPL-2.0 */
/* Which regions are collected. */
#ifndef KERMON_PRELOAD_FILTER_H
#define KERMON_PRELOAD_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "marks/ring.h"

/* What filters know of a name. */
#define FILTER_EXCLUDES		(1U << 0)	/* with all inside */
#define FILTER_INCLUDES		(1U << 1)	/* likewise */
#define FILTER_ITERATES		(1U << 2)	/* each begin is an iteration */

/**
 * struct filter - of this process; set once, before there are regions
 * @includes: only what is included is collected
 * @iterates: only iterations are, those that filter_iteration() selects
 */
extern struct filter {
	bool includes;
	bool iterates;
} filter;

/**
 * filter_set() - take over what the tool has asked for
 * @config: its answer
 * @size: of it
 *
 * Return: 0 or -EPROTO: strings are missing.
 */
int filter_set(const struct ring_config *config, size_t size);

/**
 * filter_of() - what holds for a region
 * @name: of the region
 *
 * Return: FILTER_*.
 */
unsigned int filter_of(const char *name);

/**
 * filter_iteration() - an iteration begins, in any thread
 *
 * Return: whether it is collected.
 */
bool filter_iteration(void);

#endif /* KERMON_PRELOAD_FILTER_H */
