// SPDX-License-Identifier: GPL-2.0
/* Regions that threads have marked: the rules of lib/regions/regions.h, one by one. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "marks/ring.h"
#include "regions/regions.h"

#include "kselftest_harness.h"

#define PID	10

/* Marks of a few threads of a process, taken as they come. */
FIXTURE(regions)
{
	struct regions *regions;
	struct region_sum *sums;
	uint64_t calls;		/* that were told */
	uint64_t cut;		/* of these */
	uint64_t end;		/* of the last one */
};

static int count_call(void *context, const struct region_call *call)
{
	FIXTURE_DATA(regions) *self = context;

	self->calls++;
	self->cut += call->cut;
	self->end = call->end;
	return 0;
}

FIXTURE_SETUP(regions)
{
	self->regions = regions_new(&(struct regions_options){
		.call = count_call, .context = self,
	});
	ASSERT_NE(NULL, self->regions);
}

FIXTURE_TEARDOWN(regions)
{
	regions_free_sums(self->regions, self->sums);
	regions_free(self->regions);
}

static const struct perf_event_attr mark_attr = {
	.type = PERF_TYPE_TRACEPOINT, .config = PERFDATA_REGION_ID,
};
static const struct perf_event_attr name_attr = {
	.type = PERF_TYPE_TRACEPOINT, .config = PERFDATA_REGION_NAME_ID,
};

static void give(struct regions *regions, const struct perf_event_attr *attr, uint32_t pid,
		 uint32_t tid, uint64_t time, const void *data, size_t size)
{
	const struct regions_sample sample = {
		.attr = attr, .raw = data, .raw_size = size, .pid = pid, .tid = tid,
		.time = time, .comm = "program",
	};

	if (regions_mark(regions, &sample))
		abort();
}

static void name_in(struct regions *regions, uint32_t pid, uint32_t id, enum mark_name kind,
		    const char *text)
{
	struct {
		struct perfdata_name head;
		char text[1100];
	} name = {
		.head = {
			.common.type = PERFDATA_REGION_NAME_ID, .id = id, .kind = kind,
			.name = sizeof(name.head) | (uint32_t)(strlen(text) + 1) << 16,
			.thread = id,
		},
	};

	strcpy(name.text, text);
	give(regions, &name_attr, pid, pid, 1, &name, sizeof(name.head) + strlen(text) + 1);
}

static void name(struct regions *regions, uint32_t id, const char *text)
{
	name_in(regions, PID, id, MARK_NAME_REGION, text);
}

static void mark_with(struct regions *regions, uint32_t tid, uint64_t time, enum mark kind,
		      uint32_t id, uint64_t first, uint64_t second)
{
	const struct perfdata_mark mark = {
		.common.type = PERFDATA_REGION_ID, .kind = kind, .id = id,
		.values = { first, second },
	};

	give(regions, &mark_attr, PID, tid, time, &mark, sizeof(mark));
}

static void mark(struct regions *regions, uint32_t tid, uint64_t time, enum mark kind,
		 uint32_t id)
{
	mark_with(regions, tid, time, kind, id, 0, 0);
}

static void task_record(struct regions *regions, uint32_t type, uint16_t misc, uint32_t pid,
			uint32_t parent, uint32_t tid, uint64_t time)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, ppid, tid, ptid;
	} body = {
		.header = { .type = type, .misc = misc, .size = sizeof(body) },
		.pid = pid, .ppid = parent, .tid = tid,
	};
	const struct record record = {
		.data = (const void *)&body, .size = sizeof(body), .type = type, .misc = misc,
		.time = time,
	};

	if (regions_record(regions, &record))
		abort();
}

/* The sums of a branch; aborts if there is no such node. */
static const struct region_sum *sum_of(const FIXTURE_DATA(regions) *self, const char *branch)
{
	char text[4096];

	for (uint32_t i = 0; regions_node(self->regions, i); i++)
		if (!strcmp(regions_branch(self->regions, i, text, sizeof(text)), branch))
			return &self->sums[i];
	fprintf(stderr, "no %s\n", branch);
	abort();
}

