// SPDX-License-Identifier: GPL-2.0
/* The consumer side of the log, its memory, and waking readers. */
#include <linux/gfp.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <asm/msr.h>

#include "log.h"
#include "pending.h"

/* Maximum delay before readers are woken for a sample. */
#define LOG_PULSE	(HZ / 10)

/* Enough to halve from the largest ring down to a few samples, and some more. */
#define LOG_TRIES	24

/* Of contiguous pages for a ring. */
#define LOG_MAX_ORDER	9

static void log_kick(struct irq_work *kick)
{
	struct log *log = container_of(kick, struct log, kick);

	if (READ_ONCE(log->full)) {
		WRITE_ONCE(log->full, false);
		wake_up_interruptible(&log->app->wait);
	}
	if (!READ_ONCE(log->alarm)) {
		WRITE_ONCE(log->alarm, true);
		queue_delayed_work(system_unbound_wq, &log->pulse, LOG_PULSE);
	}
}

/* Write samples that have been pending long enough; return whether any remain. */
static bool log_flush(struct log *log)
{
	u64 coalesce = READ_ONCE(log->coalesce);

	return coalesce && pending_flush(log, rdtsc() - coalesce);
}

/*
 * The alarm is cleared only after the log was found empty, and then the log is
 * checked once more: a hook that still saw the alarm set, and whose sample the
 * first check missed, has long finished by then. So the hooks need no memory
 * barrier between publishing a sample and checking the alarm.
 */
static void log_pulse(struct work_struct *work)
{
	struct log *log = container_of(to_delayed_work(work), struct log, pulse);
	bool more = log_flush(log);

	if (READ_ONCE(log->lost) && !log->lost_notified) {
		log->lost_notified = true;
		log->app->ops->app_notice(log->app, KERMON_NOTICE_LOST);
	}
	if (log_ready(log)) {
		WRITE_ONCE(log->alarm, true);
		wake_up_interruptible(&log->app->wait);
	} else if (more) {
		WRITE_ONCE(log->alarm, true);
	} else if (READ_ONCE(log->alarm)) {
		WRITE_ONCE(log->alarm, false);
	} else {
		return;
	}
	queue_delayed_work(system_unbound_wq, &log->pulse, LOG_PULSE);
}

/*
 * Unmapping what vmalloc() has mapped interrupts all CPUs from time to time, also isolated
 * ones. So take contiguous pages, if there are enough without effort.
 */
static void *log_alloc_data(size_t size, gfp_t zero)
{
	const gfp_t gfp = GFP_KERNEL_ACCOUNT | zero;
	void *data = NULL;

	if (get_order(size) <= LOG_MAX_ORDER)
		data = alloc_pages_exact(size, (gfp & ~__GFP_RECLAIM) | __GFP_NOWARN);
	return data ?: __vmalloc(size, gfp);
}

static void log_free_data(void *data, size_t size)
{
	if (is_vmalloc_addr(data))
		vfree(data);
	else if (data)
		free_pages_exact(data, size);
}

static void log_free_rings(struct log *log)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		pending_free(per_cpu_ptr(log->rings, cpu)->pending);
		log_free_data(per_cpu_ptr(log->rings, cpu)->data,
			      kermon_ring_size(log->app));
	}
	free_percpu(log->rings);
}

static int log_init_ring(struct log *log, int cpu)
{
	struct log_ring *ring = per_cpu_ptr(log->rings, cpu);

	/*
	 * Zeroed: while samples are overwritten, a reader may copy more than
	 * was ever written. It discards that copy, but user space could see it.
	 */
	ring->data = log_alloc_data(kermon_ring_size(log->app),
				    log->overwrite ? __GFP_ZERO : 0);
	if (!ring->data)
		return -ENOMEM;
	ring->mask = log->size - 1;
	if (!log->coalesce)
		return 0;
	ring->pending = pending_alloc(cpu);
	return ring->pending ? 0 : -ENOMEM;
}

int log_init(struct log *log, struct kermon_app *app, u64 interval)
{
	int cpu;

	log->app = app;
	log->size = app->request.log_bytes;
	log->watermark = app->request.watermark;
	log->overwrite = app->request.flags & KERMON_SET_OVERWRITE;
	log->coalesce = app->request.flags & KERMON_SET_COALESCE ? interval : 0;
	log->cursor = cpumask_first(cpu_possible_mask);
	init_irq_work(&log->kick, log_kick);
	INIT_DELAYED_WORK(&log->pulse, log_pulse);
	log->rings = alloc_percpu_gfp(struct log_ring,
				      GFP_KERNEL_ACCOUNT);
	if (!log->rings)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		if (log_init_ring(log, cpu)) {
			log_free_rings(log);
			return -ENOMEM;
		}
	}
	return 0;
}

