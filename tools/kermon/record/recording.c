// SPDX-License-Identifier: GPL-2.0
/*
 * Sets a recording up and tears it down. Each step opens what the next one needs; one
 * function closes all that has been opened.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <kermon/recorder.h>
#include <kermon/session.h>

#include "counting.h"
#include "machine/machine.h"
#include "machine/proc.h"
#include "recording.h"
#include "request.h"
#include "ui/message.h"
#include "util/monotonic.h"

static void check_energy(struct recording *recording)
{
	const struct request *request = recording->request;

	recording->energy = recording->machine.info.nr_domains &&
			    recording->machine.may_count;
	if (recording->energy)
		return;
	recording->power.total.error = recording->machine.info.nr_domains ? -EACCES :
								    -ENODEV;
	if (recording->machine.info.nr_domains && !request->quiet)
		message(request->command->name, "not recording energy, which "
			"requires CAP_PERFMON");
}

static int check_machine(struct recording *recording)
{
	if (record_split_events(recording))
		return STATUS_USAGE;
	/* The file has no events of counters that are not read. */
	if (recording->plan->timed)
		recording->machine.info.fixed = 0;
	check_energy(recording);
	return STATUS_OK;
}

static int open_raw(struct recording *recording)
{
	const struct request *request = recording->request;

	int result = rawlog_open(&recording->raw, &recording->output,
				 request->raw);

	if (!result)
		return STATUS_OK;
	if (result == -EEXIST) {
		message(request->command->name, "--raw-log %s: this is the file "
			"of the recording or of the previous one", request->raw);
		return STATUS_USAGE;
	}
	explain_output(request, request->raw, result);
	return STATUS_FAILED;
}

static int open_files(struct recording *recording)
{
	const struct request *request = recording->request;
	int result;

	result = request->output ?
		 output_open(&recording->output, request->output) :
		 output_open_scratch(&recording->output);
	if (result) {
		explain_output(request, request->output, result);
		return STATUS_FAILED;
	}
	if (request->ended && !output_lasts(&recording->output)) {
		message(request->command->name, "--report reads the recording, "
			"which is not kept in %s",
			output_name(&recording->output));
		message_hint("'kermon stat' needs no file");
		return STATUS_USAGE;
	}
	return request->raw ? open_raw(recording) : STATUS_OK;
}

static int open_signals(struct recording *recording)
{
	const struct request *request = recording->request;
	sigset_t wanted;
	int result;

	sigemptyset(&wanted);
	if (request->by_signal)
		sigaddset(&wanted, SIGUSR1);
	if (request->overwrite)
		sigaddset(&wanted, SIGUSR2);
	result = signals_open(&recording->signals, &wanted, request->argv);
	if (!result)
		return STATUS_OK;
	message(request->command->name, "cannot wait for signals: %s",
		strerror(-result));
	return STATUS_FAILED;
}

/* Without a reader of messages, this would kill the tool before signals are open. */
static int say_source(struct recording *recording)
{
	plan_say(recording->plan, recording->request);
	return STATUS_OK;
}

static int open_marks(struct recording *recording)
{
	const struct request *request = recording->request;
	int result;

	if (!request->argv || recording->timer)
		return STATUS_OK;
	result = marking_open(&request->regions, request->command->name,
			      record_has_counts(recording), request->quiet, &recording->marks);
	if (!result)
		return STATUS_OK;
	message(request->command->name, "cannot receive marks of regions: %s%s", strerror(-result),
		result == -E2BIG ? " (the patterns are too long)" : "");
	if (result != -E2BIG)
		message_hint("use --regions off");
	return STATUS_FAILED;
}

static int fork_workload(struct recording *recording)
{
	const struct request *request = recording->request;
	int result;

	marking_enter(recording->marks);
	result = workload_fork(&recording->workload, request->argv, &recording->signals,
			       recording->output.stream ? STDERR_FILENO : STDOUT_FILENO);
	marking_leave(recording->marks);
	if (!result) {
		if (!recording->timer) {
			recording->pid = recording->workload.pid;
			recording->process = recording->pid;
		}
		return STATUS_OK;
	}
	message(request->command->name, "cannot create a process: %s",
		strerror(-result));
	if (result == -EMFILE)
		message_hint("raise the limit: ulimit -n");
	return STATUS_FAILED;
}

