// SPDX-License-Identifier: GPL-2.0
/*
 * Messages about a recording that fails: what is wrong, and what to do about it.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <kermon/session.h>

#include "machine/hypervisor.h"
#include "machine/machine.h"
#include "plan.h"
#include "request.h"
#include "ui/message.h"
#include "ui/output.h"
#include "ui/program.h"

static void say_finding(const struct request *request,
			void (*find)(const struct machine *machine,
				     struct finding *finding))
{
	machine_say(request->command->name, find);
	message_hint("'kermon status' shows all that a recording requires");
}

/* The kernel returns the same error without module and without counters. */
static void find_device(const struct machine *machine, struct finding *finding)
{
	machine_module(machine, finding);
	if (finding->verdict == VERDICT_OK)
		machine_pmu(machine, finding);
}

/* Every check passes, but the kernel refuses: then a security module has refused. */
static void find_denial(struct finding *finding, const char *what, const char *of)
{
	finding->verdict = VERDICT_MISSING;
	snprintf(finding->text, sizeof(finding->text), "a security module does not %s", what);
	snprintf(finding->remedy, sizeof(finding->remedy),
		 "look for denials of %s in the audit log", of);
}

/* The requested modes require a capability, or the counters do, or any recording. */
static void find_capability(const struct machine *machine,
			    struct finding *finding)
{
	machine_sideband(machine, finding);
	if (finding->verdict == VERDICT_OK)
		machine_counting(machine, finding);
	if (finding->verdict == VERDICT_OK)
		machine_modes(machine, finding);
	if (finding->verdict == VERDICT_OK)
		find_denial(finding, "let this user count", "perf_event");
}

static void find_class(const struct machine *machine, struct finding *finding)
{
	machine_class(machine, finding);
	if (finding->verdict == VERDICT_OK)
		find_denial(finding, "permit SCHED_KERMON", "setsched");
}

/* The target runs as another user, or a security module denies access. */
static void say_access(const struct request *request)
{
	message(request->command->name,
		"this user is not permitted to monitor %s",
		request->target);
	if (request->pid)
		message_hint("record it as the user who runs it, or as root; "
			     "kernel threads cannot be recorded");
	message_hint("a security module may forbid it, too; kernel.yama.ptrace_scope "
		     "does not");
}

/* Whether process or thread @pid exists; its state letter of /proc in *@state. */
static bool find_state(pid_t pid, char *state)
{
	char path[64], line[256];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof(line), file))
		found = sscanf(line, "State: %c", state) == 1;
	if (file)
		fclose(file);
	return found;
}

/* The target never existed, or has ended in the meantime or before. */
static void say_gone(const struct request *request)
{
	const char *name = request->command->name;
	char state;

	if (!request->pid) {
		message(name, "%s ended before it could be recorded",
			request->target);
	} else if (!find_state(request->pid, &state)) {
		message(name, "no %s with %s %d",
			request->thread ? "thread" : "process",
			request->thread ? "tid" : "pid", request->pid);
	} else if (state == 'Z' || state == 'X') {
		message(name, "%s has ended: it is a zombie that its parent has "
			"not reaped", request->target);
	} else {
		message(name, "the threads of %s exit before they can be recorded",
			request->target);
		message_hint("try again, or record the program from its start "
			     "with 'kermon run'");
	}
}

/* A new command is monitored only if kermon is, from which it inherits that. */
static void say_monitored(const struct request *request)
{
	if (request->pid) {
		message(request->command->name, "%s is already being recorded",
			request->target);
		message_hint("end that recording first; 'kermon status' shows "
			     "what is monitored");
		return;
	}
	message(request->command->name, "kermon itself is being recorded, with "
		"all commands that it runs");
	message_hint("run it outside of that recording ('kermon status' shows "
		     "it)");
}

void explain_refused(const struct request *request)
{
	message(request->command->name,
		"this CPU cannot count all of '%s'", request->events);
}

void explain_events(const struct kermon_selection *set, unsigned int refused)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (refused & 1U << i)
			message_hint("not supported: %s",
				     set->events[i].name);
}

void explain_virtual(void)
{
	char hypervisor[HYPERVISOR_SIZE];

	hypervisor_name(hypervisor);
	if (*hypervisor)
		message_hint("this virtual machine (%s) may lack events of its "
			     "CPU; for cache events, use scripts/kermon-vm "
			     "--caches", hypervisor_label(hypervisor));
}

void explain_session(const struct request *request, int error)
{
	const char *name = request->command->name;

	switch (-error) {
	case ENOSYS:
		say_finding(request, machine_kernel);
		return;
	case ENODEV:
		say_finding(request, find_device);
		return;
	case EBUSY:
		say_finding(request, machine_busy);
		return;
	case EACCES:
		say_finding(request, find_capability);
		return;
	case EPERM:
		say_access(request);
		return;
	case ENOSPC:
		message(name, "this CPU cannot count all of '%s' simultaneously",
			request->events);
		message_hint("some events fit few counters, and offcore events "
			     "share a register");
		message_hint("count them in several runs and combine these with "
			     "'kermon merge'");
		return;
	case ESRCH:
		say_gone(request);
		return;
	case EALREADY:
		say_monitored(request);
		return;
	case ENOMEM:
		message(name, "not enough memory for the log");
		message_hint("use a smaller log: -m SIZE");
		return;
	default:
		message(name, "cannot monitor %s: %s", request->target,
			strerror(-error));
	}
}

