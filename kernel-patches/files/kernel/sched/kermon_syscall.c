// SPDX-License-Identifier: GPL-2.0
/*
 * set_events() and read_event_log(): whose tasks a caller may monitor, validation of sets,
 * and the log descriptor. See <uapi/linux/kermon.h> for the ABI.
 */
#include <linux/anon_inodes.h>
#include <linux/fs.h>
#include <linux/perf_event.h>
#include <linux/pid_namespace.h>
#include <linux/poll.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/security.h>
#include <linux/syscalls.h>
#include <linux/uaccess.h>

#include "kermon_app.h"

#define EVENT_SELECT	0x000000ffULL
#define EVENT_UMASK	0x0000ff00ULL
#define EVENT_USR	0x00010000ULL
#define EVENT_OS	0x00020000ULL
#define EVENT_EDGE	0x00040000ULL
#define EVENT_INV	0x00800000ULL
#define EVENT_CMASK	0xff000000ULL
#define EVENT_AMD	0xf00000000ULL	/* event select, bits 11:8 */

/*
 * All bits that may reach a register of any supported CPU; the module checks
 * the current one. EN, INT and similar bits are reserved for the kernel.
 */
#define EVENT_ALLOWED	(EVENT_SELECT | EVENT_UMASK | EVENT_USR | EVENT_OS | \
			 EVENT_EDGE | EVENT_INV | EVENT_CMASK | EVENT_AMD)

#define SET_ALLOWED	(KERMON_SET_ENERGY | KERMON_SET_OVERWRITE | \
			 KERMON_SET_COALESCE)

static int kermon_check_event(const struct kermon_event *event)
{
	if (event->config & ~EVENT_ALLOWED)
		return -EINVAL;
	return event->config & (EVENT_USR | EVENT_OS) ? 0 : -EINVAL;
}

/* @set already has the label and the number of events. */
static int kermon_copy_events(struct kermon_set *set, u64 events)
{
	unsigned int i;
	int ret = 0;

	if (set->nr_events > KERMON_MAX_EVENTS)
		return -ENOSPC;
	if (copy_from_user(set->events, u64_to_user_ptr(events),
			   set->nr_events * sizeof(*set->events)))
		return -EFAULT;

	for (i = 0; !ret && i < set->nr_events; i++)
		ret = kermon_check_event(&set->events[i]);
	return ret;
}

/* The events of @request and of the sets rotated with it. */
static int kermon_copy_sets(struct kermon_set *sets,
			    const struct kermon_event_set *request)
{
	const struct kermon_more_events __user *umore =
		u64_to_user_ptr(request->more);
	struct kermon_more_events more;
	unsigned int i;
	int ret;

	sets->set_id = request->set_id;
	sets->nr_events = request->nr_events;
	ret = kermon_copy_events(sets, request->events);

	for (i = 0; !ret && i < request->nr_more; i++) {
		if (copy_from_user(&more, &umore[i], sizeof(more)))
			return -EFAULT;
		sets++;
		sets->set_id = more.set_id;
		sets->nr_events = more.nr_events;
		ret = kermon_copy_events(sets, more.events);
	}
	return ret;
}

/* Labels must be unique to tell samples apart. */
static int kermon_check_labels(const struct kermon_set *sets, unsigned int nr)
{
	unsigned int i, j;

	for (i = 1; i < nr; i++) {
		for (j = 0; j < i; j++) {
			if (sets[i].set_id == sets[j].set_id)
				return -EINVAL;
		}
	}
	return 0;
}

static int kermon_check_turns(const struct kermon_event_set *request)
{
	if (request->nr_more >= KERMON_MAX_SETS)
		return -ENOSPC;
	if (!request->nr_more)
		return request->rotate_ns ? -EINVAL : 0;
	if (request->rotate_ns < KERMON_ROTATE_MIN_NS ||
	    request->rotate_ns > KERMON_ROTATE_MAX_NS)
		return -EINVAL;
	return 0;
}

