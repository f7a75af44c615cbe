// SPDX-License-Identifier: GPL-2.0
/* The run of kermon spy: from the start of the spies to the last sample. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control.h"
#include "folder.h"
#include "live.h"
#include "ui/message.h"
#include "util/cpulist.h"
#include "util/monotonic.h"
#include "workload/signals.h"
#include "workload/workload.h"

#define NS_PER_MS	1000000ULL

/* How often the tool wakes up to read the channels; they hold a second's samples. */
#define DRAIN_NS	(250 * NS_PER_MS)

/* The same while a table is drawn every second. */
#define LIVE_NS		(500 * NS_PER_MS)

/**
 * struct course - a run
 * @watch: the command line
 * @signals: of the tool
 * @workload: the command, if there is one
 * @control: requests of --set
 * @folder: files of --watch
 * @ends_ns: when to end; UINT64_MAX: not by time
 * @interrupted: signal that ended the run or was passed on to the command, or 0
 * @over: the run ends
 */
struct course {
	struct watch *watch;
	struct signals signals;
	struct workload workload;
	struct control control;
	struct folder folder;
	uint64_t ends_ns;
	int interrupted;
	bool over;
};

const struct watch_format *watch_format(const struct watch *watch)
{
	static const struct watch_format *const formats[] = {
		&watch_format_table, &watch_format_csv, &watch_format_json,
		&watch_format_perfdata,
	};

	return watch->format < sizeof(formats) / sizeof(formats[0]) ?
	       formats[watch->format] : NULL;
}

static int take_sample(const struct kermon_spy_sample *sample, void *data)
{
	struct watch *watch = data;
	const struct sums_cpu *cpu = sums_find_cpu(&watch->sums, sample->cpu);

	/* Between the last one that was asked for and the end, there may be others. */
	if (watch->samples && cpu->samples >= watch->samples)
		return 0;
	if (sums_add(&watch->sums, sample))
		return -ENOMEM;
	if (watch_format(watch)->sample && !watch->error)
		watch_format(watch)->sample(watch, sample);
	return 0;
}

/* Where the last whole line of a file ends. */
static off_t end_of_line(int fd, off_t size)
{
	char bytes[PIPE_BUF];
	ssize_t read;

	while (size) {
		off_t begin = size > PIPE_BUF ? size - PIPE_BUF : 0;

		read = pread(fd, bytes, size - begin, begin);
		while (read > 0)
			if (bytes[--read] == '\n')
				return begin + read + 1;
		size = begin;
	}
	return 0;
}

/* On a full disk, programs that read the file should not find a part of a line. */
static void cut_line(struct watch *watch)
{
	const int fd = watch->output.fd;
	struct stat status;

	__fpurge(watch->out);
	if (fd >= 0 && !fstat(fd, &status) && S_ISREG(status.st_mode) &&
	    ftruncate(fd, end_of_line(fd, status.st_size)))
		message(watch->command->name, "the last line of '%s' is incomplete",
			watch->path);
}

static void flush(struct watch *watch)
{
	if (watch->error || (!fflush(watch->out) && !ferror(watch->out)))
		return;
	watch->error = errno ? -errno : -EIO;
	cut_line(watch);
}

void watch_drain(struct watch *watch)
{
	int err;

	if (watch_format(watch)->batch && !watch->error)
		watch_format(watch)->batch(watch);
	err = kermon_spy_drain(watch->spy, take_sample, watch);
	if (err && !watch->error)
		watch->error = err;
	sums_note_cost(&watch->sums, watch->spy);
	flush(watch);
}

/* Whether each CPU that is still watched has as many samples as were asked for. */
static bool is_complete(const struct watch *watch)
{
	struct kermon_spy_cpu info;

	for (unsigned int i = 0; kermon_spy_cpu(watch->spy, i, &info); i++)
		if (!info.error && watch->sums.cpus[i].samples < watch->samples)
			return false;
	return true;
}

static bool is_anything_watched(const struct watch *watch)
{
	struct kermon_spy_cpu info;

	for (unsigned int i = 0; kermon_spy_cpu(watch->spy, i, &info); i++)
		if (!info.error)
			return true;
	return false;
}

/* A signal for the tool alone is meant for the command; one of the terminal is for both. */
static void pass_on(struct course *course, const struct signalfd_siginfo *signal)
{
	const bool again = course->interrupted;

	course->interrupted = signal->ssi_signo;
	if (again)
		course->over = true;
	else if (!signals_is_for_group(signal))
		signals_forward(signal, course->workload.pid);
}

static void take_signal(struct course *course, const struct signalfd_siginfo *signal)
{
	switch (signal->ssi_signo) {
	case SIGCHLD:
		break;
	case SIGUSR1:
		live_leave(course->watch->live);
		watch_next_sets(course->watch);
		live_return(course->watch->live, "");
		break;
	case SIGWINCH:
	case SIGTSTP:
	case SIGCONT:
		live_signal(course->watch->live, signal->ssi_signo);
		break;
	case SIGUSR2:
	case SIGIO:
		break;
	default:
		if (course->workload.pid) {
			pass_on(course, signal);
			break;
		}
		course->interrupted = signal->ssi_signo;
		course->over = true;
	}
}