static bool has(const FIXTURE_DATA(regions) *self, const char *branch)
{
	char text[4096];

	for (uint32_t i = 0; regions_node(self->regions, i); i++)
		if (!strcmp(regions_branch(self->regions, i, text, sizeof(text)), branch))
			return true;
	return false;
}

static void finish(FIXTURE_DATA(regions) *self)
{
	if (regions_end(self->regions) || regions_sum(self->regions, NULL, &self->sums))
		abort();
}

/* Self times, in all nodes that have time of their own, add up to what is outside in total. */
static uint64_t sum_of_self(const FIXTURE_DATA(regions) *self)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; regions_node(self->regions, i); i++)
		sum += self->sums[i].self;
	return sum;
}

TEST_F(regions, nesting)
{
	const struct regions_trouble *trouble = regions_trouble(self->regions);

	name(self->regions, 1, "A");
	name(self->regions, 2, "B");
	mark(self->regions, 11, 100, MARK_BEGIN, 1);
	mark(self->regions, 11, 110, MARK_BEGIN, 2);
	EXPECT_EQ(2, regions_now(self->regions, PID, 11));
	mark(self->regions, 11, 130, MARK_END, 2);
	mark(self->regions, 11, 140, MARK_BEGIN, 2);
	mark(self->regions, 11, 145, MARK_END, 0);
	mark(self->regions, 11, 200, MARK_END, 1);
	EXPECT_EQ(REGIONS_OUTSIDE, regions_now(self->regions, PID, 11));
	mark(self->regions, 12, 150, MARK_BEGIN, 2);
	mark(self->regions, 12, 190, MARK_END, 2);
	mark(self->regions, 11, 250, MARK_CLOSED, 0);
	finish(self);
	EXPECT_EQ(1, sum_of(self, "A")->calls);
	EXPECT_EQ(100, sum_of(self, "A")->total);
	EXPECT_EQ(75, sum_of(self, "A")->self);
	EXPECT_EQ(2, sum_of(self, "A/B")->calls);
	EXPECT_EQ(25, sum_of(self, "A/B")->self);
	EXPECT_EQ(20, sum_of(self, "A/B")->durations.most);
	EXPECT_EQ(5, sum_of(self, "A/B")->durations.least);
	EXPECT_EQ(40, sum_of(self, "B")->total);
	/* the other thread has no end: until the newest record */
	EXPECT_EQ(50 + 60, sum_of(self, "(outside)")->self);
	EXPECT_EQ(150 + 100, sum_of(self, "(outside)")->total);
	EXPECT_EQ(sum_of_self(self), sum_of(self, "(outside)")->total);
	EXPECT_EQ(4, self->calls);
	EXPECT_EQ(0, self->cut + trouble->missing + trouble->stray + trouble->unended);
	EXPECT_EQ(2, trouble->threads);
	EXPECT_EQ(2, trouble->uncounted);
}

/* The same names of two processes are the same nodes. */
TEST_F(regions, processes)
{
	const struct perfdata_mark begin = {
		.common.type = PERFDATA_REGION_ID, .kind = MARK_BEGIN, .id = 7,
	};

	name(self->regions, 1, "A");
	name_in(self->regions, 20, 7, MARK_NAME_REGION, "A");
	mark(self->regions, 11, 100, MARK_BEGIN, 1);
	give(self->regions, &mark_attr, 20, 20, 150, &begin, sizeof(begin));
	EXPECT_EQ(regions_now(self->regions, PID, 11), regions_now(self->regions, 20, 20));
	finish(self);
	EXPECT_EQ(2, sum_of(self, "A")->calls);
	EXPECT_EQ(50, sum_of(self, "A")->total);
	EXPECT_EQ(2, sum_of(self, "A")->unended);
}

