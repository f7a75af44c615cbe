/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to selection.c: the events of -e, for all commands that count.
 */
#ifndef KERMON_SELECTION_H
#define KERMON_SELECTION_H

#include <kermon/events.h>

struct completion;

/*
 * Report for command @name why kermon_events_select() returned @result. @modes are those of
 * the fixed counters, KERMON_COUNT_*.
 */
void selection_say(const char *name, unsigned int modes, int result,
		   const struct kermon_event_error *error);

/* Offer the sets and events of this CPU. */
void selection_complete(struct completion *completion);

#endif /* KERMON_SELECTION_H */
