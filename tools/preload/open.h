/* SPDX-License-Identifier: GPL-2.0 */
/* The stack of regions that a thread has open. */
#ifndef KERMON_PRELOAD_OPEN_H
#define KERMON_PRELOAD_OPEN_H

#include "thread.h"

/* Regions that may be open in a ring: each takes room for a begin and for an end. */
static inline uint64_t open_most(uint64_t bytes)
{
	return bytes / (2 * MARK_WORDS * sizeof(uint64_t));
}

/* Regions that may be open besides, whose begin is not in the ring. */
static inline uint64_t open_limit(uint64_t bytes)
{
	return open_most(bytes);
}

/**
 * open_gate() - let begins be collected without further ado, or not
 * @me: the calling thread, after a change of filters or counts
 */
void open_gate(struct thread *me);

#endif /* KERMON_PRELOAD_OPEN_H */