TEST_F(regions, recursion)
{
	name(self->regions, 1, "A");
	for (int i = 0; i < 3; i++)
		mark(self->regions, 11, 100 + 10 * i, MARK_BEGIN, 1);
	for (int i = 0; i < 3; i++)
		mark(self->regions, 11, 200 + 10 * i, MARK_END, 1);
	finish(self);
	EXPECT_EQ(120, sum_of(self, "A")->total);
	EXPECT_EQ(20, sum_of(self, "A")->self);
	EXPECT_EQ(100, sum_of(self, "A/A")->total);
	EXPECT_EQ(80, sum_of(self, "A/A/A")->self);
}

/* As after longjmp() or an exception without scopes. */
TEST_F(regions, missing_ends)
{
	name(self->regions, 1, "A");
	name(self->regions, 2, "B");
	name(self->regions, 3, "C");
	mark(self->regions, 11, 100, MARK_BEGIN, 1);
	mark(self->regions, 11, 110, MARK_BEGIN, 2);
	mark(self->regions, 11, 120, MARK_BEGIN, 3);
	mark(self->regions, 11, 150, MARK_END, 1);
	mark(self->regions, 11, 160, MARK_END, 2);
	mark(self->regions, 11, 170, MARK_END, 0);
	mark(self->regions, 11, 180, MARK_END, 99);
	finish(self);
	EXPECT_EQ(2, regions_trouble(self->regions)->missing);
	EXPECT_EQ(3, regions_trouble(self->regions)->stray);
	EXPECT_EQ(0, regions_trouble(self->regions)->unended);
	EXPECT_EQ(1, sum_of(self, "A/B")->missing);
	EXPECT_EQ(1, sum_of(self, "A/B/C")->missing);
	EXPECT_EQ(0, sum_of(self, "A")->missing);
	EXPECT_EQ(30, sum_of(self, "A/B/C")->self);
	EXPECT_EQ(50, sum_of(self, "A")->total);
	EXPECT_EQ(2, self->cut);
}

TEST_F(regions, thread_ends)
{
	name(self->regions, 1, "A");
	mark(self->regions, 11, 100, MARK_BEGIN, 1);
	mark(self->regions, 12, 100, MARK_BEGIN, 1);
	mark(self->regions, 13, 100, MARK_BEGIN, 1);
	mark(self->regions, 11, 110, MARK_CLOSED, 0);
	task_record(self->regions, PERF_RECORD_EXIT, 0, PID, PID, 12, 120);
	EXPECT_EQ(REGIONS_OUTSIDE, regions_now(self->regions, PID, 12));
	/* its number is used again */
	mark(self->regions, 12, 130, MARK_BEGIN, 1);
	EXPECT_EQ(1, regions_now(self->regions, PID, 12));
	mark(self->regions, 12, 140, MARK_END, 1);
	finish(self);
	EXPECT_EQ(3, regions_trouble(self->regions)->unended);
	EXPECT_EQ(4, sum_of(self, "A")->calls);
	EXPECT_EQ(10 + 20 + 40 + 10, sum_of(self, "A")->total);
	EXPECT_EQ(3, self->cut);
	EXPECT_EQ(4, regions_trouble(self->regions)->threads);
}

/* Another program has names of its own; all threads of the old one end. */
TEST_F(regions, exec)
{
	name(self->regions, 1, "A");
	mark(self->regions, 11, 100, MARK_BEGIN, 1);
	mark(self->regions, PID, 100, MARK_BEGIN, 1);
	task_record(self->regions, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, PID, PID, 0, 120);
	mark(self->regions, PID, 130, MARK_END, 1);
	mark(self->regions, PID, 130, MARK_BEGIN, 1);
	mark(self->regions, PID, 150, MARK_END, 1);
	finish(self);
	EXPECT_EQ(2, regions_trouble(self->regions)->unended);
	EXPECT_EQ(1, regions_trouble(self->regions)->stray);
	EXPECT_EQ(1, regions_trouble(self->regions)->unnamed);
	EXPECT_EQ(40, sum_of(self, "A")->total);
	EXPECT_EQ(20, sum_of(self, "(name 1)")->total);
}

