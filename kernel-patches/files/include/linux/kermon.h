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
struct task_struct;
struct user_struct;

/**
 * struct kermon_group - events that are counted at the same time
 * @set_id: the caller's label
 * @nr_events: length of @events
 * @events: checked
 */
struct kermon_group {
	u32 set_id;
	u32 nr_events;
	struct kermon_event events[KERMON_MAX_EVENTS];
};

/**
 * struct kermon_app - an application: a set of tasks that share a set and a log
 * @ref: held by each log descriptor's file and each task
 * @id: number of the application, unique until reboot
 * @pid: pid that set_events named, a reference
 * @ns: pid namespace that pids in the log are of, a reference
 * @euid: effective user of set_events' caller
 * @change_lock: serialises changes of @set and @groups, and who asks what they need
 * @set: the checked set; addresses in it are meaningless here
 * @groups: the events of it, and of @set.nr_more others that take turns with it
 * @user: whose memory the log is, a reference
 * @locked: pages of it that @user is charged for
 * @lock: protects @tasks, @nr_tasks, @made and @nr_files; irqs off, inside rq locks
 *	never
 * @tasks: kermon_task.node of every task that is alive
 * @nr_tasks: length of @tasks; once @made, 0 is final: the log has an end then
 * @made: all tasks that set_events() named have joined, and observers know it
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
	struct mutex change_lock;	/* of the two below */
	struct kermon_event_set set;
	struct kermon_group groups[KERMON_MAX_SETS];
	struct user_struct *user;
	unsigned long locked;
	raw_spinlock_t lock;
	struct list_head tasks;
	unsigned int nr_tasks;
	bool made;
	unsigned int nr_files;
	wait_queue_head_t wait;
	struct mutex read_lock;	/* readers, one at a time */
	void *log;
	struct list_head node;
	struct work_struct work;
};

/*
 * Bytes of a ring, of which the log of @app has one for each possible CPU: the end
 * of a sample that starts near the end has room, so that every sample is in one
 * piece.
 */
static inline size_t kermon_ring_size(const struct kermon_app *app)
{
	return app->set.log_bytes + KERMON_RECORD_MAX;
}

static inline unsigned int kermon_nr_groups(const struct kermon_app *app)
{
	return 1 + app->set.nr_more;
}

/**
 * struct kermon_ops - what the module does for the built-in half
 * @owner: the module; each application holds a reference
 * @app_open: an application is made, no hook can see it yet. Check that the
 *	hardware can count its set (-ENOSPC, -EINVAL, -EOPNOTSUPP), reserve the
 *	PMU for the first one (-EBUSY), make @app->log. 0 or a negative error,
 *	after which nothing of it is left. Process context, may sleep.
 * @app_close: no descriptor, no task and no hook uses @app any more: free
 *	@app->log, release the PMU after the last one. Process context, may
 *	sleep.
 * @app_change: count @set and @groups for @app instead of what it has. As
 *	@app_open, and if it fails nothing has changed. When it returns no interval
 *	of the old set is open. Process context, may sleep; @app->change_lock is
 *	held.
 * @app_notice: tell observers of STARTED and EXITED (LOST is the module's own).
 *	Process context, may sleep; in the latter case @app may have no task.
 * @log_read: copy whole records to user space, where there is room for one of
 *	any type. Bytes, 0 if there is nothing now, -EFAULT with nothing
 *	consumed. By one reader at a time, who holds @app->read_lock; may sleep.
 * @log_ready: whether @log_read may find something. The condition of a wait:
 *	the caller is about to sleep and holds no lock, other readers may be at
 *	work, and it must not sleep.
 * @cpu_idle: in prepare_task_switch(), before @task_switch: this CPU has become
 *	idle, or is not any more. Irqs off. Only told while somebody watches, see
 *	kermon_watch_idle().
 * @task_switch: in prepare_task_switch(), with irqs off and the lock of the
 *	runqueue held: close the interval of @prev for @reason if one is open,
 *	and open one for @next. Either may be unmonitored. Counters are read
 *	once for both.
 * @task_tick: in the local tick, with irqs off and no lock of a runqueue held:
 *	sample @curr if its interval is long enough, open one if none is open.
 * @task_settle: @curr, monitored, is about to have its interval closed by
 *	@task_close and does not leave this CPU before: write what is kept back of
 *	it on others. Inside rcu_read_lock(), preemptible where that allows it.
 * @task_close: @curr is monitored, runs on this CPU and is about to leave the
 *	application (exit) or its program (exec): close its interval for
 *	@reason. Irqs off.
 * @task_open: @curr, monitored, runs on this CPU: open an interval. Irqs off.
 *
 * An interval is open for a task if kermon_task.open says so and kermon_task.opened
 * is the application that it is in: it may have left another one, whose log is
 * closed, with an interval open, which counts for nobody.
 *
 * All of them are there. The last five are hooks: they run on the CPU whose
 * counters they read, take no lock but the log's producer side, allocate
 * nothing, print nothing and wake nobody directly.
 */