static int kermon_validate_request(const struct kermon_event_set *request)
{
	if (request->flags & ~SET_ALLOWED || request->pad)
		return -EINVAL;
	if (request->count & ~(KERMON_COUNT_USER | KERMON_COUNT_KERNEL))
		return -EINVAL;
	/* Without counters, only time, and energy. */
	if (!request->count && (request->nr_events || request->nr_more))
		return -EINVAL;
	if (request->interval_ns < KERMON_INTERVAL_MIN_NS ||
	    request->interval_ns > KERMON_INTERVAL_MAX_NS)
		return -EINVAL;
	if (request->log_bytes < KERMON_LOG_MIN_BYTES ||
	    request->log_bytes > KERMON_LOG_MAX_BYTES ||
	    !is_power_of_2(request->log_bytes))
		return -EINVAL;
	if (request->watermark > request->log_bytes - KERMON_RECORD_MAX)
		return -EINVAL;
	return kermon_check_turns(request);
}

static int kermon_copy_request(struct kermon_event_set *request,
			       const struct kermon_event_set __user *urequest, size_t size,
			   unsigned int flags)
{
	int ret;

	if (size < KERMON_EVENT_SET_SIZE_VER0)
		return -EINVAL;
	if (size > PAGE_SIZE)
		return -E2BIG;
	ret = copy_struct_from_user(request, sizeof(*request), urequest, size);
	if (ret)
		return ret;

	/* The log itself cannot be changed. */
	if (flags & KERMON_FLAG_CHANGE && (request->log_bytes || request->watermark))
		return -EINVAL;
	if (!request->interval_ns)
		request->interval_ns = KERMON_INTERVAL_DEFAULT_NS;
	if (!request->log_bytes)
		request->log_bytes = kermon_default_log(request->flags);
	if (!request->watermark)
		request->watermark = request->log_bytes / 2;
	if (request->nr_more && !request->rotate_ns)
		request->rotate_ns = KERMON_ROTATE_DEFAULT_NS;
	return kermon_validate_request(request);
}

/*
 * A log covers all tasks of the application, even those that the caller could
 * not trace, with everything that its creator was allowed to see.
 */
static int kermon_check_open(const struct kermon_app *app)
{
	int ret;

	if (!perfmon_capable() && (!uid_eq(app->euid, current_euid()) ||
				   app->ns != task_active_pid_ns(current)))
		return -EPERM;
	ret = kermon_check_request(&app->request, app->sets);
	/* Whoever has a descriptor keeps the counters. */
	if (!ret && app->request.count)
		ret = kermon_allow_counters();

	return ret;
}

static int kermon_log_release(struct inode *inode, struct file *file)
{
	struct kermon_app *app = file->private_data;

	/* NULL if set_events() failed. */
	if (app)
		kermon_app_close(app);
	return 0;
}

static __poll_t kermon_log_poll(struct file *file, poll_table *wait)
{
	struct kermon_app *app = file->private_data;
	__poll_t mask = 0;

	poll_wait(file, &app->wait, wait);
	if (kermon_app_ended(app))
		mask |= EPOLLIN | EPOLLRDNORM | EPOLLHUP;
	if (kermon_app_ready(app))
		mask |= EPOLLIN | EPOLLRDNORM;
	return mask;
}

static ssize_t kermon_read_log(struct kermon_app *app, char __user *buf, size_t len,
			       bool nonblock)
{
	ssize_t ret;
	bool ended;

	if (len < KERMON_RECORD_MAX)
		return -EINVAL;
	len = min_t(size_t, len, MAX_RW_COUNT);

	for (;;) {
		/*
		 * Keep this order: the last task writes its sample before it
		 * leaves.
		 */
		ended = kermon_app_ended(app);
		ret = kermon_app_read(app, buf, len, nonblock);
		if (ret || ended)
			return ret;
		if (nonblock)
			return -EAGAIN;
		ret = wait_event_interruptible(app->wait,
					       kermon_app_ready(app) ||
					       kermon_app_ended(app));
		if (ret)
			return ret;
	}
}

/* read(2) is read_event_log() without flags. */
static ssize_t kermon_log_read(struct file *file, char __user *buf, size_t len,
			       loff_t *pos)
{
	return kermon_read_log(file->private_data, buf, len,
			       file->f_flags & O_NONBLOCK);
}

static void kermon_log_show_fdinfo(struct seq_file *m, struct file *file)
{
	struct kermon_app *app = file->private_data;

	seq_printf(m, "kermon-app:\t%u\nkermon-tasks:\t%u\n", app->id,
		   READ_ONCE(app->nr_tasks));
}

