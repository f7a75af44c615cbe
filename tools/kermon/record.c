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
#include <unistd.h>

#include <kermon/recorder.h>
#include <kermon/session.h>

#include "hypervisor.h"
#include "machine.h"
#include "message.h"
#include "output.h"
#include "run.h"
#include "workload.h"

#define WAIT_MS		1000

/**
 * struct recording - what is open
 * @request: what was asked for
 * @selection: the events
 * @info: what the machine offers
 * @energy: whether energy is recorded
 * @output: file for perf.data
 * @raw: file for the log, or -1
 * @signals: signalfd of all that ends the recording
 * @mask: signals that were blocked before
 * @workload: the command
 * @log: log descriptor, or -1
 * @recorder: the recording
 * @signal: that ended it, 0 if the command did
 */
struct recording {
	const struct request *request;
	const struct kermon_selection *selection;
	struct kermon_info info;
	bool energy;
	struct output output;
	int raw;
	int signals;
	sigset_t mask;
	struct workload workload;
	int log;
	struct kermon_recorder *recorder;
	int signal;
};

static int check_machine(struct recording *recording)
{
	const struct request *request = recording->request;
	struct machine machine;

	machine_look(&machine);
	if (!machine.patched || !machine.has_info) {
		explain_session(request, machine.patched ? -ENODEV : -ENOSYS,
				recording->selection, 0);
		return STATUS_FAILED;
	}
	recording->info = machine.info;
	if (recording->selection->nr > machine.info.counters) {
		message(request->command->name,
			"%u events, but a CPU of this machine has %u "
			"programmable counters", recording->selection->nr,
			machine.info.counters);
		message_hint("record twice, with a part of the events each");
		return STATUS_USAGE;
	}
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
		signal(SIGXFSZ, SIG_IGN);
		return STATUS_OK;
	}
	message(request->command->name, "cannot make a process: %s",
		strerror(-result));
	return STATUS_FAILED;
}

static unsigned int absent_events(const struct kermon_selection *selection)
{
	unsigned int i, absent = 0;

	for (i = 0; i < selection->nr; i++)
		if (selection->events[i].absent)
			absent |= 1U << i;
	return absent;
}

static int open_log(struct recording *recording)
{
	const struct request *request = recording->request;
	const struct kermon_selection *selection = recording->selection;
	struct kermon_event events[KERMON_MAX_EVENTS];
	const struct kermon_event_set set = {
		.flags = recording->energy ? KERMON_SET_ENERGY : 0,
		.count = request->count,
		.nr_events = selection->nr,
		.events = (uintptr_t)events,
		.interval_ns = request->interval_ns,
		.log_bytes = request->log_bytes,
	};
	unsigned int i, refused = absent_events(selection);
	pid_t pid = recording->workload.pid;
	int result = -EINVAL;

	for (i = 0; i < selection->nr; i++)
		events[i] = selection->events[i].event;
	if (!refused)
		result = kermon_session_open(pid, &set, 0);
	if (result >= 0) {
		recording->log = result;
		return STATUS_OK;
	}
	if (result == -EINVAL || result == -EOPNOTSUPP)
		refused |= kermon_session_refused(pid, &set);
	explain_session(request, result, selection, refused);
	return STATUS_FAILED;
}

static int enter_class(struct recording *recording)
{
	int result;

	if (recording->request->inherit)
		return STATUS_OK;
	result = kermon_session_schedule(recording->workload.pid);
	if (!result)
		return STATUS_OK;
	explain_class(recording->request, result);
	return STATUS_FAILED;
}

