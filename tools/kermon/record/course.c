// SPDX-License-Identifier: GPL-2.0
/*
 * The course of a recording: signals, and what ends it.
 *
 * Whatever is sent to the tool alone is meant for the command, which gets it. What is
 * typed at the terminal gets there by itself if the two are one process group, and is
 * passed on if the command has made one of its own. So the command decides when it ends,
 * and the recording ends with it, but for a second Ctrl-C.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "machine/appcost.h"
#include "machine/machine.h"
#include "machine/proc.h"
#include "recording.h"
#include "ui/message.h"

#define WAIT_MS		1000
#define NS_PER_MS	1000000ULL

/* A second Ctrl-C within this time ends the recording. */
#define AGAIN_NS	2000000000ULL

/* But who ends because of it is recorded to the end, if that takes no longer. */
#define GRACE_NS	1000000000ULL

/* One that has been told to stop does so within this time, or does not want to. */
#define STOP_NS		1000000000ULL

/* A process group is told to go on one process after the other. */
#define CONTINUED_MS	10

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* A timer of the process would take the place of one that it inherited. */
static void end_after(struct recording *recording, uint64_t ns)
{
	const uint64_t now = now_ns();

	recording->deadline_ns = ns < UINT64_MAX - now ? now + ns : UINT64_MAX;
}

/* Milliseconds until there is something to do, at most. */
static int wait_ms(const struct recording *recording)
{
	const uint64_t now = now_ns(), deadline = recording->deadline_ns;

	if (!deadline || deadline > now + WAIT_MS * NS_PER_MS)
		return WAIT_MS;
	return deadline > now ? (deadline - now + NS_PER_MS - 1) / NS_PER_MS : 0;
}

static void take_interrupt(struct recording *recording)
{
	uint64_t now = now_ns();

	if (recording->typed_ns && now - recording->typed_ns < AGAIN_NS)
		end_after(recording, GRACE_NS);
	recording->typed_ns = now;
}

/*
 * The command, or a process below it, has sent it to all of their process group, as far
 * as one can tell: the command has it already.
 */
static bool is_from_workload(const struct recording *recording,
			     const struct signalfd_siginfo *signal)
{
	const pid_t sender = signal->ssi_pid;

	if (signal->ssi_code > 0 || !sender)
		return false;
	return sender == recording->workload.pid ||
	       (getpgid(sender) == getpgrp() && proc_descends(sender, getpid()));
}

/*
 * What to send to instead of the terminal, as for kill(2): the command's process group,
 * if it is another one of this session. 0: the terminal has done so.
 */
static pid_t untold_group(const struct recording *recording)
{
	const pid_t pid = recording->workload.pid, group = getpgid(pid);

	if (group == getpgrp() || getsid(pid) != getsid(0))
		return 0;
	return group == pid ? -pid : pid;
}

static void leave(struct recording *recording, int number)
{
	recording->leave = true;
	recording->ended_by = number;
}

/* A request to end, or a limit of time; others mean nothing to a bystander. */
static void take_for_target(struct recording *recording, int number)
{
	if (number == SIGINT || number == SIGTERM || number == SIGHUP ||
	    number == SIGQUIT || number == SIGALRM || number == SIGXCPU)
		leave(recording, number);
}

static void say_not_passed(struct recording *recording, int number)
{
	char name[SIGNALS_NAME];

	signals_name(number, name);
	message(recording->request->command->name,
		"cannot pass %s on to pid %d: it runs as another user", name,
		recording->workload.pid);
	if (number == SIGINT || number == SIGTERM || number == SIGHUP)
		leave(recording, number);
}

static void pass_on(struct recording *recording,
		    const struct signalfd_siginfo *signal)
{
	const pid_t pid = signals_is_for_group(signal) ?
			  untold_group(recording) : recording->workload.pid;

	if (pid && signals_forward(signal, pid) == -EPERM)
		say_not_passed(recording, signal->ssi_signo);
}

/* The tool has used its share of ulimit -t; the command has one of its own. */
static bool is_own_limit(const struct signalfd_siginfo *signal)
{
	return signal->ssi_signo == SIGXCPU && signal->ssi_code == SI_KERNEL;
}

