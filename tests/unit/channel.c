// SPDX-License-Identifier: GPL-2.0
/* The channel from a spy to the monitor: nothing is lost, doubled or mixed. */
#include <pthread.h>
#include <sched.h>

#include "spy/channel.h"

#include "kselftest_harness.h"

#define SLOTS	8
#define MANY	200000

FIXTURE(channel)
{
	struct channel channel;
	struct slot slots[SLOTS];
};

FIXTURE_SETUP(channel)
{
	self->channel.nr = SLOTS;
	self->channel.slots = self->slots;
}

FIXTURE_TEARDOWN(channel)
{
}

static bool put(struct channel *channel, unsigned int spare, uint64_t number)
{
	struct slot *slot = channel_free_slot(channel, spare);

	if (!slot)
		return false;
	slot->begin_ns = number;
	slot->end_ns = number + 1;
	slot->counts[KERMON_SPY_EVENTS - 1] = ~number;
	channel_hold(channel);
	channel_put(channel);
	return true;
}

static bool take(struct channel *channel, uint64_t expected)
{
	const struct slot *slot = channel_peek(channel, channel_end(channel));
	bool right;

	if (!slot)
		return false;
	right = slot->begin_ns == expected && slot->end_ns == expected + 1 &&
		slot->counts[KERMON_SPY_EVENTS - 1] == ~expected;
	channel_take(channel);
	return right;
}

TEST_F(channel, empty_and_full)
{
	EXPECT_FALSE(take(&self->channel, 0));
	for (int i = 0; i < SLOTS; i++)
		EXPECT_TRUE(put(&self->channel, 0, i));
	EXPECT_FALSE(put(&self->channel, 0, SLOTS));
	for (int i = 0; i < SLOTS; i++)
		EXPECT_TRUE(take(&self->channel, i));
	EXPECT_FALSE(take(&self->channel, SLOTS));
	EXPECT_TRUE(put(&self->channel, 0, SLOTS));
	EXPECT_TRUE(take(&self->channel, SLOTS));
}

/* The last slots are for samples that cannot wait. */
TEST_F(channel, spare)
{
	for (int i = 0; i < SLOTS - 1; i++)
		EXPECT_TRUE(put(&self->channel, 1, i));
	EXPECT_FALSE(put(&self->channel, 1, SLOTS - 1));
	EXPECT_TRUE(put(&self->channel, 0, SLOTS - 1));
	EXPECT_FALSE(put(&self->channel, 0, SLOTS));
}

/* What is held cannot be taken yet, but takes room; its flags can still be changed. */
TEST_F(channel, held)
{
	struct channel *channel = &self->channel;

	for (int i = 0; i < SLOTS; i++) {
		struct slot *slot = channel_free_slot(channel, 0);

		ASSERT_NE(NULL, slot);
		slot->flags = i % 2;
		slot->begin_ns = i;
		channel_hold(channel);
	}
	EXPECT_EQ(NULL, channel_free_slot(channel, 0));
	EXPECT_EQ(NULL, channel_peek(channel, channel_end(channel)));
	EXPECT_EQ(SLOTS / 2, channel_flag_held(channel, 1));
	EXPECT_EQ(0, channel_flag_held(channel, 1));
	channel_put(channel);
	EXPECT_EQ(0, channel_flag_held(channel, 2));
	for (int i = 0; i < SLOTS; i++) {
		const struct slot *slot = channel_peek(channel, channel_end(channel));

		ASSERT_NE(NULL, slot);
		EXPECT_EQ(1, slot->flags);
		EXPECT_EQ(i, slot->begin_ns);
		channel_take(channel);
	}
	EXPECT_EQ(NULL, channel_peek(channel, channel_end(channel)));
}

/* What is put after channel_end() is for the next time. */
TEST_F(channel, until_end)
{
	uint64_t end;

	put(&self->channel, 0, 0);
	end = channel_end(&self->channel);
	put(&self->channel, 0, 1);
	EXPECT_NE(NULL, channel_peek(&self->channel, end));
	channel_take(&self->channel);
	EXPECT_EQ(NULL, channel_peek(&self->channel, end));
	EXPECT_TRUE(take(&self->channel, 1));
}

static void *produce(void *data)
{
	uint64_t number = 0;

	while (number < MANY) {
		if (put(data, 1, number))
			number++;
		else
			sched_yield();
	}
	return NULL;
}

TEST_F(channel, two_threads)
{
	uint64_t number = 0, wrong = 0;
	pthread_t producer;

	ASSERT_EQ(0, pthread_create(&producer, NULL, produce, &self->channel));
	while (number < MANY) {
		if (channel_peek(&self->channel, channel_end(&self->channel)))
			wrong += !take(&self->channel, number++);
		else
			sched_yield();
	}
	pthread_join(producer, NULL);
	EXPECT_EQ(0, wrong);
	EXPECT_FALSE(take(&self->channel, number));
}

TEST_HARNESS_MAIN
