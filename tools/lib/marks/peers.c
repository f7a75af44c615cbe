// SPDX-License-Identifier: GPL-2.0
/*
 * The processes that hand over rings: whether they may, who they are in the tool's namespace
 * of pids, and when they have ended. What the kernel says of a connection is true; what comes
 * over it need not be.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "marks_private.h"

/* Since Linux 6.5. */
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD	77
#endif

/*
 * The pid of a thread in its own namespace, from /proc; 0: it has ended. @nested: this is not
 * the tool's.
 */
static pid_t own_pid(pid_t pid, pid_t tid, bool *nested)
{
	char path[64], line[256];
	const char *last, *at;
	pid_t own = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", pid, tid);
	file = fopen(path, "re");
	while (file && !own && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "NSpid:", strlen("NSpid:")))
			continue;
		at = line + strlen("NSpid:");
		*nested = strchr(at + 1, '\t');
		last = strrchr(at, '\t');
		own = last ? atoi(last + 1) : 0;
	}
	if (file)
		fclose(file);
	return own;
}

static bool has_thread(pid_t pid, pid_t tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d", pid, tid);
	return !access(path, F_OK);
}

static pid_t search_threads(pid_t pid, pid_t own)
{
	struct dirent *entry;
	pid_t tid, found = 0;
	char path[64];
	bool nested;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && !found && (entry = readdir(dir))) {
		tid = isdigit((unsigned char)*entry->d_name) ? atoi(entry->d_name) : 0;
		if (tid && own_pid(pid, tid, &nested) == own)
			found = tid;
	}
	if (dir)
		closedir(dir);
	return found;
}

static void read_comm(struct marks_thread *thread)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", thread->pid, thread->tid);
	file = fopen(path, "re");
	if (!file)
		return;
	if (!fgets(thread->comm, sizeof(thread->comm), file))
		*thread->comm = '\0';
	thread->comm[strcspn(thread->comm, "\n")] = '\0';
	fclose(file);
}

/* It waits for an answer, so it is there. */
static pid_t find_thread(const struct process *process, pid_t own)
{
	if (own <= 0)
		return 0;
	if (process->nested)
		return search_threads(process->pid, own);
	return has_thread(process->pid, own) ? own : 0;
}

/* It may have ended; the last one with this number is meant. */
pid_t peers_thread(const struct process *process, pid_t own)
{
	pid_t tid = 0;

	if (!process->nested)
		return own > 0 ? own : 0;
	for (const struct ring *ring = process->rings; ring; ring = ring->next)
		if (ring->kind == RING_MARKS && ring->own_tid == own)
			tid = ring->thread.tid;
	return tid ? tid : find_thread(process, own);
}

/* The program that @pid runs now. */
static struct process *find_process(struct kermon_marks *marks, pid_t pid)
{
	struct process *process, *found = NULL;

	for (process = marks->processes; process; process = process->next)
		if (process->pid == pid)
			found = process;
	return found && !found->ended ? found : NULL;
}

/* Older kernels find it by its number, which another process may have by now. */
static int open_pidfd(int connection, pid_t pid)
{
	socklen_t length = sizeof(int);
	int fd;

	if (!getsockopt(connection, SOL_SOCKET, SO_PEERPIDFD, &fd, &length))
		return fd;
	return syscall(SYS_pidfd_open, pid, 0);
}

static struct process *add_process(struct kermon_marks *marks, int connection, pid_t pid,
				   bool nested)
{
	struct process **end = &marks->processes, *process = calloc(1, sizeof(*process));

	if (!process)
		return NULL;
	*process = (struct process){
		.source = { SOURCE_PROCESS, open_pidfd(connection, pid) },
		.pid = pid,
		.nested = nested,
	};
	if (process->source.fd < 0 || source_add(marks, &process->source)) {
		source_close(marks, &process->source);
		free(process);
		return NULL;
	}
	while (*end)
		end = &(*end)->next;
	*end = process;
	marks->totals.processes++;
	return process;
}

static bool has_names(const struct process *process)
{
	for (const struct ring *ring = process->rings; ring; ring = ring->next)
		if (ring->kind == RING_NAMES)
			return true;
	return false;
}

/*
 * The process of a ring, a new one if there is none. A second ring of names is that of
 * another program that the process has executed: the rings before it get no more.
 */
