// SPDX-License-Identifier: GPL-2.0
/*
 * What a read of one's own counts costs, in instructions of user and kernel mode, beside the
 * ways of perf: exact, since the machine counts them. The counter that counts them is
 * read by KerMon.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "kselftest_harness.h"

#include <kermon/self.h>

#include "log.h"
#include "quantities.h"
#include "worker.h"

#define READS		100

/* Bounds in instructions, with RDPMC. */
#define BOUND_ONE	(15 + 1)
#define BOUND_FURTHER	(8 + 1)

/* A read stores its result, and is called. */
#define BOUND_AROUND	3

/* Of two reads in a row, the first stores its result. */
#define BOUND_STORE	1

static struct kermon_self own;
static uint64_t out[KERMON_MAX_VALUES];
static const struct perf_event_mmap_page *page;
static int event = -1;

static void read_nothing(void)
{
	__asm__ volatile("" : : "r" (out) : "memory");
}

static void read_one(void)
{
	kermon_read(&own, 0, &out[0]);
}

static void read_two(void)
{
	kermon_read_range(&own, 0, 2, out);
}

static void read_four(void)
{
	kermon_read_range(&own, 0, 4, out);
}

static void call_one(void)
{
	struct kermon_counts counts;

	kermon_read_call(&own, &counts);
	out[0] = counts.values[0];
}

static void perf_read(void)
{
	if (read(event, &out[0], sizeof(out[0])) < 0)
		out[0] = 0;
}

/* As linux/perf_event.h describes it. */
static void perf_rdpmc(void)
{
	const volatile struct perf_event_mmap_page *now = page;
	uint32_t sequence, index;
	uint64_t count;
	int64_t value;

	do {
		sequence = now->lock;
		__asm__ volatile("" : : : "memory");
		index = now->index;
		count = now->offset;
		if (index) {
			value = __kermon_rdpmc(index - 1);
			value <<= 64 - now->pmc_width;
			value >>= 64 - now->pmc_width;
			count += value;
		}
		__asm__ volatile("" : : : "memory");
	} while (now->lock != sequence);
	out[0] = count;
}

/* Instructions of a call, of user and kernel mode, and of the read at its end. */
static uint64_t instructions_of(void (*call)(void))
{
	uint64_t before, after;

	kermon_read(&own, 0, &before);
	call();
	kermon_read(&own, 0, &after);
	return after - before;
}

/*
 * Of a read as <kermon/self.h> describes it: which count is known at run time only. Between
 * the two reads that are subtracted are the end of one and the begin of another. The least,
 * as a tick may come in between; the first in @first.
 */
static uint64_t instructions_of_a_read(uint64_t *first)
{
	struct kermon_self self;
	uint64_t before, after, least;
	unsigned int i, tries;

	if (kermon_self_open(&self))
		return UINT64_MAX;
	i = kermon_self_fixed(&self, KERMON_FIXED_INSTRUCTIONS);
	kermon_read(&self, i, &before);
	kermon_read(&self, i, &after);
	*first = after - before;
	least = *first;
	for (tries = 0; tries < READS; tries++) {
		kermon_read(&self, i, &before);
		kermon_read(&self, i, &after);
		if (after - before < least)
			least = after - before;
	}
	kermon_self_close(&self);
	return least;
}

/**
 * struct price - what a way of reading costs
 * @first: the first read
 * @later: each of the others, at most
 */
struct price {
	uint64_t first;
	uint64_t later;
};

static struct price price_of(void (*call)(void))
{
	uint64_t costs[READS], nothing;
	struct price price;
	unsigned int i;

	/* The code of the measurement itself, and the page of the stack. */
	memset(costs, 0, sizeof(costs));
	nothing = instructions_of(read_nothing);
	nothing = instructions_of(read_nothing);
	for (i = 0; i < READS; i++)
		costs[i] = instructions_of(call) - nothing;
	price.first = costs[0];
	/* The least: a tick may come in between. */
	price.later = costs[READS - 1];
	for (i = 1; i < READS; i++) {
		if (costs[i] < price.later)
			price.later = costs[i];
	}
	return price;
}

static struct price show(struct __test_metadata *_metadata, const char *name,
			 void (*call)(void))
{
	struct price price = price_of(call);

	TH_LOG("%-24s %6llu %6llu", name, (unsigned long long)price.first,
	       (unsigned long long)price.later);
	return price;
}

/* Cycles, which a fixed counter may count beside KerMon's. */
static int open_event(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
		.exclude_kernel = 1,
	};

	event = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (event < 0)
		return -1;
	page = mmap(NULL, KERMON_PAGE_SIZE, PROT_READ, MAP_SHARED, event, 0);
	return page == MAP_FAILED ? -1 : 0;
}

TEST(reads_cost)
{
	struct kermon_event_set set = event_set_of(quantity_set(0));
	struct price one, two, four, call, perf_call, perf_user;
	uint64_t documented, first;
	int log;

	ASSERT_EQ(pin(0, 0), 0);
	set.count |= KERMON_COUNT_KERNEL;
	set.nr_events = 2;
	log = set_events(0, &set, sizeof(set), 0);
	ASSERT_GE(log, 0) TH_LOG("%s", strerror(errno));
	ASSERT_EQ(kermon_self_open(&own), 0);
	ASSERT_TRUE(kermon_self_is_fast(&own));
	ASSERT_EQ(open_event(), 0) TH_LOG("%s", strerror(errno));
	/* perf has moved its counters. */
	call_one();
	TH_LOG("instructions              first  later");
	one = show(_metadata, "KerMon, page, 1", read_one);
	two = show(_metadata, "KerMon, page, 2", read_two);
	four = show(_metadata, "KerMon, page, 4", read_four);
	documented = instructions_of_a_read(&first);
	TH_LOG("%-24s %6llu %6llu", "KerMon, page, any 1", (unsigned long long)first,
	       (unsigned long long)documented);
	call = show(_metadata, "KerMon, system call", call_one);
	perf_user = show(_metadata, "perf, RDPMC", perf_rdpmc);
	perf_call = show(_metadata, "perf, read()", perf_read);
	EXPECT_LE(one.later, BOUND_ONE + BOUND_AROUND);
	EXPECT_LE(four.later - two.later, 2 * BOUND_FURTHER);
	EXPECT_LE(documented, BOUND_ONE + BOUND_STORE);
	/* No page fault. */
	EXPECT_LE(10 * first, 12 * documented);
	EXPECT_LE(10 * one.first, 12 * one.later);
	EXPECT_LE(10 * four.first, 12 * four.later);
	EXPECT_GT(perf_user.first, 5 * perf_user.later);
	EXPECT_LT(one.later, perf_user.later);
	EXPECT_LT(call.later, perf_call.later);
	kermon_self_close(&own);
	close(log);
}

TEST_HARNESS_MAIN
