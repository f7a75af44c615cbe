// SPDX-License-Identifier: GPL-2.0
/*
 * Looks at all threads of /proc with few system calls: of a thread that did not run, one
 * read of a file that stays open; of a process whose threads are known, one stat of a folder,
 * whose links tell how many threads it has.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "threads_private.h"
#include "util/array.h"

#define NS_PER_S	1000000000ULL

/* Counters of a thread that did not run for so many intervals are closed. */
#define IDLE_INTERVALS	5

/* Each takes a page of the kernel's memory, for what was read from it. */
#define KEPT_FILES	4096

#define TEXT_SIZE	2048

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static void close_counters(struct threads *threads, struct thread *thread)
{
	if (!thread->counters)
		return;
	threads->files -= thread->counters->nr;
	thread_counters_close(thread->counters);
	free(thread->counters);
	thread->counters = NULL;
}

static void close_file(struct threads *threads, struct thread *thread)
{
	if (thread->fd < 0)
		return;
	close(thread->fd);
	thread->fd = -1;
	threads->files--;
}

static void forget_thread(struct threads *threads, struct thread *thread)
{
	ended_remember(threads, thread);
	close_counters(threads, thread);
	close_file(threads, thread);
}

/* Also of a process that only exists as a thread of another one, as with -t. */
static int open_task_file(const struct threads *threads, pid_t pid, pid_t tid,
			  const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/task/%d/%s", pid, tid, name);
	return openat(threads->proc, path, O_RDONLY | O_CLOEXEC);
}

static bool read_text(int fd, char text[TEXT_SIZE])
{
	ssize_t size = pread(fd, text, TEXT_SIZE - 1, 0);

	if (size <= 0)
		return false;
	text[size] = '\0';
	return true;
}

static bool read_stat(const struct threads *threads, pid_t pid, struct thread *thread,
		      struct stat_fields *fields)
{
	int fd = open_task_file(threads, pid, thread->tid, "stat");
	char text[TEXT_SIZE];
	bool valid;

	if (fd < 0)
		return false;
	valid = read_text(fd, text) && stat_parse(text, fields);
	close(fd);
	return valid;
}

/* A file that stays open is that of this thread, even if another one gets its tid. */
static int file_of(struct threads *threads, pid_t pid, struct thread *thread)
{
	int fd;

	if (thread->fd >= 0)
		return thread->fd;
	fd = open_task_file(threads, pid, thread->tid,
			    threads->ticks ? "stat" : "schedstat");
	if (fd >= 0 && threads->files < threads->options->max_files / 2 &&
	    threads->files < KEPT_FILES) {
		thread->fd = fd;
		threads->files++;
	}
	return fd;
}

static bool parse_times(const struct threads *threads, const char *text,
			struct sched_times *times)
{
	struct stat_fields fields;

	if (!threads->ticks)
		return schedstat_parse(text, times);
	if (!stat_parse(text, &fields))
		return false;
	*times = (struct sched_times){ .run_ns = fields.ticks * threads->tick_ns };
	return true;
}

/* Whether the thread still exists. */
static bool read_times(struct threads *threads, pid_t pid, struct thread *thread,
		       struct sched_times *times)
{
	int fd = file_of(threads, pid, thread);
	char text[TEXT_SIZE];
	bool valid;

	if (fd < 0)
		return false;
	valid = read_text(fd, text) && parse_times(threads, text, times);
	if (fd != thread->fd)
		close(fd);
	return valid;
}

/* A thread that was not seen before counts from 0 if it started after the previous scan. */
static bool is_new(const struct threads *threads, const struct stat_fields *fields)
{
	return threads->scan > 1 &&
	       (fields->start + 1) * threads->tick_ns > threads->began_ns;
}

struct threads_row *threads_add_row(struct threads *threads)
{
	if (array_room(threads->rows, threads->room_rows, threads->nr_rows + 1))
		return NULL;
	return &threads->rows[threads->nr_rows++];
}

