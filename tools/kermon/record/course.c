// SPDX-License-Identifier: GPL-2.0
/*
 * Main loop of a recording: reads the log, forwards signals, and decides when to end.
 *
 * A signal sent to the tool alone is meant for the command and is forwarded. The
 * terminal signals a whole process group: the command is in it, too, or has created its
 * own and gets the signal forwarded. So the command decides when it ends, and the
 * recording ends with it or with a second Ctrl-C.
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
#include "leftover.h"
#include "recording.h"
#include "ui/message.h"
#include "util/monotonic.h"

#define WAIT_MS		1000
#define NS_PER_MS	1000000ULL

/* A second Ctrl-C within this time ends the recording. */
#define AGAIN_NS	2000000000ULL

/* Time to record the end of a command that exits because of the second Ctrl-C. */
#define GRACE_NS	1000000000ULL

/* A command that has not stopped this long after SIGTSTP handles or ignores it. */
#define STOP_NS		1000000000ULL

/* Time for SIGCONT to reach all processes of a group, which happens one by one. */
#define CONTINUED_MS	10

/* Not a timer of the process, such as alarm(2): it may have inherited one in use. */
static void end_after(struct recording *recording, uint64_t ns)
{
	const uint64_t now = monotonic_ns();

	recording->deadline_ns = ns < UINT64_MAX - now ? now + ns : UINT64_MAX;
}

/* Longest time to wait for data or a signal, in milliseconds. */
static int wait_ms(const struct recording *recording)
{
	const uint64_t now = monotonic_ns(), deadline = recording->deadline_ns;

	if (!deadline || deadline > now + WAIT_MS * NS_PER_MS)
		return WAIT_MS;
	return deadline > now ? (deadline - now + NS_PER_MS - 1) / NS_PER_MS : 0;
}

static void take_interrupt(struct recording *recording)
{
	uint64_t now = monotonic_ns();

	if (recording->typed_ns && now - recording->typed_ns < AGAIN_NS)
		end_after(recording, GRACE_NS);
	recording->typed_ns = now;
}

/*
 * Whether the command or one of its descendants sent the signal, probably to the whole
 * process group: then the command has received it already.
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
 * The kill(2) target for a signal from the terminal: the process group of the command,
 * if it has its own in this session. 0 if the terminal has signalled the command.
 */
static pid_t unsignalled_group(const struct recording *recording)
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

/* Requests to end and time limits end the recording; the target gets no signal. */
static void take_for_target(struct recording *recording, int number)
{
	if (number == SIGINT || number == SIGTERM || number == SIGHUP ||
	    number == SIGQUIT || number == SIGALRM || number == SIGXCPU)
		leave(recording, number);
}

static void say_not_forwarded(struct recording *recording, int number)
{
	char name[SIGNALS_NAME];

	signals_name(number, name);
	message(recording->request->command->name,
		"cannot forward %s to pid %d: it runs as another user", name,
		recording->workload.pid);
	if (number == SIGINT || number == SIGTERM || number == SIGHUP)
		leave(recording, number);
}

static void pass_on(struct recording *recording,
		    const struct signalfd_siginfo *signal)
{
	const pid_t pid = signals_is_for_group(signal) ?
			  unsignalled_group(recording) : recording->workload.pid;

	if (pid && signals_forward(signal, pid) == -EPERM)
		say_not_forwarded(recording, signal->ssi_signo);
}

/* The tool has reached ulimit -t, which applies to the command separately. */
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
		recording->stop_ns = monotonic_ns();
}

/* Once the command has been waited for, its pid may be reused. */
static void next_set(struct recording *recording)
{
	if (!recording->request->pid && !recording->workload.pid)
		message(recording->request->command->name,
			"cannot switch to the next set: the command has ended");
	else
		record_change_set(recording,
				  (recording->set + 1) % recording->nr_sets);
}

/*
 * Handle a signal that controls the recording, if @number is one. After the end of the
 * recording it has no effect.
 */
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
	if (!recording->request->argv)
		take_for_target(recording, number);
	else
		take_for_workload(recording, signal);
}

static int open_terminal(void)
{
	return open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
}

/* Foreground process group of the terminal; 0 without a terminal. */
static pid_t foreground_group(void)
{
	int terminal = open_terminal();
	pid_t group = terminal < 0 ? 0 : tcgetpgrp(terminal);

	if (terminal >= 0)
		close(terminal);
	return group > 0 ? group : 0;
}

/* If the shell has put this process into the foreground, make that @group. */
static void hand_terminal_on(pid_t group)
{
	int terminal = open_terminal();

	if (terminal < 0)
		return;
	if (tcgetpgrp(terminal) == getpgrp())
		tcsetpgrp(terminal, group);
	close(terminal);
}

