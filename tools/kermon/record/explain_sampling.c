// SPDX-License-Identifier: GPL-2.0
/* Messages about events that perf_event does not sample: why, and what to do about it. */
#include <errno.h>
#include <string.h>

#include "plan.h"
#include "ui/message.h"

static bool needs_kernel(const struct kermon_sampling *sampling)
{
	return sampling->modes & KERMON_COUNT_KERNEL;
}

/* The kernel's setting, a system call filter, or a security module. */
static void say_denied(const struct request *request, const struct plan *plan,
		       const struct kermon_sampling *sampling)
{
	const int paranoid = plan->machine.paranoid;
	const char *name = request->command->name;
	char grant[MACHINE_GRANT];

	machine_grant(grant);
	if (plan->machine.sideband) {
		machine_say(name, machine_sideband);
	} else if (request->targets.all && paranoid > 0) {
		message(name, "this user may not sample all tasks: kernel.perf_event_paranoid is %d",
			paranoid);
		message_hint("%s, or: sysctl kernel.perf_event_paranoid=0", grant);
		message_hint("or record one process: -p PID");
	} else if (needs_kernel(sampling) && paranoid > 1) {
		message(name, "this user may not sample kernel mode: kernel.perf_event_paranoid is %d",
			paranoid);
		message_hint("%s, or: sysctl kernel.perf_event_paranoid=1", grant);
		message_hint("or sample user mode: -e %.*s:u",
			     (int)strcspn(sampling->name, ":"), sampling->name);
	} else {
		message(name, "this user may not sample '%s'", sampling->name);
		message_hint("check the system call filter of the container and security modules");
	}
}

/* perf_event of this machine does not have the event. */
static void say_absent(const struct request *request, const struct kermon_sampling *sampling)
{
	const char *name = request->command->name;

	message(name, "this machine has no event '%s' that perf_event can sample",
		sampling->name);
	if (sampling->type == PERF_TYPE_SOFTWARE)
		return;
	message_hint("virtual machines and containers often have no counters: use -e cpu-clock");
	explain_virtual();
}

void explain_sampling(const struct request *request, const struct plan *plan,
		      const struct kermon_sampling *sampling, int error)
{
	const char *name = request->command->name;

	switch (-error) {
	case EACCES:
	case EPERM:
		say_denied(request, plan, sampling);
		return;
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		say_absent(request, sampling);
		return;
	case EBUSY:
		message(name, "cannot sample '%s': the counters are in use", sampling->name);
		message_hint("stop other recordings, or use -e cpu-clock");
		return;
	case ENOSYS:
		message(name, "this kernel has no perf_event, or a filter of system calls hides it");
		message_hint("CONFIG_PERF_EVENTS of the kernel, and the container's seccomp profile");
		return;
	default:
		message(name, "cannot sample '%s': %s", sampling->name, strerror(-error));
	}
}
