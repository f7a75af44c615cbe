// SPDX-License-Identifier: GPL-2.0
/* Coalescing: summing intervals, and deciding when a sum is written. */
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "log.h"
#include "pending.h"

#define PENDING_SLOTS	16

/* A sample with room for its values. */
union pending_sample {
	u64 room[KERMON_RECORD_MAX / sizeof(u64)];
	struct kermon_sample sample;
};

/**
 * struct pending - samples of an application pending on a CPU
 * @lock: the producer side of the ring, taken with irqs off
 * @fresh: the sample that a hook is about to add; used only by the CPU itself
 * @tasks: task of each slot, NULL if the slot is free; never dereferenced
 * @sets: set that each slot counts; never dereferenced
 * @slots: samples that may still grow
 */
struct pending {
	raw_spinlock_t lock;
	union pending_sample fresh;
	const struct task_struct *tasks[PENDING_SLOTS];
	const struct session_set *sets[PENDING_SLOTS];
	union pending_sample slots[PENDING_SLOTS];
};

struct pending *pending_alloc(int cpu)
{
	struct pending *pending;

	/* kmalloc() rounds up to a power of two. */
	BUILD_BUG_ON(sizeof(*pending) > KERMON_PENDING_BYTES);
	pending = kzalloc_node(sizeof(*pending), GFP_KERNEL_ACCOUNT,
			       cpu_to_node(cpu));
	if (pending)
		raw_spin_lock_init(&pending->lock);
	return pending;
}

void pending_free(struct pending *pending)
{
	kfree(pending);
}

struct kermon_sample *pending_fresh(struct pending *pending)
{
	return &pending->fresh.sample;
}

static void pending_write(struct log *log, struct log_ring *ring,
			  struct kermon_sample *sample)
{
	void *room;

	lockdep_assert_held(&ring->pending->lock);
	room = log_reserve(log, ring, sample->record.size);
	if (!room)
		return;
	sample->sequence = ring->sequence;
	memcpy(room, sample, sample->record.size);
	log_commit(log, ring, sample->record.size);
}

/* The slot of @task and @set, or PENDING_SLOTS if there is none. */
static u32 pending_find(const struct pending *pending,
			const struct task_struct *task,
			const struct session_set *set)
{
	u32 slot;

	for (slot = 0; slot < PENDING_SLOTS; slot++)
		if (pending->tasks[slot] == task &&
		    pending->sets[slot] == set)
			break;
	return slot;
}

/* A free slot, or else the least recently updated one. */
static u32 pending_victim(const struct pending *pending)
{
	u32 slot, victim = 0;

	for (slot = 0; slot < PENDING_SLOTS; slot++) {
		if (!pending->tasks[slot])
			return slot;
		if (pending->slots[slot].sample.tsc_end <
		    pending->slots[victim].sample.tsc_end)
			victim = slot;
	}
	return victim;
}

/* Add @more, which follows @sample, to it. */
static void pending_merge(struct kermon_sample *sample,
			  const struct kermon_sample *more)
{
	u32 i, nr_values = (sample->record.size - sizeof(*sample)) / sizeof(u64);

	sample->reason = more->reason;
	sample->flags &= more->flags;
	sample->intervals += more->intervals;
	sample->tsc_end = more->tsc_end;
	sample->oncpu += more->oncpu;
	sample->ip = more->ip;
	for (i = 0; i < nr_values; i++)
		sample->values[i] += more->values[i];
}

/* Invalid samples are never merged. */
static bool pending_is_valid(const struct kermon_sample *sample)
{
	return likely(sample->record.type == KERMON_RECORD_SAMPLE);
}

/* Whether @sample is complete and must be written. */
static bool pending_is_due(const struct log *log,
			   const struct kermon_sample *sample)
{
	return sample->reason == KERMON_REASON_EXIT ||
	       sample->reason == KERMON_REASON_EXEC ||
	       sample->tsc_end - sample->tsc_begin >= log->coalesce;
}