static int find_target(struct recording *recording)
{
	const struct request *request = recording->request;

	recording->pid = request->pid;
	recording->process = proc_process(request->pid);
	if (recording->process)
		return STATUS_OK;
	explain_session(request, -ESRCH);
	return STATUS_FAILED;
}

static struct counted counted_of(const struct recording *recording)
{
	return (struct counted){
		.request = recording->request,
		.count = plan_count(recording->plan, recording->request),
		.sets = recording->sets,
		.nr_sets = recording->nr_sets,
		.energy = recording->energy,
		.pid = recording->pid,
	};
}

void record_change_set(struct recording *recording, unsigned int set)
{
	const struct counted counted = counted_of(recording);
	int result = counting_change(&counted, set);

	if (result)
		message(recording->request->command->name,
			"cannot switch to the next set: %s", result == -ENOENT ?
			"the thread of -t or -p has ended" : strerror(-result));
	else
		recording->set = set;
}

/* Policies of classes above SCHED_KERMON. */
static bool is_realtime(pid_t pid)
{
	const int policy = sched_getscheduler(pid) & ~SCHED_RESET_ON_FORK;

	return policy == SCHED_FIFO || policy == SCHED_RR ||
	       policy == SCHED_DEADLINE;
}

/* Without --sched kermon, the class must not make the command slower. */
static int choose_class(struct recording *recording)
{
	const struct request *request = recording->request;

	if (recording->inherit || request->insist ||
	    !is_realtime(recording->pid))
		return STATUS_OK;
	recording->inherit = true;
	if (!request->quiet)
		message(request->command->name, "not in SCHED_KERMON, which is "
			"below real-time: recording as with --sched inherit "
			"(to enter it, use --sched kermon)");
	return STATUS_OK;
}

/* With CAP_SYS_NICE, only a security module can have denied it. */
static void say_outside(const struct recording *recording)
{
	const char *name = recording->request->command->name;
	char grant[MACHINE_GRANT];

	if (recording->machine.may_schedule) {
		message(name, "a security module does not permit SCHED_KERMON: "
			"recording as with --sched inherit");
		return;
	}
	machine_grant(grant);
	message(name, "not in SCHED_KERMON, which requires CAP_SYS_NICE: "
		"recording as with --sched inherit (%s)", grant);
}

/* Without --sched kermon, continue outside of the class if it cannot be entered. */
static int stay_outside(struct recording *recording)
{
	const struct request *request = recording->request;

	if (request->insist) {
		explain_class(request);
		return STATUS_FAILED;
	}
	recording->inherit = true;
	if (!request->quiet)
		say_outside(recording);
	return STATUS_OK;
}

static int open_log(struct recording *recording)
{
	const struct counted counted = counted_of(recording);
	bool lend = !recording->inherit;

	recording->opened_ns = monotonic_ns();
	recording->log = counting_open(&counted, &lend);
	if (recording->log < 0)
		return STATUS_FAILED;
	if (recording->request->by_signal)
		record_change_set(recording, 0);
	return lend || recording->inherit ? STATUS_OK : stay_outside(recording);
}

/* What perf_event samples, and of which tasks; @recording says more of the process. */
static void fill_watch(const struct recording *recording, struct kermon_watch *watch)
{
	const struct targets *targets = &recording->request->targets;

	*watch = (struct kermon_watch){
		.size = sizeof(*watch),
		.events = recording->plan->samplings,
		.nr_events = recording->plan->nr_samplings,
		.tids = targets->threads.ids,
		.nr_tids = targets->threads.nr,
		.all = targets->all,
		.cpus = targets->cpus,
		.nr_cpus = targets->nr_cpus,
		.alone = recording->plan->alone,
	};
	if (!recording->plan->alone)
		return;
	watch->pids = targets->processes.ids;
	watch->nr_pids = targets->processes.nr;
	watch->ring_bytes = recording->request->log_bytes;
}

