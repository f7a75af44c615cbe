// SPDX-License-Identifier: GPL-2.0
/*
 * Record the log of an application, its side-band and samples of perf_event to a perf.data
 * file.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <kermon/recorder.h>
#include <kermon/session.h>

#include "clockpage.h"
#include "hotplug.h"
#include "marking.h"
#include "perfdata/write/write.h"
#include "tasks.h"
#include "util/fileio.h"
#include "util/monotonic.h"
#include "util/sized.h"
#include "watch.h"

#define CHUNK		(256 * 1024)

/*
 * Most chunks per CPU in one round: twice the size of the largest log. Bounds the round
 * while a busy application keeps filling the log.
 */
#define CHUNKS_MAX	(2 * KERMON_LOG_MAX_BYTES / CHUNK)

/* Index of the first of the rings in what poll(2) waits for. */
#define FDS_OF_RINGS	4

/* Milliseconds to let the rings fill while the application is busy. */
#define NAP		20

/* With marks in rings: longer than a thread may need from reading the time to writing it down. */
#define LATE_MARKS	100000000ULL	/* ns */

/**
 * struct kermon_recorder - a recording
 * @log: the log descriptor, or -1
 * @raw: file for the log, or -1
 * @raw_failed: writing to @raw failed
 * @leave: do not read the log for now: it overwrites and no snapshot was requested
 * @overwrite: the log is in overwrite mode
 * @late_ns: maximum delay of a sample
 * @round_ns: end of the last round that no older record can follow
 * @pid: the process whose records come first
 * @ended: the log has been read to its end, or all sampled tasks have ended
 * @busy: the last round read data
 * @clock: converts TSC to perf's time
 * @page: source of @clock
 * @asked: what perf_event samples, if @watched
 * @watched: perf_event samples
 * @watch: events of perf_event
 * @hotplug: CPUs that come and go
 * @tasks: tasks that are alive
 * @marking: marks of regions
 * @writer: the file
 * @fds: for poll(2): the caller's, the log, @hotplug, @marking, then the side-band's
 * @chunk: buffer for reading the log
 */
struct kermon_recorder {
	int log;
	int raw;
	bool raw_failed;
	bool leave;
	bool overwrite;
	uint64_t late_ns;
	uint64_t round_ns;
	pid_t pid;
	bool ended;
	bool busy;
	struct kermon_clock clock;
	struct clockpage page;
	struct kermon_watch asked;
	bool watched;
	struct watch *watch;
	struct hotplug hotplug;
	struct tasks *tasks;
	struct marking marking;
	struct kermon_writer *writer;
	struct pollfd *fds;
	char chunk[CHUNK] __attribute__((aligned(8)));
};

static int add_sampled(struct kermon_recorder *recorder)
{
	struct kermon_sampled_event events[KERMON_MAX_SAMPLED];
	const struct kermon_sampled_options options = {
		.size = sizeof(options),
		.events = events,
		.nr_events = recorder->asked.nr_events,
		.sideband = watch_sideband_attr(recorder->watch),
		.alone = recorder->asked.alone,
	};

	for (size_t i = 0; i < recorder->asked.nr_events; i++)
		events[i] = watch_event(recorder->watch, i);
	return kermon_writer_sampled(recorder->writer, &options);
}

static int open_writer(struct kermon_recorder *recorder,
		       const struct kermon_recorder_options *options)
{
	struct kermon_writer_options writer_options = {
		.size = sizeof(writer_options),
		.fd = options->output,
		.events = options->events,
		.nr_more = options->nr_more,
		.count = options->count,
		.energy = options->energy,
		.info = options->info,
		.clock = &recorder->clock,
		.exec_pid = options->from_exec ? options->pid : 0,
		.argv = options->argv,
		.unordered = options->coalesce_ns,
		.pipe = options->pipe,
		.compression = options->compression,
	};
	int result;

	writer_options.sideband_ids =
		watch_sideband_ids(recorder->watch,
				   &writer_options.nr_sideband_ids);
	result = kermon_writer_open(&recorder->writer, &writer_options);
	if (!result && recorder->watched)
		result = add_sampled(recorder);
	if (result || !recorder->marking.marks)
		return result;
	recorder->marking.writer = recorder->writer;
	return marked_add(recorder->writer);
}

static int add_tasks(struct kermon_recorder *recorder)
{
	const struct kermon_watch *asked = &recorder->asked;
	int result = 0;

	if (recorder->pid)
		return tasks_add(recorder->tasks, recorder->pid, recorder->pid);
	for (size_t i = 0; i < asked->nr_pids && !result; i++)
		result = tasks_add(recorder->tasks, asked->pids[i],
				   asked->pids[i]);
	return result;
}

