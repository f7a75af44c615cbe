// SPDX-License-Identifier: GPL-2.0
/* Processes and threads, and their mappings, whatever the records say. */
#include <stdio.h>

#include "flow/pipeline.h"
#include "synthetic.h"

#include "kselftest_harness.h"

#define SAMPLES_MAX	8
#define ADDRESS		0x1000

/* Of each sample, at ADDRESS. */
struct seen {
	const char *comm;
	const char *mapped;
	const char *data;
};

FIXTURE(process)
{
	struct synthetic file;
	struct pipeline pipeline;
	struct seen seen[SAMPLES_MAX];
	size_t nr;
};

static int see(void *context, const struct pipeline_sample *sample)
{
	FIXTURE_DATA(process) *self = context;
	struct place place = places_find(self->pipeline.places, sample->thread,
					    record_mode(sample->record),
					    sample->fields->ip, 0);
	struct place data = places_find_data(self->pipeline.places, sample->thread,
					  record_mode(sample->record),
					  sample->fields->ip);

	if (self->nr == SAMPLES_MAX)
		return -E2BIG;
	self->seen[self->nr++] = (struct seen){
		.comm = sample->thread->comm,
		.mapped = place.dso ? place.dso->name : "",
		.data = data.dso ? data.dso->name : "",
	};
	return 0;
}

static const struct pipeline_consumer eye = { .sample = see };
static const char *const events[] = { "cycles", NULL };

FIXTURE_SETUP(process)
{
	ASSERT_EQ(0, pipeline_init(&self->pipeline, &eye, self, NULL));
	synthetic_begin(&self->file, events);
}

FIXTURE_TEARDOWN(process)
{
	pipeline_end(&self->pipeline);
	synthetic_end(&self->file);
}

static void put_sample(struct synthetic *file, uint32_t pid, uint32_t tid,
		       uint64_t time)
{
	synthetic_sample(file, &(struct synthetic_sample){
		.pid = pid, .tid = tid, .time = time, .ip = ADDRESS,
		.period = 1,
	});
}

static void put_mmap(struct synthetic *file, uint32_t pid, const char *path,
		     uint64_t time)
{
	synthetic_mmap(file, pid, ADDRESS, 0x1000, 0, path, time);
}

static int read_file(FIXTURE_DATA(process) *self)
{
	synthetic_finish(&self->file);
	return pipeline_read(&self->pipeline, self->file.path);
}

/* The pid of a process is reused. */
TEST_F(process, reuse_of_numbers)
{
	synthetic_comm(&self->file, 1, 1, "init", 0, false);
	put_mmap(&self->file, 1, "/bin/init", 0);
	synthetic_comm(&self->file, 5, 5, "old", 1, false);
	put_mmap(&self->file, 5, "/bin/old", 1);
	put_sample(&self->file, 5, 5, 2);
	synthetic_task(&self->file, PERF_RECORD_EXIT, 5, 5, 1, 1, 3);
	/* a sample of its very end arrives late */
	put_sample(&self->file, 5, 5, 4);
	synthetic_task(&self->file, PERF_RECORD_FORK, 5, 5, 1, 1, 5);
	put_sample(&self->file, 5, 5, 6);
	/* as a thread of another process, without announcement */
	put_sample(&self->file, 1, 5, 7);
	ASSERT_EQ(0, read_file(self));
	ASSERT_EQ(4, self->nr);
	EXPECT_STREQ("old", self->seen[0].comm);
	EXPECT_STREQ("old", self->seen[0].mapped);
	EXPECT_STREQ("old", self->seen[1].comm);
	EXPECT_STREQ("old", self->seen[1].mapped);
	EXPECT_STREQ("init", self->seen[2].comm);
	EXPECT_STREQ("init", self->seen[2].mapped);
	EXPECT_STREQ(":5", self->seen[3].comm);
	EXPECT_STREQ("init", self->seen[3].mapped);
}

static void put_data(struct synthetic *file, uint32_t pid, const char *path,
		     uint64_t time)
{
	synthetic_mmap_as(file, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA,
			  pid, ADDRESS, 0x1000, 0, path, time);
}

static void put_code_and_data(struct synthetic *file)
{
	put_mmap(file, 5, "/bin/code", 0);
	put_sample(file, 5, 5, 1);
	put_data(file, 5, "/etc/data", 2);
	put_sample(file, 5, 5, 3);
	synthetic_task(file, PERF_RECORD_FORK, 6, 6, 5, 5, 4);
	put_sample(file, 6, 6, 5);
	put_mmap(file, 6, "/bin/newer", 6);
	put_sample(file, 6, 6, 7);
	put_data(file, 5, "//anon", 8);
	put_sample(file, 5, 5, 9);
}

/* Data mappings are searched for data, as are newer ones. */
TEST_F(process, data_are_not_code)
{
	static const char *const mapped[] = { "code", "code", "code", "newer", "code" };
	static const char *const data[] = { "code", "data", "data", "newer", "anon" };

	self->pipeline.processes.wants_data = true;
	put_code_and_data(&self->file);
	ASSERT_EQ(0, read_file(self));
	ASSERT_EQ(5, self->nr);
	for (size_t i = 0; i < self->nr; i++) {
		EXPECT_STREQ(mapped[i], self->seen[i].mapped);
		EXPECT_STREQ(data[i], self->seen[i].data);
	}
}