static void say_rings(const struct request *request)
{
	message(request->command->name,
		"the rings exceed the memory that this user may lock");
	message_hint(request->log_bytes ? "use smaller rings: -m SIZE" :
		     "end other recordings of this user");
	message_hint("or raise the limit: ulimit -l, or as root: "
		     "sysctl kernel.perf_event_mlock_kb=KB (per CPU)");
}

void explain_limit(const struct request *request)
{
	message(request->command->name,
		"the log and the side-band exceed the memory that this user may "
		"lock");
	message_hint("use a smaller log: -m SIZE");
	message_hint("or raise the limit: ulimit -l, or as root: "
		     "sysctl kernel.perf_event_mlock_kb=KB (per CPU)");
}

/* perf_event_open() was denied, or mapping one of its ring buffers. */
static void say_not_permitted(const struct request *request,
			      const struct plan *plan)
{
	if (plan->machine.sideband)
		say_finding(request, machine_sideband);
	else if (plan->alone)
		say_rings(request);
	else
		explain_limit(request);
}

/* perf_event watches this user's own processes, but not those of another one. */
static void say_no_access(const struct request *request, const struct plan *plan)
{
	if (!plan->machine.sideband && targets_exist(&request->targets))
		say_access(request);
	else
		say_finding(request, machine_sideband);
}

void explain_class(const struct request *request)
{
	say_finding(request, find_class);
}

/* The program exists, but its interpreter or loader does not. */
static void say_interpreter(const struct request *request, const char *file)
{
	char interpreter[PATH_MAX];

	if (program_interpreter(file, interpreter, sizeof(interpreter)) &&
	    access(interpreter, F_OK))
		message(request->command->name, "cannot run '%s': its "
			"interpreter '%s' does not exist", request->argv[0],
			interpreter);
	else
		message(request->command->name, "cannot run '%s': the loader "
			"that it requires does not exist", request->argv[0]);
}

void explain_exec(const struct request *request, int error)
{
	const char *command = request->argv[0];
	char file[PATH_MAX];

	if (error == -ENOENT &&
	    program_find(command, strlen(command), file, sizeof(file)))
		say_interpreter(request, file);
	else
		message(request->command->name, "cannot run '%s': %s", command,
			error == -ENOENT && !strchr(command, '/') ?
			"command not found" : strerror(-error));
}

void explain_recorder(const struct request *request, const struct plan *plan,
		      const char *path, int error)
{
	const char *name = request->command->name;

	switch (-error) {
	case ESRCH:
		say_gone(request);
		return;
	case EACCES:
		say_no_access(request, plan);
		return;
	case EPERM:
		say_not_permitted(request, plan);
		return;
	case EMFILE:
		message(name, "too many open files: perf_event requires one "
			"per event and CPU%s", targets_exist(&request->targets) ?
			" and thread" : "");
		message_hint("raise the limit: ulimit -n");
		return;
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
	case EIO:
	case EISDIR:
	case EPIPE:
		explain_output(request, path, error);
		return;
	case EBADMSG:
		message(name, "cannot decode the log: kernel and tool have "
			"different versions, or another program has changed "
			"the event set");
		return;
	default:
		message(name, "cannot record: %s", strerror(-error));
	}
}

static void say_stream(const char *name, int error)
{
	message(name, "cannot write to standard output: %s",
		output_reason(error));
	if (error == -ENOTTY)
		message_hint("pipe it to another command, such as 'kermon report "
			     "-i -', or write to a file: -o FILE");
	else if (error == -EPIPE)
		message_hint("the program that reads it has ended");
}

void explain_output(const struct request *request, const char *path, int error)
{
	const char *name = request->command->name;

	if (path && !strcmp(path, "-")) {
		say_stream(name, error);
		return;
	}
	if (!path) {
		message(name, "cannot write a temporary file: %s",
			output_reason(error));
		message_hint("set TMPDIR to another folder");
		return;
	}
	message(name, "cannot write '%s': %s", path, output_reason(error));
	if (error == -EINVAL && path != request->raw)
		message_hint("use another file, or standard output, which may be "
			     "a pipe: -o -");
	if (error == -EPERM)
		message_hint("the file may belong to another user; in a directory "
			     "such as /tmp only its owner may replace it");
	if (error == -EACCES || error == -EROFS || error == -EPERM ||
	    error == -EISDIR || !*path)
		message_hint("use another file: %s FILE",
			     path == request->raw ? "--raw-log" : "-o");
}

void explain_counters(const struct request *request, int error)
{
	const char *name = request->command->name;

	message(name, "neither KerMon nor perf_event can count: %s",
		strerror(-error));
	if (error == -EACCES || error == -EPERM)
		message_hint("as root: sysctl kernel.perf_event_paranoid=2");
}
