// SPDX-License-Identifier: GPL-2.0
/* Records of marks: room for them, their counts, and what has been lost. */
#include <string.h>

#include "connection.h"
#include "process.h"
#include "record.h"

#define BYTES(words)	((int64_t)((words) * sizeof(uint64_t)))

int64_t record_reserve(const struct thread *me)
{
	if (!counts_are_open(&me->counts))
		return BYTES(MARK_WORDS);
	return BYTES(COUNTED_WORDS + MARK_WORDS + 1 + me->counts.nr);
}

void record_set_size(struct thread *me)
{
	const unsigned int words = counts_words(&me->counts);

	me->begin = record_start(MARK_BEGIN, words);
	me->end = record_start(MARK_END, words);
	me->bytes = BYTES(words);
}

/* For the ends of open regions, for MARK_LOST, and for MARK_CLOSED. */
static int64_t kept(const struct thread *me)
{
	return BYTES(MARK_WORDS + 1) +
	       (int64_t)(me->depth - me->unwritten + 1) * me->reserve;
}

int64_t record_left(const struct thread *me)
{
	return me->tail + (int64_t)me->memory.bytes - me->head - kept(me);
}

/* Whether there will be room when the tool has read everything. */
static bool may_come(const struct thread *me, int64_t bytes)
{
	return (int64_t)me->memory.bytes - kept(me) >= bytes;
}

void record_tell_losses(struct thread *me)
{
	const struct plain_mark mark = {
		.kind = MARK_LOST, .nr = 1, .values = { me->lost - me->told },
	};

	if (me->lost == me->told)
		return;
	me->told = me->lost;
	record_put_mark(me, &mark);
}

bool record_room(struct thread *me, int64_t bytes)
{
	struct patience patience = {};

	if (me->lost != me->told)
		bytes += BYTES(MARK_WORDS + 1);
	while (record_left(me) < bytes) {
		me->tail = memory_tail(&me->memory, me->head);
		if (record_left(me) >= bytes)
			break;
		if (!settings.waits || !may_come(me, bytes) || !connection_wait(&patience))
			return false;
	}
	record_tell_losses(me);
	return true;
}

void record_lose(struct thread *me, uint64_t nr)
{
	me->lost += nr;
	/* The next begin tells. */
	me->limit = INT64_MIN / 2;
	__atomic_store_n(&me->ring->lost, me->lost, __ATOMIC_RELAXED);
}

static void put(struct thread *me, unsigned int kind, uint32_t id, uint64_t tsc,
		const uint64_t *values, unsigned int nr)
{
	struct mark_record *record = record_next(me);

	record->kind = kind;
	record->words = MARK_WORDS + nr;
	record->cpu = record_cpu(me);
	record->id = id;
	record->tsc = tsc;
	for (unsigned int i = 0; i < nr; i++)
		record->values[i] = values[i];
	record_publish(me, BYTES(MARK_WORDS + nr));
}

void record_put_mark(struct thread *me, const struct plain_mark *mark)
{
	put(me, mark->kind, mark->name ? mark->name->id : 0,
	    mark->tsc ? mark->tsc : __kermon_rdtsc(), mark->values, mark->nr);
}

static void put_counted(struct thread *me, const struct kermon_counts *now)
{
	const struct mark_counted counted = counts_tell(&me->counts, now);
	struct plain_mark mark = { .kind = MARK_COUNTED, .tsc = now->tsc, .nr = 1 };

	memcpy(mark.values, &counted, sizeof(counted));
	record_put_mark(me, &mark);
}

/* False: more is counted than when the ring was opened, and there might be no room. */
static bool put_with(struct thread *me, unsigned int kind, uint32_t id,
		     const struct kermon_counts *now)
{
	const unsigned int nr = 1 + now->nr_values;
	uint64_t values[1 + KERMON_MAX_VALUES];

	if (BYTES(COUNTED_WORDS + MARK_WORDS + nr) > me->reserve)
		return false;
	if (counts_are_new(&me->counts, now))
		put_counted(me, now);
	values[0] = now->oncpu;
	memcpy(values + 1, now->values, now->nr_values * sizeof(*values));
	put(me, kind, id, now->tsc, values, nr);
	return true;
}

void record_put(struct thread *me, unsigned int kind, uint32_t id)
{
	struct kermon_counts now;

	if (!counts_read(&me->counts, &now) || !put_with(me, kind, id, &now))
		put(me, kind, id, __kermon_rdtsc(), NULL, 0);
	record_set_size(me);
}
