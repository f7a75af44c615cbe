/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KerMon: the interface between the built-in part (class, hooks, system calls,
 * lifetime of applications) and the module (counters, energy, log, netlink).
 *
 * The built-in part knows who is monitored and checks permissions; the module
 * knows how to count. In the hot path calls go one way only: hook -> static
 * call -> module.
 */
#ifndef _LINUX_KERMON_H
#define _LINUX_KERMON_H

#include <linux/atomic.h>
#include <linux/kermon_types.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <uapi/linux/kermon.h>

struct cpumask;
struct kermon_counts;
struct kermon_ops;
struct kermon_page;
struct linux_binprm;
struct module;
struct pid_namespace;
struct task_struct;
struct user_struct;

/**
 * struct kermon_set - events that are counted at the same time
 * @set_id: label chosen by the caller
 * @nr_events: length of @events
 * @events: already validated
 */
struct kermon_set {
	u32 set_id;
	u32 nr_events;
	struct kermon_event events[KERMON_MAX_EVENTS];
};

/**
 * struct kermon_app - an application: tasks that share sets and a log
 * @ref: held by the file of each log descriptor and by each task
 * @ops: the module, a reference
 * @id: unique until reboot
 * @pid: pid that set_events() was called for, a reference
 * @ns: pid namespace of the pids in the log, a reference
 * @euid: effective user of the caller of set_events()
 * @opener: process that called set_events(), a reference
 * @comm: its name at that time
 * @change_lock: protects @request and @sets against concurrent changes
 * @request: the validated argument of set_events(); user addresses in it must not be used
 * @sets: what is counted: one set, or 1 + @request.nr_more that take turns
 * @user: the user charged for the memory of the log, a reference
 * @locked: pages charged to @user
 * @lock: protects @tasks, @nr_tasks, @made, @nr_files, @revoked and @revoking; irqs off;
 *	never taken inside a runqueue lock
 * @tasks: kermon_task.node of every live task
 * @nr_tasks: length of @tasks; 0 is final once @made is set: the log ends there
 * @made: all tasks named by set_events() have joined, and observers were notified
 * @nr_files: log descriptors; 0 is final: no task may join any more
 * @revoked: root has ended the monitoring; no task may join any more
 * @revoking: the log has not ended yet, although no task remains: its last record is
 *	to come
 * @wait: readers and pollers; woken by the module from irq_work
 * @read_lock: serialises readers
 * @session: what the module knows of it
 * @node: in the list of all applications
 * @work: frees the application where that cannot be done immediately
 *
 * Freed after an RCU grace period: hooks may use an application that they found in a
 * task while preemption or irqs are disabled.
 */
struct kermon_app {
	struct kref ref;
	const struct kermon_ops *ops;
	u32 id;
	struct pid *pid;
	struct pid_namespace *ns;
	kuid_t euid;
	struct pid *opener;
	char comm[TASK_COMM_LEN];
	struct mutex change_lock;	/* @request and @sets */
	struct kermon_event_set request;
	struct kermon_set sets[KERMON_MAX_SETS];
	struct user_struct *user;
	unsigned long locked;
	raw_spinlock_t lock;
	struct list_head tasks;
	unsigned int nr_tasks;
	bool made;
	unsigned int nr_files;
	bool revoked;
	bool revoking;
	wait_queue_head_t wait;
	struct mutex read_lock;	/* one reader at a time */
	void *session;
	struct list_head node;
	struct work_struct work;
};