/* A child of fork() is outside of all regions, and so is a new process of an old number. */
TEST_F(regions, fork)
{
	const struct perfdata_mark end = {
		.common.type = PERFDATA_REGION_ID, .kind = MARK_END, .id = 1,
	};

	name(self->regions, 1, "A");
	mark(self->regions, PID, 100, MARK_BEGIN, 1);
	task_record(self->regions, PERF_RECORD_FORK, 0, 20, PID, 20, 110);
	name_in(self->regions, 20, 1, MARK_NAME_REGION, "A");
	give(self->regions, &mark_attr, 20, 20, 120, &end, sizeof(end));
	task_record(self->regions, PERF_RECORD_FORK, 0, PID, PID, 12, 125);	/* a thread */
	EXPECT_EQ(1, regions_now(self->regions, PID, PID));
	task_record(self->regions, PERF_RECORD_FORK, 0, PID, 1, PID, 130);
	EXPECT_EQ(REGIONS_OUTSIDE, regions_now(self->regions, PID, PID));
	finish(self);
	EXPECT_EQ(1, regions_trouble(self->regions)->stray);
	EXPECT_EQ(1, regions_trouble(self->regions)->unended);
	EXPECT_EQ(30, sum_of(self, "A")->total);
}

/* Any end is the end of what was excluded; one of a region around it ends that, too. */
TEST_F(regions, excluded)
{
	name(self->regions, 1, "A");
	name(self->regions, 2, "B");
	mark(self->regions, 11, 100, MARK_BEGIN, 1);
	mark(self->regions, 11, 110, MARK_SKIP, 2);
	mark(self->regions, 11, 130, MARK_END, 2);
	mark(self->regions, 11, 140, MARK_SKIP, 2);
	mark(self->regions, 11, 150, MARK_END, 0);
	mark(self->regions, 11, 160, MARK_SKIP, 2);
	mark(self->regions, 11, 170, MARK_END, 77);
	mark(self->regions, 11, 180, MARK_SKIP, 2);
	mark(self->regions, 11, 190, MARK_END, 1);
	finish(self);
	EXPECT_EQ(4, sum_of(self, "A/B (excluded)")->calls);
	EXPECT_EQ(50, sum_of(self, "A/B (excluded)")->self);
	EXPECT_EQ(90, sum_of(self, "A")->total);
	EXPECT_EQ(0, regions_trouble(self->regions)->missing);
	EXPECT_EQ(0, regions_trouble(self->regions)->stray);
	EXPECT_FALSE(has(self, "A/B"));
}

/* Of all threads of the process; durations do not go on either. */
TEST_F(regions, paused)
{
	name(self->regions, 1, "A");
	mark(self->regions, 11, 100, MARK_BEGIN, 1);
	mark(self->regions, 12, 100, MARK_BEGIN, 1);
	mark(self->regions, 11, 120, MARK_PAUSE, 0);
	EXPECT_STREQ("A", regions_node(self->regions, 1)->name);
	mark(self->regions, 12, 150, MARK_END, 1);
	mark(self->regions, 11, 170, MARK_RESUME, 0);
	mark(self->regions, 11, 200, MARK_END, 1);
	finish(self);
	EXPECT_EQ(20 + 30 + 20, sum_of(self, "A")->total);
	EXPECT_EQ(50, sum_of(self, "A")->durations.most);
	EXPECT_EQ(20, sum_of(self, "A")->durations.least);
	/* the second thread: until it was resumed */
	EXPECT_EQ(50 + 50, sum_of(self, "(paused)")->self);
	EXPECT_EQ(100, regions_trouble(self->regions)->paused);
	EXPECT_EQ(sum_of_self(self), sum_of(self, "(outside)")->total);
}

TEST_F(regions, lost_and_late)
{
	name(self->regions, 1, "A");
	mark(self->regions, 11, 100, MARK_BEGIN, 1);
	mark_with(self->regions, 11, 110, MARK_LOST, 0, 1000, 0);
	mark(self->regions, 11, 90, MARK_END, 1);
	finish(self);
	EXPECT_EQ(1000, sum_of(self, "A")->lost);
	EXPECT_EQ(1000, regions_trouble(self->regions)->lost);
	EXPECT_EQ(1, regions_trouble(self->regions)->late);
	EXPECT_EQ(10, sum_of(self, "A")->total);
}