static void pending_write_slot(struct log *log, struct log_ring *ring, u32 slot)
{
	struct pending *pending = ring->pending;

	pending_write(log, ring, &pending->slots[slot].sample);
	WRITE_ONCE(pending->tasks[slot], NULL);
}

static void pending_keep(struct log *log, struct log_ring *ring,
			 const struct task_struct *task,
			 const struct session_set *set)
{
	struct pending *pending = ring->pending;
	const struct kermon_sample *sample = pending_fresh(pending);
	u32 slot = pending_victim(pending);

	if (pending->tasks[slot])
		pending_write_slot(log, ring, slot);
	WRITE_ONCE(pending->tasks[slot], task);
	pending->sets[slot] = set;
	memcpy(pending->slots[slot].room, sample, sample->record.size);
}

static void pending_grow(struct log *log, struct log_ring *ring, u32 slot,
			 const struct kermon_sample *more)
{
	struct kermon_sample *sample = &ring->pending->slots[slot].sample;

	pending_merge(sample, more);
	if (pending_is_due(log, sample))
		pending_write_slot(log, ring, slot);
}

/* Write @slot first, so that no sample of a task encloses another one. */
static void pending_write_invalid(struct log *log, struct log_ring *ring,
				  u32 slot)
{
	if (slot < PENDING_SLOTS)
		pending_write_slot(log, ring, slot);
	pending_write(log, ring, pending_fresh(ring->pending));
}

void pending_add(struct log *log, struct log_ring *ring,
		 const struct task_struct *task,
		 const struct session_set *set)
{
	struct pending *pending = ring->pending;
	struct kermon_sample *sample = pending_fresh(pending);
	u32 slot;

	raw_spin_lock(&pending->lock);
	slot = pending_find(pending, task, set);
	if (!pending_is_valid(sample))
		pending_write_invalid(log, ring, slot);
	else if (slot < PENDING_SLOTS)
		pending_grow(log, ring, slot, sample);
	else if (pending_is_due(log, sample))
		pending_write(log, ring, sample);
	else
		pending_keep(log, ring, task, set);
	raw_spin_unlock(&pending->lock);
	log_alarm(log);
}

/*
 * Only @task, which is running here, can add its samples: peek without the
 * lock.
 */
void pending_end(struct log *log, struct log_ring *ring,
		 const struct task_struct *task)
{
	struct pending *pending = ring->pending;
	u32 slot;

	lockdep_assert_irqs_disabled();
	for (slot = 0; slot < PENDING_SLOTS; slot++) {
		if (READ_ONCE(pending->tasks[slot]) != task)
			continue;
		raw_spin_lock(&pending->lock);
		if (pending->tasks[slot] == task)
			pending_write_slot(log, ring, slot);
		raw_spin_unlock(&pending->lock);
	}
}

void pending_settle(struct log *log, const struct task_struct *task)
{
	unsigned long flags;
	int cpu;

	for_each_possible_cpu(cpu) {
		/*
		 * The last interval is still to be added here; see
		 * pending_end().
		 */
		if (cpu == smp_processor_id())
			continue;
		local_irq_save(flags);
		pending_end(log, per_cpu_ptr(log->rings, cpu), task);
		local_irq_restore(flags);
	}
}

static bool pending_flush_ring(struct log *log, struct log_ring *ring,
			       u64 before)
{
	struct pending *pending = ring->pending;
	unsigned long flags;
	bool left = false;
	u32 slot;

	raw_spin_lock_irqsave(&pending->lock, flags);
	for (slot = 0; slot < PENDING_SLOTS; slot++) {
		if (!pending->tasks[slot])
			continue;
		if (pending->slots[slot].sample.tsc_begin <= before)
			pending_write_slot(log, ring, slot);
		else
			left = true;
	}
	raw_spin_unlock_irqrestore(&pending->lock, flags);
	return left;
}

bool pending_flush(struct log *log, u64 before)
{
	bool left = false;
	int cpu;

	for_each_possible_cpu(cpu)
		left |= pending_flush_ring(log, per_cpu_ptr(log->rings, cpu),
					   before);
	return left;
}