static void take_for_workload(struct recording *recording,
			      const struct signalfd_siginfo *signal)
{
	const int number = signal->ssi_signo;

	if (is_from_workload(recording, signal) || is_own_limit(signal))
		return;
	sigaddset(&recording->received, number);
	if (recording->workload.pid)
		pass_on(recording, signal);
	else
		take_for_target(recording, number);
	if (recording->workload.pid && number == SIGINT &&
	    signals_is_for_group(signal))
		take_interrupt(recording);
	if (number == SIGTSTP)
		recording->stop_ns = now_ns();
}

/* A number that has been waited for may be another's by now. */
static void next_set(struct recording *recording)
{
	if (!recording->request->pid && !recording->workload.pid)
		message(recording->request->command->name,
			"cannot change the set: the command has ended");
	else
		record_change_set(recording,
				  (recording->set + 1) % recording->nr_sets);
}

/* Unless the recording has ended, and the command is only accompanied. */
static bool take_request(struct recording *recording, int number)
{
	const struct request *request = recording->request;

	if (number == SIGUSR1 && request->by_signal) {
		if (recording->recorder)
			next_set(recording);
		return true;
	}
	if (number == SIGUSR2 && request->overwrite) {
		if (recording->recorder)
			kermon_recorder_snapshot(recording->recorder);
		return true;
	}
	return false;
}

static void take_signal(struct recording *recording,
			const struct signalfd_siginfo *signal)
{
	const int number = signal->ssi_signo;

	if (number == SIGCHLD || take_request(recording, number))
		return;
	if (recording->request->pid)
		take_for_target(recording, number);
	else
		take_for_workload(recording, signal);
}

static int open_terminal(void)
{
	return open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
}

/* The process group that the shell has put into the foreground; 0 without a terminal. */
static pid_t foreground_group(void)
{
	int terminal = open_terminal();
	pid_t group = terminal < 0 ? 0 : tcgetpgrp(terminal);

	if (terminal >= 0)
		close(terminal);
	return group > 0 ? group : 0;
}

/* If the shell has put this process into the foreground, it means the command. */
static void hand_terminal_on(pid_t group)
{
	int terminal = open_terminal();

	if (terminal < 0)
		return;
	if (tcgetpgrp(terminal) == getpgrp())
		tcsetpgrp(terminal, group);
	close(terminal);
}

/* Somebody wants tool and command to be stopped, and the command has had little time. */
static bool is_to_stop(const struct recording *recording)
{
	return recording->stop_ns && now_ns() - recording->stop_ns < STOP_NS;
}

/*
 * Also if it has been continued by somebody who knows only of the tool. A command that
 * had the terminal with a process group of its own, as a shell does, needs it again.
 */
static void go_on(struct recording *recording, bool had_terminal)
{
	const pid_t group = untold_group(recording);

	recording->stop_ns = 0;
	if (group && had_terminal)
		hand_terminal_on(getpgid(recording->workload.pid));
	poll(NULL, 0, CONTINUED_MS);
	if (workload_stopped(&recording->workload))
		kill(group ? group : recording->workload.pid, SIGCONT);
}

/*
 * A command that has stopped is a job that has, or the shell would wait for ever. Where
 * no shell controls it, nobody would let the tool go on again: the kernel knows that and
 * does not stop it, nor would it the command, if that were in the same process group.
 */
static void stop_too(struct recording *recording)
{
	const bool asked = is_to_stop(recording);
	bool has_terminal;
	pid_t foreground;

	if (!workload_stopped(&recording->workload))
		return;
	foreground = foreground_group();
	has_terminal = foreground == getpgid(recording->workload.pid);
	if (!asked && !has_terminal && foreground != getpgrp())
		return;
	poll(NULL, 0, CONTINUED_MS);
	if (!workload_stopped(&recording->workload))
		return;
	if (signals_stop() || asked)
		go_on(recording, has_terminal);
}

/* The command has ended, and others are waited for. */
static void stop_alone(struct recording *recording)
{
	if (is_to_stop(recording))
		signals_stop();
	recording->stop_ns = 0;
}

void record_take_signals(struct recording *recording)
{
	struct signalfd_siginfo signal;

	while (signals_next(&recording->signals, &signal))
		take_signal(recording, &signal);
	if (recording->workload.pid)
		stop_too(recording);
	else
		stop_alone(recording);
}

/* What the recording is about has ended by itself. */
static bool has_ended(struct recording *recording)
{
	const bool all = recording->request->pid || recording->request->wait_all;

	if (!recording->request->pid && !workload_ended(&recording->workload))
		return false;
	return !all || kermon_recorder_ended(recording->recorder);
}

