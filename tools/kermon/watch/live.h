/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to live.c: the table at a terminal while the spies run. */
#ifndef KERMON_WATCH_LIVE_H
#define KERMON_WATCH_LIVE_H

#include "watch.h"

struct live;

/* Whether there is a terminal, and no command has it. */
bool live_is_wanted(const struct watch *watch);

/* Take the terminal. Returns NULL if there is none, or a command has it. */
struct live *live_open(struct watch *watch);

/* Draw the table, if that is due. Returns 0 or -ENOMEM. */
int live_tick(struct live *live);

/* Read keys. Returns false if the run is to end. */
bool live_keys(struct live *live);

/* SIGWINCH, SIGTSTP, SIGCONT; @live may be NULL. */
void live_signal(struct live *live, int number);

/*
 * Give the terminal back for messages to standard error, which are seen when the run has ended,
 * and take it again, with @text in the bottom line. @live may be NULL.
 */
void live_leave(struct live *live);
void live_return(struct live *live, const char *text);

/* @live may be NULL. */
void live_close(struct live *live);

#endif /* KERMON_WATCH_LIVE_H */
