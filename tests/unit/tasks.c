// SPDX-License-Identifier: GPL-2.0
/*
 * Which tasks are alive, and which are no longer monitored, by the side-band's records.
 */
#include <string.h>

#include "perfdata/format/format.h"
#include "recorder/tasks.h"

#include "kselftest_harness.h"

#define MAIN	100

FIXTURE(tasks)
{
	struct tasks *tasks;
};

FIXTURE_SETUP(tasks)
{
	self->tasks = tasks_new();
	ASSERT_NE(NULL, self->tasks);
	ASSERT_EQ(0, tasks_add(self->tasks, MAIN, MAIN));
}

FIXTURE_TEARDOWN(tasks)
{
	tasks_free(self->tasks);
}

struct any {
	struct perf_event_header header;
	uint32_t words[6];
	struct perfdata_sample_id id;
};

static int take(struct tasks *tasks, uint32_t type, uint16_t misc, pid_t pid,
		pid_t tid, uint64_t time)
{
	struct any record = {
		.header = { type, misc, sizeof(record) },
		.words = { pid, tid },
		.id = { .pid = pid, .tid = tid, .time = time },
	};

	if (type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT) {
		record.words[1] = MAIN;
		record.words[2] = tid;
		record.words[3] = MAIN;
		memcpy(&record.words[4], &time, sizeof(time));
	}
	if (type == PERF_RECORD_COMM)
		memcpy(&record.words[2], "other", 6);
	return tasks_take(tasks, &record.header);
}

static void born(FIXTURE_DATA(tasks) *self, pid_t pid, pid_t tid, uint64_t time)
{
	take(self->tasks, PERF_RECORD_FORK, 0, pid, tid, time);
}

static void exits(FIXTURE_DATA(tasks) *self, pid_t pid, pid_t tid,
		  uint64_t time)
{
	take(self->tasks, PERF_RECORD_EXIT, 0, pid, tid, time);
}

static void executes(FIXTURE_DATA(tasks) *self, pid_t pid, uint64_t time)
{
	take(self->tasks, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, pid,
	     pid, time);
}

static void maps(FIXTURE_DATA(tasks) *self, pid_t pid, pid_t tid, uint64_t time)
{
	take(self->tasks, PERF_RECORD_MMAP2, 0, pid, tid, time);
}

struct found {
	char text[256];
};

static void find(const struct kermon_task *task, void *data)
{
	struct found *found = data;
	size_t used = strlen(found->text);

	snprintf(found->text + used, sizeof(found->text) - used, "%d/%d%s%s ",
		 task->pid, task->tid, task->unrecorded ? ":" : "",
		 task->unrecorded ? task->comm : "");
}

static struct found all(FIXTURE_DATA(tasks) *self)
{
	struct found found = { "" };

	tasks_each(self->tasks, find, &found);
	return found;
}

TEST_F(tasks, come_and_go)
{
	born(self, MAIN, 101, 10);
	born(self, 102, 102, 11);
	EXPECT_STREQ("100/100 100/101 102/102 ", all(self).text);
	exits(self, MAIN, 101, 20);
	EXPECT_STREQ("100/100 102/102 ", all(self).text);
	for (int i = 0; i < 3; i++)
		tasks_round(self->tasks);
	exits(self, MAIN, MAIN, 30);
	EXPECT_STREQ("102/102 ", all(self).text);
}

/* Rings are read one after the other: the first event may come last. */
TEST_F(tasks, in_any_order)
{
	exits(self, 101, 101, 20);
	tasks_round(self->tasks);
	born(self, 101, 101, 10);
	EXPECT_STREQ("100/100 ", all(self).text);
	maps(self, 102, 102, 41);
	exits(self, 102, 102, 50);
	executes(self, 102, 40);
	born(self, 102, 102, 30);
	EXPECT_STREQ("100/100 ", all(self).text);
}

TEST_F(tasks, number_is_used_again)
{
	exits(self, 101, 101, 20);
	born(self, 101, 101, 30);
	tasks_round(self->tasks);
	tasks_round(self->tasks);
	EXPECT_STREQ("100/100 101/101 ", all(self).text);
}

/* Perf stops following it between its exec and its first mapping. */
TEST_F(tasks, unrecorded)
{
	born(self, 101, 101, 10);
	executes(self, 101, 20);
	exits(self, 101, 101, 21);
	born(self, 102, 102, 10);
	executes(self, 102, 20);
	maps(self, 102, 102, 21);
	exits(self, 102, 102, 30);
	for (int i = 0; i < 5; i++)
		tasks_round(self->tasks);
	EXPECT_STREQ("100/100 101/101:other ", all(self).text);
}

/* The main thread has exited; another one executes a program and takes its place. */
TEST_F(tasks, exec_of_a_thread)
{
	exits(self, MAIN, MAIN, 10);
	executes(self, MAIN, 20);
	maps(self, MAIN, MAIN, 21);
	tasks_round(self->tasks);
	tasks_round(self->tasks);
	EXPECT_STREQ("100/100 ", all(self).text);
	exits(self, MAIN, MAIN, 30);
	EXPECT_STREQ("", all(self).text);
}

/* There is no EXIT for the tid that the thread had before the exec. */
TEST_F(tasks, exec_of_a_thread_forgets_the_others)
{
	born(self, MAIN, 101, 10);
	born(self, 102, 102, 10);
	born(self, MAIN, 103, 30);
	executes(self, MAIN, 20);
	born(self, MAIN, 104, 11);
	EXPECT_STREQ("100/100 102/102 100/103 ", all(self).text);
}

/* Rings are read one after the other. */
TEST_F(tasks, last_exec_counts)
{
	born(self, 101, 101, 10);
	executes(self, 101, 30);
	exits(self, 101, 101, 31);
	executes(self, 101, 20);
	maps(self, 101, 101, 21);
	EXPECT_STREQ("100/100 101/101:other ", all(self).text);
}

/* The mapping may be among the lost records. */
TEST_F(tasks, unrecorded_is_not_certain_after_a_loss)
{
	born(self, 101, 101, 10);
	executes(self, 101, 20);
	exits(self, 101, 101, 21);
	take(self->tasks, PERF_RECORD_LOST, 0, 0, 0, 22);
	EXPECT_STREQ("100/100 ", all(self).text);
}

/* Memory does not grow with the number of tasks that have exited. */
TEST_F(tasks, many)
{
	for (pid_t pid = 1000; pid < 200000; pid++) {
		born(self, pid, pid, 2 * pid);
		exits(self, pid, pid, 2 * pid + 1);
		if (pid % 100 == 0)
			tasks_round(self->tasks);
	}
	EXPECT_STREQ("100/100 ", all(self).text);
}

TEST_HARNESS_MAIN
