/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What set_events() is told to count.
 */
#ifndef KERMON_TORTURE_SETS_H
#define KERMON_TORTURE_SETS_H

#include <linux/kermon.h>

/*
 * Of any size and kind, mostly small: a large log takes long to be made. Its events
 * are in memory that the next call uses again.
 */
struct kermon_event_set good_set(void);

/* One that is good, but for nothing or a word of it or of its events. */
struct kermon_event_set hostile_set(void);

#endif /* KERMON_TORTURE_SETS_H */
