// SPDX-License-Identifier: GPL-2.0
/*
 * The same chain again with a different meaning: what is cached for chains must not
 * outlive the address space that they belong to.
 */
#include <stdbool.h>
#include <string.h>

#include <kermon/report.h>

#include "self.h"
#include "synthetic.h"

#include "kselftest_harness.h"

#define PROGRAM_BASE	0x400000000000ULL
#define PROGRAM_SIZE	(1ULL << 28)

static const char *const events[] = { "cycles", NULL };

/* Never called: only their addresses are used. */
__attribute__((noinline, used)) static int the_main(int i) { return i * 3 + 1; }
__attribute__((noinline, used)) static int the_work(int i) { return i * 5 + 2; }
__attribute__((noinline, used)) static int the_leaf(int i) { return i * 7 + 3; }

/* One right after the other. */
__asm__(".pushsection .text\n"
	".globl calltree_first\n"
	".type calltree_first, @function\n"
	"calltree_first: .skip 16, 0x90\n"
	".size calltree_first, 16\n"
	".globl calltree_second\n"
	".type calltree_second, @function\n"
	"calltree_second: .skip 16, 0x90\n"
	".size calltree_second, 16\n"
	".popsection\n");
void calltree_second(void);

FIXTURE(calltree)
{
	struct synthetic file;
	struct kermon_report *report;
	const struct kermon_table *table;
};

FIXTURE_SETUP(calltree)
{
	synthetic_start_with(&self->file, events, ~0U,
			     &(struct perf_event_attr){
		.sample_type = PERF_SAMPLE_CALLCHAIN,
	});
	synthetic_comm(&self->file, 5, 5, "program", 0, false);
}

FIXTURE_TEARDOWN(calltree)
{
	kermon_report_free(self->report);
	synthetic_end(&self->file);
}

/* The program of @pid, so that the chain's innermost address is in @function. */
static void map(FIXTURE_DATA(calltree) *self, uint32_t pid,
		int (*function)(int), uint64_t time)
{
	uint64_t moved = self_offset((void *)function) -
			 self_offset((void *)the_leaf);

	synthetic_mmap(&self->file, pid, PROGRAM_BASE, PROGRAM_SIZE, moved,
		       SELF_PATH, time);
}

static void put_words(FIXTURE_DATA(calltree) *self, uint32_t pid,
		      uint64_t time, uint64_t period, const uint64_t *words,
		      size_t nr)
{
	struct {
		uint64_t nr, words[4];
	} tail = { .nr = nr };

	memcpy(tail.words, words, nr * sizeof(*words));
	synthetic_sample_with(&self->file, &(struct synthetic_sample){
		.pid = pid, .tid = pid, .time = time, .period = period,
		.ip = PROGRAM_BASE,
	}, PERF_RECORD_MISC_USER, &tail, 8 + 8 * nr);
}

/* Always the same one. */
static void put_chain(FIXTURE_DATA(calltree) *self, uint32_t pid,
		      uint64_t time, uint64_t period)
{
	put_words(self, pid, time, period, (uint64_t[]){
		PERF_CONTEXT_USER,
		PROGRAM_BASE + self_offset((void *)the_leaf),
	}, 2);
}

static void read_file(FIXTURE_DATA(calltree) *self, const char *keys)
{
	struct kermon_report_options options = {
		.size = sizeof(options), .calls = true, .keys = keys,
	};

	synthetic_finish(&self->file);
	self->report = kermon_report_new(&options);
	if (!self->report ||
	    kermon_report_read(self->report, self->file.path) ||
	    kermon_report_callers(self->report, keys, 0, &self->table))
		abort();
}

/* The sum of function @sym, in process @pid, or in all if it is 0. */
static uint64_t value_of(const FIXTURE_DATA(calltree) *self, const char *sym,
			 uint32_t pid)
{
	const struct kermon_row *row;
	uint64_t value = 0;

	for (size_t i = 0; i < self->table->nr_rows; i++) {
		row = &self->table->rows[i];
		if (row->pid == pid && row->sym && !strcmp(row->sym, sym))
			value += row->all_values[0];
	}
	return value;
}

/* Process 5 is in the_leaf() at 20, with a period of 1. */
static void begin_in_leaf(FIXTURE_DATA(calltree) *self)
{
	map(self, 5, the_leaf, 10);
	put_chain(self, 5, 20, 1);
}