static void fill_row(struct threads_row *row, const struct process *process,
		     const struct thread *thread)
{
	*row = (struct threads_row){
		.pid = process->pid,
		.tid = thread->tid,
		.uid = process->uid,
		.cpu = thread->stat.cpu,
		.nr = 1,
		.kernel = thread->stat.kernel,
		.uncounted = THREADS_NEW,
	};
	memcpy(row->comm, thread->stat.comm, sizeof(row->comm));
	memcpy(row->process, process->threads[0].stat.comm, sizeof(row->process));
}

/* Threads of the kernel have no user mode to count. */
static bool has_counts(const struct threads *threads, const struct thread *thread)
{
	const struct threads_events *events = threads->options->events;

	return events->nr && !events->error &&
	       !(thread->stat.kernel && events->user_only);
}

static void open_counters(struct threads *threads, struct thread *thread)
{
	const struct threads_events *events = threads->options->events;
	struct thread_counters *counters;

	if (!has_counts(threads, thread))
		return;
	counters = calloc(1, sizeof(*counters));
	if (!counters)
		return;
	if (threads->files + events->nr > threads->options->max_files)
		counters->error = THREADS_FILES;
	else
		threads->files += thread_counters_open(counters, events, thread->tid);
	thread->counters = counters;
}

/* Those that could not be opened are tried again. */
static void count(struct threads *threads, struct thread *thread, struct threads_row *row)
{
	if (thread->counters && thread->counters->nr) {
		threads->files -= thread->counters->nr;
		thread_counters_read(thread->counters, threads->options->events, row);
		threads->files += thread->counters->nr;
		return;
	}
	close_counters(threads, thread);
	open_counters(threads, thread);
	if (thread->counters && thread->counters->error)
		row->uncounted = thread->counters->error;
	else if (!thread->counters && thread->stat.kernel)
		row->uncounted = THREADS_KERNEL;
}

