/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Generic netlink: hardware capabilities, monitored applications, notices. The
 * message layout is in the user ABI header.
 */
#ifndef KERMON_CONTROL_H
#define KERMON_CONTROL_H

#include <linux/kermon.h>

int control_init(void);
void control_exit(void);

/* Notify listeners, if any. Process context; may sleep. */
void control_notice(struct kermon_app *app, enum kermon_notice notice);

#endif /* KERMON_CONTROL_H */