/* Their intervals overlap, and end in another thread; their time is of no thread. */
TEST_F(regions, tasks)
{
	name(self->regions, 1, "A");
	name_in(self->regions, PID, 2, MARK_NAME_TASK, "job");
	name_in(self->regions, PID, 3, MARK_NAME_TASK, "part");
	mark(self->regions, 11, 100, MARK_BEGIN, 1);
	mark_with(self->regions, 11, 100, MARK_OPEN, 2, 0x1000, 0);
	mark_with(self->regions, 11, 110, MARK_OPEN, 2, 0x2000, 0);
	mark_with(self->regions, 11, 120, MARK_OPEN, 3, 0x3000, 0x2000);
	EXPECT_EQ(1, regions_now(self->regions, PID, 11));
	mark_with(self->regions, 12, 130, MARK_CLOSE, 0, 0x1000, 0);
	mark_with(self->regions, 12, 140, MARK_CLOSE, 0, 0x3000, 0);
	mark_with(self->regions, 12, 150, MARK_CLOSE, 0, 0x2000, 0);
	mark_with(self->regions, 12, 160, MARK_CLOSE, 0, 0x2000, 0);
	mark_with(self->regions, 11, 170, MARK_OPEN, 2, 0x1000, 0);
	mark_with(self->regions, 11, 180, MARK_OPEN, 2, 0x1000, 0);
	mark(self->regions, 11, 200, MARK_END, 1);
	finish(self);
	EXPECT_EQ(4, sum_of(self, "job")->calls);
	EXPECT_EQ(30 + 40 + 10 + 20, sum_of(self, "job")->total);
	EXPECT_EQ(0, sum_of(self, "job")->self);
	EXPECT_EQ(20, sum_of(self, "job/part")->total);
	EXPECT_EQ(100, sum_of(self, "A")->self);
	EXPECT_EQ(1, regions_trouble(self->regions)->stray);
	EXPECT_EQ(1, regions_trouble(self->regions)->missing);
	EXPECT_EQ(1, regions_trouble(self->regions)->unended);
	EXPECT_EQ(sum_of_self(self), sum_of(self, "(outside)")->total);
}

TEST_F(regions, frames_events_values)
{
	const double half = 0.5;
	uint64_t bits;

	memcpy(&bits, &half, sizeof(bits));
	name(self->regions, 1, "A");
	name_in(self->regions, PID, 2, MARK_NAME_FRAME, "frame");
	name_in(self->regions, PID, 3, MARK_NAME_EVENT, "tick");
	name_in(self->regions, PID, 4, MARK_NAME_VALUE, "hits");
	name_in(self->regions, PID, 5, MARK_NAME_COUNTER, "queue");
	name_in(self->regions, PID, 11, MARK_NAME_THREAD, "worker");
	mark(self->regions, 11, 100, MARK_BEGIN, 1);
	mark_with(self->regions, 11, 150, MARK_FRAME, 2, 50, 0);
	mark(self->regions, 11, 160, MARK_EVENT, 3);
	mark_with(self->regions, 11, 170, MARK_VALUE, 4, 3, 0);
	mark_with(self->regions, 11, 170, MARK_VALUE, 4, 5, 0);
	mark_with(self->regions, 11, 180, MARK_VALUE_DOUBLE, 4, bits, 0);
	mark_with(self->regions, 11, 190, MARK_COUNTER, 5, bits, 0);
	mark_with(self->regions, 11, 195, MARK_FRAME, 2, 1000, 0);
	mark(self->regions, 11, 200, MARK_END, 1);
	finish(self);
	EXPECT_EQ(100, sum_of(self, "frame")->total);
	EXPECT_EQ(1, sum_of(self, "A/tick")->calls);
	EXPECT_EQ(0, sum_of(self, "A/tick")->total);
	EXPECT_EQ(100, sum_of(self, "A")->self);
	ASSERT_NE(NULL, sum_of(self, "A")->values);
	EXPECT_STREQ("hits", sum_of(self, "A")->values->name);
	EXPECT_EQ(3, sum_of(self, "A")->values->nr);
	EXPECT_EQ(8.5, sum_of(self, "A")->values->sum);
	EXPECT_EQ(0.5, sum_of(self, "A")->values->least);
	EXPECT_EQ(5, sum_of(self, "A")->values->most);
	EXPECT_EQ(NULL, sum_of(self, "A")->values->next);
	EXPECT_STREQ("queue", sum_of(self, "(outside)")->values->name);
	EXPECT_STREQ("worker", regions_thread(self->regions, 0)->name);
	EXPECT_EQ(1, regions_trouble(self->regions)->damaged);
}