/**
 * struct kermon_self - what a thread needs to read its own counts
 * @ref: held by @owner and by each descriptor
 * @owner: id of the thread, a reference
 * @files: open descriptors and mappings
 * @closing: @work is on its way
 * @work: lets @owner give up when the last one is closed
 * @free: frees it
 * @page: what the thread maps, a reference
 * @shown: its contents: written by the CPU that @owner runs on, with irqs off; except that
 *	@sequence may become 0 at any time
 * @rdpmc: @owner may execute RDPMC
 * @kernel: @owner may see counts of kernel mode
 * @app: id of the application whose counts these are
 * @ended: id of the last application that @owner has left
 * @sequence: last value of @shown->sequence that was not 0
 * @lost: counts have been lost since
 *
 * @app, @sequence and @lost are the module's, accessed like @shown. Freed after an RCU grace
 * period in which no task had it.
 */
struct kermon_self {
	struct kref ref;
	struct pid *owner;
	atomic_t files;
	atomic_t closing;
	struct callback_head work;
	struct rcu_work free;
	struct page *page;
	struct kermon_page *shown;
	bool rdpmc;
	bool kernel;
	u32 app;
	u32 ended;
	u64 sequence;
	bool lost;
};

/*
 * Bytes of a ring; the log of @app has one per possible CPU. The extra space at
 * the end lets a sample that starts near the end stay contiguous.
 */
static inline size_t kermon_ring_size(const struct kermon_app *app)
{
	return app->request.log_bytes + KERMON_RECORD_MAX;
}

/*
 * Memory for pending samples, which a log that coalesces has for each possible CPU. It is
 * charged like that of the rings.
 */
#define KERMON_PENDING_BYTES	16384

static inline unsigned int kermon_nr_sets(const struct kermon_app *app)
{
	return 1 + app->request.nr_more;
}

/**
 * struct kermon_ops - operations that the module implements for the built-in part
 * @owner: the module; each application holds a reference
 * @app_open: set up a new application that no hook can see yet: check that the
 *	hardware can count its set (-ENOSPC, -EINVAL, -EOPNOTSUPP), reserve the PMU
 *	for the first application (-EBUSY) and allocate @app->session. Its tasks may run on
 *	@cpus; others are left alone. Returns 0 or a negative error, with everything
 *	undone. Process context, may sleep; no lock is held.
 * @app_close: no descriptor, task or hook uses @app any more: free @app->session, and
 *	release the PMU after the last application. Process context, may sleep.
 * @app_change: count @request and @sets for @app, whose tasks may run on @cpus, from now on.
 *	Errors as for @app_open; on error nothing has changed. No interval of the old
 *	set is open when it returns. Process context, may sleep; @app->change_lock is
 *	held.
 * @app_cover: tasks of @app may run on @cpus, too, from now on: be ready to count there.
 *	Where that fails, samples tell. Process context, may sleep; no lock is held.
 * @app_revoke: no task or hook uses @app any more, and it is being revoked: release what
 *	it counts, and the PMU after the last application, but keep @app->session for
 *	readers. With @cut, the log ends with a record that says so. Process context,
 *	may sleep; @app->change_lock is held.
 * @app_notice: notify observers of STARTED and EXITED (the module itself sends LOST).
 *	Process context, may sleep; on EXITED @app may have no task.
 * @log_read: copy whole records to user space; @buf has room for at least one of any
 *	type. Returns bytes, 0 if the log is empty now, or -EFAULT with nothing
 *	consumed. Called with @app->read_lock held; may sleep.
 * @log_ready: whether @log_read may find something. Used as a wait condition: the
 *	caller holds no lock and is about to sleep, other readers may be active, and
 *	it must not sleep.
 * @cpu_idle: called in prepare_task_switch(), before @task_switch, when this CPU
 *	becomes idle or stops being idle. Irqs off. Called only while
 *	kermon_watch_idle() is in effect.
 * @task_switch: called in prepare_task_switch(), with irqs off and the runqueue lock
 *	held: close the interval of @prev for @reason if one is open, and open one
 *	for @next. Either may be unmonitored. Counters are read once for both.
 * @task_tick: called in the local tick, with irqs off and no runqueue lock held:
 *	sample @curr if its interval is long enough, open one if none is open.
 * @self_open: let current, a task of @app, read its counts by @self, which may be in use
 *	already. Returns 0, -EACCES if @self may not see what is counted, -EBUSY, or -EIO if
 *	counts have been lost.
 *	@self is already that of current. Irqs off, the lock of @app is held.
 * @self_read: the counts of current by @self: 0, or an error of read(), see the user ABI.
 *	Process context, within rcu_read_lock().
 * @self_close: current, a task of @app, gives up @self, which it still has. Likewise.
 * @task_settle: @curr, monitored, is about to have its interval closed by @task_close
 *	and will not migrate before that: write out its samples pending on other
 *	CPUs. Called inside rcu_read_lock(), preemptible where that allows it.
 * @task_close: @curr, monitored and running on this CPU, is about to leave the
 *	application (exit) or its program (exec): close its interval for @reason.
 *	Irqs off.
 * @task_open: @curr, monitored, runs on this CPU: open an interval. Irqs off.
 *
 * A task has an open interval if kermon_task.open is set and kermon_task.opened is the
 * id of its application. Otherwise the interval was opened for another application
 * that the task has left, whose log is closed, and is discarded.
 *
 * All operations are mandatory. @cpu_idle, @task_switch, @task_tick, @task_close and
 * @task_open are hooks: they run on the CPU whose counters they read, take no lock
 * except the producer side of the log, do not allocate, do not print, and wake
 * nothing directly.
 */
