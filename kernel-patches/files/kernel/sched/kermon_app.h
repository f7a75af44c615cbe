/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Applications: declarations shared by the files of the built-in part of monitoring.
 * A file calls only files above it: hooks, memory and permission at the top, then registry,
 * threads that read their counts, members, what the system calls do, and these themselves.
 */
#ifndef _KERNEL_SCHED_KERMON_APP_H
#define _KERNEL_SCHED_KERMON_APP_H

#include <linux/kermon.h>

/* kermon_hooks.c: the module and calls into it */
const struct kermon_ops *kermon_get_module(void);
void kermon_put_module(const struct kermon_ops *ops);
void kermon_close_interval(struct task_struct *curr, enum kermon_reason reason);
void kermon_open_interval(struct task_struct *curr);

/* kermon_memory.c: memory of the log */
u32 kermon_default_log(u32 flags);
int kermon_charge_log(struct kermon_app *app);
void kermon_uncharge_log(struct kermon_app *app);

/* kermon_registry.c: which applications exist, and for how long */
struct kermon_app *kermon_app_alloc(struct task_struct *p,
				    const struct kermon_event_set *request,
				    const struct kermon_set *sets);
void kermon_app_free(struct kermon_app *app);
void kermon_app_publish(struct kermon_app *app);
void kermon_app_put(struct kermon_app *app);
void kermon_app_put_later(struct kermon_app *app);

/* kermon_self.c: threads that read their own counts */
int kermon_self_open(void);
void kermon_self_end(const struct kermon_app *app, struct task_struct *p);
void __kermon_self_leave(struct task_struct *curr);

/* @curr, current, executes another program or exits. */
static inline void kermon_self_leave(struct task_struct *curr)
{
	if (unlikely(rcu_access_pointer(curr->kermon.self)))
		__kermon_self_leave(curr);
}

/* kermon_member.c: their tasks */
int kermon_add_members(struct kermon_app *app, struct task_struct *p,
		       unsigned int flags);
void kermon_open_members(struct kermon_app *app);
void kermon_cpus_of(struct task_struct *p, unsigned int flags,
		    struct cpumask *cpus);
void kermon_cpus_of_members(const struct kermon_app *app, struct cpumask *cpus);
void kermon_members_complete(struct kermon_app *app);
void kermon_drop_members(struct kermon_app *app);
void kermon_unlink(struct kermon_app *app, struct task_struct *p);
void kermon_notify_end(struct kermon_app *app);

/* kermon_app.c: what the system calls do with them */
struct kermon_app *kermon_app_create(struct task_struct *p,
				     const struct kermon_event_set *request,
				     const struct kermon_set *sets,
				     unsigned int flags);
void kermon_app_start(struct kermon_app *app, struct task_struct *p,
		      unsigned int flags);
struct kermon_app *kermon_app_open(struct task_struct *p);
void kermon_app_close(struct kermon_app *app);
int kermon_app_change(struct kermon_app *app,
		      const struct kermon_event_set *request,
		      const struct kermon_set *sets);
bool kermon_app_ended(struct kermon_app *app);
bool kermon_app_ready(struct kermon_app *app);
ssize_t kermon_app_read(struct kermon_app *app, char __user *buf, size_t len,
			bool nonblock);

/* kermon_permission.c: 0 or a negative error, and whether user mode may read counters */
int kermon_check_self(void);
bool kermon_may_count_kernel(void);
bool kermon_may_read_counters(void);
int kermon_check_request(const struct kermon_event_set *request,
			 const struct kermon_set *sets);

#endif /* _KERNEL_SCHED_KERMON_APP_H */