/* As Gaudi's auditor: the parent ends when a child begins, and begins again after it. */
TEST_F(regions, branches_in_names)
{
	struct regions *regions = self->regions;

	name_in(regions, PID, 1, MARK_NAME_EVENT, " Top");
	name_in(regions, PID, 2, MARK_NAME_EVENT, " Top Sub");
	name_in(regions, PID, 3, MARK_NAME_EVENT, " Top Sub Alg1");
	name_in(regions, PID, 4, MARK_NAME_EVENT, " Top Sub Alg2");
	for (uint64_t t = 1000; t <= 2000; t += 1000) {
		mark(regions, 11, t + 0, MARK_BEGIN, 1);
		mark(regions, 11, t + 10, MARK_END, 1);
		mark(regions, 11, t + 11, MARK_BEGIN, 2);
		mark(regions, 11, t + 20, MARK_END, 2);
		mark(regions, 11, t + 21, MARK_BEGIN, 3);
		EXPECT_EQ(3, regions_node(regions, regions_now(regions, PID, 11))->depth);
		mark(regions, 11, t + 100, MARK_END, 3);
		EXPECT_EQ(REGIONS_OUTSIDE, regions_now(regions, PID, 11));
		mark(regions, 11, t + 101, MARK_BEGIN, 2);
		mark(regions, 11, t + 110, MARK_END, 2);
		mark(regions, 11, t + 111, MARK_BEGIN, 4);
		mark(regions, 11, t + 211, MARK_END, 4);
		mark(regions, 11, t + 212, MARK_BEGIN, 2);
		mark(regions, 11, t + 220, MARK_END, 2);
		mark(regions, 11, t + 221, MARK_BEGIN, 1);
		mark(regions, 11, t + 230, MARK_END, 1);
	}
	finish(self);
	EXPECT_EQ(2, sum_of(self, "Top")->calls);
	EXPECT_EQ(2 * 19, sum_of(self, "Top")->self);
	EXPECT_EQ(2 * (19 + 26 + 79 + 100), sum_of(self, "Top")->total);
	EXPECT_EQ(230, sum_of(self, "Top")->durations.most);
	EXPECT_EQ(2, sum_of(self, "Top/Sub")->calls);
	EXPECT_EQ(2 * 26, sum_of(self, "Top/Sub")->self);
	EXPECT_EQ(2 * 209, sum_of(self, "Top/Sub")->durations.sum);
	EXPECT_EQ(2, sum_of(self, "Top/Sub/Alg1")->calls);
	EXPECT_EQ(2 * 79, sum_of(self, "Top/Sub/Alg1")->self);
	EXPECT_EQ(200, sum_of(self, "Top/Sub/Alg2")->total);
	EXPECT_EQ(8, self->calls);
	EXPECT_EQ(0, self->cut + regions_trouble(regions)->stray +
		     regions_trouble(regions)->missing + regions_trouble(regions)->unended);
	EXPECT_EQ(sum_of_self(self), sum_of(self, "(outside)")->total);
}

