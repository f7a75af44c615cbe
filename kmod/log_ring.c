// SPDX-License-Identifier: GPL-2.0
/* The producer side of the log: room for samples, and publishing them. */
#include <linux/irq_work.h>

#include "log.h"

static void log_drop(struct log *log, struct log_ring *ring)
{
	WRITE_ONCE(ring->lost, ring->lost + 1);
	/* Pairs with log_gap(), as in log_commit(). */
	smp_store_release(&ring->sequence, ring->sequence + 1);
	if (!READ_ONCE(log->lost)) {
		WRITE_ONCE(log->lost, true);
		irq_work_queue(&log->kick);
	}
}

/* If the reader consumes some meanwhile, retry: there may be enough room. */
static void log_overwrite(struct log *log, struct log_ring *ring, size_t size)
{
	u64 tail = READ_ONCE(ring->tail);
	u64 position, nr;

	do {
		position = tail;
		for (nr = 0; ring->head + size - position > log->size; nr++)
			position += log_sample_at(log, ring,
						  position)->record.size;
		/* Pairs with log_gap() and log_take(): advance the tail first. */
	} while (!try_cmpxchg(&ring->tail, &tail, position));
	WRITE_ONCE(ring->lost, ring->lost + nr);
}

/* Make room in a full ring, or count the sample as lost; whether there is room. */
static bool log_make_room(struct log *log, struct log_ring *ring, size_t size)
{
	if (log->overwrite)
		log_overwrite(log, ring, size);
	else
		log_drop(log, ring);
	return log->overwrite;
}

struct kermon_sample *log_reserve(struct log *log, struct log_ring *ring,
				  size_t size)
{
	/* Pairs with log_take(): overwrite only what has been copied. */
	u64 used = ring->head - smp_load_acquire(&ring->tail);

	if (unlikely(used + size > log->size) &&
	    !log_make_room(log, ring, size))
		return NULL;
	return ring->data + (ring->head & ring->mask);
}

/*
 * The consumer only ever takes from the ring, so below the watermark all that is left
 * up to there can be written without looking at the tail again. Hooks never write to a
 * ring with pending samples by themselves.
 */
void log_committed(struct log *log, struct log_ring *ring, size_t size)
{
	/* Pairs with log_take(), as in log_reserve(). */
	u64 tail = smp_load_acquire(&ring->tail);
	u64 used = ring->head - tail;
	bool full = used - size < log->watermark && used >= log->watermark;

	if (used < log->watermark && !ring->pending)
		ring->stop = tail + log->watermark - 1;
	if (full)
		WRITE_ONCE(log->full, true);
	if (full || !READ_ONCE(log->alarm))
		irq_work_queue(&log->kick);
}
