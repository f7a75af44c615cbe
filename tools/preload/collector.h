/* SPDX-License-Identifier: GPL-2.0 */
/* The functions behind <kermon/region.h>. */
#ifndef KERMON_PRELOAD_COLLECTOR_H
#define KERMON_PRELOAD_COLLECTOR_H

#include <kermon/region.h>

#include "names.h"

/* All regions point here. */
extern struct kermon_collector collector;

/**
 * collector_open() - find the tool
 *
 * Return: whether there is one.
 */
bool collector_open(void);

/* Begin and end as the tool wants them: with counts or without. */
static inline void collector_begin(struct region *region)
{
	collector.begin(&region->public);
}

static inline void collector_end(struct region *region)
{
	collector.end(&region->public);
}

/* See kermon_pause() and kermon_resume(). */
void collector_pause(void);
void collector_resume(void);

#endif /* KERMON_PRELOAD_COLLECTOR_H */
