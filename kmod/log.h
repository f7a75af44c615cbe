/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The log of an application: a ring of samples for each CPU.
 *
 * One producer for each ring, the hooks of its CPU with irqs off; one consumer
 * for the log. They share two positions and no lock. A sample for which there
 * is no room is dropped and only counted in the sequence, so the consumer finds
 * each gap from the numbers alone and reports it as a record of its own.
 *
 * A log may overwrite instead: then the producer, too, advances the tail, past the
 * oldest samples, and whoever of the two comes second has to look again. The
 * consumer copies first and takes what it copied only if it is all still there.
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
 * @data: kermon_ring_size()
 * @head: bytes ever written
 * @sequence: samples ever taken, lost ones included
 * @lost: samples dropped or overwritten
 * @cost: TSC cycles that the hooks of the CPU took
 * @pending: samples that are not written yet, see pending.h; NULL in a log that
 *	does not coalesce
 * @tail: bytes ever consumed or overwritten
 * @expected: sequence of the next sample that was neither read nor reported lost
 * @read: samples handed out
 *
 * @head is published before the @sequence of what it covers.
 */
struct log_ring {
	void *data;
	u64 head;
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
 * @app: whose
 * @rings: per possible CPU
 * @size: bytes of a ring, a power of two
 * @watermark: bytes in a ring from which on readers are woken at once
 * @overwrite: the oldest samples make room
 * @coalesce: TSC cycles for which intervals are added up; 0: they are not
 * @cursor: CPU at which the next read starts
 * @alarm: the pulse is on its way, readers will be woken
 * @full: a ring has reached the watermark, readers are to be woken at once
 * @lost: a sample was dropped
 * @lost_told: observers know
 * @kick: from the hooks to @pulse and the readers
 * @pulse: wakes readers a bounded time after a sample, tells of losses
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
	bool lost_told;
	struct irq_work kick;
	struct delayed_work pulse;
};

/**
 * struct log_stats - sums over all CPUs
 * @emitted: samples taken, lost ones included
 * @read: samples handed out
 * @lost: samples dropped or overwritten, reported or not yet
 * @cost: TSC cycles that the hooks took
 */
struct log_stats {
	u64 emitted;
	u64 read;
	u64 lost;
	u64 cost;
};

/* @interval: that of the set, in TSC cycles. */
int log_init(struct log *log, struct kermon_app *app, u64 interval);
/* What pends is written, whatever its age; @interval as above. Irqs on. */
void log_change(struct log *log, u64 interval);
/* No hook and no reader uses the log any more. Sleeps. */
void log_destroy(struct log *log);

/* See log_read and log_ready of struct kermon_ops. */
ssize_t log_read(struct log *log, char __user *buf, size_t len);
bool log_ready(struct log *log);

void log_stats(const struct log *log, struct log_stats *stats);

/*
 * The ring has no room for a sample of @size bytes. Returns whether it has now;
 * else the sample is lost, and that is counted. As log_reserve().
 */
bool log_make_room(struct log *log, struct log_ring *ring, size_t size);

/*
 * Room for a sample of @size bytes, or NULL if it is lost. Irqs off, on the CPU
 * of @ring or with the lock of what is pending there, until log_commit().
 */
static __always_inline struct kermon_sample *
log_reserve(struct log *log, struct log_ring *ring, size_t size)
{
	/* Pairs with log_take(): what was copied may be written over. */
	u64 used = ring->head - smp_load_acquire(&ring->tail);

	if (unlikely(used + size > log->size) &&
	    !log_make_room(log, ring, size))
		return NULL;
	return ring->data + (ring->head & (log->size - 1));
}

/* Publish the sample that log_reserve() made room for. */
static __always_inline void log_commit(struct log *log, struct log_ring *ring,
				       size_t size)
{
	u64 used = ring->head - READ_ONCE(ring->tail);
	bool full = used < log->watermark && used + size >= log->watermark;

	/* Pairs with log_run(): the sample before its position. */
	smp_store_release(&ring->head, ring->head + size);
	/* Pairs with log_gap(): the position before the sequence. */
	smp_store_release(&ring->sequence, ring->sequence + 1);
	if (unlikely(full))
		WRITE_ONCE(log->full, true);
	if (unlikely(full || !READ_ONCE(log->alarm)))
		irq_work_queue(&log->kick);
}

/* There is, or will be, something to read: the pulse has to go. */
static inline void log_alarm(struct log *log)
{
	if (unlikely(!READ_ONCE(log->alarm)))
		irq_work_queue(&log->kick);
}

#endif /* KERMON_LOG_H */
