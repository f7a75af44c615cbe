/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A thread that is marked: its ring, its open regions, and whether it is collected just now.
 *
 * A region begins only if there is room for its end, too, so that ends are never lost. What is
 * not simple - no room, filters, a pause, ends out of order - is done by the functions here;
 * marks.h has the rest.
 */
#ifndef KERMON_PRELOAD_THREAD_H
#define KERMON_PRELOAD_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "counts.h"
#include "memory.h"
#include "names.h"

/* Flags of an open region, in the low bits of its address. */
#define OPEN_UNWRITTEN	1	/* its begin is not in the ring */
#define OPEN_QUIET	2	/* nothing inside is collected */
#define OPEN_INCLUDES	4	/* a filter includes it, and all inside */
#define OPEN_ITERATES	8	/* an iteration that is collected */
#define OPEN_FLAGS	15

/* Why nothing is collected inside of a region. */
enum quiet {
	QUIET_NO,
	QUIET_EXCLUDED,
	QUIET_LOST,		/* what is inside is lost, too */
};

/**
 * struct thread - of one thread; in a child of fork(), all of it is zero
 * @limit: a region may begin as long as @head is less: there is room for its end, too, and
 *	nothing else is to be looked at
 * @head: bytes written so far
 * @records: of the ring
 * @mask: bytes of the ring - 1
 * @ring: its head; NULL: the thread has not opened it yet
 * @cpu: the CPU on which the thread runs, or MARK_NO_CPU
 * @depth: number of open regions
 * @reserve: bytes kept for the end of each that is in the ring
 * @begin: the first two bytes of a begin: kind and words
 * @end: of an end
 * @bytes: of a begin or an end
 * @tail: bytes that the tool had read when this was last looked at
 * @unwritten: number of open regions that are not in the ring
 * @counts: of the thread
 * @memory: of the ring
 * @mapped: bytes of this structure
 * @quiet: enum quiet
 * @included: number of open regions that a filter includes
 * @iterating: number of open iterations
 * @over: number of open regions that are too many
 * @lost: marks lost so far
 * @told: of those, what MARK_LOST has told
 * @most: how many of @unwritten there may be
 * @exits: how often the thread has told that it ends
 * @open: open regions, outermost first, from 1; @open[0] is none
 */
struct thread {
	int64_t limit;
	int64_t head;
	char *records;
	uint64_t mask;
	struct ring_head *ring;
	const uint32_t *cpu;
	uint64_t depth;
	int64_t reserve;
	uint16_t begin;
	uint16_t end;
	uint32_t bytes;
	int64_t tail;
	uint64_t unwritten;
	struct counts counts;
	struct memory memory;
	uint64_t mapped;
	uint32_t quiet;
	uint32_t included;
	uint32_t iterating;
	uint64_t over;
	uint64_t lost;
	uint64_t told;
	uint64_t most;
	uint32_t exits;
	uintptr_t open[];
};

/* Never NULL, but without a ring before the first mark. It is reached without a call: see -ftls-model. */
extern __thread struct thread *thread_current
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/**
 * thread_self() - the calling thread, after opening its ring if need be
 *
 * Return: NULL if it is not collected: there is no tool, or the thread ends.
 */
struct thread *thread_self(void);

/* All that kermon_region_begin() does. */
void thread_begin(struct region *region);

/* All that kermon_region_end() does. */
void thread_end(struct region *region);

/**
 * thread_end_kind() - the innermost region of this kind ends, and what is inside of it
 * @kind: enum mark_name
 * @domain: of the region, or NULL
 *
 * If there is none, the mark tells of an end without a begin.
 */
void thread_end_kind(unsigned int kind, struct region *domain);

/**
 * struct plain_mark - a mark that is neither begin nor end
 * @kind: enum mark
 * @name: or NULL
 * @tsc: 0: now
 * @nr: number of @values
 * @values: see enum mark
 * @always: whether it is written while the thread is not collected, too
 */
struct plain_mark {
	unsigned int kind;
	struct region *name;
	uint64_t tsc;
	unsigned int nr;
	uint64_t values[2];
	bool always;
};

/**
 * thread_mark() - write a mark, if the calling thread is collected
 * @mark: the mark; MARK_EVENT gets counts
 */
void thread_mark(const struct plain_mark *mark);

#endif /* KERMON_PRELOAD_THREAD_H */