struct kermon_ops {
	struct module *owner;
	int (*app_open)(struct kermon_app *app, const struct cpumask *cpus);
	void (*app_close)(struct kermon_app *app);
	int (*app_change)(struct kermon_app *app,
			  const struct kermon_event_set *request,
			  const struct kermon_set *sets,
			  const struct cpumask *cpus);
	void (*app_cover)(struct kermon_app *app, const struct cpumask *cpus);
	void (*app_revoke)(struct kermon_app *app, bool cut);
	void (*app_notice)(struct kermon_app *app, enum kermon_notice notice);
	ssize_t (*log_read)(struct kermon_app *app, char __user *buf,
			    size_t len);
	bool (*log_ready)(struct kermon_app *app);
	int (*self_open)(struct kermon_app *app, struct kermon_self *self);
	int (*self_read)(struct kermon_app *app, struct kermon_self *self,
			 struct kermon_counts *counts);
	void (*self_close)(struct kermon_app *app, struct kermon_self *self);
	void (*task_settle)(struct kermon_app *app, const struct task_struct *curr);
	void (*cpu_idle)(bool idle);
	void (*task_switch)(struct task_struct *prev, struct task_struct *next,
			    enum kermon_reason reason);
	void (*task_tick)(struct task_struct *curr);
	void (*task_close)(struct task_struct *curr, enum kermon_reason reason);
	void (*task_open)(struct task_struct *curr);
};

/**
 * kermon_register() - register the module's operations
 * @ops: must stay valid until kermon_unregister()
 *
 * Context: Process context, may sleep. The hooks may be called immediately, but not
 * yet for a monitored task.
 * Return: 0, or -EBUSY if another module is registered.
 */
int kermon_register(const struct kermon_ops *ops);

/**
 * kermon_unregister() - unregister the module's operations
 * @ops: as registered; otherwise nothing happens
 *
 * The module has no references left, so no application is open. When this returns, no
 * hook is running in the module.
 *
 * Context: Process context, may sleep.
 */
void kermon_unregister(const struct kermon_ops *ops);

/**
 * kermon_allow_counters() - whether the caller may occupy a counter of every CPU
 *
 * Which perf cannot use while tasks of the caller run or not: as for events of a CPU,
 * CAP_PERFMON or kernel.perf_event_paranoid of at most 0; or a group in the range of
 * kernel.kermon_counters_group.
 *
 * Context: Process context.
 * Return: 0, -EACCES, or what the security module says.
 */
int kermon_allow_counters(void);

