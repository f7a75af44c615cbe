// SPDX-License-Identifier: GPL-2.0
/* What kermon-msr-helper permits, saves and restores, on registers that are files. */
#include <errno.h>

#include "helper/keeper.h"
#include "msr_root.h"

#include "kselftest_harness.h"

#define TSC		0x10
#define SELECT		0x186
#define ANY		0x187
#define OTHER		0x188
#define CLEARS		0x189
#define MISSING		0x2000
#define UNLISTED	0x11

#define OP(what, on, number, to)					\
	((struct kermon_msr_op){ .kind = KERMON_MSR_OP_##what,		\
				 .cpu = (on), .reg = (number), .value = (to) })

FIXTURE(keeper)
{
	struct root root;
	struct keeper *keeper;
	struct msr_packet packet;
};

static struct keeper *new_keeper(const struct root *root, uint32_t flags)
{
	struct keeper *keeper = calloc(1, sizeof(*keeper));
	char path[128];

	allowlist_parse(&keeper->list, ROOT_LIST, strlen(ROOT_LIST));
	snprintf(path, sizeof(path), "%s/run/kermon/msr", root->path);
	registers_init(&keeper->registers, root->path);
	keeper->flags = flags;
	if (state_open(&keeper->state, open(path, O_RDWR | O_CREAT, 0600)))
		abort();
	for (int cpu = 0; cpu < ROOT_CPUS; cpu++)
		if (registers_open(&keeper->registers, cpu,
				   flags & KERMON_MSR_WRITE))
			abort();
	return keeper;
}

/* As if it were killed: nothing is restored. */
static void kill_keeper(struct keeper *keeper)
{
	state_close(&keeper->state);
	for (int cpu = 0; cpu < ROOT_CPUS; cpu++)
		registers_close(&keeper->registers, cpu);
	free(keeper);
}

static void end_keeper(struct keeper *keeper)
{
	keeper_end(keeper);
	kill_keeper(keeper);
}

FIXTURE_SETUP(keeper)
{
	root_make(&self->root);
	self->keeper = new_keeper(&self->root, KERMON_MSR_WRITE);
}

FIXTURE_TEARDOWN(keeper)
{
	end_keeper(self->keeper);
	root_free(&self->root);
}

/* Have a batch executed; its operations are then the results. */
static void run(struct keeper *keeper, struct kermon_msr_op *ops, uint32_t nr)
{
	static struct msr_packet packet;
	const size_t size = sizeof(packet.header) + nr * sizeof(*ops);

	packet.header = (struct msr_header){ .type = MSR_BATCH, .nr = nr };
	memcpy(packet.ops, ops, nr * sizeof(*ops));
	if (keeper_answer(keeper, &packet, size) != size)
		abort();
	memcpy(ops, packet.ops, nr * sizeof(*ops));
}

static int run_one(struct keeper *keeper, struct kermon_msr_op op)
{
	run(keeper, &op, 1);
	return op.error ? -op.reason : 0;
}

static struct msr_header restore(struct keeper *keeper)
{
	static struct msr_packet packet;

	packet.header = (struct msr_header){ .type = MSR_RESTORE };
	if (keeper_answer(keeper, &packet, sizeof(packet.header)) !=
	    sizeof(packet.header))
		abort();
	return packet.header;
}

TEST_F(keeper, reads)
{
	struct kermon_msr_op ops[] = {
		OP(READ, 1, TSC, 0), OP(READ, 0, MISSING, 0),
		OP(READ, 0, SELECT, 0),
	};

	root_set(&self->root, 1, TSC, 0x123456789abcdef0);
	root_set(&self->root, 0, SELECT, 7);
	run(self->keeper, ops, 3);
	EXPECT_EQ(0, ops[0].error);
	EXPECT_EQ(0x123456789abcdef0, ops[0].value);
	EXPECT_EQ(-EIO, ops[1].error);
	EXPECT_EQ(KERMON_MSR_NO_REGISTER, ops[1].reason);
	EXPECT_EQ(7, ops[2].value);
}

