/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hooks: open and close the intervals of tasks and turn them into samples.
 */
#ifndef KERMON_SAMPLER_H
#define KERMON_SAMPLER_H

#include <linux/kermon.h>

struct task_struct;

/* See the hooks of the same names in struct kermon_ops. */
void sampler_switch(struct task_struct *prev, struct task_struct *next,
		    enum kermon_reason reason);
void sampler_tick(struct task_struct *curr);
void sampler_close(struct task_struct *curr, enum kermon_reason reason);
void sampler_open(struct task_struct *curr);

/*
 * @app, a struct kermon_app, has a new plan: close its interval on this CPU, if
 * one is open, and open another. Irqs off.
 */
void sampler_renew(void *app);

/* System resume, on the boot CPU with irqs off. */
void sampler_resume(void);

#endif /* KERMON_SAMPLER_H */