struct kermon_ops {
	struct module *owner;
	int (*app_open)(struct kermon_app *app);
	void (*app_close)(struct kermon_app *app);
	int (*app_change)(struct kermon_app *app,
			  const struct kermon_event_set *set,
			  const struct kermon_group *groups);
	void (*app_notice)(struct kermon_app *app, enum kermon_notice notice);
	ssize_t (*log_read)(struct kermon_app *app, char __user *buf,
			    size_t len);
	bool (*log_ready)(struct kermon_app *app);
	void (*task_settle)(struct kermon_app *app, const struct task_struct *curr);
	void (*cpu_idle)(bool idle);
	void (*task_switch)(struct task_struct *prev, struct task_struct *next,
			    enum kermon_reason reason);
	void (*task_tick)(struct task_struct *curr);
	void (*task_close)(struct task_struct *curr, enum kermon_reason reason);
	void (*task_open)(struct task_struct *curr);
};

/**
 * kermon_register() - offer what the module does
 * @ops: stays valid until kermon_unregister()
 *
 * Context: Process context, may sleep. The hooks may be called at once, though
 * not for a task that is monitored.
 * Return: 0, or -EBUSY if another module is registered.
 */
int kermon_register(const struct kermon_ops *ops);

/**
 * kermon_unregister() - withdraw what kermon_register() offered
 * @ops: the same; nothing happens if they are not the registered ones
 *
 * The module has no reference left, so no application is open. Every hook has
 * left the module when this returns.
 *
 * Context: Process context, may sleep.
 */
void kermon_unregister(const struct kermon_ops *ops);

/**
 * kermon_watch_idle() - have the module told when CPUs become idle or busy
 *
 * That costs something at each switch to or from an idle task, whoever runs there:
 * only for as long as somebody wants to know. Calls nest; it is on, on all CPUs,
 * when this returns. What they are doing at that moment is for the caller to find
 * out.
 *
 * Context: Process context, may sleep.
 */
void kermon_watch_idle(void);

/**
 * kermon_unwatch_idle() - undo one kermon_watch_idle()
 *
 * The last one may be followed by further calls of the hook for a second or so.
 *
 * Context: Process context, may sleep.
 */
void kermon_unwatch_idle(void);

/**
 * kermon_visit_apps() - go through all applications, oldest first
 * @fn: called for each until it returns non-zero; may sleep, but neither make
 *	nor drop an application
 * @data: given to @fn
 *
 * Context: Process context, may sleep.
 * Return: what the last call of @fn returned, 0 if there was none.
 */
int kermon_visit_apps(int (*fn)(struct kermon_app *app, void *data),
		      void *data);

/**
 * kermon_on_members() - run a function where a task of an application runs
 * @app: the application
 * @fn: called with @app on these CPUs, with irqs off; others are not interrupted
 *
 * For what has just been changed: the hook of a task that is switched in meanwhile,
 * and missed, begins later and finds it changed.
 *
 * Context: Process context, may sleep.
 */
void kermon_on_members(struct kermon_app *app, smp_call_func_t fn);

#ifdef CONFIG_SCHED_KERMON

/**
 * kermon_exec() - the current task has become another program
 * @curr: current, past the point of no return in begin_new_exec()
 *
 * Context: Process context. Part of it has irqs off.
 */
void kermon_exec(struct task_struct *curr);

/**
 * kermon_exit() - the current task ends, or may no longer be watched
 * @curr: current, in do_exit() before its parent can be woken, or in
 *	begin_new_exec() of a program with more privileges
 *
 * Its last sample is in the log when this returns.
 *
 * Context: Process context, may sleep: observers are told of the last task.
 */
void kermon_exit(struct task_struct *curr);

#else

static inline void kermon_exec(struct task_struct *curr) { }
static inline void kermon_exit(struct task_struct *curr) { }

#endif /* CONFIG_SCHED_KERMON */

#endif /* _LINUX_KERMON_H */