TEST_F(keeper, writes_and_restores)
{
	root_set(&self->root, 0, SELECT, 0x5500);
	EXPECT_EQ(0, run_one(self->keeper, OP(WRITE, 0, SELECT, 0x5512)));
	EXPECT_EQ(0, run_one(self->keeper, OP(WRITE, 0, SELECT, 0x5534)));
	EXPECT_EQ(0x5534, root_get(&self->root, 0, SELECT));
	/* bits that others have changed since remain as they are */
	root_set(&self->root, 0, SELECT, 0x7734);
	EXPECT_EQ(1, restore(self->keeper).nr);
	EXPECT_EQ(0x7700, root_get(&self->root, 0, SELECT));
	EXPECT_EQ(0, restore(self->keeper).nr);
	EXPECT_EQ(0, run_one(self->keeper, OP(WRITE, 0, SELECT, 0x7712)));
	keeper_end(self->keeper);
	EXPECT_EQ(0x7700, root_get(&self->root, 0, SELECT));
	EXPECT_EQ(0, state_nr(&self->keeper->state, 0));
}

TEST_F(keeper, refuses)
{
	const struct {
		struct kermon_msr_op op;
		int reason;
	} refused[] = {
		{ OP(READ, 0, UNLISTED, 0), KERMON_MSR_NOT_LISTED },
		{ OP(WRITE, 0, UNLISTED, 1), KERMON_MSR_NOT_LISTED },
		{ OP(WRITE, 0, TSC, 1), KERMON_MSR_READ_ONLY },
		{ OP(WRITE, 0, SELECT, 0x100), KERMON_MSR_BITS },
		{ OP(WRITE, 0, SELECT, 1ULL << 63), KERMON_MSR_BITS },
		{ OP(WRITE, 0, MISSING, 1), KERMON_MSR_NO_REGISTER },
		{ OP(READ, 2, TSC, 0), KERMON_MSR_NOT_OPEN },
		{ OP(READ, UINT32_MAX, TSC, 0), KERMON_MSR_NOT_OPEN },
		{ OP(WRITE, KERMON_MSR_MAX_CPUS, ANY, 1), KERMON_MSR_NOT_OPEN },
		{ { .kind = 2, .reg = ANY }, KERMON_MSR_OTHER },
		{ { .kind = UINT16_MAX, .reg = ANY }, KERMON_MSR_OTHER },
	};

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		EXPECT_EQ(-refused[i].reason,
			  run_one(self->keeper, refused[i].op)) {
			TH_LOG("case %zu", i);
		}
	}
	for (uint32_t reg = 0; reg < ROOT_REGISTERS; reg++)
		ASSERT_EQ(0, root_get(&self->root, 0, reg));
	EXPECT_EQ(0, state_nr(&self->keeper->state, 0));
}

/* Bits that perf has left, and that each write must clear. */
TEST_F(keeper, clears_bits)
{
	root_set(&self->root, 0, CLEARS, 0x1203);
	EXPECT_EQ(-KERMON_MSR_BITS,
		  run_one(self->keeper, OP(WRITE, 0, CLEARS, 0x1204)));
	EXPECT_EQ(-KERMON_MSR_BITS,
		  run_one(self->keeper, OP(WRITE, 0, CLEARS, 0x1104)));
	EXPECT_EQ(-KERMON_MSR_BITS,
		  run_one(self->keeper, OP(WRITE, 0, CLEARS, 0x4)));
	EXPECT_EQ(0x1203, root_get(&self->root, 0, CLEARS));
	EXPECT_EQ(0, run_one(self->keeper, OP(WRITE, 0, CLEARS, 0x1004)));
	EXPECT_EQ(0x1004, root_get(&self->root, 0, CLEARS));
	EXPECT_EQ(1, restore(self->keeper).nr);
	EXPECT_EQ(0x1203, root_get(&self->root, 0, CLEARS));
}

