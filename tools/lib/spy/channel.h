/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The channel from a spy to the monitor: a ring with one producer and one consumer. The
 * producer never waits, and neither wakes the other. Each index is written by one side
 * only, and lies in a cache line of its own. The producer may hold slots back that it has
 * filled, to change their flags.
 */
#ifndef KERMON_SPY_CHANNEL_H
#define KERMON_SPY_CHANNEL_H

#include <stdatomic.h>
#include <stdint.h>

#include <kermon/spy.h>

#define CHANNEL_LINE	64	/* bytes of a cache line */

/**
 * struct slot - a sample in a channel; members as in struct kermon_spy_sample
 * @counts: of the events of the set, whose number the set knows
 */
struct slot {
	unsigned int set;
	unsigned int flags;
	unsigned int missed;
	unsigned int merged;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t begin_tsc;
	uint64_t end_tsc;
	uint64_t enabled_ns;
	uint64_t running_ns;
	uint64_t counts[KERMON_SPY_EVENTS];
	double joules[KERMON_SPY_DOMAINS];
	uint64_t energy_ns;
};

/**
 * struct channel - the ring
 * @put: number of slots that the producer has filled so far
 * @taken: number of slots that the consumer has emptied so far
 * @nr: number of @slots, a power of two
 * @held: of the producer: number of slots that are filled but not put
 */
struct channel {
	_Alignas(CHANNEL_LINE) _Atomic uint64_t put;
	_Alignas(CHANNEL_LINE) _Atomic uint64_t taken;
	_Alignas(CHANNEL_LINE) unsigned int nr;
	struct slot *slots;
	_Alignas(CHANNEL_LINE) unsigned int held;
};

/* Producer: the slot to fill next, or NULL if no more than @spare are free. */
static inline struct slot *channel_free_slot(struct channel *channel, unsigned int spare)
{
	const uint64_t put = atomic_load_explicit(&channel->put, memory_order_relaxed);
	const uint64_t taken = atomic_load_explicit(&channel->taken,
						    memory_order_acquire);

	if (put + channel->held - taken + spare >= channel->nr)
		return NULL;
	return &channel->slots[(put + channel->held) & (channel->nr - 1)];
}

/* Producer: the slot that channel_free_slot() has returned is filled. */
static inline void channel_hold(struct channel *channel)
{
	channel->held++;
}

/* Producer: set @flag in all slots that are held. Returns the number of those without it. */
static inline unsigned int channel_flag_held(struct channel *channel, unsigned int flag)
{
	const uint64_t put = atomic_load_explicit(&channel->put, memory_order_relaxed);
	unsigned int nr = 0;
	struct slot *slot;

	for (unsigned int i = 0; i < channel->held; i++) {
		slot = &channel->slots[(put + i) & (channel->nr - 1)];
		nr += !(slot->flags & flag);
		slot->flags |= flag;
	}
	return nr;
}

/* Producer: pass all slots on that are held. */
static inline void channel_put(struct channel *channel)
{
	const uint64_t put = atomic_load_explicit(&channel->put, memory_order_relaxed);

	atomic_store_explicit(&channel->put, put + channel->held, memory_order_release);
	channel->held = 0;
}

/* Consumer: how many slots have been put so far. */
static inline uint64_t channel_end(const struct channel *channel)
{
	return atomic_load_explicit(&channel->put, memory_order_acquire);
}

/* Consumer: the oldest slot, or NULL if all that were put before @end are taken. */
static inline const struct slot *channel_peek(const struct channel *channel, uint64_t end)
{
	const uint64_t taken = atomic_load_explicit(&channel->taken,
						    memory_order_relaxed);

	return taken == end ? NULL : &channel->slots[taken & (channel->nr - 1)];
}

/* Consumer: let the producer reuse the slot that channel_peek() has returned. */
static inline void channel_take(struct channel *channel)
{
	const uint64_t taken = atomic_load_explicit(&channel->taken,
						    memory_order_relaxed);

	atomic_store_explicit(&channel->taken, taken + 1, memory_order_release);
}

#endif /* KERMON_SPY_CHANNEL_H */
