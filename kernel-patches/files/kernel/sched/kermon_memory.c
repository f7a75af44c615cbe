// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that the log of an application pins: how much there is by default, what a
 * user may pin, and who is charged. The rules and the counter are those of perf.
 *
 * All of it is allocated when the application is created, by the caller of set_events(),
 * whose memory control group is charged, too. Hooks allocate nothing: rings and tables of
 * pending samples never grow, whoever adds to them.
 */
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/perf_event.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>

#include "kermon_app.h"

/* Pages that a user may pin per CPU, as for perf. */
static unsigned long kermon_cpu_lock_limit(void)
{
	return sysctl_perf_event_mlock >> (PAGE_SHIFT - 10);
}

/* Pages that an unprivileged user may pin. */
static unsigned long kermon_lock_limit(void)
{
	return kermon_cpu_lock_limit() * num_online_cpus() +
	       (rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT);
}

static unsigned long kermon_log_pages(u32 log_bytes, u32 flags)
{
	size_t bytes = PAGE_ALIGN(log_bytes + KERMON_RECORD_MAX);

	if (flags & KERMON_SET_COALESCE)
		bytes += KERMON_PENDING_BYTES;
	return (bytes >> PAGE_SHIFT) * num_possible_cpus();
}

/**
 * kermon_default_log() - size of a ring where the caller does not ask for one
 * @flags: of the set
 *
 * As much as fits the limit of the caller without privilege. With the fixed default,
 * machines with many more possible than online CPUs would refuse all but privileged
 * users.
 *
 * Context: Process context of the caller of set_events().
 * Return: bytes, a power of two.
 */
u32 kermon_default_log(u32 flags)
{
	unsigned long limit = kermon_lock_limit();
	u32 bytes = KERMON_LOG_DEFAULT_BYTES;

	while (bytes > KERMON_LOG_MIN_BYTES &&
	       kermon_log_pages(bytes, flags) > limit)
		bytes /= 2;
	return bytes;
}

/**
 * kermon_charge_log() - charge the user of an application for its log
 * @app: the application; kermon_uncharge_log() undoes this, even after an error
 *
 * Context: Process context of the caller of set_events(), whose limit applies.
 * Return: 0, or -EPERM if that user may not pin as much.
 */
int kermon_charge_log(struct kermon_app *app)
{
	app->locked = kermon_log_pages(app->request.log_bytes, app->request.flags);
	if (atomic_long_add_return(app->locked, &app->user->perf_mlock) <=
	    kermon_lock_limit())
		return 0;
	return !perf_is_paranoid() || capable(CAP_IPC_LOCK) ? 0 : -EPERM;
}

/**
 * kermon_uncharge_log() - undo kermon_charge_log(), if it was called
 * @app: the application
 *
 * Context: Any.
 */
void kermon_uncharge_log(struct kermon_app *app)
{
	atomic_long_sub(app->locked, &app->user->perf_mlock);
	app->locked = 0;
}