static int make_tasks(struct kermon_recorder *recorder)
{
	recorder->tasks = tasks_new();
	return recorder->tasks ? add_tasks(recorder) : -ENOMEM;
}

static int make_fds(struct kermon_recorder *recorder)
{
	struct rings *rings = watch_rings(recorder->watch);

	recorder->fds = calloc(FDS_OF_RINGS + rings_count(rings), sizeof(*recorder->fds));
	if (!recorder->fds)
		return -ENOMEM;
	recorder->fds[1].fd = recorder->log;
	recorder->fds[1].events = recorder->overwrite ? 0 : POLLIN;
	recorder->fds[2] = (struct pollfd){ .fd = recorder->hotplug.fd, .events = POLLIN };
	recorder->fds[3] = (struct pollfd){
		.fd = marking_fd(&recorder->marking), .events = POLLIN,
	};
	rings_poll(rings, recorder->fds + FDS_OF_RINGS);
	return 0;
}

static int take_watch(struct kermon_recorder *recorder,
		      const struct kermon_watch *asked)
{
	recorder->watched = asked;
	return asked ? sized_take(&recorder->asked, sizeof(recorder->asked),
				  asked) : 0;
}

static int open_watch(struct kermon_recorder *recorder,
		      const struct kermon_recorder_options *options)
{
	const struct watch_options watch_options = {
		.pid = options->pid,
		.from_exec = options->from_exec,
		.kind = recorder->clock.kind,
		.asked = recorder->watched ? &recorder->asked : NULL,
		.blind = recorder->marking.blind,
	};

	return watch_open(&recorder->watch, &watch_options);
}

/* Whether marks of regions are all that is recorded: they do not need perf_event. */
static bool may_be_blind(const struct kermon_recorder *recorder, int result)
{
	return recorder->marking.marks && recorder->watched && recorder->asked.alone &&
	       !recorder->asked.nr_events &&
	       (result == -EACCES || result == -EPERM || result == -ENOSYS);
}

static int open_events(struct kermon_recorder *recorder,
		       const struct kermon_recorder_options *options)
{
	int result = clockpage_open(&recorder->page, &recorder->clock, options->info->tsc_khz);

	if (!result)
		result = open_watch(recorder, options);
	if (!may_be_blind(recorder, result))
		return result;
	recorder->marking.blind = true;
	clockpage_close(&recorder->page);
	result = clockpage_compare(&recorder->clock, options->info->tsc_khz);
	return result ? result : open_watch(recorder, options);
}

static int set_up(struct kermon_recorder *recorder,
		  const struct kermon_recorder_options *options)
{
	int result;

	result = hotplug_open(&recorder->hotplug);
	if (!result)
		result = take_watch(recorder, options->watch);
	if (!result)
		result = open_events(recorder, options);
	if (!result)
		result = make_fds(recorder);
	if (!result)
		result = make_tasks(recorder);
	return result ? result : open_writer(recorder, options);
}

int kermon_recorder_open(struct kermon_recorder **recorder,
			 const struct kermon_recorder_options *options)
{
	struct kermon_recorder_options known;
	int result = sized_take(&known, sizeof(known), options);
	struct kermon_recorder *new;

	*recorder = NULL;
	if (result)
		return result;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	new->pid = known.pid;
	new->log = known.log;
	new->raw = known.raw;
	new->overwrite = known.overwrite;
	new->leave = known.overwrite;
	/* Doubled because the kernel's clock is a different one. */
	new->late_ns = 2 * known.coalesce_ns;
	new->marking.marks = known.marks;
	if (known.marks && new->late_ns < LATE_MARKS)
		new->late_ns = LATE_MARKS;
	new->page.fd = -1;
	new->hotplug.fd = -1;
	result = set_up(new, &known);
	if (result) {
		kermon_recorder_close(new);
		return result;
	}
	*recorder = new;
	return 0;
}

/* Write what all processes are. Those that end meanwhile are left out. */
static int put_processes(struct kermon_recorder *recorder)
{
	struct dirent *entry;
	DIR *dir = opendir("/proc");
	int result = 0;

	if (!dir)
		return -errno;
	while (!result && (entry = readdir(dir)))
		if (isdigit((unsigned char)*entry->d_name))
			result = kermon_writer_process(recorder->writer,
						       atoi(entry->d_name));
	closedir(dir);
	return result;
}

static int put_watched(struct kermon_recorder *recorder)
{
	const struct kermon_watch *asked = &recorder->asked;
	int result = 0;

	if (asked->all)
		return put_processes(recorder);
	/* kermon_writer_start() has written it. */
	if (recorder->pid)
		return 0;
	for (size_t i = 0; i < asked->nr_pids && !result; i++)
		result = kermon_writer_process(recorder->writer, asked->pids[i]);
	for (size_t i = 0; i < asked->nr_tids && !result; i++)
		result = kermon_writer_process(recorder->writer, asked->tids[i]);
	return result;
}