static uint64_t since(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

/* It ran since it was read last: a row with all that is known. */
static int show_thread(struct threads *threads, const struct process *process,
		       struct thread *thread, const struct sched_times *times,
		       uint64_t now)
{
	struct threads_row *row = threads_add_row(threads);

	if (!row)
		return -ENOMEM;
	fill_row(row, process, thread);
	row->ns = now - thread->read_ns;
	row->run_ns = since(times->run_ns, thread->times.run_ns);
	row->wait_ns = since(times->wait_ns, thread->times.wait_ns);
	row->switches = since(times->switches, thread->times.switches);
	row->faults = since(thread->stat.faults, thread->faults);
	thread->faults = thread->stat.faults;
	count(threads, thread, row);
	return 0;
}

static void rest(struct threads *threads, struct thread *thread)
{
	if (thread->counters && ++thread->idle >= IDLE_INTERVALS)
		close_counters(threads, thread);
}

/* The first reading: only of a thread that has started since, there was an interval. */
static int begin_thread(struct threads *threads, const struct process *process,
			struct thread *thread, const struct sched_times *times,
			uint64_t now)
{
	int err = 0;

	if (!read_stat(threads, process->pid, thread, &thread->stat))
		return -ESRCH;
	thread->known = true;
	thread->read_ns = threads->began_ns;
	if (is_new(threads, &thread->stat) && times->run_ns)
		err = show_thread(threads, process, thread, times, now);
	thread->faults = thread->stat.faults;
	return err;
}

/* Returns 0, -ESRCH if the thread does not exist any more, or -ENOMEM. */
static int look_at_thread(struct threads *threads, const struct process *process,
			  struct thread *thread)
{
	struct sched_times times;
	struct stat_fields stat;
	uint64_t now;
	int err = 0;

	/* Without an open file, another thread may have got the tid. */
	if (!read_times(threads, process->pid, thread, &times) ||
	    times.run_ns < thread->times.run_ns)
		return -ESRCH;
	now = clock_ns(CLOCK_BOOTTIME);
	if (!thread->known) {
		err = begin_thread(threads, process, thread, &times, now);
	} else if (times.run_ns > thread->times.run_ns) {
		if (!read_stat(threads, process->pid, thread, &stat) ||
		    stat.start != thread->stat.start)
			return -ESRCH;
		thread->stat = stat;
		thread->idle = 0;
		err = show_thread(threads, process, thread, &times, now);
	} else {
		rest(threads, thread);
	}
	thread->times = times;
	thread->read_ns = now;
	return err;
}

bool threads_wants(const struct threads *threads, pid_t pid, pid_t tid)
{
	const struct threads_target *target = threads->options->targets;

	for (size_t i = 0; i < threads->options->nr_targets; i++, target++)
		if (target->pid == pid && (!target->tid || target->tid == tid))
			return true;
	return !threads->options->nr_targets;
}

static int add_thread(struct threads *threads, struct process *process, pid_t tid)
{
	struct thread *thread;
	int err;

	for (size_t i = 0; i < process->nr; i++)
		if (process->threads[i].tid == tid)
			return 0;
	if (array_room(process->threads, process->room, process->nr + 1))
		return -ENOMEM;
	thread = &process->threads[process->nr++];
	*thread = (struct thread){ .tid = tid, .fd = -1 };
	err = look_at_thread(threads, process, thread);
	if (err) {
		forget_thread(threads, thread);
		process->nr--;
	}
	return err == -ESRCH ? 0 : err;
}

/* Call @fn for the numbers in a folder of /proc; @entries is a buffer for it. */
static int each_entry(struct threads *threads, int folder, char entries[ENTRIES_SIZE],
		      int (*fn)(struct threads *threads, pid_t number, void *data),
		      void *data)
{
	ssize_t size;
	size_t at;
	pid_t number;
	int err;

	while ((size = getdents64(folder, entries, ENTRIES_SIZE)) > 0) {
		at = 0;
		while ((number = entries_next(entries, size, &at))) {
			err = fn(threads, number, data);
			if (err)
				return err;
		}
	}
	return 0;
}

static int add_entry(struct threads *threads, pid_t tid, void *data)
{
	struct process *process = data;

	return threads_wants(threads, process->pid, tid) ?
	       add_thread(threads, process, tid) : 0;
}

static int list_threads(struct threads *threads, struct process *process)
{
	char path[32];
	int folder, err;

	snprintf(path, sizeof(path), "%d/task", process->pid);
	folder = openat(threads->proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return errno == EMFILE || errno == ENFILE ? -errno : 0;
	err = each_entry(threads, folder, threads->threads_text, add_entry, process);
	close(folder);
	return err;
}

static int look_at_known(struct threads *threads, struct process *process)
{
	size_t kept = 0;
	int err;

	for (size_t i = 0; i < process->nr; i++) {
		err = look_at_thread(threads, process, &process->threads[i]);
		if (err && err != -ESRCH)
			return err;
		if (err)
			forget_thread(threads, &process->threads[i]);
		else
			process->threads[kept++] = process->threads[i];
	}
	process->nr = kept;
	return 0;
}

/* Whether all of its threads have exited, so that it only waits for its parent. */
static bool has_ended(const struct threads *threads, const struct process *process)
{
	struct stat_fields stat;

	for (size_t i = 0; i < process->nr; i++)
		if (!read_stat(threads, process->pid, &process->threads[i], &stat) || !stat.ended)
			return false;
	return process->nr;
}

/* Threads are listed again only if their number is not that of those known. */
static int look_at_process(struct threads *threads, struct process *process)
{
	struct stat st;
	char path[32];
	int err;

	snprintf(path, sizeof(path), "%d/task", process->pid);
	if (fstatat(threads->proc, path, &st, 0))
		return 0;
	process->uid = st.st_uid;
	process->scan = threads->scan;
	if (threads->options->by_user && st.st_uid != threads->options->uid)
		return 0;
	err = look_at_known(threads, process);
	if (!err && process->nr + 2 != st.st_nlink)
		err = list_threads(threads, process);
	if (!threads->options->nr_targets || !has_ended(threads, process))
		threads->nr_threads += process->nr;
	return err;
}

static bool has_pid(const void *item, const void *key)
{
	return ((const struct process *)item)->pid == *(const pid_t *)key;
}

struct process *threads_process(const struct threads *threads, pid_t pid)
{
	void **place = hash_find(&threads->by_pid, hash_mix(pid), has_pid, &pid);

	return place ? *place : NULL;
}

static struct process *find_or_add(struct threads *threads, pid_t pid)
{
	struct process *process = threads_process(threads, pid);

	if (process)
		return process;
	process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	process->pid = pid;
	if (array_room(threads->processes, threads->room_processes,
		       threads->nr_processes + 1) ||
	    hash_add(&threads->by_pid, hash_mix(pid), process)) {
		free(process);
		return NULL;
	}
	threads->processes[threads->nr_processes++] = process;
	return process;
}

static int look_at_pid(struct threads *threads, pid_t pid, void *data)
{
	struct process *process = find_or_add(threads, pid);

	(void)data;
	if (!process)
		return -ENOMEM;
	return process->scan == threads->scan ? 0 : look_at_process(threads, process);
}

static void free_process(struct threads *threads, struct process *process)
{
	for (size_t i = 0; i < process->nr; i++)
		forget_thread(threads, &process->threads[i]);
	free(process->threads);
	free(process);
}

/* The hash table only grows, so that it is made anew without what has ended. */
static int forget_ended(struct threads *threads)
{
	size_t kept = 0;
	int err = 0;

	hash_free(&threads->by_pid);
	threads->by_pid = (struct hash){ 0 };
	for (size_t i = 0; i < threads->nr_processes; i++) {
		struct process *process = threads->processes[i];

		if (process->scan != threads->scan || err) {
			free_process(threads, process);
			continue;
		}
		threads->processes[kept++] = process;
		err = hash_add(&threads->by_pid, hash_mix(process->pid), process);
	}
	threads->nr_processes = kept;
	return err;
}

static int look_at_all(struct threads *threads)
{
	if (lseek(threads->proc, 0, SEEK_SET) < 0)
		return -errno;
	return each_entry(threads, threads->proc, threads->processes_text, look_at_pid,
			  NULL);
}

static int look_at_targets(struct threads *threads)
{
	int err = 0;

	for (size_t i = 0; i < threads->options->nr_targets && !err; i++)
		err = look_at_pid(threads, threads->options->targets[i].pid, NULL);
	return err;
}

int threads_scan(struct threads *threads)
{
	const uint64_t now = clock_ns(CLOCK_BOOTTIME), before = threads->began_ns;
	bool ended = false;
	int err;

	threads->scan++;
	threads->nr_rows = 0;
	threads->nr_threads = 0;
	err = threads->options->nr_targets ? look_at_targets(threads) :
	      look_at_all(threads);
	threads->began_ns = now;
	for (size_t i = 0; i < threads->nr_processes; i++)
		ended |= threads->processes[i]->scan != threads->scan;
	if (!err && ended)
		err = forget_ended(threads);
	return err ? err : ended_show(threads, now - before);
}

/* Without CONFIG_SCHED_INFO there is no such file. */
static bool has_schedstat(const struct threads *threads)
{
	return !faccessat(threads->proc, "self/schedstat", R_OK, 0);
}

int threads_open(struct threads **result, const struct threads_options *options)
{
	struct threads *threads = calloc(1, sizeof(*threads));
	int err;

	if (!threads)
		return -ENOMEM;
	threads->options = options;
	threads->tick_ns = NS_PER_S / sysconf(_SC_CLK_TCK);
	threads->exits_error = exits_open(&threads->exits);
	threads->proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	err = threads->proc < 0 ? -errno : 0;
	if (!err) {
		threads->ticks = !has_schedstat(threads);
		err = threads_scan(threads);
	}
	if (err)
		threads_close(threads);
	*result = err ? NULL : threads;
	return err;
}

struct threads_row *threads_rows(struct threads *threads, size_t *nr)
{
	*nr = threads->nr_rows;
	return threads->rows;
}

size_t threads_nr(const struct threads *threads)
{
	return threads->nr_threads;
}

bool threads_by_ticks(const struct threads *threads)
{
	return threads->ticks;
}

void threads_close(struct threads *threads)
{
	if (!threads)
		return;
	exits_close(&threads->exits);
	free(threads->gone);
	for (size_t i = 0; i < threads->nr_processes; i++)
		free_process(threads, threads->processes[i]);
	if (threads->proc >= 0)
		close(threads->proc);
	hash_free(&threads->by_pid);
	free(threads->processes);
	free(threads->rows);
	free(threads);
}
