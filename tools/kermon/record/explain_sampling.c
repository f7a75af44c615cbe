// SPDX-License-Identifier: GPL-2.0
/* Messages about events that perf_event does not sample: why, and what to do about it. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "plan.h"
#include "ui/message.h"

static bool needs_kernel(const struct kermon_sampling *sampling)
{
	return sampling->modes & KERMON_COUNT_KERNEL;
}

static void say_no_tracepoint(const char *name, const char *event, int result)
{
	switch (-result) {
	case ENXIO:
		message(name, "cannot find tracepoint '%s': tracefs is not mounted", event);
		message_hint("as root: mount -t tracefs nodev /sys/kernel/tracing");
		return;
	case EACCES:
		message(name, "cannot find tracepoint '%s': this user may not read tracefs", event);
		message_hint("as root, for a group of this user: mount -o "
			     "remount,mode=750,gid=GROUP /sys/kernel/tracing");
		message_hint("or record as root");
		return;
	default:
		message(name, "this kernel has no tracepoint '%s'", event);
		message_hint("'perf list tracepoint' and /sys/kernel/tracing/events show those that "
			     "it has; a module may have to be loaded first");
	}
}

/* "event, umask, edge, ..." */
static void list_folder(const char *pmu, const char *folder, char *text, size_t size)
{
	char path[256];
	struct dirent *entry;
	size_t length = 0;
	DIR *dir;

	*text = '\0';
	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/%s", pmu, folder);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)) && length < size)
		if (entry->d_name[0] != '.' && !strchr(entry->d_name, '.'))
			length += snprintf(text + length, size - length, "%s%s",
					   length ? ", " : "", entry->d_name);
	if (dir)
		closedir(dir);
}

static void say_bad_terms(const char *name, const char *event, int result)
{
	char pmu[64], text[1024];

	snprintf(pmu, sizeof(pmu), "%.*s", (int)strcspn(event, "/"), event);
	switch (-result) {
	case ENXIO:
		message(name, "'%s': this machine has no PMU '%s'", event, pmu);
		list_folder("", "", text, sizeof(text));
		message_hint("its PMUs: %s", text);
		return;
	case ERANGE:
		message(name, "'%s': a value is too large for its term", event);
		message_hint("/sys/bus/event_source/devices/%s/format shows the bits of each", pmu);
		return;
	case EINVAL:
		message(name, "'%s' is no list of terms; valid: PMU/TERM=NUMBER,.../, then modes", event);
		return;
	default:
		message(name, "'%s': PMU '%s' has no such term or event", event, pmu);
		list_folder(pmu, "format", text, sizeof(text));
		message_hint("its terms: %s%sconfig, config1, config2, name, period, freq", text,
			     *text ? ", " : "");
		list_folder(pmu, "events", text, sizeof(text));
		if (*text)
			message_hint("its events: %s", text);
	}
}

static int stop(void *data, const char *name)
{
	(void)data;
	(void)name;
	return 1;
}

/* Whether @event could be a tracepoint: of a system that there is, or may be. */
static bool has_system(const char *event)
{
	char pattern[KERMON_EVENT_NAME + 1];

	snprintf(pattern, sizeof(pattern), "%.*s:*", (int)strcspn(event, ":"), event);
	return kermon_tracepoints_each(pattern, stop, NULL) == 1;
}

static bool is_supported(const char *event)
{
	return !strpbrk(event, "{}@") && strncmp(event, "mem:", 4);
}

static void say_unsupported(const char *name, const char *event)
{
	if (!strncmp(event, "mem:", 4))
		message(name, "cannot sample '%s': breakpoints are not supported", event);
	else
		message(name, "cannot sample '%s': %s are not supported", event,
			strchr(event, '@') ? "events of BPF programs" : "groups of events");
	message_hint("use 'perf record', whose files kermon reads");
}

bool explain_name(const struct request *request, const char *event, int result)
{
	const char *name = request->command->name;

	if (!is_supported(event))
		say_unsupported(name, event);
	else if (strchr(event, '/'))
		say_bad_terms(name, event, result);
	else if (strchr(event, ':') && (result == -ENXIO || result == -EACCES ||
					(result == -ENOENT && has_system(event))))
		say_no_tracepoint(name, event, result);
	else
		return false;
	return true;
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
	} else if (sampling->type == PERF_TYPE_TRACEPOINT && paranoid > -1) {
		message(name, "this user may not sample tracepoint '%s': kernel.perf_event_paranoid is %d",
			sampling->name, paranoid);
		message_hint("%s, or: sysctl kernel.perf_event_paranoid=-1", grant);
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
	case EINVAL:
		message(name, "cannot sample '%s': perf_event refuses it%s", sampling->name,
			sampling->type == PERF_TYPE_RAW ? "" : ", as of PMUs that only count");
		message_hint("'kermon stat' and 'kermon spy' count, energy as well; use -e cpu-clock "
			     "to sample");
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