/* As many files as the user may open: an event needs one per CPU and thread. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int open_recorder(struct recording *recording)
{
	const struct request *request = recording->request;
	struct kermon_watch watch;
	const struct kermon_recorder_options options = {
		.size = sizeof(options),
		.pid = recording->process,
		.from_exec = recording->workload.pid && !recording->timer,
		.log = recording->log,
		.output = recording->output.fd,
		.raw = recording->raw.fd,
		.events = recording->sets,
		.nr_more = recording->nr_sets ? recording->nr_sets - 1 : 0,
		.count = plan_count(recording->plan, request),
		.energy = recording->energy,
		.overwrite = request->overwrite,
		.coalesce_ns = request->coalesce ? request_interval(request) : 0,
		.info = &recording->machine.info,
		.argv = request->line,
		.compression = request->compression,
		.pipe = recording->output.stream,
		.watch = recording->plan->nr_samplings || recording->plan->alone ? &watch : NULL,
		.marks = recording->marks,
	};
	int result;

	fill_watch(recording, &watch);
	if (recording->plan->nr_samplings)
		raise_limit();
	if (!recording->opened_ns)
		recording->opened_ns = monotonic_ns();
	result = kermon_recorder_open(&recording->recorder, &options);
	if (!result) {
		record_notes(recording);
		result = kermon_recorder_start(recording->recorder);
	}
	if (!result)
		return STATUS_OK;
	explain_recorder(request, recording->plan, request->output, result);
	return STATUS_FAILED;
}

/* Rename the file before the command runs: if that fails, nothing has been run. */
static int place_output(struct recording *recording)
{
	int result = output_place(&recording->output);

	if (!result)
		return STATUS_OK;
	explain_output(recording->request, recording->output.obstacle, result);
	return STATUS_FAILED;
}

static int start_workload(struct recording *recording)
{
	const struct request *request = recording->request;
	int result = workload_start(&recording->workload);

	while (!result) {
		result = workload_await(&recording->workload,
					recording->signals.fd);
		/* Before its exec, SIGTSTP may stop the process, and so the tool. */
		if (!result)
			record_take_signals(recording);
	}
	if (result > 0)
		return STATUS_OK;
	explain_exec(request, result);
	message_hint(request->output ? "nothing was recorded" :
		     "nothing was counted");
	return result == -ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}

typedef int (*step_fn)(struct recording *recording);

/* Take @steps until one fails, and return its exit status. */
static int take_steps(struct recording *recording, const step_fn *steps)
{
	int status = STATUS_OK;

	while (*steps && !status)
		status = (*steps++)(recording);
	return status;
}

static int open_counters(struct recording *recording)
{
	const struct request *request = recording->request;
	int result = counters_open(&recording->counters, recording->selection,
				   request->count, recording->pid);
	if (result) {
		explain_counters(request, result);
		return STATUS_FAILED;
	}
	energy_open(&recording->power);
	energy_watch(&recording->power, monotonic_ns());
	return STATUS_OK;
}

/* Without KerMon. */
static int set_up_counts(struct recording *recording)
{
	static const step_fn steps[] = {
		open_signals, say_source,
		fork_workload, open_counters, start_workload,
		NULL,
	};

	return take_steps(recording, steps);
}

/* perf_event counts the command as well, for the table at the end. */
static int open_table(struct recording *recording)
{
	return recording->request->report ? open_counters(recording) : STATUS_OK;
}

/* The command, by KerMon. */
static int set_up_run(struct recording *recording)
{
	static const step_fn steps[] = {
		open_signals, say_source,
		open_files,   check_machine, open_marks, fork_workload,
		choose_class, open_log, open_recorder, place_output,
		start_workload, NULL,
	};

	return take_steps(recording, steps);
}

/* A process or thread that is there already, by KerMon. */
static int set_up_attach(struct recording *recording)
{
	static const step_fn steps[] = {
		open_signals, say_source,
		check_machine, find_target,  open_files,
		open_log,     open_recorder, place_output, NULL,
	};
	static const step_fn with_timer[] = {
		open_signals, say_source,
		check_machine, find_target,   open_files,
		fork_workload, open_log,      open_recorder, place_output,
		start_workload, NULL,
	};

	return take_steps(recording, recording->timer ? with_timer : steps);
}

/* By perf_event. */
static int set_up_sampled(struct recording *recording)
{
	static const step_fn run[] = {
		open_signals, say_source,
		open_files,   open_marks, fork_workload,  open_table,
		open_recorder, place_output, start_workload, NULL,
	};
	static const step_fn attach[] = {
		open_signals, say_source,
		open_files, open_recorder, place_output, NULL,
	};

	return take_steps(recording, recording->request->argv ? run : attach);
}

