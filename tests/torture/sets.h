/* SPDX-License-Identifier: GPL-2.0 */
/* Arguments of set_events(). */
#ifndef KERMON_TORTURE_SETS_H
#define KERMON_TORTURE_SETS_H

#include <linux/kermon.h>

/*
 * A valid set of any size and kind, usually small, since creating a large log
 * is slow. Its events are in memory that the next call overwrites.
 */
struct kermon_event_set good_set(void);

/*
 * A set like good_set(), possibly with a corrupted word in it or in its events.
 */
struct kermon_event_set hostile_set(void);

#endif /* KERMON_TORTURE_SETS_H */
