/* SPDX-License-Identifier: GPL-2.0 */
/* Threads that read their own counts: what they call. */
#ifndef KERMON_SELF_H
#define KERMON_SELF_H

#include <linux/kermon.h>
#include <linux/kermon_self.h>

/* See the operations of the same names in struct kermon_ops. */
int self_open(struct kermon_app *app, struct kermon_self *self);
void self_close(struct kermon_app *app, struct kermon_self *self);
int self_read(struct kermon_app *app, struct kermon_self *self,
	      struct kermon_counts *counts);

#endif /* KERMON_SELF_H */