/* Without a blank in front, what is before a blank has to be a name; and it may nest. */
TEST_F(regions, branches_by_prefix)
{
	struct regions *regions = self->regions;

	name_in(regions, PID, 1, MARK_NAME_EVENT, "Top");
	name_in(regions, PID, 2, MARK_NAME_EVENT, "Top Sub Alg");
	name_in(regions, PID, 3, MARK_NAME_EVENT, "no parent");
	name(regions, 4, "Run");
	name(regions, 5, "Top Region");
	mark(regions, 11, 100, MARK_BEGIN, 4);
	mark(regions, 11, 110, MARK_BEGIN, 1);
	mark(regions, 11, 120, MARK_BEGIN, 2);
	mark(regions, 11, 130, MARK_END, 2);
	mark(regions, 11, 140, MARK_END, 1);
	/* not a continuation: nothing was in it that has just ended */
	mark(regions, 11, 150, MARK_BEGIN, 1);
	mark(regions, 11, 160, MARK_END, 1);
	mark(regions, 11, 170, MARK_BEGIN, 3);
	mark(regions, 11, 180, MARK_END, 3);
	mark(regions, 11, 185, MARK_BEGIN, 5);
	mark(regions, 11, 186, MARK_END, 5);
	mark(regions, 11, 200, MARK_END, 4);
	finish(self);
	EXPECT_EQ(2, sum_of(self, "Run/Top")->calls);
	EXPECT_EQ(40, sum_of(self, "Run/Top")->total);
	EXPECT_EQ(30, sum_of(self, "Run/Top")->self);
	EXPECT_EQ(30, sum_of(self, "Run/Top")->durations.most);
	EXPECT_EQ(10, sum_of(self, "Run/Top/Sub Alg")->total);
	EXPECT_EQ(10, sum_of(self, "Run/no parent")->total);
	EXPECT_EQ(1, sum_of(self, "Run/Top Region")->total);
	EXPECT_EQ(100, sum_of(self, "Run")->total);
}

/* Plain events that nest are no branches. */
TEST_F(regions, events_that_nest)
{
	name_in(self->regions, PID, 1, MARK_NAME_EVENT, "A");
	name_in(self->regions, PID, 2, MARK_NAME_EVENT, "B");
	mark(self->regions, 11, 100, MARK_BEGIN, 1);
	mark(self->regions, 11, 110, MARK_BEGIN, 2);
	mark(self->regions, 11, 120, MARK_END, 2);
	mark(self->regions, 11, 130, MARK_END, 1);
	mark(self->regions, 11, 140, MARK_BEGIN, 1);
	mark(self->regions, 11, 150, MARK_END, 1);
	mark(self->regions, 11, 160, MARK_BEGIN, 2);
	mark(self->regions, 11, 170, MARK_END, 2);
	finish(self);
	EXPECT_EQ(2, sum_of(self, "A")->calls);
	EXPECT_EQ(40, sum_of(self, "A")->total);
	EXPECT_EQ(10, sum_of(self, "A/B")->total);
	EXPECT_EQ(10, sum_of(self, "B")->total);
}

TEST_F(regions, too_deep)
{
	name(self->regions, 1, "A");
	for (int i = 0; i < 2 * REGIONS_DEPTH; i++)
		mark(self->regions, 11, 100 + i, MARK_BEGIN, 1);
	EXPECT_EQ(REGIONS_DEPTH, regions_trouble(self->regions)->too_deep);
	for (int i = 0; i < 2 * REGIONS_DEPTH; i++)
		mark(self->regions, 11, 5000 + i, MARK_END, 1);
	EXPECT_EQ(REGIONS_OUTSIDE, regions_now(self->regions, PID, 11));
	finish(self);
	EXPECT_EQ(0, regions_trouble(self->regions)->stray);
	EXPECT_EQ(REGIONS_DEPTH, self->calls);
	EXPECT_EQ(5000 + 2 * REGIONS_DEPTH - 1 - 100, sum_of(self, "A")->total);
}

