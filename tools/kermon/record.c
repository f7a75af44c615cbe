// SPDX-License-Identifier: GPL-2.0
/*
 * A recording from beginning to end. Each step opens what the next one needs;
 * one function closes whatever has been opened.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <unistd.h>

#include <kermon/recorder.h>
#include <kermon/session.h>
#include <kermon/text.h>

#include "appcost.h"
#include "counting.h"
#include "machine.h"
#include "message.h"
#include "record.h"
#include "run.h"

#define WAIT_MS		1000

/* What does not fit at once is recorded by turns, which is said. */
static int split_events(struct recording *recording)
{
	const struct request *request = recording->request;
	const unsigned int counters = recording->info.counters;
	const char *name = request->command->name;
	int nr = kermon_events_split(recording->selection, counters,
				     recording->sets);

	if (nr < 1) {
		message(name, "%u event%s, but a CPU of this machine has %u "
			"programmable counter%s", recording->selection->nr,
			kermon_plural(recording->selection->nr), counters,
			kermon_plural(counters));
		message_hint("no more than %u sets can take turns, and each has "
			     "to fit", KERMON_MAX_SETS);
		return STATUS_USAGE;
	}
	if (nr == 1 && (request->rotate_ns || request->by_signal)) {
		message(name, "--rotate: there are no sets to take turns, all "
			"events fit at once");
		return STATUS_USAGE;
	}
	recording->nr_sets = nr;
	if (nr > 1 && !request->quiet)
		message(name, "%d sets take turns%s: 'kermon report' tells "
			"what was measured, and estimates", nr,
			request->by_signal ? " when SIGUSR1 comes" : "");
	return STATUS_OK;
}

static int check_machine(struct recording *recording)
{
	const struct request *request = recording->request;
	struct machine machine;

	machine_look(&machine);
	if (!machine.patched || !machine.has_info || !machine.own_proc) {
		explain_machine(request, &machine);
		return STATUS_FAILED;
	}
	recording->info = machine.info;
	if (split_events(recording))
		return STATUS_USAGE;
	recording->energy = machine.info.nr_domains && machine.may_count;
	if (machine.info.nr_domains && !recording->energy && !request->quiet)
		message(request->command->name, "without energy, which needs "
			"CAP_PERFMON");
	return STATUS_OK;
}

static int open_files(struct recording *recording)
{
	const struct request *request = recording->request;
	int result;

	result = output_open(&recording->output, request->output);
	if (result) {
		explain_output(request, request->output, result);
		return STATUS_FAILED;
	}
	if (!request->raw)
		return STATUS_OK;
	recording->raw = open(request->raw,
			      O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (recording->raw >= 0)
		return STATUS_OK;
	explain_output(request, request->raw, -errno);
	return STATUS_FAILED;
}

/* A signal that is ignored (nohup) goes on being so: it is never queued. */
static int open_signals(struct recording *recording)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	if (recording->request->duration_ns)
		sigaddset(&set, SIGALRM);
	if (recording->request->by_signal)
		sigaddset(&set, SIGUSR1);
	if (recording->request->overwrite)
		sigaddset(&set, SIGUSR2);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &set, &recording->mask);
	recording->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (recording->signals >= 0)
		return STATUS_OK;
	message(recording->request->command->name, "cannot wait for signals: "
		"%s", strerror(errno));
	return STATUS_FAILED;
}

/*
 * A file that outgrows the limit (ulimit -f) is an error to tell, not the end
 * of the tool. The command, which has been forked by now, keeps its own ways.
 */
static int fork_workload(struct recording *recording)
{
	const struct request *request = recording->request;
	int result = workload_fork(&recording->workload, request->argv,
				   &recording->mask);

	if (!result) {
		recording->pid = recording->workload.pid;
		recording->process = recording->pid;
		signal(SIGXFSZ, SIG_IGN);
		return STATUS_OK;
	}
	message(request->command->name, "cannot make a process: %s",
		strerror(-result));
	return STATUS_FAILED;
}

/* Of the thread @tid; 0 if it is not there. */
static pid_t process_of(pid_t tid)
{
	char path[64], line[256];
	pid_t process = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	file = fopen(path, "re");
	while (file && !process && fgets(line, sizeof(line), file))
		sscanf(line, "Tgid: %d", &process);
	if (file)
		fclose(file);
	return process;
}