void log_change(struct log *log, u64 interval)
{
	if (!log->coalesce)
		return;
	pending_flush(log, U64_MAX);
	WRITE_ONCE(log->coalesce, interval);
}

void log_finish(struct log *log, bool cut)
{
	log_change(log, 0);
	if (!cut)
		return;
	/* Pairs with log_read(): all samples are in the rings. */
	smp_store_release(&log->revoked, rdtsc());
}

/*
 * The work is queued by the irq work and by itself, so cancel it again after
 * the irq work. The work in turn queues the irq work only when it writes
 * pending samples, which it no longer does.
 */
void log_destroy(struct log *log)
{
	WRITE_ONCE(log->coalesce, 0);
	cancel_delayed_work_sync(&log->pulse);
	irq_work_sync(&log->kick);
	cancel_delayed_work_sync(&log->pulse);
	log_free_rings(log);
}

/*
 * Number of samples missing before the next one in @ring, or after the last
 * one. The sequence is read first, so if the ring is empty, all samples up to
 * there were consumed or lost. The sequence may lag by one: a sample can be
 * read before the sequence includes it.
 */
static u64 log_gap(const struct log *log, const struct log_ring *ring)
{
	u64 sequence, tail;

	do {
		/* Pairs with log_commit() and log_drop(). */
		sequence = smp_load_acquire(&ring->sequence);
		tail = READ_ONCE(ring->tail);
		/* Pairs with log_commit(): the sample is read below. */
		if (smp_load_acquire(&ring->head) != tail)
			sequence = log_sample_at(log, ring, tail)->sequence;
		/*
		 * Pairs with log_overwrite(): the sequence was read before
		 * being overwritten.
		 */
		smp_rmb();
	} while (READ_ONCE(ring->tail) != tail);
	return max_t(s64, sequence - ring->expected, 0);
}

/*
 * Find the samples from @tail on that are contiguous in memory and in sequence
 * and fit into @room: returns their size in bytes and stores their number in
 * @samples. Samples that are overwritten meanwhile may read as anything, so
 * validate sizes.
 */
static size_t log_run(const struct log *log, const struct log_ring *ring,
		      u64 tail, size_t room, u64 *samples)
{
	/* Pairs with log_commit(): the samples are read below. */
	u64 head = smp_load_acquire(&ring->head);
	u64 end = min(head, round_up(tail + 1, log->size));
	u64 position = tail;

	for (*samples = 0; position < end; ++*samples) {
		const struct kermon_sample *sample =
			log_sample_at(log, ring, position);
		u16 size = READ_ONCE(sample->record.size);

		if (sample->sequence != ring->expected + *samples ||
		    size > KERMON_RECORD_MAX || size > room - (position - tail))
			break;
		position += size;
	}
	return position - tail;
}

/* Report @gap missing samples; returns bytes, 0 without room, or -EFAULT. */
static ssize_t log_copy_lost(struct log_ring *ring, int cpu, u64 gap,
			     char __user *buf, size_t room)
{
	struct kermon_lost lost = {
		.record.type = KERMON_RECORD_LOST,
		.record.size = sizeof(lost),
		.record.cpu = cpu,
		.sequence = ring->expected,
		.lost = gap,
	};

	if (room < sizeof(lost))
		return 0;
	if (copy_to_user(buf, &lost, sizeof(lost)))
		return -EFAULT;
	WRITE_ONCE(ring->expected, ring->expected + gap);
	return sizeof(lost);
}

/*
 * Consume the @bytes copied from @tail on; false if they were overwritten
 * meanwhile.
 */
static bool log_take(const struct log *log, struct log_ring *ring, u64 tail,
		     size_t bytes)
{
	/* Pairs with log_overwrite(): copy before it is overwritten. */
	if (log->overwrite)
		return try_cmpxchg(&ring->tail, &tail, tail + bytes);
	/* Pairs with log_reserve(): likewise. */
	smp_store_release(&ring->tail, tail + bytes);
	return true;
}

