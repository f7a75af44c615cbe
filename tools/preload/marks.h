/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Begin and end of a region where all is simple: it is collected, there is room, and the end
 * is that of the innermost region. The compiler makes two copies of each, with and without
 * counts.
 */
#ifndef KERMON_PRELOAD_MARKS_H
#define KERMON_PRELOAD_MARKS_H

#include "process.h"
#include "record.h"

#define unlikely(condition)	__builtin_expect(!!(condition), 0)

/* Whether the mark is simple. */
static inline __attribute__((always_inline)) bool
mark_put(struct thread *me, struct mark_record *record, bool counted)
{
	if (counted)
		return counts_put(&me->counts, record);
	record->tsc = __kermon_rdtsc();
	return true;
}

static inline __attribute__((always_inline)) int64_t
mark_bytes(const struct thread *me, bool counted)
{
	return counted ? me->bytes : MARK_WORDS * sizeof(uint64_t);
}

/* What is written first does not matter: the tool sees the record when it is published. */
static inline __attribute__((always_inline)) void
mark_name(const struct thread *me, struct mark_record *record, uint16_t start,
	  const struct region *region)
{
	memcpy(record, &start, sizeof(start));
	record->cpu = record_cpu(me);
	record->id = region->id;
}

static inline __attribute__((always_inline)) void mark_begin(struct region *region, bool counted)
{
	struct thread *me = thread_current;
	struct mark_record *record;

	/* The first mark, the end of the room, a filter, or a pause. */
	if (unlikely(me->head >= me->limit || region->special)) {
		thread_begin(region);
		return;
	}
	record = record_next(me);
	if (unlikely(!mark_put(me, record, counted))) {
		thread_begin(region);
		return;
	}
	mark_name(me, record, counted ? me->begin : record_start(MARK_BEGIN, MARK_WORDS), region);
	me->open[++me->depth] = (uintptr_t)region;
	me->limit -= me->reserve;
	record_publish(me, mark_bytes(me, counted));
}

static inline __attribute__((always_inline)) void mark_end(struct region *region, bool counted)
{
	struct thread *me = thread_current;
	struct mark_record *record;

	/* After fork(), the depth is 0, and there is nothing. */
	if (unlikely(me->open[me->depth] != (uintptr_t)region)) {
		thread_end(region);
		return;
	}
	record = record_next(me);
	if (unlikely(!mark_put(me, record, counted))) {
		thread_end(region);
		return;
	}
	mark_name(me, record, counted ? me->end : record_start(MARK_END, MARK_WORDS), region);
	me->depth--;
	me->limit += me->reserve;
	record_publish(me, mark_bytes(me, counted));
}

#endif /* KERMON_PRELOAD_MARKS_H */