/* If one operation is forbidden, those before it are not executed either. */
TEST_F(keeper, forbidden_batch_touches_nothing)
{
	struct kermon_msr_op ops[] = {
		OP(WRITE, 0, ANY, 1), OP(READ, 0, ANY, 5), OP(WRITE, 0, TSC, 1),
	};

	run(self->keeper, ops, 3);
	EXPECT_EQ(KERMON_MSR_CANCELLED, ops[0].reason);
	EXPECT_EQ(KERMON_MSR_CANCELLED, ops[1].reason);
	EXPECT_EQ(KERMON_MSR_READ_ONLY, ops[2].reason);
	EXPECT_EQ(0, root_get(&self->root, 0, ANY));
}

TEST_F(keeper, failed_write_ends_batch)
{
	struct kermon_msr_op ops[] = {
		OP(WRITE, 0, ANY, 1), OP(WRITE, 0, MISSING, 1),
		OP(WRITE, 0, OTHER, 1), OP(READ, 0, ANY, 0),
	};

	run(self->keeper, ops, 4);
	EXPECT_EQ(0, ops[0].error);
	EXPECT_EQ(KERMON_MSR_NO_REGISTER, ops[1].reason);
	EXPECT_EQ(KERMON_MSR_CANCELLED, ops[2].reason);
	EXPECT_EQ(-ECANCELED, ops[3].error);
	EXPECT_EQ(1, root_get(&self->root, 0, ANY));
	EXPECT_EQ(0, root_get(&self->root, 0, OTHER));
}

/* A write that the driver rejects: nothing has to be restored. */
TEST_F(keeper, rejected_write_saves_nothing)
{
	EXPECT_EQ(0, run_one(self->keeper, OP(WRITE, 0, OTHER, 1)));
	registers_close(&self->keeper->registers, 0);
	ASSERT_EQ(0, registers_open(&self->keeper->registers, 0, false));
	EXPECT_EQ(-KERMON_MSR_OTHER,
		  run_one(self->keeper, OP(WRITE, 0, ANY, 1)));
	EXPECT_EQ(1, state_nr(&self->keeper->state, 0));
	registers_close(&self->keeper->registers, 0);
	ASSERT_EQ(0, registers_open(&self->keeper->registers, 0, true));
}

TEST_F(keeper, reader_may_not_write)
{
	struct keeper *reader = new_keeper(&self->root, 0);

	EXPECT_EQ(-KERMON_MSR_NOT_OPEN, run_one(reader, OP(WRITE, 0, ANY, 1)));
	EXPECT_EQ(0, run_one(reader, OP(READ, 0, ANY, 1)));
	EXPECT_EQ(0, run_one(self->keeper, OP(WRITE, 0, ANY, 1)));
	EXPECT_EQ(0, restore(reader).nr);
	EXPECT_EQ(1, root_get(&self->root, 0, ANY));
	end_keeper(reader);
	EXPECT_EQ(1, root_get(&self->root, 0, ANY));
}

TEST_F(keeper, one_writer_per_cpu)
{
	struct keeper *other = new_keeper(&self->root, KERMON_MSR_WRITE);

	EXPECT_EQ(0, run_one(self->keeper, OP(WRITE, 0, ANY, 1)));
	EXPECT_EQ(-KERMON_MSR_BUSY, run_one(other, OP(WRITE, 0, OTHER, 1)));
	EXPECT_EQ(0, run_one(other, OP(READ, 0, ANY, 1)));
	EXPECT_EQ(0, run_one(other, OP(WRITE, 1, OTHER, 1)));
	keeper_end(self->keeper);
	EXPECT_EQ(0, run_one(other, OP(WRITE, 0, OTHER, 1)));
	end_keeper(other);
	EXPECT_EQ(0, root_get(&self->root, 0, OTHER));
	EXPECT_EQ(0, root_get(&self->root, 1, OTHER));
}