static int find_target(struct recording *recording)
{
	const struct request *request = recording->request;

	signal(SIGXFSZ, SIG_IGN);
	recording->pid = request->pid;
	recording->process = process_of(request->pid);
	if (recording->process)
		return STATUS_OK;
	explain_session(request, -ESRCH);
	return STATUS_FAILED;
}

static struct counted counted_of(const struct recording *recording)
{
	return (struct counted){
		.request = recording->request,
		.sets = recording->sets,
		.nr_sets = recording->nr_sets,
		.energy = recording->energy,
		.pid = recording->pid,
	};
}

/* The turn is that of @set until further notice; all of them are valid. */
static void change_set(struct recording *recording, unsigned int set)
{
	const struct counted counted = counted_of(recording);
	int result = counting_change(&counted, set);

	if (result)
		message(recording->request->command->name,
			"cannot change the set: %s", result == -ENOENT ?
			"the thread that was named has ended" :
			strerror(-result));
	else
		recording->set = set;
}

static int open_log(struct recording *recording)
{
	const struct counted counted = counted_of(recording);

	recording->log = counting_open(&counted);
	if (recording->log < 0)
		return STATUS_FAILED;
	if (recording->request->by_signal)
		change_set(recording, 0);
	return STATUS_OK;
}

static int enter_class(struct recording *recording)
{
	int result;

	if (recording->request->inherit)
		return STATUS_OK;
	result = kermon_session_schedule(recording->pid);
	if (!result)
		return STATUS_OK;
	explain_class(recording->request, result);
	return STATUS_FAILED;
}

static int open_recorder(struct recording *recording)
{
	const struct request *request = recording->request;
	const struct kermon_recorder_options options = {
		.pid = recording->process,
		.log = recording->log,
		.output = recording->output.fd,
		.raw = recording->raw,
		.events = recording->sets,
		.nr_more = recording->nr_sets - 1,
		.count = request->count,
		.energy = recording->energy,
		.overwrite = request->overwrite,
		.coalesce_ns = request->coalesce ? request_interval(request) : 0,
		.info = &recording->info,
		.argv = request->line,
	};
	int result = kermon_recorder_open(&recording->recorder, &options);

	if (!result)
		return STATUS_OK;
	explain_recorder(request, request->output, result);
	return STATUS_FAILED;
}

static int start_workload(struct recording *recording)
{
	const struct request *request = recording->request;
	int result = workload_start(&recording->workload);

	if (!result)
		return STATUS_OK;
	message(request->command->name, "cannot run '%s': %s", request->argv[0],
		result == -ENOENT ? "command not found" : strerror(-result));
	return result == -ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}

/* Unless the recording has failed, and the command is only accompanied. */
static void take_snapshot(struct recording *recording)
{
	if (recording->recorder)
		kermon_recorder_snapshot(recording->recorder);
}

static void take_signals(struct recording *recording)
{
	struct signalfd_siginfo signal;

	while (read(recording->signals, &signal, sizeof(signal)) ==
	       sizeof(signal)) {
		if (signal.ssi_signo == SIGALRM)
			recording->expired = true;
		else if (signal.ssi_signo == SIGUSR1)
			change_set(recording, (recording->set + 1) %
					      recording->nr_sets);
		else if (signal.ssi_signo == SIGUSR2)
			take_snapshot(recording);
		else if (signal.ssi_signo != SIGCHLD)
			recording->signal = signal.ssi_signo;
	}
}

/* The command has ended, or all of what was there already; or a signal came. */
static bool is_over(struct recording *recording)
{
	take_signals(recording);
	if (recording->signal || recording->expired)
		return true;
	return recording->request->pid ?
	       kermon_recorder_ended(recording->recorder) :
	       workload_ended(&recording->workload);
}

static int record(struct recording *recording)
{
	bool over = false;
	size_t bytes;
	int result;

	while (!over) {
		result = kermon_recorder_round(recording->recorder, &bytes);
		if (result)
			return result;
		result = kermon_recorder_wait(recording->recorder,
					      recording->signals, WAIT_MS);
		if (result < 0 && result != -EINTR)
			return result;
		over = is_over(recording);
	}
	return 0;
}

/*
 * After a signal the command is told as well: who asked the tool to end wants
 * the command to end. A Ctrl-C has got there by itself.
 */
static void end_workload(struct recording *recording)
{
	pid_t pid = recording->workload.pid;

	if (pid && recording->signal)
		kill(pid, recording->signal == SIGINT ? SIGINT : SIGTERM);
}

