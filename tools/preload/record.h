/* SPDX-License-Identifier: GPL-2.0 */
/* Writing of records into the ring of the calling thread. */
#ifndef KERMON_PRELOAD_RECORD_H
#define KERMON_PRELOAD_RECORD_H

#include "thread.h"

/* The first word of a record, as struct mark_record has it; @id is shifted already. */
static inline uint64_t record_word(unsigned int kind, unsigned int words, uint32_t cpu,
				   uint64_t id)
{
	return id | (uint64_t)(uint16_t)cpu << 16 | words << 8 | kind;
}

/* The next record of the ring; @words are handed to the tool by record_publish(). */
static inline uint64_t *record_next(const struct thread *me)
{
	return (uint64_t *)(me->records + (me->head & me->mask));
}

static inline void record_publish(struct thread *me, unsigned int words)
{
	me->head += words * sizeof(uint64_t);
	memory_publish(me->ring, me->head);
}

/* The CPU on which the thread runs. */
static inline uint32_t record_cpu(const struct thread *me)
{
	return __atomic_load_n(me->cpu, __ATOMIC_RELAXED);
}

/**
 * record_room() - make sure that there is room for records
 * @me: the calling thread
 * @bytes: of the records
 *
 * Looks how far the tool has read, and waits for it if nothing may be lost. Tells of marks
 * that were lost before.
 *
 * Return: whether there is room.
 */
bool record_room(struct thread *me, int64_t bytes);

/**
 * record_put() - write a mark with counts, for which there are @me->reserve bytes
 * @me: the calling thread
 * @kind: enum mark
 * @id: number of its name << 32
 *
 * Without counts if there are none. What they are is told before.
 *
 * Return: bytes that were written, at most @me->reserve; the caller accounts for them.
 */
int64_t record_put(struct thread *me, unsigned int kind, uint64_t id);

/* Writes @mark, for which there is room, and returns its bytes likewise. */
int64_t record_put_mark(struct thread *me, const struct plain_mark *mark);

/* @nr marks of the calling thread have found no room. */
void record_lose(struct thread *me, uint64_t nr);

/**
 * record_reserve() - bytes of the largest mark that record_put() writes
 * @me: the calling thread, whose counts are open
 */
int64_t record_reserve(const struct thread *me);

#endif /* KERMON_PRELOAD_RECORD_H */