/* The next helper restores when it starts, or when it is about to write. */
TEST_F(keeper, killed)
{
	struct keeper *killed = new_keeper(&self->root, KERMON_MSR_WRITE);

	root_set(&self->root, 0, ANY, 3);
	root_set(&self->root, 1, ANY, 4);
	for (int cpu = 0; cpu < ROOT_CPUS; cpu++)
		ASSERT_EQ(0, run_one(killed, OP(WRITE, cpu, ANY, 9)));
	EXPECT_EQ(0, keeper_recover(self->keeper, 0));
	kill_keeper(killed);
	EXPECT_EQ(9, root_get(&self->root, 0, ANY));
	EXPECT_EQ(1, keeper_recover(self->keeper, 0));
	EXPECT_EQ(3, root_get(&self->root, 0, ANY));
	EXPECT_EQ(0, keeper_recover(self->keeper, 0));
	EXPECT_EQ(0, run_one(self->keeper, OP(WRITE, 1, OTHER, 1)));
	EXPECT_EQ(4, root_get(&self->root, 1, ANY));
}

TEST_F(keeper, kept_until_restored)
{
	const uint32_t flags = KERMON_MSR_WRITE | KERMON_MSR_KEEP;
	struct keeper *hand = new_keeper(&self->root, flags);

	root_set(&self->root, 0, ANY, 3);
	EXPECT_EQ(0, run_one(hand, OP(WRITE, 0, ANY, 5)));
	end_keeper(hand);
	EXPECT_EQ(5, root_get(&self->root, 0, ANY));
	/* a second hand: the first value counts */
	hand = new_keeper(&self->root, flags);
	EXPECT_EQ(0, run_one(hand, OP(WRITE, 0, ANY, 6)));
	EXPECT_EQ(0, run_one(hand, OP(WRITE, 1, OTHER, 6)));
	end_keeper(hand);
	/* a client finds the value of the hand, and leaves it */
	EXPECT_EQ(0, run_one(self->keeper, OP(WRITE, 0, ANY, 7)));
	hand = new_keeper(&self->root, flags);
	EXPECT_EQ(-EBUSY, restore(hand).error);
	EXPECT_EQ(0, root_get(&self->root, 1, OTHER));
	keeper_end(self->keeper);
	EXPECT_EQ(6, root_get(&self->root, 0, ANY));
	EXPECT_EQ(1, restore(hand).nr);
	EXPECT_EQ(3, root_get(&self->root, 0, ANY));
	end_keeper(hand);
}

/* A helper that starts locks no CPU on which there is nothing to restore. */
TEST_F(keeper, nothing_to_recover)
{
	struct slot *slot = &self->keeper->state.slots[0];

	slot->nr = 1;
	slot->saved[0] = (struct saved){ .reg = ANY, .kept = true, .value = 1 };
	slot->client = 4711;
	EXPECT_EQ(0, keeper_recover(self->keeper, 0));
	EXPECT_EQ(4711, slot->client);
	slot->saved[0].kept = false;
	EXPECT_EQ(1, keeper_recover(self->keeper, 0));
	EXPECT_EQ(0, slot->client);
	EXPECT_EQ(1, root_get(&self->root, 0, ANY));
}

/* The file is trusted no more than a request. */
TEST_F(keeper, invalid_state)
{
	struct slot *slot = &self->keeper->state.slots[0];

	slot->nr = UINT32_MAX;
	EXPECT_EQ(STATE_SAVED, state_nr(&self->keeper->state, 0));
	slot->nr = 3;
	slot->saved[0] = (struct saved){ .reg = TSC, .value = 1 };
	slot->saved[1] = (struct saved){ .reg = UNLISTED, .value = 1 };
	slot->saved[2] = (struct saved){ .reg = SELECT, .value = UINT64_MAX };
	EXPECT_EQ(1, keeper_recover(self->keeper, 0));
	EXPECT_EQ(0, root_get(&self->root, 0, TSC));
	EXPECT_EQ(0, root_get(&self->root, 0, UNLISTED));
	EXPECT_EQ(0xff, root_get(&self->root, 0, SELECT));
}

