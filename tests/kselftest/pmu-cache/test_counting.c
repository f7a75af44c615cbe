// SPDX-License-Identifier: GPL-2.0
/*
 * Cache misses are counted like other events: by request and response, in user
 * and kernel mode, with overflow interrupts, and on several CPUs.
 */
#include "kselftest_harness.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "area.h"
#include "counter.h"
#include "events.h"
#include "walk.h"
#include "worker.h"

static const enum cache_event list[NR_COUNTERS] = {
	L1D_FILLS, LLC_REFERENCES, LLC_MISSES, OFFCORE,
};

/*
 * Lines in one set of the L3, and hence of all other levels; the caches hold
 * all of them or none.
 */
static uint64_t offcore(void (*run)(struct walk *), uint64_t lines, uint64_t bits)
{
	struct walk walk = {
		.start = (uintptr_t)area,
		.stride = L3_PAGES * PAGE,
		.steps = lines,
		.rounds = 4,
	};
	struct events events;
	uint64_t n;

	events_open(&events, list, bits);
	run(&walk);
	n = events_count(&events, &walk, 3);
	events_close(&events);
	return n;
}

/* Requests and responses are counted only if their bits are set. */
TEST(offcore_responses)
{
	EXPECT_EQ(16, offcore(walk_loads, 16, DATA_READ | L3_HIT));
	EXPECT_EQ(16, offcore(walk_loads, 16, DATA_READ | ANY_RESPONSE));
	EXPECT_EQ(16, offcore(walk_loads, 16, ANY_REQUEST | L3_HIT));
	EXPECT_EQ(0, offcore(walk_loads, 16, ANY_REQUEST | L3_MISS));
	EXPECT_EQ(0, offcore(walk_loads, 16, OWNERSHIP | L3_HIT));
	EXPECT_EQ(0, offcore(walk_loads, 16, CODE_READ | ANY_RESPONSE));
	EXPECT_EQ(17, offcore(walk_loads, 17, DATA_READ | L3_MISS));
	EXPECT_EQ(0, offcore(walk_loads, 17, DATA_READ | L3_HIT));
	EXPECT_EQ(0, offcore(walk_loads, 17,
			     DATA_READ | (L3_MISS & ~ANY_SNOOP)));
	EXPECT_EQ(17, offcore(walk_stores, 17, OWNERSHIP | L3_MISS));
	EXPECT_EQ(0, offcore(walk_stores, 17, DATA_READ | L3_MISS));
}

static uint64_t value_of(int fd)
{
	uint64_t value = 0;

	return read(fd, &value, sizeof(value)) == sizeof(value) ? value : 0;
}

/* Clearing pages misses in kernel mode, but not in user mode. */
TEST(modes)
{
	const uint64_t pages = 64;
	struct perf_event_attr attr = cache_event_attr(L1D_FILLS, 0);
	int user = event_open(&attr, -1), kernel;

	attr.exclude_user = 1;
	attr.exclude_kernel = 0;
	kernel = event_open(&attr, -1);
	ASSERT_GE(user, 0);
	ASSERT_GE(kernel, 0);
	ioctl(user, PERF_EVENT_IOC_ENABLE, 0);
	ioctl(kernel, PERF_EVENT_IOC_ENABLE, 0);
	ASSERT_NE(MAP_FAILED,
		  mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE |
		       MAP_ANONYMOUS | MAP_POPULATE, -1, 0));
	ioctl(kernel, PERF_EVENT_IOC_DISABLE, 0);
	ioctl(user, PERF_EVENT_IOC_DISABLE, 0);
	EXPECT_GE(value_of(kernel), pages * PAGE / LINE);
	EXPECT_LT(value_of(user), PAGE / LINE);
}

#define PERIOD		1009
#define DATA_PAGES	8

/* A sample record without any fields. */
#define SAMPLE_SIZE	sizeof(struct perf_event_header)

/*
 * A counter overflows in the middle of a translation block, with the right
 * number of samples.
 */
