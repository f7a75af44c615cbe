// SPDX-License-Identifier: GPL-2.0
/* Begins and ends that are not simple: filters, pauses, losses, ends out of order. */
#include "filter.h"
#include "open.h"
#include "process.h"
#include "record.h"

static struct region *open_region(uintptr_t entry)
{
	return (struct region *)(entry & ~(uintptr_t)OPEN_FLAGS);
}

static bool is_paused(void)
{
	return __atomic_load_n(&process_paused, __ATOMIC_RELAXED);
}

static bool filters_pass(const struct thread *me)
{
	return !me->quiet && (me->included || !filter.includes) &&
	       (me->iterating || !filter.iterates);
}

/* Whether marks of the thread are collected. */
static bool is_collected(const struct thread *me)
{
	return filters_pass(me) && !is_paused();
}

void open_gate(struct thread *me)
{
	const int64_t need = (int64_t)me->bytes + me->reserve;

	/* Ends give back what they have kept, which does not open it. */
	me->limit = INT64_MIN / 2;
	if (filters_pass(me) && me->lost == me->told)
		me->limit = me->head + record_left(me) - need + 1;
}

static void open_push(struct thread *me, struct region *region, unsigned int flags)
{
	me->open[++me->depth] = (uintptr_t)region | flags;
	me->unwritten += !!(flags & OPEN_UNWRITTEN);
	me->included += !!(flags & OPEN_INCLUDES);
	me->iterating += !!(flags & OPEN_ITERATES);
}

/* What is open from number @from on, is not any more. */
static void open_pop(struct thread *me, uint64_t from)
{
	uintptr_t entry;

	for (; me->depth >= from; me->depth--) {
		entry = me->open[me->depth];
		me->unwritten -= !!(entry & OPEN_UNWRITTEN);
		if (entry & OPEN_QUIET)
			me->quiet = QUIET_NO;
		me->included -= !!(entry & OPEN_INCLUDES);
		me->iterating -= !!(entry & OPEN_ITERATES);
	}
}

/* Write its begin, with room for its end; or nothing, and all inside is lost, too. Its flags. */
static unsigned int begin_write(struct thread *me, struct region *region, unsigned int kind)
{
	const bool known = !(region->special & REGION_UNANNOUNCED) ||
			   names_announce_late(region);

	if (!known || !record_room(me, 2 * me->reserve)) {
		record_lose(me, 1);
		me->quiet = QUIET_LOST;
		return OPEN_UNWRITTEN | OPEN_QUIET;
	}
	record_put(me, kind, region->id);
	return 0;
}

static unsigned int begin_filter(const struct region *region)
{
	unsigned int flags = 0;

	if (region->special & FILTER_INCLUDES)
		flags |= OPEN_INCLUDES;
	if (region->special & FILTER_ITERATES && filter_iteration())
		flags |= OPEN_ITERATES;
	return flags;
}

static bool is_collected_with(const struct thread *me, unsigned int flags)
{
	return !me->quiet && !is_paused() &&
	       (me->included || !filter.includes || flags & OPEN_INCLUDES) &&
	       (me->iterating || !filter.iterates || flags & OPEN_ITERATES);
}

void thread_begin(struct region *region)
{
	struct thread *me = thread_self();
	unsigned int flags;
	bool excludes;

	if (!me)
		return;
	if (me->unwritten >= me->most) {
		me->over++;
		record_lose(me, 1);
		return;
	}
	flags = begin_filter(region);
	excludes = region->special & FILTER_EXCLUDES && !me->quiet;
	if (is_collected_with(me, flags)) {
		flags |= begin_write(me, region, excludes ? MARK_SKIP : MARK_BEGIN);
	} else {
		flags |= OPEN_UNWRITTEN;
		if (me->quiet == QUIET_LOST)
			record_lose(me, 1);
	}
	if (excludes && !me->quiet) {
		me->quiet = QUIET_EXCLUDED;
		flags |= OPEN_QUIET;
	}
	open_push(me, region, flags);
	open_gate(me);
}

/* The number of an open region from which on all end: 0 if there is none. */
static uint64_t find(const struct thread *me, const struct region *region)
{
	uint64_t at = me->depth;

	while (at && open_region(me->open[at]) != region)
		at--;
	return at;
}

/* The begins of these may be written, although that of the outermost is not. */
static uint64_t outermost_written(const struct thread *me, uint64_t at)
{
	while (at <= me->depth && me->open[at] & OPEN_UNWRITTEN)
		at++;
	return at <= me->depth ? at : 0;
}

static void end_without_begin(struct thread *me, uint32_t id)
{
	if (!is_collected(me)) {
		if (me->quiet == QUIET_LOST)
			record_lose(me, 1);
		return;
	}
	if (!record_room(me, me->reserve)) {
		record_lose(me, 1);
		return;
	}
	record_put(me, MARK_END, id);
	open_gate(me);
}

/* All from number @at on ends. */
static void end_at(struct thread *me, uint64_t at)
{
	const uint64_t written = outermost_written(me, at);

	if (written)
		record_put(me, MARK_END, open_region(me->open[written])->id);
	else if (me->quiet == QUIET_LOST)
		record_lose(me, 1);
	open_pop(me, at);
	open_gate(me);
}

static bool end_is_over(struct thread *me)
{
	if (!me->over)
		return false;
	me->over--;
	record_lose(me, 1);
	return true;
}

void thread_end(struct region *region)
{
	struct thread *me = thread_self();
	uint64_t at;

	if (!me || end_is_over(me))
		return;
	at = find(me, region);
	if (at)
		end_at(me, at);
	else
		end_without_begin(me, region->id);
}

void thread_end_kind(unsigned int kind, struct region *domain)
{
	struct thread *me = thread_self();
	const struct region *region;
	uint64_t at;

	if (!me || end_is_over(me))
		return;
	for (at = me->depth; at; at--) {
		region = open_region(me->open[at]);
		if (region->kind == kind && region->domain == domain)
			break;
	}
	if (at)
		end_at(me, at);
	else
		end_without_begin(me, domain ? domain->id : 0);
}

void thread_mark(const struct plain_mark *mark)
{
	struct thread *me = thread_self();
	int64_t bytes;

	if (!me)
		return;
	if (!mark->always && !is_collected(me)) {
		if (me->quiet == QUIET_LOST)
			record_lose(me, 1);
		return;
	}
	bytes = (MARK_WORDS + mark->nr) * sizeof(uint64_t);
	if (mark->kind == MARK_EVENT)
		bytes = me->reserve;
	if ((mark->name && mark->name->special & REGION_UNANNOUNCED &&
	     !names_announce_late(mark->name)) ||
	    !record_room(me, bytes)) {
		record_lose(me, 1);
		return;
	}
	if (mark->kind == MARK_EVENT)
		record_put(me, mark->kind, mark->name ? mark->name->id : 0);
	else
		record_put_mark(me, mark);
	open_gate(me);
}