/* What cannot be saved is not written. */
TEST_F(keeper, full_or_missing_state)
{
	struct slot *slot = &self->keeper->state.slots[0];

	for (slot->nr = 0; slot->nr < STATE_SAVED; slot->nr++)
		slot->saved[slot->nr] = (struct saved){
			.reg = OTHER, .kept = true,
		};
	EXPECT_EQ(-KERMON_MSR_NO_STATE,
		  run_one(self->keeper, OP(WRITE, 0, ANY, 1)));
	EXPECT_EQ(0, root_get(&self->root, 0, ANY));
	keeper_end(self->keeper);
	state_close(&self->keeper->state);
	EXPECT_EQ(-KERMON_MSR_NO_STATE,
		  run_one(self->keeper, OP(WRITE, 1, ANY, 1)));
	EXPECT_EQ(0, root_get(&self->root, 1, ANY));
}

/* If /run is full, that is known before a value is saved. */
TEST_F(keeper, state_has_its_memory)
{
	struct keeper *keeper = self->keeper;
	struct stat before, after;

	ASSERT_EQ(0, fstat(keeper->state.fd, &before));
	EXPECT_LE(sysconf(_SC_NPROCESSORS_CONF) * (long)sizeof(struct slot),
		  512 * before.st_blocks);
	EXPECT_EQ(0, state_lock(&keeper->state, KERMON_MSR_MAX_CPUS - 1));
	ASSERT_EQ(0, fstat(keeper->state.fd, &after));
	EXPECT_LE(before.st_blocks + (long)sizeof(struct slot) / 512, after.st_blocks);
	state_unlock(&keeper->state, KERMON_MSR_MAX_CPUS - 1);
}

TEST_F(keeper, invalid_packets)
{
	struct msr_packet *packet = &self->packet;
	const struct {
		struct msr_header header;
		size_t size;
	} invalid[] = {
		{ { .type = MSR_BATCH }, 0 },
		{ { .type = MSR_BATCH }, sizeof(struct msr_header) - 1 },
		{ { .type = MSR_BATCH }, sizeof(struct msr_header) + 1 },
		{ { .type = MSR_BATCH, .nr = 1 }, sizeof(struct msr_header) },
		{ { .type = MSR_BATCH, .nr = KERMON_MSR_BATCH + 1 },
		  sizeof(struct msr_packet) },
		{ { .type = MSR_BATCH, .nr = UINT32_MAX },
		  sizeof(struct msr_packet) },
		{ { .type = MSR_LIST }, sizeof(struct msr_header) + 1 },
		{ { .type = MSR_RESTORE }, sizeof(struct msr_header) + 8 },
		{ { .type = MSR_HELLO }, sizeof(struct msr_header) +
					 sizeof(struct msr_hello) },
		{ { .type = UINT32_MAX }, sizeof(struct msr_header) },
	};

	for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++) {
		packet->header = invalid[i].header;
		EXPECT_EQ(0, keeper_answer(self->keeper, packet,
					   invalid[i].size)) {
			TH_LOG("case %zu", i);
		}
	}
}

TEST_F(keeper, list_in_parts)
{
	struct msr_packet *packet = &self->packet;
	struct allowlist *list = &self->keeper->list;

	list->nr = MSR_ENTRIES + 3;
	list->entries[MSR_ENTRIES].reg = 0x1234;
	packet->header = (struct msr_header){ .type = MSR_LIST };
	EXPECT_EQ(offsetof(struct msr_packet, entries[MSR_ENTRIES]),
		  keeper_answer(self->keeper, packet, sizeof(packet->header)));
	EXPECT_EQ(MSR_ENTRIES, packet->header.nr);
	packet->header.index = MSR_ENTRIES;
	EXPECT_EQ(offsetof(struct msr_packet, entries[3]),
		  keeper_answer(self->keeper, packet, sizeof(packet->header)));
	EXPECT_EQ(0x1234, packet->entries[0].reg);
	packet->header.index = UINT32_MAX;
	EXPECT_EQ(sizeof(packet->header),
		  keeper_answer(self->keeper, packet, sizeof(packet->header)));
	EXPECT_EQ(0, packet->header.nr);
}

TEST_HARNESS_MAIN