TEST(samples)
{
	struct walk walk = {
		.start = (uintptr_t)area,
		.stride = PAGE,
		.steps = 9,
		.rounds = 10000,
	};
	struct perf_event_attr attr = cache_event_attr(L1D_FILLS, 0);
	struct perf_event_mmap_page *ring;
	int fd;

	attr.sample_period = PERIOD;
	fd = event_open(&attr, -1);
	ASSERT_GE(fd, 0);
	ring = mmap(NULL, (1 + DATA_PAGES) * PAGE, PROT_READ | PROT_WRITE,
		    MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, (void *)ring);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	walk_loads(&walk);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	EXPECT_GE(value_of(fd), walk.steps * walk.rounds);
	EXPECT_EQ(value_of(fd) / PERIOD, ring->data_head / SAMPLE_SIZE);
	EXPECT_EQ(0, ring->data_head % SAMPLE_SIZE);
}

/*
 * The model does not know in which cycle a miss occurs: with CMASK the count is
 * 0.
 */
TEST(no_cycles)
{
	struct perf_event_attr attr = cache_event_attr(L1D_FILLS, 0);
	struct walk walk = {
		.start = (uintptr_t)area,
		.stride = PAGE,
		.steps = 9,
		.rounds = 10,
	};
	int fd;

	attr.config |= 1 << 24;	/* CMASK */
	fd = event_open(&attr, -1);
	ASSERT_GE(fd, 0);
	/* lets walks use RDPMC */
	ASSERT_NE(MAP_FAILED,
		  mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0));
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	walk_loads(&walk);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	EXPECT_EQ(0, value_of(fd));
}

#define SHARED_LINES	16

/*
 * A thread on another CPU that walks through the same lines when it is told to.
 */
struct other {
	void (*run)(struct walk *);
	struct walk walk;
	atomic_bool there, turn;
};

static void *take_turn(void *arg)
{
	struct other *other = arg;

	if (pin(0, 1))
		abort();
	atomic_store(&other->there, true);
	while (!atomic_load(&other->turn))
		;
	other->run(&other->walk);
	atomic_store(&other->turn, false);
	return NULL;
}

/* Misses of CPU 0 on lines that CPU 1 walks through with @run in between. */
static void share_once(struct __test_metadata *_metadata,
		  void (*run)(struct walk *), uint64_t counts[NR_COUNTERS])
{
	struct other other = {
		.run = run,
		.walk = {
			.start = (uintptr_t)area,
			.stride = LINE,
			.steps = SHARED_LINES,
			.rounds = 4,
		},
	};
	struct walk walk = other.walk;
	struct events events;
	pthread_t thread;
	int i;

	ASSERT_EQ(0, pin(0, 0));
	ASSERT_EQ(0, pthread_create(&thread, NULL, take_turn, &other));
	while (!atomic_load(&other.there))
		;
	events_open(&events, list, ANY_REQUEST | L3_HIT);
	walk_loads(&walk);
	atomic_store(&other.turn, true);
	while (atomic_load(&other.turn))
		;
	walk.rounds = 1;
	walk_loads(&walk);
	for (i = 0; i < NR_COUNTERS; i++) {
		uint64_t n = events_count(&events, &walk, i);

		if (n < counts[i])
			counts[i] = n;
	}
	pthread_join(thread, NULL);
	events_close(&events);
}

/* The minimum of several attempts: interrupts add lines of their own. */
static void share(struct __test_metadata *_metadata,
		  void (*run)(struct walk *), uint64_t counts[NR_COUNTERS])
{
	int try;

	memset(counts, 0xff, NR_COUNTERS * sizeof(*counts));
	for (try = 0; try < 3; try++)
		share_once(_metadata, run, counts);
}

TEST(lines_that_another_cpu_reads)
{
	uint64_t counts[NR_COUNTERS];

	share(_metadata, walk_loads, counts);
	EXPECT_EQ(0, counts[1]);
	EXPECT_EQ(0, counts[2]);
}

TEST(lines_that_another_cpu_writes)
{
	uint64_t counts[NR_COUNTERS];

	share(_metadata, walk_stores, counts);
	EXPECT_EQ(SHARED_LINES, counts[0]);
	EXPECT_EQ(SHARED_LINES, counts[1]);
	EXPECT_EQ(0, counts[2]);
	EXPECT_EQ(SHARED_LINES, counts[3]);
}

TEST_HARNESS_MAIN