static void take_signals(struct course *course)
{
	struct signalfd_siginfo signal;

	while (signals_next(&course->signals, &signal))
		take_signal(course, &signal);
	if (course->workload.pid && workload_ended(&course->workload))
		course->over = true;
}

/* Milliseconds until the channels have to be read, or the run ends. */
static int wait_ms(const struct course *course)
{
	const uint64_t now = monotonic_ns();
	uint64_t wait = course->watch->interval_ns;

	if (wait < DRAIN_NS)
		wait = DRAIN_NS;
	if (course->watch->live && wait > LIVE_NS)
		wait = LIVE_NS;
	if (course->ends_ns < now + wait)
		wait = course->ends_ns > now ? course->ends_ns - now : 0;
	return (wait + NS_PER_MS - 1) / NS_PER_MS;
}

/* Sleep until something arrives or is due. */
static void wait(struct course *course)
{
	struct control *control = &course->control;
	struct pollfd fds[] = {
		{ .fd = course->signals.fd, .events = POLLIN },
		{ .fd = course->folder.fd, .events = POLLIN },
		{ .fd = control->client < 0 ? control->fd : control->client,
		  .events = POLLIN },
		{ .fd = course->watch->live ? STDIN_FILENO : -1, .events = POLLIN },
	};

	if (poll(fds, sizeof(fds) / sizeof(fds[0]), wait_ms(course)) <= 0)
		return;
	if (fds[0].revents)
		take_signals(course);
	if (fds[1].revents) {
		live_leave(course->watch->live);
		folder_take(&course->folder, course->watch);
		live_return(course->watch->live, "");
	}
	if (fds[2].revents)
		control_take(control, course->watch);
	if (fds[3].revents && !live_keys(course->watch->live))
		course->over = true;
}

/* What was counted until then comes first. */
static void take_move(unsigned int cpu, bool online, const struct kermon_spy_trouble *trouble,
		      void *data)
{
	struct watch *watch = data;
	char text[64];

	if (!online)
		watch_drain(watch);
	if (watch_format(watch)->move && !watch->error)
		watch_format(watch)->move(watch, cpu, online && !trouble);
	snprintf(text, sizeof(text), "CPU %u %s", cpu, !online ? "went offline" :
		 trouble ? "came online, but cannot be watched" : "came online");
	live_leave(watch->live);
	trouble_say_move(watch, cpu, online, trouble);
	live_return(watch->live, text);
}

static void run(struct course *course)
{
	struct watch *watch = course->watch;

	while (!course->over && !watch->error) {
		wait(course);
		watch_drain(watch);
		kermon_spy_follow(watch->spy, take_move, watch);
		if (watch_format(watch)->tick && !watch->error)
			watch_format(watch)->tick(watch);
		if (watch->live && !watch->error)
			watch->error = live_tick(watch->live);
		if (watch->samples && is_complete(watch))
			course->over = true;
		if (watch->duration_ns && monotonic_ns() >= course->ends_ns)
			course->over = true;
		if (!is_anything_watched(watch))
			course->over = true;
	}
}

/* When the number of samples or the duration will have been reached. */
static void set_end(struct course *course)
{
	const struct watch *watch = course->watch;
	const uint64_t now = monotonic_ns();

	course->ends_ns = UINT64_MAX;
	if (watch->duration_ns)
		course->ends_ns = now + watch->duration_ns;
	/* A little later, for the spies to have passed on their last samples. */
	if (watch->samples && watch->interval_ns * watch->samples + NS_PER_MS <
	    course->ends_ns - now)
		course->ends_ns = now + watch->interval_ns * watch->samples + NS_PER_MS;
}

static void say_exec(const struct watch *watch, int error)
{
	message(watch->command->name, "cannot run '%s': %s", watch->argv[0],
		error == -ENOENT && !strchr(watch->argv[0], '/') ? "command not found" :
		strerror(-error));
}

/* Let the command begin. Returns 0 or the exit status. */
static int start_command(struct course *course)
{
	int err;

	if (!*course->watch->argv)
		return STATUS_OK;
	err = workload_start(&course->workload);
	while (!err) {
		err = workload_await(&course->workload, course->signals.fd);
		if (!err && course->over)
			return STATUS_OK;
		if (!err)
			take_signals(course);
	}
	if (err > 0)
		return STATUS_OK;
	say_exec(course->watch, err);
	return err == -ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}