/* Whether SIGTSTP was sent so recently that the command may still stop because of it. */
static bool is_to_stop(const struct recording *recording)
{
	return recording->stop_ns && monotonic_ns() - recording->stop_ns < STOP_NS;
}

/*
 * Continue the command, which may have a process group that SIGCONT was not sent to. If
 * its own group had the terminal, as with a shell, give it back.
 */
static void go_on(struct recording *recording, bool had_terminal)
{
	const pid_t group = unsignalled_group(recording);

	recording->stop_ns = 0;
	if (group && had_terminal)
		hand_terminal_on(getpgid(recording->workload.pid));
	poll(NULL, 0, CONTINUED_MS);
	if (workload_stopped(&recording->workload))
		kill(group ? group : recording->workload.pid, SIGCONT);
}

/*
 * Stop the tool if the command has stopped, or the shell would wait for the job forever.
 * In an orphaned process group no shell would continue the tool: there the kernel does
 * not stop it, so continue the command, as if it were in the same group.
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

/* The command has ended, and only its descendants are still recorded. */
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

/* Whether the command or target has ended and nothing remains to be recorded. */
static bool has_ended(struct recording *recording)
{
	const bool all = !recording->request->argv || recording->request->wait_all;

	if (recording->request->argv && !workload_ended(&recording->workload))
		return false;
	return !all || kermon_recorder_ended(recording->recorder);
}

bool record_is_revoked(const struct recording *recording)
{
	return kermon_writer_revoked(kermon_recorder_writer(recording->recorder));
}

static bool is_over(struct recording *recording)
{
	record_take_signals(recording);
	if (record_is_revoked(recording) ||
	    (recording->deadline_ns && monotonic_ns() >= recording->deadline_ns))
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

/* Complete the file even after @error, so that what was recorded is readable. */
static int finish(struct recording *recording, int error)
{
	int result;

	recording->error = error;
	recording->ended_ns = monotonic_ns();
	recording->revoked = record_is_revoked(recording);
	if (!recording->plan->alone) {
		recording->cost = cost_of(recording->pid);
		recording->public = recording->machine.info.rdpmc_for_all ||
				    machine_is_public();
	}
	if (recording->request->argv && !recording->timer) {
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

	/* output_place() has renamed it already. */
	output_keep(&recording->output);
	return finish(recording, error ? error : record_rounds(recording));
}

/*
 * On return, no task is monitored for this recording or in the class because of it, and
 * the PMU is free.
 */
static void stop_monitoring(struct recording *recording)
{
	kermon_recorder_close(recording->recorder);
	recording->recorder = NULL;
	kermon_marks_close(recording->marks);
	recording->marks = NULL;
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
		explain_recorder(request, recording->plan,
				 kermon_recorder_raw_failed(recording->recorder) ?
				 request->raw : request->output, error);
	if (request->output && error != -EPIPE)
		message_hint("%s has the recording up to here: its counts are "
			     "lower bounds", output_name(&recording->output));
}

/* Wait for the command, whose exit status becomes the tool's, and forward signals. */
static void accompany_workload(struct recording *recording)
{
	struct pollfd signals = { .fd = recording->signals.fd, .events = POLLIN };
	struct energy *power = &recording->power;

	while (!workload_ended(&recording->workload)) {
		poll(&signals, 1, power->nr ? ENERGY_WINDOW_MS : -1);
		record_take_signals(recording);
		if (power->nr)
			energy_watch(power, monotonic_ns());
	}
}

/* Report it as a shell does, which is silent about SIGINT and SIGPIPE. */
static void say_death(const struct recording *recording)
{
	const int number = workload_signal(&recording->workload);

	if (!number || number == SIGINT || number == SIGPIPE)
		return;
	message(recording->request->command->name, "'%s' was killed: %s%s",
		recording->request->argv[0], strsignal(number),
		workload_dumped(&recording->workload) ? " (core dumped)" : "");
}

/* Its descendants would have been recorded for as long as the command itself. */
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
	counters_read(&recording->counters);
	energy_read(&recording->power);
	recording->complete = !result;
	return result ? STATUS_FAILED : workload_status(&recording->workload);
}

int record_counts(struct recording *recording)
{
	accompany_workload(recording);
	energy_read(&recording->power);
	counters_read(&recording->counters);
	say_death(recording);
	recording->complete = true;
	return workload_status(&recording->workload);
}

int record_target(struct recording *recording)
{
	int result;

	if (recording->request->duration_ns)
		end_after(recording, recording->request->duration_ns);
	result = record_all(recording);
	recording->complete = !result;
	if (!result) {
		record_summary(recording);
		return STATUS_OK;
	}
	say_failure(recording, result);
	message_hint("%s is still running and is no longer recorded",
		     recording->request->target);
	return STATUS_FAILED;
}