TEST_F(calltree, same_chain_of_another_mapping)
{
	begin_in_leaf(self);
	put_chain(self, 5, 30, 2);
	map(self, 5, the_work, 40);
	put_chain(self, 5, 50, 4);
	map(self, 5, the_leaf, 60);
	put_chain(self, 5, 70, 8);
	read_file(self, "sym");
	EXPECT_EQ(2, self->table->nr_rows);
	EXPECT_EQ(11, value_of(self, "the_leaf", 0));
	EXPECT_EQ(4, value_of(self, "the_work", 0));
}

TEST_F(calltree, same_chain_of_another_program)
{
	begin_in_leaf(self);
	synthetic_comm(&self->file, 5, 5, "other", 30, true);
	map(self, 5, the_main, 40);
	put_chain(self, 5, 50, 2);
	read_file(self, "comm,sym");
	EXPECT_EQ(2, self->table->nr_rows);
	EXPECT_EQ(1, value_of(self, "the_leaf", 0));
	EXPECT_EQ(2, value_of(self, "the_main", 0));
}

/* A child has its parent's mappings until it maps something itself. */
TEST_F(calltree, same_chain_of_a_child)
{
	begin_in_leaf(self);
	synthetic_task(&self->file, PERF_RECORD_FORK, 6, 6, 5, 5, 30);
	put_chain(self, 6, 40, 2);
	map(self, 6, the_work, 50);
	put_chain(self, 6, 60, 4);
	put_chain(self, 5, 70, 8);
	read_file(self, "pid,sym");
	EXPECT_EQ(3, self->table->nr_rows);
	EXPECT_EQ(9, value_of(self, "the_leaf", 5));
	EXPECT_EQ(2, value_of(self, "the_leaf", 6));
	EXPECT_EQ(4, value_of(self, "the_work", 6));
}

/* Nothing is mapped in process 7, and then something is. */
TEST_F(calltree, same_chain_of_a_process_that_maps_late)
{
	begin_in_leaf(self);
	put_chain(self, 7, 30, 2);
	map(self, 7, the_main, 40);
	put_chain(self, 7, 50, 4);
	read_file(self, "pid,sym");
	EXPECT_EQ(3, self->table->nr_rows);
	EXPECT_EQ(1, value_of(self, "the_leaf", 5));
	EXPECT_EQ(4, value_of(self, "the_main", 7));
}

/* An address as the current one, and as a return address, which is after the call. */
TEST_F(calltree, same_address_as_a_return)
{
	uint64_t at = PROGRAM_BASE + self_offset((void *)calltree_second);

	map(self, 5, the_leaf, 10);
	put_words(self, 5, 20, 1, (uint64_t[]){ PERF_CONTEXT_USER, at }, 2);
	put_words(self, 5, 30, 2, (uint64_t[]){
		PERF_CONTEXT_USER, at + 1, at,
	}, 3);
	put_words(self, 5, 40, 4, (uint64_t[]){ PERF_CONTEXT_USER, at }, 2);
	read_file(self, "sym");
	EXPECT_EQ(2, self->table->nr_rows);
	EXPECT_EQ(7, value_of(self, "calltree_second", 0));
	EXPECT_EQ(2, value_of(self, "calltree_first", 0));
}

/* More chains than the cache holds, each of them twice. */
TEST_F(calltree, many_chains)
{
	uint64_t words[3] = { PERF_CONTEXT_USER };
	uint64_t leaf = PROGRAM_BASE + self_offset((void *)the_leaf);
	uint64_t work = PROGRAM_BASE + self_offset((void *)the_work);
	uint64_t time = 20;

	map(self, 5, the_leaf, 10);
	for (int round = 0; round < 2; round++) {
		for (uint64_t i = 0; i < 4500; i++) {
			words[1] = i % 2 ? leaf : work;
			words[2] = 0x1000 + i;
			put_words(self, 5, time++, 1, words, 3);
		}
	}
	read_file(self, "sym");
	EXPECT_EQ(3, self->table->nr_rows);
	EXPECT_EQ(4500, value_of(self, "the_leaf", 0));
	EXPECT_EQ(4500, value_of(self, "the_work", 0));
}

TEST_HARNESS_MAIN