/* The tool runs where the spies disturb it, and it them, the least. */
static int pin(const struct watch *watch)
{
	int cpu = watch->monitor_cpu, err = 0;
	unsigned int *online;
	cpu_set_t *set;
	int nr;

	if (cpu < 0) {
		nr = cpulist_online(&online);
		if (nr < 0)
			return nr;
		cpu = online[nr - 1];
		free(online);
	}
	set = CPU_ALLOC(cpu + 1);
	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(CPU_ALLOC_SIZE(cpu + 1), set);
	CPU_SET_S(cpu, CPU_ALLOC_SIZE(cpu + 1), set);
	if (sched_setaffinity(0, CPU_ALLOC_SIZE(cpu + 1), set))
		err = -errno;
	CPU_FREE(set);
	return err;
}

/* Whether the last CPU is one of a cpuset does not matter if nobody asked for it. */
static int pin_monitor(const struct watch *watch)
{
	int err = pin(watch);

	if (!err || watch->monitor_cpu < 0)
		return STATUS_OK;
	message(watch->command->name, "cannot run on CPU %d: %s", watch->monitor_cpu,
		err == -EINVAL ? "it is offline, or not permitted to this process" :
		strerror(-err));
	return STATUS_FAILED;
}

static void say_write(const struct watch *watch)
{
	/* main() reports errors of standard output, by errno. */
	if (watch->out == stdout && ferror(stdout))
		return;
	message(watch->command->name, "cannot write %s%s%s: %s",
		watch->path ? "'" : "", watch->path ? watch->path : "the counts",
		watch->path ? "'" : "", output_reason(watch->error));
	if (watch_format(watch)->is_recording && watch->output.kept)
		message_hint("it has the recording up to here: its counts are lower bounds");
}

/* The last intervals end here, whatever the reason is. */
static int finish(struct course *course)
{
	struct watch *watch = course->watch;
	const struct watch_format *format = watch_format(watch);

	kermon_spy_stop(watch->spy);
	watch_drain(watch);
	if (!watch->error && format->end)
		format->end(watch);
	flush(watch);
	if (!watch->quiet && !watch->error && format != &watch_format_table)
		watch_print_totals(watch, stderr);
	trouble_say_losses(watch);
	if (!watch->error)
		return STATUS_OK;
	say_write(watch);
	return STATUS_FAILED;
}

static int watch_all(struct course *course)
{
	struct watch *watch = course->watch;
	struct kermon_spy_trouble trouble;
	int status, finished;

	if (watch_format(watch)->begin)
		watch_format(watch)->begin(watch);
	if (!watch->error && kermon_spy_start(watch->spy, &trouble))
		return trouble_say(watch, &trouble);
	set_end(course);
	status = folder_open(&course->folder, watch);
	if (!status && !watch->error)
		status = start_command(course);
	if (!status) {
		watch->live = live_open(watch);
		run(course);
		live_close(watch->live);
		watch->live = NULL;
	}
	folder_close(&course->folder, watch);
	finished = status ? STATUS_OK : finish(course);
	if (*watch->argv && !status && !course->workload.pid)
		status = workload_status(&course->workload);
	return finished ? finished : status;
}

static int open_signals(struct course *course)
{
	const bool live = live_is_wanted(course->watch);
	sigset_t wanted;
	int err;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGUSR1);
	if (live) {
		sigaddset(&wanted, SIGWINCH);
		sigaddset(&wanted, SIGCONT);
	}
	err = signals_open(&course->signals, &wanted, live);
	if (!err)
		return STATUS_OK;
	message(course->watch->command->name, "cannot receive signals: %s", strerror(-err));
	return STATUS_FAILED;
}

static int fork_command(struct course *course)
{
	int err;

	if (!*course->watch->argv)
		return STATUS_OK;
	err = workload_fork(&course->workload, course->watch->argv, &course->signals,
			    course->watch->output.stream ? STDERR_FILENO :
			    STDOUT_FILENO);
	if (!err)
		return STATUS_OK;
	message(course->watch->command->name, "cannot create a process: %s",
		strerror(-err));
	return STATUS_FAILED;
}

/* Without it, the sets can be changed by other means. */
static void open_control(struct course *course)
{
	int err = control_open(&course->control);

	if (err && !course->watch->quiet)
		message(course->watch->command->name, "--set will not reach this spy: cannot "
			"create its socket: %s", strerror(-err));
}

int watch_run(struct watch *watch)
{
	struct course course = {
		.watch = watch,
		.signals.fd = -1,
		.workload = { .go = -1, .failed = -1 },
		.control = { .fd = -1, .client = -1 },
		.folder.fd = -1,
	};
	int status = open_signals(&course);

	if (!status)
		status = fork_command(&course);
	if (!status)
		status = pin_monitor(watch);
	if (!status)
		open_control(&course);
	if (!status)
		status = watch_all(&course);
	control_close(&course.control);
	workload_close(&course.workload);
	signals_close(&course.signals);
	if (course.interrupted) {
		/* So that a shell learns of it, and ends its loop. */
		fflush(stdout);
		output_close(&watch->output);
		signal(course.interrupted, SIG_DFL);
		raise(course.interrupted);
	}
	return status;
}