static const struct file_operations log_fops = {
	.owner		= THIS_MODULE,
	.release	= kermon_log_release,
	.poll		= kermon_log_poll,
	.read		= kermon_log_read,
	.show_fdinfo	= kermon_log_show_fdinfo,
};

/*
 * Monitoring observes @p and changes nothing that it does, so it requires what
 * perf does: access to read, which Yama leaves to the owner. Kernel threads have
 * no owner to grant access.
 */
static bool kermon_may_access(struct task_struct *p)
{
	return !(p->flags & PF_KTHREAD) &&
	       ptrace_may_access(p, PTRACE_MODE_READ_REALCREDS);
}

/*
 * Threads may have different credentials, and one that has exited has no mm to
 * derive dumpability from.
 */
static bool kermon_may_access_process(struct task_struct *p)
{
	struct task_struct *t;
	bool may = true;

	rcu_read_lock();
	for_each_thread(p, t)
		may = may && kermon_may_access(t);
	rcu_read_unlock();

	return may;
}

/*
 * Check that the caller may monitor @p or, with KERMON_FLAG_PROCESS, its process, and keep
 * both from executing another program until kermon_unlock_program(). Everybody who executes
 * one, or looks at one by ptrace, waits meanwhile: do nothing here that waits for other
 * CPUs, or for a mutex whose holder may.
 */
static int kermon_lock_program(struct task_struct *p, unsigned int flags)
{
	int ret = down_read_killable(&p->signal->exec_update_lock);

	if (ret)
		return ret;
	if (kermon_may_access(p) &&
	    (!(flags & KERMON_FLAG_PROCESS) || kermon_may_access_process(p)))
		return 0;
	up_read(&p->signal->exec_update_lock);
	return -EPERM;
}

static void kermon_unlock_program(struct task_struct *p)
{
	up_read(&p->signal->exec_update_lock);
}

/* The reference allows to read the log, and a change to say what is read next. */
static int kermon_use_app(struct kermon_app *app,
			  const struct kermon_event_set *request,
			  const struct kermon_set *sets)
{
	int ret;

	mutex_lock(&app->change_lock);
	ret = kermon_check_open(app);
	if (!ret && request)
		ret = kermon_app_change(app, request, sets);
	mutex_unlock(&app->change_lock);

	return ret;
}

/* Open the existing log; if @request is given, count that from now on. */
static struct kermon_app *kermon_open_app(struct task_struct *p,
					  const struct kermon_event_set *request,
					  const struct kermon_set *sets,
					  unsigned int flags)
{
	int ret = kermon_lock_program(p, flags);
	struct kermon_app *app;

	if (ret)
		return ERR_PTR(ret);
	app = kermon_app_open(p);
	kermon_unlock_program(p);
	if (IS_ERR(app))
		return app;

	ret = kermon_use_app(app, request, sets);
	if (!ret)
		return app;
	kermon_app_close(app);
	return ERR_PTR(ret);
}

/* Do not let a caller who may not monitor @p, or cannot, cause what follows. */
static int kermon_check_new(struct task_struct *p, unsigned int flags)
{
	int ret = kermon_lock_program(p, flags);

	if (ret)
		return ret;
	if (rcu_access_pointer(p->kermon.app))
		ret = -EALREADY;
	kermon_unlock_program(p);

	return ret;
}

/*
 * What is costly comes before and after exec_update_lock: @p may execute another program
 * while counters and log are prepared, so whether the caller may monitor it is
 * checked again when it joins.
 */
static struct kermon_app *kermon_new_app(struct task_struct *p,
					 const struct kermon_event_set *request,
					 const struct kermon_set *sets,
					 unsigned int flags)
{
	int ret = kermon_check_new(p, flags);
	struct kermon_app *app;

	if (ret)
		return ERR_PTR(ret);
	app = kermon_app_create(p, request, sets, flags);
	if (IS_ERR(app))
		return app;

	ret = kermon_lock_program(p, flags);
	if (!ret) {
		ret = kermon_add_members(app, p, flags);
		kermon_unlock_program(p);
	}
	if (ret) {
		kermon_app_close(app);
		return ERR_PTR(ret);
	}
	kermon_app_start(app, p, flags);

	return app;
}