/* After this the command is not monitored any more, and the PMU is free. */
static void stop_monitoring(struct recording *recording)
{
	kermon_recorder_close(recording->recorder);
	recording->recorder = NULL;
	if (recording->log >= 0)
		close(recording->log);
	recording->log = -1;
}

/* Each signal goes on to the command, which decides what it makes of it. */
static void accompany_workload(struct recording *recording)
{
	struct pollfd signals = { .fd = recording->signals, .events = POLLIN };
	int last = recording->signal;

	end_workload(recording);
	while (!workload_ended(&recording->workload)) {
		poll(&signals, 1, -1);
		recording->signal = 0;
		take_signals(recording);
		end_workload(recording);
		last = recording->signal ? recording->signal : last;
	}
	recording->signal = last;
}

static void say_failure(struct recording *recording, int error)
{
	const struct request *request = recording->request;

	explain_recorder(request,
			 kermon_recorder_raw_failed(recording->recorder) ?
			 request->raw : request->output, error);
	stop_monitoring(recording);
	if (!recording->output.draft)
		message_hint("what was recorded so far is in '%s'",
			     request->output);
}

/* The recording has failed, which is no reason for the command to end. */
static int run_on(struct recording *recording, int error)
{
	say_failure(recording, error);
	if (!workload_ended(&recording->workload))
		message_hint("the command runs on, and is not recorded");
	accompany_workload(recording);
	return STATUS_FAILED;
}

/* Until it is over; then the file is complete. */
static int record_all(struct recording *recording)
{
	int result = output_keep(&recording->output);

	if (!result)
		result = record(recording);
	if (result)
		return result;
	recording->cost = cost_of(recording->pid);
	record_notes(recording);
	return kermon_recorder_finish(recording->recorder);
}

static int run_workload(struct recording *recording)
{
	int result = record_all(recording);

	if (result)
		return run_on(recording, result);
	end_workload(recording);
	record_summary(recording);
	if (!recording->signal)
		workload_wait(&recording->workload);
	return workload_status(&recording->workload);
}

static void start_timer(const struct recording *recording)
{
	const uint64_t us = (recording->request->duration_ns + 999) / 1000;
	const struct itimerval timer = {
		.it_value = { us / 1000000, us % 1000000 },
	};

	setitimer(ITIMER_REAL, &timer, NULL);
}

/* A signal is the way to end this: it is no failure. */
static int watch_target(struct recording *recording)
{
	int result;

	start_timer(recording);
	result = record_all(recording);
	recording->signal = 0;
	if (!result) {
		record_summary(recording);
		return STATUS_OK;
	}
	say_failure(recording, result);
	message_hint("%s runs on, and is not recorded",
		     recording->request->target);
	return STATUS_FAILED;
}

typedef int (*step_fn)(struct recording *recording);

/* Until one fails. */
static int take_steps(struct recording *recording, const step_fn *steps)
{
	int status = STATUS_OK;

	while (*steps && !status)
		status = (*steps++)(recording);
	return status;
}

static int set_up_run(struct recording *recording)
{
	static const step_fn steps[] = {
		open_files, check_machine, open_signals,  fork_workload,
		open_log,   enter_class,   open_recorder, start_workload,
		NULL,
	};

	return take_steps(recording, steps);
}

static int set_up_attach(struct recording *recording)
{
	static const step_fn steps[] = {
		check_machine, find_target, open_files, open_signals,
		open_log,      open_recorder, NULL,
	};

	return take_steps(recording, steps);
}

static void tear_down(struct recording *recording)
{
	stop_monitoring(recording);
	workload_close(&recording->workload);
	if (recording->raw >= 0)
		close(recording->raw);
	output_close(&recording->output);
	if (recording->signals >= 0)
		close(recording->signals);
	sigprocmask(SIG_SETMASK, &recording->mask, NULL);
}

int run_record(const struct request *request,
	       const struct kermon_selection *selection)
{
	struct recording recording = {
		.request = request,
		.selection = selection,
		.output.fd = -1,
		.raw = -1,
		.signals = -1,
		.workload = { .go = -1, .failed = -1 },
		.log = -1,
	};
	int status;

	sigprocmask(SIG_SETMASK, NULL, &recording.mask);
	status = request->pid ? set_up_attach(&recording) :
				set_up_run(&recording);
	if (!status)
		status = request->pid ? watch_target(&recording) :
					run_workload(&recording);
	tear_down(&recording);
	/* So that the shell knows why. */
	if (recording.signal) {
		signal(recording.signal, SIG_DFL);
		raise(recording.signal);
	}
	return status;
}