static void tear_down(struct recording *recording)
{
	kermon_recorder_close(recording->recorder);
	kermon_marks_close(recording->marks);
	if (recording->log >= 0)
		close(recording->log);
	workload_close(&recording->workload);
	counters_close(&recording->counters);
	energy_close(&recording->power);
	rawlog_close(&recording->raw);
	output_close(&recording->output);
	signals_close(&recording->signals);
}

/*
 * If a signal from outside killed the command, the tool dies of it, too: a shell ends its
 * loop only if it sees that SIGINT killed the tool. Returns that signal, or 0.
 */
static int fatal_signal(const struct recording *recording, int status)
{
	const int number = workload_signal(&recording->workload);

	/* The tool itself has failed: keep that status. */
	if (status != workload_status(&recording->workload))
		return 0;
	if ((number != SIGINT && number != SIGTERM && number != SIGHUP) ||
	    !sigismember(&recording->received, number))
		return 0;
	return number;
}

static int interrupting_signal(const struct recording *recording)
{
	static const int signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigismember(&recording->received, signals[i]))
			return signals[i];
	return 0;
}

/* The command or, if more was recorded, the recording. */
static uint64_t elapsed_ns(const struct recording *recording)
{
	const struct request *request = recording->request;

	if (!request->argv || recording->timer)
		return recording->ended_ns - recording->opened_ns;
	return (request->wait_all ? recording->ended_ns :
		recording->workload.ended_ns) - recording->workload.started_ns;
}

/* Returns the exit status: @status, unless that fails. */
static int hand_over(const struct recording *recording, int number,
		     int status)
{
	const struct request *request = recording->request;
	const struct workload *workload = &recording->workload;
	const struct outcome outcome = {
		.file = recording->plan->alone ? -1 : recording->output.fd,
		.counts = recording->counters.counts,
		.nr_counts = recording->counters.nr,
		.energy = &recording->power.total,
		.elapsed_ns = elapsed_ns(recording),
		.waited = request->argv && !recording->timer,
		.usage = workload->usage,
		.revoked = recording->revoked,
		.interrupted = interrupting_signal(recording),
		.signal = number,
	};
	const int err = request->ended(&outcome, request->data);

	if (!err)
		return status;
	if (err == -EBADMSG)
		message(request->command->name, "another program has damaged the "
			"recording: 'kermon check' shows where");
	else
		message(request->command->name, "cannot read the recording: %s",
			strerror(-err));
	return STATUS_FAILED;
}

static int set_up(struct recording *recording)
{
	const struct plan *plan = recording->plan;

	if (plan->counts)
		return set_up_counts(recording);
	if (plan->alone)
		return set_up_sampled(recording);
	return recording->request->pid ? set_up_attach(recording) :
					 set_up_run(recording);
}

static int record(struct recording *recording)
{
	const int status = set_up(recording);

	if (status)
		return status;
	if (recording->plan->counts)
		return record_counts(recording);
	return recording->request->argv ? record_workload(recording) :
					  record_target(recording);
}

/* On KerMon, a command is recorded even if all tasks are sampled. */
static bool is_timer(const struct request *request, const struct plan *plan)
{
	const struct targets *targets = &request->targets;

	return request->argv && (targets->processes.nr || targets->threads.nr ||
				 (targets->all && plan->alone));
}

int run_record(const struct request *request, const struct plan *plan)
{
	struct recording recording = {
		.request = request,
		.plan = plan,
		.selection = &plan->selection,
		.machine = plan->machine,
		.inherit = request->inherit || plan->alone,
		.timer = is_timer(request, plan),
		.output.fd = -1,
		.raw.fd = -1,
		.workload = { .go = -1, .failed = -1 },
		.log = -1,
	};
	int status, number;

	sigemptyset(&recording.received);
	status = record(&recording);
	number = fatal_signal(&recording, status);
	if (request->ended && recording.complete)
		status = hand_over(&recording, number, status);
	tear_down(&recording);
	if (number && !request->outlive) {
		signal(number, SIG_DFL);
		raise(number);
	}
	return status;
}