static struct kermon_app *kermon_find_app(pid_t pid, const struct kermon_event_set *request,
					  const struct kermon_set *sets,
					  unsigned int flags)
{
	struct kermon_app *app;
	struct task_struct *p;

	p = pid ? find_get_task_by_vpid(pid) : get_task_struct(current);
	if (!p)
		return ERR_PTR(-ESRCH);
	if (flags & (KERMON_FLAG_OPEN_LOG | KERMON_FLAG_CHANGE))
		app = kermon_open_app(p, request, sets, flags);
	else
		app = kermon_new_app(p, request, sets, flags);
	put_task_struct(p);

	return app;
}

/*
 * Allocate the descriptor first: nothing may fail after the application
 * changed.
 */
static int kermon_open_log(pid_t pid, const struct kermon_event_set *request,
			   const struct kermon_set *sets, unsigned int flags)
{
	int fd = get_unused_fd_flags(O_CLOEXEC);
	struct kermon_app *app;
	struct file *file;

	if (fd < 0)
		return fd;

	file = anon_inode_getfile("[kermon]", &log_fops, NULL, O_RDONLY);
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		return PTR_ERR(file);
	}
	app = kermon_find_app(pid, request, sets, flags);
	if (IS_ERR(app)) {
		fput(file);
		put_unused_fd(fd);
		return PTR_ERR(app);
	}
	file->private_data = app;
	fd_install(fd, file);

	return fd;
}

static int kermon_check_flags(unsigned int flags)
{
	const unsigned int existing = KERMON_FLAG_OPEN_LOG | KERMON_FLAG_CHANGE |
				      KERMON_FLAG_SELF;
	const unsigned int new = KERMON_FLAG_PROCESS | KERMON_FLAG_LEND_CLASS;

	if (flags & ~(existing | new))
		return -EINVAL;
	/* A new application has no log to open or change. */
	if (flags & existing)
		return hweight32(flags) > 1 ? -EINVAL : 0;
	return 0;
}

static int kermon_make_log(pid_t pid, const struct kermon_event_set *request,
			   unsigned int flags)
{
	struct kermon_set *sets;
	int ret;

	sets = kcalloc(1 + request->nr_more, sizeof(*sets), GFP_KERNEL_ACCOUNT);
	if (!sets)
		return -ENOMEM;
	ret = kermon_copy_sets(sets, request);
	if (!ret)
		ret = kermon_check_labels(sets, 1 + request->nr_more);
	if (!ret)
		ret = kermon_check_request(request, sets);
	if (!ret)
		ret = kermon_open_log(pid, request, sets, flags);
	kfree(sets);

	return ret;
}

SYSCALL_DEFINE4(set_events, pid_t, pid,
		const struct kermon_event_set __user *, urequest, size_t, size,
		unsigned int, flags)
{
	struct kermon_event_set request;
	int ret = kermon_check_flags(flags);

	if (ret)
		return ret;
	if (flags & KERMON_FLAG_OPEN_LOG)
		return urequest || size ? -EINVAL :
				      kermon_open_log(pid, NULL, NULL, flags);

	if (flags & KERMON_FLAG_SELF)
		return pid || urequest || size ? -EINVAL :
				      kermon_check_self() ?: kermon_self_open();

	ret = kermon_copy_request(&request, urequest, size, flags);
	return ret ?: kermon_make_log(pid, &request, flags);
}

SYSCALL_DEFINE4(read_event_log, int, fd, void __user *, buf, size_t, len,
		unsigned int, flags)
{
	struct file *file;
	ssize_t ret = -EBADF;

	if (flags & ~KERMON_READ_NONBLOCK)
		return -EINVAL;

	file = fget(fd);
	if (!file)
		return -EBADF;
	/* As read(2) asks: whether this task may use the descriptor. */
	if (file->f_op == &log_fops)
		ret = security_file_permission(file, MAY_READ) ?:
		      kermon_read_log(file->private_data, buf, len,
				      flags & KERMON_READ_NONBLOCK ||
				      file->f_flags & O_NONBLOCK);
	fput(file);

	return ret;
}