TEST_F(process, data_that_nobody_asks_for)
{
	put_code_and_data(&self->file);
	ASSERT_EQ(0, read_file(self));
	ASSERT_EQ(5, self->nr);
	EXPECT_STREQ("code", self->seen[4].mapped);
	EXPECT_STREQ("code", self->seen[4].data);
}

/* The parent was not announced: its children are not called ":1". */
TEST_F(process, child_of_nobody_known)
{
	synthetic_task(&self->file, PERF_RECORD_FORK, 5, 5, 1, 1, 1);
	put_sample(&self->file, 5, 5, 2);
	synthetic_comm(&self->file, 1, 1, "init", 3, false);
	synthetic_task(&self->file, PERF_RECORD_FORK, 6, 6, 1, 1, 4);
	put_sample(&self->file, 6, 6, 5);
	ASSERT_EQ(0, read_file(self));
	ASSERT_EQ(2, self->nr);
	EXPECT_STREQ(":5", self->seen[0].comm);
	EXPECT_STREQ("init", self->seen[1].comm);
}

/* Threads that were never announced have the mappings of their process. */
TEST_F(process, never_announced)
{
	put_sample(&self->file, 7, 8, 1);
	put_mmap(&self->file, 7, "/bin/seven", 2);
	put_sample(&self->file, 7, 8, 3);
	put_sample(&self->file, 0, 0, 4);
	put_sample(&self->file, -1, -1, 5);
	ASSERT_EQ(0, read_file(self));
	ASSERT_EQ(4, self->nr);
	EXPECT_STREQ(":8", self->seen[0].comm);
	EXPECT_STREQ("", self->seen[0].mapped);
	EXPECT_STREQ("seven", self->seen[1].mapped);
	EXPECT_STREQ("swapper", self->seen[2].comm);
	EXPECT_STREQ(":-1", self->seen[3].comm);
}

/* Mappings with a name but no file, or none: perf's names for them. */
TEST_F(process, memory_without_a_file)
{
	static const char *const maps[][2] = {
		{ "//anon", "[JIT] tid 5" },
		{ "[heap]", "[JIT] tid 5" },
		{ "/dev/zero (deleted)", "[JIT] tid 5" },
		{ "/memfd:code (deleted)", "memfd:code (deleted)" },
		{ "[vsyscall]", "[vsyscall]" },
	};
	size_t nr = sizeof(maps) / sizeof(maps[0]);

	for (size_t i = 0; i < nr; i++) {
		put_mmap(&self->file, 5, maps[i][0], 2 * i + 1);
		put_sample(&self->file, 5, 5, 2 * i + 2);
	}
	ASSERT_EQ(0, read_file(self));
	ASSERT_EQ(nr, self->nr);
	for (size_t i = 0; i < nr; i++)
		EXPECT_STREQ(maps[i][1], self->seen[i].mapped);
}

/* However many processes there were: only running ones have mappings. */
TEST_F(process, many_processes)
{
	uint32_t nr = 2 * PROCESSES_GONE;
	uint64_t time = 2;
	size_t mapped = 0;

	put_mmap(&self->file, 1, "/bin/init", 1);
	for (uint32_t pid = 2; pid < nr; pid++) {
		synthetic_task(&self->file, PERF_RECORD_FORK, pid, pid, 1, 1,
			       time++);
		synthetic_task(&self->file, PERF_RECORD_EXIT, pid, pid, 1, 1,
			       time++);
	}
	/* late, but not too late */
	put_sample(&self->file, nr - 1, nr - 1, time++);
	put_sample(&self->file, 1, 1, time++);
	ASSERT_EQ(0, read_file(self));
	ASSERT_EQ(2, self->nr);
	EXPECT_STREQ("init", self->seen[0].mapped);
	EXPECT_STREQ("init", self->seen[1].mapped);
	for (struct process *process = self->pipeline.processes.all_processes;
	     process; process = process->next)
		mapped += !!process->code.nr_blocks;
	EXPECT_EQ(PROCESSES_GONE + 1, mapped);
}

/* A process that existed before the recording inherits nothing from its parent. */
TEST_F(process, announced_by_perf)
{
	struct {
		uint32_t pid, ppid, tid, ptid;
		uint64_t time;
	} body = { .pid = 9, .ppid = 1, .tid = 9, .ptid = 1 };

	put_mmap(&self->file, 1, "/bin/init", 0);
	synthetic_record(&self->file, PERF_RECORD_FORK,
			 PERF_RECORD_MISC_FORK_EXEC, &body, sizeof(body), 0, 0,
			 0);
	put_sample(&self->file, 9, 9, 1);
	put_mmap(&self->file, 9, "/bin/nine", 2);
	put_sample(&self->file, 9, 9, 3);
	ASSERT_EQ(0, read_file(self));
	ASSERT_EQ(2, self->nr);
	EXPECT_STREQ("", self->seen[0].mapped);
	EXPECT_STREQ("nine", self->seen[1].mapped);
}

/* Addresses in a virtual machine are not those of its host. */
TEST_F(process, guests)
{
	struct perf_event_header *header;

	put_mmap(&self->file, 5, "/bin/qemu", 0);
	header = (void *)(self->file.bytes + self->file.size);
	put_mmap(&self->file, 5, "/bin/guest", 1);
	header->misc = PERF_RECORD_MISC_GUEST_USER;
	put_sample(&self->file, 5, 5, 2);
	ASSERT_EQ(0, read_file(self));
	ASSERT_EQ(1, self->nr);
	EXPECT_STREQ("qemu", self->seen[0].mapped);
}

TEST_HARNESS_MAIN