static struct process *process_of(struct kermon_marks *marks, int connection, pid_t pid,
				  bool nested, uint32_t kind)
{
	struct process *process = find_process(marks, pid);

	if (process && kind == RING_NAMES && has_names(process)) {
		process->ended = true;
		source_close(marks, &process->source);
		process = NULL;
	}
	return process ? process : add_process(marks, connection, pid, nested);
}

static bool is_room(const struct kermon_marks *marks, uint64_t bytes)
{
	return marks->nr_rings < marks->max_rings && bytes <= marks->max_bytes &&
	       marks->bytes <= marks->max_bytes - bytes;
}

static void add_ring(struct kermon_marks *marks, struct process *process, struct ring *ring)
{
	struct ring **end = &process->rings;

	while (*end)
		end = &(*end)->next;
	*end = ring;
	marks->nr_rings++;
	marks->bytes += ring->shared.bytes;
	if (ring->kind == RING_MARKS)
		marks->totals.threads++;
}

/* Count why a ring is refused. */
static bool refuse(uint64_t *reason)
{
	++*reason;
	return false;
}

static bool take_ring(struct kermon_marks *marks, struct process *process,
		      const struct ring_hello *hello, int fd, uint64_t bytes)
{
	const pid_t tid = find_thread(process, hello->tid);
	struct ring *ring;
	int err;

	if (!tid)
		return refuse(&marks->totals.refused_task);
	ring = calloc(1, sizeof(*ring));
	err = ring ? shared_map(&ring->shared, fd, bytes) : -ENOMEM;
	if (err) {
		free(ring);
		return refuse(err == -EBADMSG || err == -EPERM ? &marks->totals.refused_form :
								 &marks->totals.refused_limit);
	}
	ring->kind = hello->kind;
	ring->own_tid = hello->tid;
	ring->thread = (struct marks_thread){ .pid = process->pid, .tid = tid };
	read_comm(&ring->thread);
	ring->tsc = hello->kind == RING_NAMES ? read_tsc() : 0;
	add_ring(marks, process, ring);
	return true;
}

bool peers_take(struct kermon_marks *marks, int connection, const struct ring_hello *hello,
		int fd)
{
	const uint64_t bytes = hello->kind == RING_NAMES ? RING_NAMES_BYTES : marks->ring_bytes;
	struct kermon_marks_totals *totals = &marks->totals;
	struct process *process;
	struct ucred peer = { 0 };
	socklen_t length = sizeof(peer);
	bool nested = false;

	if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length))
		return refuse(&totals->refused_form);
	if (peer.uid != geteuid() && peer.uid != 0)
		return refuse(&totals->refused_user);
	if (peer.pid <= 0 || hello->pid <= 0 ||
	    own_pid(peer.pid, peer.pid, &nested) != hello->pid)
		return refuse(&totals->refused_task);
	if (!is_room(marks, bytes))
		return refuse(&totals->refused_limit);
	process = process_of(marks, connection, peer.pid, nested, hello->kind);
	if (!process)
		return refuse(&totals->refused_limit);
	return take_ring(marks, process, hello, fd, bytes);
}

static bool is_done(const struct process *process, const struct ring *ring)
{
	return ring->broken || ((process->over || ring->shared.closed) &&
				ring->shared.tail == ring->shared.until);
}

static void free_ring(struct kermon_marks *marks, struct ring **place)
{
	struct ring *ring = *place;

	*place = ring->next;
	marks->nr_rings--;
	marks->bytes -= ring->shared.bytes;
	shared_unmap(&ring->shared);
	free(ring);
}

static void sweep_rings(struct kermon_marks *marks, struct process *process)
{
	struct ring **place = &process->rings;

	while (*place)
		if (is_done(process, *place))
			free_ring(marks, place);
		else
			place = &(*place)->next;
}

static void free_process(struct kermon_marks *marks, struct process **place)
{
	struct process *process = *place;

	while (process->rings)
		free_ring(marks, &process->rings);
	source_close(marks, &process->source);
	*place = process->next;
	free(process);
}

void peers_sweep(struct kermon_marks *marks)
{
	struct process **place = &marks->processes;

	while (*place) {
		sweep_rings(marks, *place);
		if (!(*place)->rings && (*place)->over)
			free_process(marks, place);
		else
			place = &(*place)->next;
	}
}

void peers_free(struct kermon_marks *marks)
{
	while (marks->processes)
		free_process(marks, &marks->processes);
}
