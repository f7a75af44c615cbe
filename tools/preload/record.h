/* SPDX-License-Identifier: GPL-2.0 */
/* Writing of records into the ring of the calling thread. */
#ifndef KERMON_PRELOAD_RECORD_H
#define KERMON_PRELOAD_RECORD_H

#include <stddef.h>
#include <string.h>

#include "thread.h"

/* The next record of the ring; @bytes are handed to the tool by record_publish(). */
static inline struct mark_record *record_next(const struct thread *me)
{
	return (struct mark_record *)(me->records + (me->head & me->mask));
}

/* The CPU on which the thread runs. */
static inline uint16_t record_cpu(const struct thread *me)
{
	return *(const volatile uint32_t *)me->cpu;
}

static inline void record_publish(struct thread *me, int64_t bytes)
{
	me->head += bytes;
	memory_publish(me->ring, me->head);
}

/* @kind and @words of a record, in the order of struct mark_record. */
static inline uint16_t record_start(enum mark kind, unsigned int words)
{
	_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ &&
		       offsetof(struct mark_record, kind) == 0 &&
		       offsetof(struct mark_record, words) == 1, "the order of bytes");
	return kind | words << 8;
}

/* Note how large begins and ends are from now on. */
void record_set_size(struct thread *me);

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
 * record_left() - bytes of records for which there is room, without another look
 * @me: the calling thread
 *
 * Without what is kept: for the ends of open regions, for MARK_LOST and for MARK_CLOSED.
 */
int64_t record_left(const struct thread *me);

/**
 * record_put() - write a mark with counts, for which there are @me->reserve bytes
 * @me: the calling thread
 * @kind: enum mark
 * @id: number of its name, or 0
 *
 * Without counts if there are none. What they are is told before.
 */
void record_put(struct thread *me, unsigned int kind, uint32_t id);

/* Writes @mark, for which there is room. */
void record_put_mark(struct thread *me, const struct plain_mark *mark);

/* Tell of marks that were lost, if there are any that no mark has told of: there is room. */
void record_tell_losses(struct thread *me);

/* @nr marks of the calling thread have found no room. */
void record_lose(struct thread *me, uint64_t nr);

/**
 * record_reserve() - bytes of the largest mark that record_put() writes
 * @me: the calling thread, whose counts are open
 */
int64_t record_reserve(const struct thread *me);

#endif /* KERMON_PRELOAD_RECORD_H */
