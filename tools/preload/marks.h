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

static inline __attribute__((always_inline)) unsigned int
mark_words(const struct thread *me, bool counted)
{
	return counted ? me->words : MARK_WORDS;
}

/* What is written first does not matter: the tool sees the record when it is published. */
static inline __attribute__((always_inline)) void
mark_name(const struct thread *me, struct mark_record *record, enum mark kind,
	  unsigned int words, const struct region *region)
{
	record->kind = kind;
	record->words = words;
	record->cpu = record_cpu(me);
	record->id = region->id;
}

static inline __attribute__((always_inline)) void mark_begin(struct region *region, bool counted)
{
	struct thread *me = thread_current;
	struct mark_record *record;
	unsigned int words;

	/* The first mark, the end of the room, a filter, or a pause. */
	if (unlikely(!me || me->head >= me->limit || region->special || process_paused)) {
		thread_begin(region);
		return;
	}
	record = record_next(me);
	if (unlikely(!mark_put(me, record, counted))) {
		thread_begin(region);
		return;
	}
	words = mark_words(me, counted);
	mark_name(me, record, MARK_BEGIN, words, region);
	me->open[++me->depth] = (uintptr_t)region;
	me->limit -= me->reserve;
	record_publish(me, words);
}

static inline __attribute__((always_inline)) void mark_end(struct region *region, bool counted)
{
	struct thread *me = thread_current;
	struct mark_record *record;
	unsigned int words;

	/* After fork(), the depth is 0, and there is nothing. */
	if (unlikely(!me || me->open[me->depth] != (uintptr_t)region)) {
		thread_end(region);
		return;
	}
	record = record_next(me);
	if (unlikely(!mark_put(me, record, counted))) {
		thread_end(region);
		return;
	}
	words = mark_words(me, counted);
	mark_name(me, record, MARK_END, words, region);
	me->depth--;
	me->limit += me->reserve;
	record_publish(me, words);
}

#endif /* KERMON_PRELOAD_MARKS_H */
