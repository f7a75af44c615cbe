// SPDX-License-Identifier: GPL-2.0
/* Rows of threads that have exited in an interval: what they did since they were seen last. */
#include <errno.h>
#include <string.h>

#include "threads_private.h"
#include "util/array.h"

void ended_remember(struct threads *threads, const struct thread *thread)
{
	if (!threads->exits.sock || !thread->known ||
	    array_room(threads->gone, threads->room_gone, threads->nr_gone + 1))
		return;
	threads->gone[threads->nr_gone++] = (struct gone){
		.tid = thread->tid,
		.run_ns = thread->times.run_ns,
		.faults = thread->faults,
	};
}

static struct thread *find_thread(const struct threads *threads, pid_t pid, pid_t tid)
{
	const struct process *process = threads_process(threads, pid);

	for (size_t i = 0; process && i < process->nr; i++)
		if (process->threads[i].tid == tid)
			return &process->threads[i];
	return NULL;
}

/* What had been seen of it; a zombie is still there, but is not shown again. */
static struct gone seen_of(const struct threads *threads, const struct ended_thread *ended)
{
	struct thread *thread = find_thread(threads, ended->pid, ended->tid);
	struct gone seen = { .tid = ended->tid };

	if (thread) {
		seen.run_ns = thread->times.run_ns;
		seen.faults = thread->faults;
		thread->times.run_ns = ended->run_ns;
		thread->faults = ended->faults;
		return seen;
	}
	for (size_t i = 0; i < threads->nr_gone; i++)
		if (threads->gone[i].tid == ended->tid)
			seen = threads->gone[i];
	return seen;
}

static int show(struct threads *threads, const struct ended_thread *ended, uint64_t ns)
{
	const struct threads_options *options = threads->options;
	const struct gone seen = seen_of(threads, ended);
	struct threads_row *row;

	if (ended->run_ns <= seen.run_ns || !threads_wants(threads, ended->pid, ended->tid) ||
	    (options->by_user && ended->uid != options->uid))
		return 0;
	row = threads_add_row(threads);
	if (!row)
		return -ENOMEM;
	*row = (struct threads_row){
		.pid = ended->pid,
		.tid = ended->tid,
		.uid = ended->uid,
		.cpu = -1,
		.nr = 1,
		.ended = true,
		.ns = ns,
		.run_ns = ended->run_ns - seen.run_ns,
		.faults = ended->faults > seen.faults ? ended->faults - seen.faults : 0,
		.uncounted = THREADS_ENDED,
	};
	memcpy(row->comm, ended->comm, sizeof(row->comm));
	memcpy(row->process, ended->comm, sizeof(row->process));
	return 0;
}

/* Exits are announced before threads vanish from /proc, so that none is missing. */
int ended_show(struct threads *threads, uint64_t ns)
{
	int err = 0;

	exits_take(&threads->exits);
	for (size_t i = 0; i < threads->exits.nr && threads->scan > 1 && !err; i++)
		err = show(threads, &threads->exits.ended[i], ns);
	threads->nr_gone = 0;
	return err;
}

int threads_exits_error(const struct threads *threads)
{
	return threads->exits_error ? threads->exits_error :
	       threads->exits.lost ? -ENOBUFS : 0;
}
