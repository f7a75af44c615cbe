/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The log of an application: a ring of samples per CPU.
 *
 * Each ring has one producer, the hooks of its CPU with irqs off; the log has one
 * consumer. They share two positions and no lock. A sample that does not fit is dropped
 * and counted only in the sequence, so the consumer detects each gap from the sequence
 * numbers and reports it as a record of its own.
 *
 * A log may overwrite instead: then the producer also advances the tail, past the
 * oldest samples, and whichever of the two comes second has to retry. The consumer
 * copies first and consumes the copy only if none of it was overwritten.
 */
#ifndef KERMON_LOG_H
#define KERMON_LOG_H

#include <linux/cache.h>
#include <linux/irq_work.h>
#include <linux/kermon.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct pending;

/**
 * struct log_ring - the ring of a CPU
 * @data: kermon_ring_size() bytes
 * @head: bytes ever written
 * @stop: up to this @head, samples fit and stay below the watermark, whatever the
 *	consumer does; 0 if that is not known
 * @mask: size of the ring less one
 * @sequence: samples ever taken, including lost ones
 * @lost: samples dropped or overwritten
 * @cost: TSC cycles spent in hooks on this CPU
 * @pending: samples that are not written yet, see pending.h; NULL if the log does not
 *	coalesce
 * @tail: bytes ever consumed or overwritten
 * @expected: sequence of the next sample neither read nor reported lost
 * @read: samples delivered to readers
 *
 * @head is published before the @sequence that includes it.
 */
struct log_ring {
	void *data;
	u64 head;
	u64 stop;
	u64 mask;
	u64 sequence;
	u64 lost;
	u64 cost;
	struct pending *pending;

	u64 tail ____cacheline_aligned_in_smp;
	u64 expected;
	u64 read;
};

/**
 * struct log - the log of an application
 * @app: the application
 * @rings: one per possible CPU
 * @size: bytes of a ring, a power of two
 * @watermark: fill level in bytes at which readers are woken immediately
 * @overwrite: overwrite the oldest samples when a ring is full
 * @coalesce: TSC cycles over which intervals are summed; 0: not at all
 * @cursor: CPU at which the next read starts
 * @alarm: @pulse is queued and will wake readers
 * @full: a ring has reached the watermark; wake readers immediately
 * @lost: a sample was dropped
 * @lost_notified: observers were notified of that
 * @revoked: TSC when the log was cut, 0 if it was not
 * @told: a reader has got the record of that
 * @kick: from the hooks to @pulse and the readers
 * @pulse: wakes readers a bounded time after a sample, sends notices of losses
 */
struct log {
	struct kermon_app *app;
	struct log_ring __percpu *rings;
	u64 size;
	u64 watermark;
	bool overwrite;
	u64 coalesce;
	int cursor;
	bool alarm;
	bool full;
	bool lost;
	bool lost_notified;
	u64 revoked;
	bool told;
	struct irq_work kick;
	struct delayed_work pulse;
};

/**
 * struct log_stats - sums over all CPUs
 * @emitted: samples taken, including lost ones
 * @read: samples delivered to readers
 * @lost: samples dropped or overwritten, reported or not yet
 * @cost: TSC cycles spent in hooks
 */
struct log_stats {
	u64 emitted;
	u64 read;
	u64 lost;
	u64 cost;
};

/* @interval: interval of the set, in TSC cycles. */
int log_init(struct log *log, struct kermon_app *app, u64 interval);
/* Write all pending samples and set @interval, as above. Irqs on. */
void log_change(struct log *log, u64 interval);
/*
 * No hook writes to the log any more: write all pending samples and, with @cut, end
 * with a record that says that it was revoked. Irqs on.
 */
void log_finish(struct log *log, bool cut);
/* No hook and no reader may use the log any more. May sleep. */
void log_destroy(struct log *log);

/* See log_read and log_ready of struct kermon_ops. */
ssize_t log_read(struct log *log, char __user *buf, size_t len);
bool log_ready(struct log *log);

void log_stats(const struct log *log, struct log_stats *stats);

static inline const struct kermon_sample *
log_sample_at(const struct log *log, const struct log_ring *ring, u64 position)
{
	return ring->data + (position & (log->size - 1));
}

/*
 * Reserve room for a sample of @size bytes; NULL if it is lost. Until log_commit():
 * irqs off, on the CPU of @ring or with the lock of its pending samples held.
 */
struct kermon_sample *log_reserve(struct log *log, struct log_ring *ring,
				  size_t size);

/* As log_reserve(), where that takes no more than this: otherwise NULL, too. */
static __always_inline struct kermon_sample *
log_reserve_fast(const struct log_ring *ring, size_t size)
{
	if (unlikely(ring->head + size > ring->stop))
		return NULL;
	return ring->data + (ring->head & ring->mask);
}

/* A sample has been published: decide who is woken, and find @stop anew. */
void log_committed(struct log *log, struct log_ring *ring, size_t size);

/* Publish the sample written to the room from log_reserve() or log_reserve_fast(). */
static __always_inline void log_commit(struct log *log, struct log_ring *ring,
				       size_t size)
{
	u64 head = ring->head + size;

	/* Pairs with log_run(): publish the sample before its position. */
	smp_store_release(&ring->head, head);
	/* Pairs with log_gap(): publish the position before the sequence. */
	smp_store_release(&ring->sequence, ring->sequence + 1);
	if (unlikely(head > ring->stop || !READ_ONCE(log->alarm)))
		log_committed(log, ring, size);
}

/* Something is or will be readable: make sure that the pulse is queued. */
static inline void log_alarm(struct log *log)
{
	if (unlikely(!READ_ONCE(log->alarm)))
		irq_work_queue(&log->kick);
}

#endif /* KERMON_LOG_H */
