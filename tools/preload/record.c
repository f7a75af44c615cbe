// SPDX-License-Identifier: GPL-2.0
/* Records of marks: room for them, their counts, and what has been lost. */
#include <string.h>

#include "connection.h"
#include "process.h"
#include "record.h"

#define BYTES(words)	((int64_t)((words) * sizeof(uint64_t)))

/* MARK_LOST, and MARK_CLOSED, as large as an end. */
static int64_t kept(const struct thread *me)
{
	return BYTES(MARK_WORDS + 1) + me->reserve;
}

int64_t record_reserve(const struct thread *me)
{
	if (!me->counts.page)
		return BYTES(MARK_WORDS);
	return BYTES(COUNTED_WORDS + MARK_WORDS + 1 + me->counts.nr);
}

static void look(struct thread *me)
{
	me->room = memory_free(&me->memory, me->head) - kept(me) -
		   (int64_t)me->written * me->reserve;
}

/* Room that comes when the tool has read everything. */
static bool may_come(const struct thread *me, int64_t bytes)
{
	return (int64_t)me->memory.bytes - kept(me) - (int64_t)me->written * me->reserve >= bytes;
}

static void tell_losses(struct thread *me)
{
	const struct plain_mark mark = {
		.kind = MARK_LOST, .nr = 1, .values = { me->lost - me->told },
	};

	me->told = me->lost;
	me->room -= record_put_mark(me, &mark);
}

bool record_room(struct thread *me, int64_t bytes)
{
	struct patience patience = {};

	if (me->lost != me->told)
		bytes += BYTES(MARK_WORDS + 1);
	for (look(me); me->room < bytes; look(me)) {
		if (!settings.waits || !may_come(me, bytes) || !connection_wait(&patience))
			return false;
	}
	if (me->lost != me->told)
		tell_losses(me);
	return true;
}

void record_lose(struct thread *me, uint64_t nr)
{
	me->lost += nr;
	/* The next begin tells. */
	me->need = INT64_MAX;
	__atomic_store_n(&me->ring->lost, me->lost, __ATOMIC_RELAXED);
}

static int64_t put(struct thread *me, uint64_t word, uint64_t tsc, const uint64_t *values,
		   unsigned int nr)
{
	uint64_t *record = record_next(me);

	record[0] = word;
	record[1] = tsc;
	memcpy(record + MARK_WORDS, values, nr * sizeof(*values));
	record_publish(me, MARK_WORDS + nr);
	return BYTES(MARK_WORDS + nr);
}

int64_t record_put_mark(struct thread *me, const struct plain_mark *mark)
{
	const uint64_t id = mark->name ? mark->name->id : 0;

	return put(me, record_word(mark->kind, MARK_WORDS + mark->nr, record_cpu(me), id),
		   mark->tsc ? mark->tsc : __kermon_rdtsc(), mark->values, mark->nr);
}

static int64_t put_counted(struct thread *me, const struct kermon_counts *now)
{
	const struct mark_counted counted = counts_tell(&me->counts, now);
	struct plain_mark mark = { .kind = MARK_COUNTED, .tsc = now->tsc, .nr = 1 };

	memcpy(mark.values, &counted, sizeof(counted));
	return record_put_mark(me, &mark);
}

/* 0: more is counted than when the ring was opened, and there might be no room. */
static int64_t put_with(struct thread *me, unsigned int kind, uint64_t id,
			const struct kermon_counts *now)
{
	const unsigned int nr = 1 + now->nr_values;
	uint64_t values[1 + KERMON_MAX_VALUES];
	int64_t told = 0;

	if (BYTES(COUNTED_WORDS + MARK_WORDS + nr) > me->reserve)
		return 0;
	if (counts_are_new(&me->counts, now))
		told = put_counted(me, now);
	values[0] = now->oncpu;
	memcpy(values + 1, now->values, now->nr_values * sizeof(*values));
	return told + put(me, record_word(kind, MARK_WORDS + nr, record_cpu(me), id), now->tsc,
			  values, nr);
}

int64_t record_put(struct thread *me, unsigned int kind, uint64_t id)
{
	struct kermon_counts now;
	int64_t bytes = 0;

	if (counts_read(&me->counts, &now))
		bytes = put_with(me, kind, id, &now);
	if (!bytes)
		bytes = put(me, record_word(kind, MARK_WORDS, record_cpu(me), id),
			    __kermon_rdtsc(), NULL, 0);
	return bytes;
}
