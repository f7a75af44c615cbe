// SPDX-License-Identifier: GPL-2.0
/* Opens and closes the ring of a thread. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/rseq.h>

#include "arena.h"
#include "connection.h"
#include "names.h"
#include "open.h"
#include "process.h"
#include "record.h"

/* A thread without a ring, with the open region number 0: no begin is simple, nor an end. */
union idle {
	struct thread thread;
	char room[sizeof(struct thread) + sizeof(uintptr_t)];
};

/* Of threads that have not marked yet. */
static union idle newcomer = { .thread.limit = INT64_MIN };

/* Of threads that are not collected, and while a ring is being opened. */
static union idle nobody = { .thread.limit = INT64_MIN };

__thread struct thread *thread_current __attribute__((tls_model("initial-exec"))) =
	&newcomer.thread;

static const uint32_t no_cpu = MARK_NO_CPU;

static pthread_key_t key;
static bool has_key;

/* glibc 2.35 and later register each thread with the kernel, which keeps the CPU there. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

static const uint32_t *cpu_of_thread(void)
{
	const struct rseq *area;

	if (!&__rseq_size || !__rseq_size)
		return &no_cpu;
	area = (const void *)((const char *)__builtin_thread_pointer() + __rseq_offset);
	return (int32_t)area->cpu_id >= 0 ? &area->cpu_id : &no_cpu;
}

/*
 * Destructors of other keys may mark, too: this one lets them go first, as often as it is
 * called again.
 */
static void thread_ends(void *value)
{
	struct thread *me = value;
	struct memory memory;

	if (me != thread_current || !me->ring)
		return;
	if (++me->exits < PTHREAD_DESTRUCTOR_ITERATIONS) {
		pthread_setspecific(key, me);
		return;
	}
	thread_current = &nobody.thread;
	record_tell_losses(me);
	record_put(me, MARK_CLOSED, 0);
	counts_close(&me->counts);
	__atomic_store_n(&me->ring->closed, 1, __ATOMIC_RELEASE);
	memory = me->memory;
	munmap(me, me->mapped);
	memory_close(&memory);
}

__attribute__((constructor)) static void thread_prepare(void)
{
	has_key = !pthread_key_create(&key, thread_ends);
}

static struct thread *thread_make(const struct memory *memory)
{
	const uint64_t limit = open_limit(memory->bytes);
	const uint64_t bytes = sizeof(struct thread) +
			       (open_most(memory->bytes) + limit + 1) * sizeof(uintptr_t);
	struct thread *me = arena_wiped(bytes);

	if (!me)
		return NULL;
	me->memory = *memory;
	me->mapped = bytes;
	me->most = limit;
	me->records = memory->records;
	me->mask = memory->bytes - 1;
	me->cpu = cpu_of_thread();
	if (settings.counts)
		counts_open(&me->counts);
	me->reserve = record_reserve(me);
	record_set_size(me);
	me->ring = memory->head;
	return me;
}

/* What a report of the process would not see: it has been paused before. */
static void tell_pause(struct thread *me)
{
	const struct plain_mark mark = { .kind = MARK_PAUSE };

	if (process_first() && __atomic_load_n(&process_paused, __ATOMIC_RELAXED))
		record_put_mark(me, &mark);
}

static struct thread *thread_open(void)
{
	struct ring_config answer;	/* the strings are known */
	struct memory memory = {};
	struct thread *me;
	bool ok;

	if (!has_key || !process_lock())
		return NULL;
	ok = process_open();
	process_unlock();
	if (!ok || connection_offer(RING_MARKS, &memory, settings.ring_bytes,
				    &answer, sizeof(answer)) < 0)
		return NULL;
	me = thread_make(&memory);
	if (!me || pthread_setspecific(key, me)) {
		memory_close(&memory);
		return NULL;
	}
	open_gate(me);
	tell_pause(me);
	return me;
}

struct thread *thread_self(void)
{
	struct thread *me = thread_current;
	int error = errno;

	if (me == &nobody.thread)
		return NULL;
	if (me->ring)
		return me;
	/* What it calls may mark, too. */
	thread_current = &nobody.thread;
	me = thread_open();
	if (me)
		thread_current = me;
	else
		names_count_failure();
	errno = error;
	return me;
}