int kermon_recorder_start(struct kermon_recorder *recorder)
{
	int result = kermon_writer_start(recorder->writer, recorder->pid);

	if (!result)
		result = put_watched(recorder);
	if (!result)
		result = kermon_writer_save(recorder->writer);
	return result ? result : watch_start(recorder->watch);
}

struct kermon_writer *kermon_recorder_writer(struct kermon_recorder *recorder)
{
	return recorder->writer;
}

bool kermon_recorder_raw_failed(const struct kermon_recorder *recorder)
{
	return recorder->raw_failed;
}

bool kermon_recorder_blind(const struct kermon_recorder *recorder)
{
	return recorder->marking.blind;
}

void kermon_recorder_marked(const struct kermon_recorder *recorder,
			    struct kermon_marked_totals *totals)
{
	struct marked_totals marked;

	marked_totals(recorder->writer, &marked);
	*totals = (struct kermon_marked_totals){
		.marks = marked.marks, .late = marked.late, .uncounted = marked.uncounted,
	};
}

bool kermon_recorder_ended(const struct kermon_recorder *recorder)
{
	return recorder->ended;
}

/* Return: bytes; 0 if the log is empty for now or has ended. */
static ssize_t read_chunk(struct kermon_recorder *recorder)
{
	ssize_t n;

	if (recorder->ended || recorder->log < 0)
		return 0;
	n = kermon_session_read(recorder->log, recorder->chunk,
				sizeof(recorder->chunk), KERMON_READ_NONBLOCK);
	if (n == -EAGAIN || n == -EINTR)
		return 0;
	if (n == 0)
		recorder->ended = true;
	return n;
}

static bool is_of_tasks(const struct perf_event_header *record)
{
	return record->type == PERF_RECORD_COMM || record->type == PERF_RECORD_MMAP2 ||
	       record->type == PERF_RECORD_FORK || record->type == PERF_RECORD_EXIT;
}

/* If all tasks are sampled, there are two records of what the application does. */
static int put_record(void *data, const struct perf_event_header *record)
{
	struct kermon_recorder *recorder = data;
	int result = 0;

	record = watch_rename(recorder->watch, record);
	if (record->type == PERF_RECORD_SAMPLE)
		return kermon_writer_sideband(recorder->writer, record);
	if (!recorder->asked.all)
		result = tasks_take(recorder->tasks, record);
	else if (is_of_tasks(record) &&
		 watch_is_application(recorder->watch, record))
		return tasks_take(recorder->tasks, record);
	return result ? result : kermon_writer_sideband(recorder->writer,
							record);
}

static int drain_rings(struct kermon_recorder *recorder)
{
	return rings_drain(watch_rings(recorder->watch), put_record, recorder);
}

/*
 * Read the side-band again before converting the chunk. Otherwise samples of a program
 * that was executed since then would be attributed to the tool's child.
 */
static int put_chunk(struct kermon_recorder *recorder, size_t size)
{
	int result = recorder->raw < 0 ? 0 :
		     write_all(recorder->raw, recorder->chunk, size);

	recorder->raw_failed = result;
	if (!result)
		result = drain_rings(recorder);
	return result ? result : kermon_writer_log(recorder->writer,
						   recorder->chunk, size);
}

static int drain_log(struct kermon_recorder *recorder, size_t *bytes)
{
	const unsigned int most = CHUNKS_MAX * sysconf(_SC_NPROCESSORS_CONF);
	unsigned int chunks;
	ssize_t n;
	int result;

	*bytes = 0;
	if (recorder->leave)
		return 0;
	for (chunks = 0; chunks < most; chunks++) {
		n = read_chunk(recorder);
		if (n <= 0)
			return n;
		*bytes += n;
		result = put_chunk(recorder, n);
		if (result)
			return result;
	}
	return 0;
}