/* Returns bytes, -EFAULT, or -EAGAIN if they were overwritten meanwhile. */
static ssize_t log_copy_run(const struct log *log, struct log_ring *ring,
			    char __user *buf, size_t room)
{
	u64 samples, tail = READ_ONCE(ring->tail);
	size_t bytes = log_run(log, ring, tail, room, &samples);

	if (copy_to_user(buf, log_sample_at(log, ring, tail), bytes))
		return -EFAULT;
	if (!log_take(log, ring, tail, bytes))
		return -EAGAIN;
	WRITE_ONCE(ring->expected, ring->expected + samples);
	WRITE_ONCE(ring->read, ring->read + samples);
	return bytes;
}

/*
 * Copy as much of @ring as fits; data copied before a fault counts. If the
 * producer overtakes the reader, retry with less at a time: copying a few
 * samples is faster than taking one. After too many retries, return to the
 * caller, which comes back.
 */
static ssize_t log_read_ring(const struct log *log, int cpu,
			     char __user *buf, size_t len)
{
	struct log_ring *ring = per_cpu_ptr(log->rings, cpu);
	size_t done = 0, most = log->size;
	unsigned int overtaken = 0;

	while (done < len && overtaken < LOG_TRIES) {
		size_t room = min(len - done, most);
		u64 gap = log_gap(log, ring);
		ssize_t ret;

		if (gap)
			ret = log_copy_lost(ring, cpu, gap, buf + done, room);
		else
			ret = log_copy_run(log, ring, buf + done, room);
		if (ret == -EAGAIN) {
			overtaken++;
			most = max_t(size_t, most / 2, KERMON_RECORD_MAX);
			continue;
		}
		if (ret < 0 && !done)
			return ret;
		if (ret <= 0)
			break;
		done += ret;
	}
	return done;
}

static bool log_has_samples(const struct log *log)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct log_ring *ring = per_cpu_ptr(log->rings, cpu);

		/* As in log_gap(), the sequence may lag by one. */
		if ((s64)(READ_ONCE(ring->sequence) -
			  READ_ONCE(ring->expected)) > 0)
			return true;
	}
	return false;
}

/* The last record of a log that was revoked at @tsc; as log_copy_lost(). */
static ssize_t log_copy_revoked(struct log *log, u64 tsc, char __user *buf,
				size_t room)
{
	struct kermon_revoked revoked = {
		.record.type = KERMON_RECORD_REVOKED,
		.record.size = sizeof(revoked),
		.record.cpu = raw_smp_processor_id(),
		.tsc = tsc,
	};

	if (room < sizeof(revoked))
		return 0;
	if (copy_to_user(buf, &revoked, sizeof(revoked)))
		return -EFAULT;
	WRITE_ONCE(log->told, true);
	return sizeof(revoked);
}

/* What remains to be read if all samples were. */
static ssize_t log_read_end(struct log *log, u64 revoked, char __user *buf,
			    size_t len)
{
	if (!revoked || log->told || log_has_samples(log))
		return 0;
	return log_copy_revoked(log, revoked, buf, len);
}

/* Each read starts at the next CPU, so that no CPU starves. */
ssize_t log_read(struct log *log, char __user *buf, size_t len)
{
	/* Pairs with log_finish(): before what is in the rings. */
	u64 revoked = smp_load_acquire(&log->revoked);
	size_t done = 0;
	ssize_t ret;
	int cpu;

	log_flush(log);
	log->cursor = cpumask_next(log->cursor, cpu_possible_mask);
	if (log->cursor >= nr_cpu_ids)
		log->cursor = cpumask_first(cpu_possible_mask);
	for_each_cpu_wrap(cpu, cpu_possible_mask, log->cursor) {
		ret = log_read_ring(log, cpu, buf + done, len - done);
		if (ret < 0)
			return done ? done : ret;
		done += ret;
	}
	ret = log_read_end(log, revoked, buf + done, len - done);
	if (ret < 0)
		return done ? done : ret;
	return done + ret;
}

bool log_ready(struct log *log)
{
	return log_has_samples(log) ||
	       (READ_ONCE(log->revoked) && !READ_ONCE(log->told));
}

void log_stats(const struct log *log, struct log_stats *stats)
{
	int cpu;

	*stats = (struct log_stats){};
	for_each_possible_cpu(cpu) {
		const struct log_ring *ring = per_cpu_ptr(log->rings, cpu);

		stats->emitted += READ_ONCE(ring->sequence);
		stats->read += READ_ONCE(ring->read);
		stats->lost += READ_ONCE(ring->lost);
		stats->cost += READ_ONCE(ring->cost);
	}
}