/**
 * kermon_watch_idle() - enable @cpu_idle notifications on all CPUs
 *
 * Every switch to or from an idle task becomes slower, monitored or not, so keep this
 * enabled only while needed. Calls nest. Notifications are enabled on all CPUs when
 * this returns; the caller must determine their current state itself.
 *
 * Context: Process context, may sleep.
 */
void kermon_watch_idle(void);

/**
 * kermon_unwatch_idle() - undo one kermon_watch_idle()
 *
 * After the last one, the hook may still be called for some seconds.
 *
 * Context: Process context, may sleep.
 */
void kermon_unwatch_idle(void);

/**
 * kermon_scan_idle() - tell for each online CPU whether it is idle
 * @fn: called with irqs off and the runqueue lock of @cpu held, so that no switch is
 *	missed, nor seen twice: @cpu_idle is called with that lock held, too
 *
 * No CPU is interrupted.
 *
 * Context: Between kermon_watch_idle() and kermon_unwatch_idle(); CPUs cannot go on- or
 * offline. May sleep.
 */
void kermon_scan_idle(void (*fn)(unsigned int cpu, bool idle));

/**
 * kermon_visit_apps() - iterate over all applications, oldest first
 * @fn: called for each until it returns non-zero; may sleep, but must neither create
 *	nor release an application
 * @data: passed to @fn
 *
 * Context: Process context, may sleep.
 * Return: the result of the last call of @fn, 0 if there was none.
 */
int kermon_visit_apps(int (*fn)(struct kermon_app *app, void *data),
		      void *data);

/**
 * kermon_revoke() - end the monitoring of an application for its holders
 * @id: id of the application
 *
 * As the release of the last log descriptor would, but the log can still be read.
 *
 * Context: Process context, may sleep.
 * Return: 0, -ENOENT, -EALREADY if it was revoked before, or -EAGAIN if set_events() is
 * just creating it.
 */
int kermon_revoke(u32 id);

/**
 * kermon_on_members() - run a function on every CPU that runs a task of an application
 * @app: the application
 * @fn: called with @app on these CPUs, with irqs off; other CPUs are not interrupted
 *
 * For announcing a change that the caller has already published. A task that is
 * switched in concurrently may be missed, but its hook runs after the change and sees
 * it.
 *
 * Context: Process context, may sleep.
 */
void kermon_on_members(struct kermon_app *app, smp_call_func_t fn);

/**
 * kermon_next_plan() - number what is counted for an application
 *
 * Context: Any.
 * Return: a number of 24 bits for KERMON_COUNTED(), never 0; it recurs after 2^24 calls.
 */
u32 kermon_next_plan(void);

#ifdef CONFIG_SCHED_KERMON

/**
 * kermon_exec() - the current task now executes another program
 * @curr: current, past the point of no return in begin_new_exec()
 *
 * Context: Process context. Disables irqs for part of it.
 */
void kermon_exec(struct task_struct *curr);

/**
 * kermon_exec_checked() - the privileges of the program that is executed are known
 * @bprm: the program, of current
 *
 * If they are elevated, current is no longer monitored.
 *
 * Context: Process context, in begin_new_exec(), may sleep.
 */
void kermon_exec_checked(const struct linux_binprm *bprm);

/**
 * kermon_exit() - the current task exits, or must no longer be monitored
 * @curr: current, in do_exit() before its parent can be woken, or from
 *	kermon_exec_checked()
 *
 * Its last sample is in the log when this returns.
 *
 * Context: Process context, may sleep: observers are notified when the last task left.
 */
void kermon_exit(struct task_struct *curr);

#else

static inline void kermon_exec(struct task_struct *curr) { }
static inline void kermon_exec_checked(const struct linux_binprm *bprm) { }
static inline void kermon_exit(struct task_struct *curr) { }

#endif /* CONFIG_SCHED_KERMON */

#endif /* _LINUX_KERMON_H */
