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

/* As counts_put(). */
static inline __attribute__((always_inline)) unsigned int
mark_put(struct thread *me, uint64_t *record, bool counted)
{
	if (counted)
		return counts_put(&me->counts, record);
	record[1] = __kermon_rdtsc();
	return MARK_WORDS;
}

static inline __attribute__((always_inline)) void mark_begin(struct region *region, bool counted)
{
	struct thread *me = thread_current;
	unsigned int words;
	uint64_t *record;

	/* A filter is waiting, a pause, the end of the room, or the first mark. */
	if (unlikely(!me || me->room <= me->need || region->special ||
		     __atomic_load_n(&process_paused, __ATOMIC_RELAXED))) {
		thread_begin(region);
		return;
	}
	record = record_next(me);
	words = mark_put(me, record, counted);
	if (unlikely(!words)) {
		thread_begin(region);
		return;
	}
	record[0] = record_word(MARK_BEGIN, words, record_cpu(me), region->id);
	me->open[++me->depth] = (uintptr_t)region | OPEN_WRITTEN;
	me->written++;
	me->room -= me->need;
	record_publish(me, words);
}

static inline __attribute__((always_inline)) void mark_end(struct region *region, bool counted)
{
	struct thread *me = thread_current;
	unsigned int words;
	uint64_t *record;

	/* After fork(), the depth is 0, and there is nothing. */
	if (unlikely(!me || me->open[me->depth] != ((uintptr_t)region | OPEN_WRITTEN))) {
		thread_end(region);
		return;
	}
	record = record_next(me);
	words = mark_put(me, record, counted);
	if (unlikely(!words)) {
		thread_end(region);
		return;
	}
	record[0] = record_word(MARK_END, words, record_cpu(me), region->id);
	me->depth--;
	me->written--;
	me->room += me->reserve - (int64_t)(words * sizeof(uint64_t));
	record_publish(me, words);
}

#endif /* KERMON_PRELOAD_MARKS_H */
