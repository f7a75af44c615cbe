/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of this folder share; not for others. */
#ifndef KERMON_MARKS_PRIVATE_H
#define KERMON_MARKS_PRIVATE_H

#include "marks.h"

/* Connections that have not said yet who they are. */
#define MARKS_PENDING	64

/* Records are copied before they are looked at: the application may still change them. */
#define MARKS_CHUNK	65536

/* The largest name: its record with the longest text. */
#define NAME_RECORD_MAX	((sizeof(struct name_record) + RING_NAME_MAX + 1 + 7) / 8 * 8)

/**
 * struct shared - a ring in memory that the application writes
 * @head: its beginning
 * @records: what follows
 * @bytes: of @records, a power of two
 * @tail: position up to which they were read: the application's copy is not believed
 * @until: position up to which they can be read in this round
 * @lost: marks that found no room, as the application says
 * @closed: it writes no more
 */
struct shared {
	struct ring_head *head;
	const char *records;
	uint64_t bytes;
	uint64_t tail;
	uint64_t until;
	uint64_t lost;
	bool closed;
};

/*
 * shared.c: map the memory @fd, which holds @bytes of records. Return: 0; -EBADMSG: it is not
 * sealed against shrinking, or has another size; or -errno of mmap(2).
 */
int shared_map(struct shared *shared, int fd, uint64_t bytes);
void shared_unmap(struct shared *shared);

/* See what can be read. Return: 0; -EBADMSG: this is no position that records can have. */
int shared_look(struct shared *shared);

/* Copy @size bytes from @tail on, which there are. */
void shared_copy(const struct shared *shared, void *to, size_t size);

/* @size bytes have been read: the application may use them again. */
void shared_free(struct shared *shared, size_t size);

/**
 * struct ring - a ring that was handed over
 * @next: of the same process
 * @shared: the memory
 * @kind: enum ring_kind
 * @own_tid: of its thread, in the namespace of the process
 * @thread: who writes it; only its pid with RING_NAMES
 * @told: whether the consumer knows the thread
 * @broken: it has nonsense in it, and is not read any more
 * @tsc: of the last record, 0 before; with RING_NAMES, of the last look
 * @lost: marks that records have said were lost
 */
struct ring {
	struct ring *next;
	struct shared shared;
	uint32_t kind;
	pid_t own_tid;
	struct marks_thread thread;
	bool told;
	bool broken;
	uint64_t tsc;
	uint64_t lost;
};

/* What epoll(7) watches. */
enum source_kind {
	SOURCE_LISTENER,
	SOURCE_CONNECTION,
	SOURCE_PROCESS,
};

struct source {
	enum source_kind kind;
	int fd;
};

/**
 * struct process - a program that a process runs: exec begins another one
 * @source: its pidfd, or -1 once it has ended
 * @next: that which came later
 * @pid: of it
 * @nested: it is in another namespace of pids
 * @ended: all that it will ever write is in its rings
 * @over: it had ended before its rings were looked at
 * @rings: in the order of arrival
 */
struct process {
	struct source source;
	struct process *next;
	pid_t pid;
	bool nested;
	bool ended;
	bool over;
	struct ring *rings;
};

/**
 * struct kermon_marks - a receiver
 * @name: of the socket
 * @listener: the socket
 * @epoll: waits for all sources
 * @pending: connections; fd is -1 in those that are free
 * @next_pending: the one that makes room for the next
 * @answer: struct ring_config and its strings
 * @answer_size: bytes of it
 * @ring_bytes: size of a ring of marks
 * @max_rings: most rings
 * @max_bytes: most bytes of them
 * @nr_rings: number of rings
 * @bytes: of them
 * @processes: in the order of arrival
 * @fill: how full the fullest ring was, from 0 to 1
 * @totals: see <kermon/marks.h>
 * @chunk: records that are being looked at
 */
struct kermon_marks {
	char name[64];
	struct source listener;
	int epoll;
	struct source pending[MARKS_PENDING];
	unsigned int next_pending;
	char answer[RING_CONFIG_MAX] __attribute__((aligned(8)));
	size_t answer_size;
	uint64_t ring_bytes;
	uint64_t max_rings;
	uint64_t max_bytes;
	uint64_t nr_rings;
	uint64_t bytes;
	struct process *processes;
	double fill;
	struct kermon_marks_totals totals;
	char chunk[MARKS_CHUNK] __attribute__((aligned(8)));
};

/* receiver.c: watch a source; stop and close it. */
int source_add(struct kermon_marks *marks, struct source *source);
void source_close(struct kermon_marks *marks, struct source *source);

/*
 * peers.c: take the ring @fd of the process at the other end of @connection, which has said
 * @hello; what was refused is counted. Return: whether it was taken. @fd stays the caller's.
 */
bool peers_take(struct kermon_marks *marks, int connection, const struct ring_hello *hello,
		int fd);

/* Thread @own of @process in the tool's namespace; 0: that is not known. */
pid_t peers_thread(const struct process *process, pid_t own);

/* Forget the rings that have nothing more to say, and processes without any. */
void peers_sweep(struct kermon_marks *marks);

/* Forget all. */
void peers_free(struct kermon_marks *marks);

/* The TSC, after what precedes it and before what follows. */
static inline uint64_t read_tsc(void)
{
	uint64_t tsc;

	__builtin_ia32_lfence();
	tsc = __builtin_ia32_rdtsc();
	__builtin_ia32_lfence();
	return tsc;
}

#endif /* KERMON_MARKS_PRIVATE_H */