static int open_recorder(struct recording *recording)
{
	const struct request *request = recording->request;
	const struct kermon_recorder_options options = {
		.pid = recording->workload.pid,
		.log = recording->log,
		.output = recording->output.fd,
		.raw = recording->raw,
		.events = recording->selection,
		.count = request->count,
		.energy = recording->energy,
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

/* Whether the recording is over: the command has ended, or a signal came. */
static bool take_signals(struct recording *recording)
{
	struct signalfd_siginfo signal;

	while (read(recording->signals, &signal, sizeof(signal)) ==
	       sizeof(signal))
		if (signal.ssi_signo != SIGCHLD)
			recording->signal = signal.ssi_signo;
	return recording->signal || workload_ended(&recording->workload);
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
		over = take_signals(recording);
	}
	return 0;
}

/* For whoever reads the file; the keys are in Documentation/perf-data.rst. */
static void add_notes(const struct recording *recording)
{
	struct kermon_writer *writer =
		kermon_recorder_writer(recording->recorder);
	const struct request *request = recording->request;
	const struct kermon_info *info = &recording->info;
	struct kermon_writer_totals totals;
	char key[64], hypervisor[HYPERVISOR_SIZE];
	unsigned int i;

	kermon_writer_totals(writer, &totals);
	hypervisor_name(hypervisor);
	kermon_writer_note(writer, "version", "1");
	if (*hypervisor)
		kermon_writer_note(writer, "hypervisor", "%s", hypervisor);
	kermon_writer_note(writer, "events", "%s", request->events);
	kermon_writer_note(writer, "class", "%s",
			   request->inherit ? "inherit" : "kermon");
	kermon_writer_note(writer, "interval_ns", "%llu",
			   request->interval_ns ?
			   (unsigned long long)request->interval_ns :
			   KERMON_INTERVAL_DEFAULT_NS);
	kermon_writer_note(writer, "log_bytes", "%u", request->log_bytes ?
			   request->log_bytes : KERMON_LOG_DEFAULT_BYTES);
	kermon_writer_note(writer, "samples", "%llu",
			   (unsigned long long)totals.samples);
	kermon_writer_note(writer, "lost", "%llu",
			   (unsigned long long)totals.lost);
	kermon_writer_note(writer, "pmu", "%s", info->pmu_name);
	kermon_writer_note(writer, "counters", "%u", info->counters);
	kermon_writer_note(writer, "counter_width", "%u", info->counter_width);
	kermon_writer_note(writer, "tsc_khz", "%u", info->tsc_khz);
	for (i = 0; i < info->nr_domains && recording->energy; i++) {
		snprintf(key, sizeof(key), "unit.%s", info->domains[i].name);
		kermon_writer_note(writer, key, "%u", info->domains[i].unit);
	}
}

static void print_summary(const struct recording *recording)
{
	const struct request *request = recording->request;
	const char *name = request->command->name;
	struct kermon_writer_totals totals;

	kermon_writer_totals(kermon_recorder_writer(recording->recorder),
			     &totals);
	if (totals.lost) {
		message(name, "%llu samples were lost",
			(unsigned long long)totals.lost);
		message_hint("give the log more room: -m SIZE");
	}
	if (totals.sideband_lost)
		message(name, "%llu names and mappings were lost",
			(unsigned long long)totals.sideband_lost);
	if (!request->quiet)
		message(name, "%llu samples, %.1f MB in %s",
			(unsigned long long)totals.samples,
			totals.bytes / 1e6, request->output);
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

/* The recording has failed, which is no reason for the command to end. */
static int run_on(struct recording *recording, int error)
{
	const struct request *request = recording->request;

	explain_recorder(request,
			 kermon_recorder_raw_failed(recording->recorder) ?
			 request->raw : request->output, error);
	stop_monitoring(recording);
	if (!recording->output.draft)
		message_hint("what was recorded so far is in '%s'",
			     request->output);
	if (!workload_ended(&recording->workload))
		message_hint("the command runs on, and is not recorded");
	accompany_workload(recording);
	return STATUS_FAILED;
}

static int run_workload(struct recording *recording)
{
	int result = output_keep(&recording->output);

	if (!result)
		result = record(recording);
	if (!result) {
		add_notes(recording);
		result = kermon_recorder_finish(recording->recorder);
	}
	if (result)
		return run_on(recording, result);
	end_workload(recording);
	print_summary(recording);
	if (!recording->signal)
		workload_wait(&recording->workload);
	return workload_status(&recording->workload);
}

static int set_up(struct recording *recording)
{
	static int (*const steps[])(struct recording *recording) = {
		open_files, check_machine, open_signals,  fork_workload,
		open_log,   enter_class,   open_recorder, start_workload,
	};
	size_t i;
	int status = STATUS_OK;

	for (i = 0; i < sizeof(steps) / sizeof(steps[0]) && !status; i++)
		status = steps[i](recording);
	return status;
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
	status = set_up(&recording);
	if (!status)
		status = run_workload(&recording);
	tear_down(&recording);
	/* So that the shell knows why. */
	if (recording.signal) {
		signal(recording.signal, SIG_DFL);
		raise(recording.signal);
	}
	return status;
}