static bool is_over(struct recording *recording)
{
	record_take_signals(recording);
	if (recording->deadline_ns && now_ns() >= recording->deadline_ns)
		recording->leave = true;
	if (has_ended(recording))
		recording->leave = false;
	else if (!recording->leave)
		return false;
	return true;
}

static int record_rounds(struct recording *recording)
{
	bool over = false;
	size_t bytes;
	int result;

	while (!over) {
		result = kermon_recorder_round(recording->recorder, &bytes);
		if (result)
			return result;
		result = kermon_recorder_wait(recording->recorder,
					      recording->signals.fd,
					      wait_ms(recording));
		if (result < 0 && result != -EINTR)
			return result;
		over = is_over(recording);
	}
	return kermon_recorder_drain(recording->recorder);
}

/* The file is complete as far as it goes, if it can be written at all. */
static int finish(struct recording *recording, int error)
{
	int result;

	recording->error = error;
	recording->cost = cost_of(recording->pid);
	recording->public = recording->info.rdpmc_for_all || machine_is_public();
	if (!recording->request->pid) {
		recording->runs_on = !workload_ended(&recording->workload);
		recording->outlived = leftover_count(recording);
	}
	record_last_notes(recording);
	result = kermon_recorder_finish(recording->recorder);
	return error ? error : result;
}

static int record_all(struct recording *recording)
{
	const int error = rawlog_begin(&recording->raw);

	/* It has its place already. */
	output_keep(&recording->output);
	return finish(recording, error ? error : record_rounds(recording));
}

/* After this nobody is monitored any more, and the PMU is free. */
static void stop_monitoring(struct recording *recording)
{
	leftover_leave_class(recording);
	kermon_recorder_close(recording->recorder);
	recording->recorder = NULL;
	if (recording->log >= 0)
		close(recording->log);
	recording->log = -1;
}

static void say_failure(struct recording *recording, int error)
{
	const struct request *request = recording->request;

	if (recording->raw.failed)
		explain_output(request, request->raw, error);
	else
		explain_recorder(request,
				 kermon_recorder_raw_failed(recording->recorder) ?
				 request->raw : request->output, error);
	message_hint("what was recorded so far is in '%s': its counts are "
		     "lower bounds", request->output);
}

/* The command runs on; it is waited for, as its status is the tool's. */
static void accompany_workload(struct recording *recording)
{
	struct pollfd signals = { .fd = recording->signals.fd, .events = POLLIN };

	while (!workload_ended(&recording->workload)) {
		poll(&signals, 1, -1);
		record_take_signals(recording);
	}
}

/* As a shell tells it. It does not speak of Ctrl-C, nor of a pipe that is gone. */
static void say_death(const struct recording *recording)
{
	const int number = workload_signal(&recording->workload);

	if (!number || number == SIGINT || number == SIGPIPE)
		return;
	message(recording->request->command->name, "'%s' was killed: %s%s",
		recording->request->argv[0], strsignal(number),
		workload_dumped(&recording->workload) ? " (core dumped)" : "");
}

/* With all that it has started, which would have been recorded as long as itself. */
static void say_runs_on(const struct recording *recording)
{
	const unsigned int nr = recording->outlived;

	if (nr)
		message_hint("the command (pid %d) and %u other process%s are "
			     "still running and are no longer recorded",
			     recording->pid, nr, nr > 1 ? "es" : "");
	else
		message_hint("the command (pid %d) is still running and is no "
			     "longer recorded", recording->pid);
}

int record_workload(struct recording *recording)
{
	int result = record_all(recording);

	if (result)
		say_failure(recording, result);
	else
		record_summary(recording);
	if (recording->runs_on)
		say_runs_on(recording);
	stop_monitoring(recording);
	accompany_workload(recording);
	say_death(recording);
	return result ? STATUS_FAILED : workload_status(&recording->workload);
}

int record_target(struct recording *recording)
{
	int result;

	if (recording->request->duration_ns)
		end_after(recording, recording->request->duration_ns);
	result = record_all(recording);
	if (!result) {
		record_summary(recording);
		return STATUS_OK;
	}
	say_failure(recording, result);
	message_hint("%s runs on, and is not recorded",
		     recording->request->target);
	return STATUS_FAILED;
}
