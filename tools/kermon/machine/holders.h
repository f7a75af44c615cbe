/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to holders.c: who holds the logs of monitored applications. */
#ifndef KERMON_HOLDERS_H
#define KERMON_HOLDERS_H

#include <stdbool.h>

#include <kermon/control.h>

struct command;

/* Print one line about @holder. */
void holder_print(const struct kermon_holder *holder);

/* Print all that this user may see, as text or JSON. Returns the exit status. */
int holders_print(const struct command *command, bool json);

/* Print that none is monitored, or none visible. Returns whether this user sees all. */
bool holders_say_none(void);

/*
 * Connect to the module, or say why that is impossible. Returns the exit status, and
 * STATUS_OK only with *@control.
 */
int holders_connect(const struct command *command,
		    struct kermon_control **control);

/* Report that the module cannot do what was asked. Returns STATUS_FAILED. */
int holders_refused(const struct command *command, const char *what, int error);

#endif /* KERMON_HOLDERS_H */