void kermon_recorder_snapshot(struct kermon_recorder *recorder)
{
	recorder->leave = false;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/*
 * Whether no later record can be older than those before the last round: a log that
 * coalesces delays each sample by up to its interval.
 */
static bool is_round(const struct kermon_recorder *recorder, uint64_t begin)
{
	return !recorder->leave &&
	       begin - recorder->round_ns >= recorder->late_ns;
}

/* End a round in which all available data has been read. */
static int end_round(struct kermon_recorder *recorder, uint64_t begin)
{
	bool round = is_round(recorder, begin);

	recorder->leave = recorder->overwrite;
	if (!round)
		return kermon_writer_save(recorder->writer);
	recorder->round_ns = now_ns();
	return kermon_writer_round(recorder->writer);
}

int kermon_recorder_round(struct kermon_recorder *recorder, size_t *bytes)
{
	const uint64_t begin = now_ns();
	int result;

	result = clockpage_update(&recorder->page, &recorder->clock);
	if (!result)
		result = drain_rings(recorder);
	if (!result)
		result = hotplug_check(&recorder->hotplug, recorder->watch);
	if (!result)
		result = drain_log(recorder, bytes);
	if (!result)
		result = marking_drain(&recorder->marking, false);
	if (result)
		return result;
	tasks_round(recorder->tasks);
	recorder->busy = *bytes > 0;
	return end_round(recorder, begin);
}

static int at_most(int timeout, int most)
{
	return timeout < 0 || timeout > most ? most : timeout;
}

/* After a busy round only @fd and threads that want to hand over a ring end it early. */
static int wait_busy(struct kermon_recorder *recorder, int timeout)
{
	struct pollfd fds[] = { recorder->fds[0], recorder->fds[3] };
	const int n = poll(fds, 2, at_most(timeout, NAP));

	recorder->fds[0].revents = fds[0].revents;
	recorder->fds[3].revents = fds[1].revents;
	return n;
}

static int wait_idle(struct kermon_recorder *recorder, int timeout)
{
	struct rings *rings = watch_rings(recorder->watch);
	const int n = poll(recorder->fds, FDS_OF_RINGS + rings_count(rings), timeout);

	if (n < 0)
		return n;
	rings_polled(rings, recorder->fds + FDS_OF_RINGS);
	/* Nothing will be overwritten any more: read the rest. */
	if (recorder->fds[1].revents & POLLHUP)
		kermon_recorder_snapshot(recorder);
	return n;
}

/* Wait, and answer threads that hand over a ring meanwhile. */
static int wait_serving(struct kermon_recorder *recorder, int timeout)
{
	const uint64_t end = monotonic_ns() + timeout * 1000000ULL;
	struct marking *marking = &recorder->marking;
	uint64_t now;
	int n;

	do {
		timeout = marking_timeout(marking, timeout);
		n = recorder->busy ? wait_busy(recorder, timeout) : wait_idle(recorder, timeout);
		if (n <= 0 || !recorder->fds[3].revents)
			return n;
		marking_serve(marking);
		now = monotonic_ns();
		timeout = now < end ? (end - now) / 1000000 : 0;
	} while (n == 1 && timeout);
	return n;
}

/* Without a log, the sampled tasks have hung up; without a side-band, those that mark. */
static bool have_ended(const struct kermon_recorder *recorder)
{
	return rings_ended(watch_rings(recorder->watch)) &&
	       !(recorder->marking.blind && marking_busy(&recorder->marking));
}

int kermon_recorder_wait(struct kermon_recorder *recorder, int fd, int timeout)
{
	int n;

	recorder->fds[0] = (struct pollfd){ .fd = fd, .events = POLLIN };
	recorder->fds[1].fd = recorder->ended ? -1 : recorder->log;
	n = wait_serving(recorder, timeout < 0 ? INT_MAX : timeout);
	if (n < 0)
		return -errno;
	if (recorder->log < 0)
		recorder->ended = have_ended(recorder);
	return n > 0 && recorder->fds[0].revents ? 1 : 0;
}

void kermon_recorder_tasks(const struct kermon_recorder *recorder,
			   kermon_task_fn fn, void *data)
{
	tasks_each(recorder->tasks, fn, data);
}

void kermon_recorder_missed(const struct kermon_recorder *recorder, kermon_missed_fn fn,
			    void *data)
{
	for (size_t i = 0; i < recorder->hotplug.nr; i++)
		if (recorder->hotplug.missed[i])
			fn(i, recorder->hotplug.missed[i], data);
}

uint64_t kermon_recorder_now(const struct kermon_recorder *recorder)
{
	return recorder->clock.kind == KERMON_CLOCK_PAIRS ? now_ns() :
	       kermon_clock_time(&recorder->clock, __rdtsc());
}

int kermon_recorder_drain(struct kermon_recorder *recorder)
{
	size_t bytes;

	int result;

	kermon_recorder_snapshot(recorder);
	result = kermon_recorder_round(recorder, &bytes);
	if (!result)
		result = marking_drain(&recorder->marking, true);
	return result ? result : watch_lost(recorder->watch, put_record,
					    recorder);
}

int kermon_recorder_finish(struct kermon_recorder *recorder)
{
	return kermon_writer_finish(recorder->writer);
}

void kermon_recorder_close(struct kermon_recorder *recorder)
{
	if (!recorder)
		return;
	kermon_writer_close(recorder->writer);
	tasks_free(recorder->tasks);
	watch_close(recorder->watch);
	hotplug_close(&recorder->hotplug);
	clockpage_close(&recorder->page);
	free(recorder->fds);
	free(recorder);
}