/* None of them is a mark; none is an error. */
TEST_F(regions, damaged)
{
	struct perfdata_mark mark = { .common.type = PERFDATA_REGION_ID, .kind = MARK_BEGIN };
	struct perfdata_name text = { .common.type = PERFDATA_REGION_NAME_ID, .id = 1 };

	for (size_t size = 0; size < sizeof(mark); size++)
		give(self->regions, &mark_attr, PID, 11, 100, &mark, size);
	mark.nr_counts = 1;
	give(self->regions, &mark_attr, PID, 11, 100, &mark, sizeof(mark));
	mark.nr_counts = 0;
	mark.kind = 200;
	give(self->regions, &mark_attr, PID, 11, 100, &mark, sizeof(mark));
	mark.common.type = 1;
	give(self->regions, &mark_attr, PID, 11, 100, &mark, sizeof(mark));
	text.name = 0xffffffff;
	give(self->regions, &name_attr, PID, 11, 100, &text, sizeof(text));
	text.name = sizeof(text) | 1U << 16;
	give(self->regions, &name_attr, PID, 11, 100, &text, sizeof(text));
	finish(self);
	EXPECT_EQ(sizeof(mark) + 5, regions_trouble(self->regions)->damaged);
	EXPECT_EQ(0, regions_trouble(self->regions)->threads);
}

TEST_F(regions, texts)
{
	const struct perfdata_mark end = {
		.common.type = PERFDATA_REGION_ID, .kind = MARK_END, .id = 2,
	};
	const struct regions_sample sample = {
		.attr = &mark_attr, .raw = (const void *)&end, .raw_size = sizeof(end),
		.pid = PID, .tid = 11, .time = 120,
	};
	char text[256] = "";

	name(self->regions, 1, "A");
	name(self->regions, 2, "B");
	mark(self->regions, 11, 100, MARK_BEGIN, 1);
	mark(self->regions, 11, 110, MARK_BEGIN, 2);
	EXPECT_EQ((int)strlen("end B in A/B"),
		  regions_text(self->regions, &sample, text, sizeof(text)));
	EXPECT_STREQ("end B in A/B", text);
}

static int compare(const void *a, const void *b)
{
	const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

/* Percentiles are those of the sorted numbers, to the error that is stated. */
TEST(percentiles)
{
	static const double shares[] = { 0.01, 0.5, 0.9, 0.99, 1 };
	struct durations all = {}, half[2] = {};
	static uint64_t numbers[10000];
	uint64_t state = 1, exact, from, to, sum = 0;
	double found;

	for (int i = 0; i < 10000; i++) {
		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		numbers[i] = (state >> 20) >> (state >> 59) * 2;
		ASSERT_EQ(0, durations_add(&half[i % 2], numbers[i]));
	}
	ASSERT_EQ(0, durations_join(&all, &half[0]));
	ASSERT_EQ(0, durations_join(&all, &half[1]));
	qsort(numbers, 10000, sizeof(*numbers), compare);
	for (int i = 0; i < 5; i++) {
		exact = numbers[(int)(shares[i] * 10000 + 0.5) - 1];
		found = (double)durations_percentile(&all, shares[i]);
		EXPECT_LE(found, (double)exact * (1 + DURATIONS_ERROR) + 1);
		EXPECT_GE(found, (double)exact * (1 - DURATIONS_ERROR) - 1);
	}
	EXPECT_EQ(numbers[0], all.least);
	EXPECT_EQ(numbers[9999], all.most);
	for (size_t i = 0; i < all.nr_buckets; i++) {
		exact = durations_bucket(&all, i, &from, &to);
		sum += exact;
		for (int j = 0; j < 10000; j++)
			exact -= numbers[j] >= from && numbers[j] < to;
		EXPECT_EQ(0, exact);
	}
	EXPECT_EQ(10000, sum);
	ASSERT_EQ(0, durations_add(&all, UINT64_MAX));
	EXPECT_EQ(UINT64_MAX, durations_percentile(&all, 1));
	durations_free(&all);
	durations_free(&half[0]);
	durations_free(&half[1]);
}

TEST_HARNESS_MAIN
