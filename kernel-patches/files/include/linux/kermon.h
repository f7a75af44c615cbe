/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KerMon: the contract between the built-in half (class, hooks, system calls,
 * lifetime of applications) and the module (counters, energy, log, netlink).
 *
 * The built-in half knows who is monitored and who may do what; the module
 * knows how to count. The hot path goes one way: hook -> static call -> module.
 */
#ifndef _LINUX_KERMON_H
#define _LINUX_KERMON_H

#include <linux/kermon_types.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <uapi/linux/kermon.h>

struct module;
struct pid_namespace;
struct pt_regs;
struct task_struct;

/**
 * struct kermon_app - an application: a set of tasks that share a set and a log
 * @ref: held by each log descriptor's file, each task and netlink dumps
 * @id: number of the application, unique until reboot
 * @pid: pid that set_events named, a reference
 * @ns: pid namespace that pids in the log are of, a reference
 * @euid: effective user of set_events' caller
 * @set: the checked set; @set.events is meaningless here
 * @events: its events
 * @lock: protects @tasks, @nr_tasks and @nr_files; irqs off, inside rq locks
 *	never
 * @tasks: kermon_task.node of every task that is alive
 * @nr_tasks: length of @tasks; 0 is final, the log has an end then
 * @nr_files: log descriptors; 0 is final, nobody may join any more
 * @wait: readers and pollers; the module wakes it from irq_work
 * @read_lock: serialises readers
 * @log: the module's
 * @node: in the list of all applications
 * @work: frees it, where that cannot be done at once
 *
 * Freed after an RCU grace period: hooks may use an application that they found
 * in a task with preemption or irqs disabled.
 */
struct kermon_app {
	struct kref ref;
	u32 id;
	struct pid *pid;
	struct pid_namespace *ns;
	kuid_t euid;
	struct kermon_event_set set;
	struct kermon_event events[KERMON_MAX_EVENTS];
	raw_spinlock_t lock;
	struct list_head tasks;
	unsigned int nr_tasks;
	unsigned int nr_files;
	wait_queue_head_t wait;
	struct mutex read_lock;	/* readers, one at a time */
	void *log;
	struct list_head node;
	struct work_struct work;
};

/**
 * struct kermon_ops - what the module does for the built-in half
 *
 * The first three run in process context and may sleep. The hooks run with irqs
 * off on the CPU whose counters they read; they take no lock but the log's
 * producer side, allocate nothing, print nothing and wake nobody directly.
 *
 * @owner: the module; each open log holds it
 * @app_open: an application is made: check that the hardware can count its set
 *	(-ENOSPC, -EINVAL, -EOPNOTSUPP), reserve the PMU for the first one
 *	(-EBUSY), make @app->log. Not yet visible to any hook.
 * @app_close: no descriptor, no task and no hook uses @app any more; free
 *	@app->log, release the PMU after the last one.
 * @app_notice: tell observers of STARTED and EXITED (LOST is the module's own).
 * @log_read: copy whole records to user space; bytes, 0 if there is nothing now,
 *	or -EFAULT with nothing consumed. Called by one reader at a time.
 * @log_ready: whether @log_read would return something; may not sleep.
 * @task_switch: in prepare_task_switch(), rq lock held: close the interval of
 *	@prev for @reason if one is open and open one for @next, either of which
 *	may be unmonitored. Counters are read once for both.
 * @task_tick: in the local tick, no rq lock held: take a sample of @curr if
 *	its interval is long enough; open the interval if none is open.
 * @task_close: @curr is monitored, runs on this CPU and is about to leave the
 *	application (exit) or its program (exec): close the interval, with
 *	@reason. Irqs off.
 * @task_open: open an interval of @curr, which runs on this CPU. Irqs off.
 */
struct kermon_ops {
	struct module *owner;
	int (*app_open)(struct kermon_app *app);
	void (*app_close)(struct kermon_app *app);
	void (*app_notice)(struct kermon_app *app, enum kermon_notice notice);
	ssize_t (*log_read)(struct kermon_app *app, char __user *buf,
			    size_t len);
	bool (*log_ready)(struct kermon_app *app);
	void (*task_switch)(struct task_struct *prev, struct task_struct *next,
			    enum kermon_reason reason);
	void (*task_tick)(struct task_struct *curr);
	void (*task_close)(struct task_struct *curr, enum kermon_reason reason);
	void (*task_open)(struct task_struct *curr);
};

/*
 * kermon_register() - offer @ops; -EBUSY if there are others already.
 * kermon_unregister() - withdraw them. The caller's module has no reference left,
 * so no application is open; returns after every hook has left the module.
 * kermon_visit_apps() - call @fn for each application, oldest first, until it
 * returns non-zero, and return that; @fn may sleep, but neither make nor drop
 * an application.
 */
int kermon_register(const struct kermon_ops *ops);
void kermon_unregister(const struct kermon_ops *ops);
int kermon_visit_apps(int (*fn)(struct kermon_app *app, void *data),
		      void *data);

#ifdef CONFIG_SCHED_KERMON

/*
 * Calls of the core kernel outside of kernel/sched/: @curr has become another
 * program; @curr exits or may no longer be watched.
 */
void kermon_exec(struct task_struct *curr);
void kermon_exit(struct task_struct *curr);

#else

static inline void kermon_exec(struct task_struct *curr) { }
static inline void kermon_exit(struct task_struct *curr) { }

#endif /* CONFIG_SCHED_KERMON */

#endif /* _LINUX_KERMON_H */
