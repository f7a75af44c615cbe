/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Generic netlink: what the machine offers, who is monitored, notices. The
 * message tree is in the user ABI header.
 */
#ifndef KERMON_CONTROL_H
#define KERMON_CONTROL_H

#include <linux/kermon.h>

int control_init(void);
void control_exit(void);

/* Tell whoever listens. Process context; may sleep; nobody may care. */
void control_notice(struct kermon_app *app, enum kermon_notice notice);

#endif /* KERMON_CONTROL_H */
