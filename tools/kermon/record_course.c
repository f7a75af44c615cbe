// SPDX-License-Identifier: GPL-2.0
/*
 * The course of a recording: signals, and what ends it.
 *
 * Whatever is sent to the tool alone is meant for the command, which gets it. What is
 * typed at the terminal gets there by itself, as the two are one process group. So the
 * command decides when it ends, and the recording ends with it, but for a second Ctrl-C.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "appcost.h"
#include "machine.h"
#include "message.h"
#include "record.h"

#define WAIT_MS		1000

/* A second Ctrl-C within this time ends the recording. */
#define AGAIN_NS	2000000000ULL

/* But who ends because of it is recorded to the end, if that takes no longer. */
#define GRACE_NS	1000000000ULL

/* A process group is told to go on one process after the other. */
#define CONTINUED_MS	10

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void start_timer(uint64_t ns)
{
	const uint64_t us = (ns + 999) / 1000;
	const struct itimerval timer = {
		.it_value = { us / 1000000, us % 1000000 },
	};

	setitimer(ITIMER_REAL, &timer, NULL);
}

static void take_interrupt(struct recording *recording)
{
	uint64_t now = now_ns();

	if (recording->typed_ns && now - recording->typed_ns < AGAIN_NS)
		start_timer(GRACE_NS);
	recording->typed_ns = now;
}

/* The command has sent it to all of its process group, or has had enough of us. */
static bool is_from_workload(const struct recording *recording,
			     const struct signalfd_siginfo *signal)
{
	return signal->ssi_code != SI_KERNEL && recording->workload.pid &&
	       signal->ssi_pid == (uint32_t)recording->workload.pid;
}

/* To end is what it is asked for; nothing else means anything to a bystander. */
static void take_for_target(struct recording *recording, int number)
{
	if (number == SIGINT || number == SIGTERM || number == SIGHUP ||
	    number == SIGQUIT)
		recording->leave = true;
}

static void take_for_workload(struct recording *recording,
			      const struct signalfd_siginfo *signal)
{
	const int number = signal->ssi_signo;

	if (is_from_workload(recording, signal))
		return;
	sigaddset(&recording->received, number);
	recording->stopped |= number == SIGTSTP;
	if (!recording->workload.pid)
		take_for_target(recording, number);
	else if (!signals_is_typed(signal))
		signals_forward(signal, recording->workload.pid);
	else if (number == SIGINT)
		take_interrupt(recording);
}

/* Unless the recording has ended, and the command is only accompanied. */
static bool take_request(struct recording *recording, int number)
{
	const struct request *request = recording->request;

	if (number == SIGUSR1 && request->by_signal) {
		if (recording->recorder)
			record_change_set(recording, (recording->set + 1) %
						     recording->nr_sets);
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
	if (number == SIGALRM && signals_is_typed(signal))
		recording->leave = true;
	else if (recording->request->pid)
		take_for_target(recording, number);
	else
		take_for_workload(recording, signal);
}

/* Whether the shell has this process group in the foreground, and so waits for it. */
static bool is_foreground(void)
{
	int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
	bool foreground = terminal >= 0 && tcgetpgrp(terminal) == getpgrp();

	if (terminal >= 0)
		close(terminal);
	return foreground;
}

/*
 * A command that has stopped is a job that has, or the shell would wait for ever. Nobody
 * would let the tool go on again where no shell controls it.
 */
static void stop_too(struct recording *recording)
{
	const pid_t pid = recording->workload.pid;

	if (!workload_stopped(&recording->workload) ||
	    (!recording->stopped && !is_foreground()))
		return;
	poll(NULL, 0, CONTINUED_MS);
	if (!workload_stopped(&recording->workload))
		return;
	recording->stopped = false;
	raise(SIGSTOP);
	poll(NULL, 0, CONTINUED_MS);
	if (workload_stopped(&recording->workload))
		kill(pid, SIGCONT);
}

static void take_signals(struct recording *recording)
{
	struct signalfd_siginfo signal;

	while (signals_next(&recording->signals, &signal))
		take_signal(recording, &signal);
	stop_too(recording);
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
	take_signals(recording);
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
					      recording->signals.fd, WAIT_MS);
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
	recording->public = recording->info.public || machine_is_public();
	if (!recording->request->pid)
		recording->outlived = leftover_count(recording);
	record_last_notes(recording);
	result = kermon_recorder_finish(recording->recorder);
	return error ? error : result;
}

static int record_all(struct recording *recording)
{
	int result = output_keep(&recording->output);

	return result ? result : finish(recording, record_rounds(recording));
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

	explain_recorder(request,
			 kermon_recorder_raw_failed(recording->recorder) ?
			 request->raw : request->output, error);
	if (!recording->output.draft)
		message_hint("what was recorded so far is in '%s': its counts "
			     "are lower bounds", request->output);
}

/* The command runs on; it is waited for, as its status is the tool's. */
static void accompany_workload(struct recording *recording)
{
	struct pollfd signals = { .fd = recording->signals.fd, .events = POLLIN };

	while (!workload_ended(&recording->workload)) {
		poll(&signals, 1, -1);
		take_signals(recording);
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

int record_workload(struct recording *recording)
{
	int result = record_all(recording);
	bool alive = !workload_ended(&recording->workload);

	if (result)
		say_failure(recording, result);
	else
		record_summary(recording);
	if (alive)
		message_hint("the command runs on (pid %d), and is not recorded",
			     recording->pid);
	stop_monitoring(recording);
	accompany_workload(recording);
	say_death(recording);
	return result ? STATUS_FAILED : workload_status(&recording->workload);
}

int record_target(struct recording *recording)
{
	int result;

	start_timer(recording->request->duration_ns);
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
