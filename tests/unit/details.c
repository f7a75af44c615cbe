// SPDX-License-Identifier: GPL-2.0
/* The rarer keys of tables: of branches, of accesses to memory, of slices of time. */
#include <stdbool.h>
#include <string.h>

#include <kermon/report.h>

#include "self.h"
#include "collected.h"
#include "synthetic.h"

#include "kselftest_harness.h"

#define PROGRAM_BASE	0x400000000000ULL
#define PROGRAM_SIZE	(1ULL << 28)

static const char *const events[] = { "cycles", NULL };

FIXTURE(details)
{
	struct synthetic file;
	struct kermon_report *report;
	struct kermon_damages *damages;
	const struct kermon_table *table;
};

FIXTURE_SETUP(details)
{
	(void)self;
}

FIXTURE_TEARDOWN(details)
{
	kermon_report_free(self->report);
	kermon_damages_free(self->damages);
	synthetic_end(&self->file);
}

/* Never called: only their addresses are used, in ascending order. */
__attribute__((noinline, used)) static int the_work(int i) { return i * 5 + 2; }
__attribute__((noinline, used)) static int the_leaf(int i) { return i * 7 + 3; }

static void begin(FIXTURE_DATA(details) *self, uint64_t sample_type)
{
	synthetic_start_with(&self->file, events, ~0U,
			     &(struct perf_event_attr){
		.sample_type = sample_type,
	});
	synthetic_comm(&self->file, 5, 5, "program", 0, false);
	synthetic_mmap(&self->file, 5, PROGRAM_BASE, PROGRAM_SIZE, 0, SELF_PATH,
		       1);
}

static uint64_t address_of(int (*function)(int))
{
	return PROGRAM_BASE + self_offset((void *)function);
}

static void put(FIXTURE_DATA(details) *self, uint64_t time, uint64_t ip,
		uint64_t period, const void *tail, size_t size)
{
	synthetic_sample_with(&self->file, &(struct synthetic_sample){
		.pid = 5, .tid = 5, .time = time, .period = period, .ip = ip,
	}, PERF_RECORD_MISC_USER, tail, size);
}

static void read_file(FIXTURE_DATA(details) *self,
		      const struct kermon_report_options *options,
		      const char *keys)
{
	struct kermon_report_options all = *options;

	all.damages = collected().damages;
	synthetic_finish(&self->file);
	self->report = kermon_report_new(&all);
	if (!self->report ||
	    kermon_report_read(self->report, self->file.path) ||
	    kermon_damages_count(all.damages) ||
	    kermon_report_table(self->report, keys, 0, &self->table))
		abort();
	self->damages = all.damages;
}

static void read_keys(FIXTURE_DATA(details) *self, const char *keys)
{
	read_file(self, &(struct kermon_report_options){
		.size = sizeof(struct kermon_report_options), .keys = keys,
	}, keys);
}

static const char *text_of(const FIXTURE_DATA(details) *self, size_t row,
			   const char *key)
{
	const char *text = kermon_row_text(&self->table->rows[row],
					   kermon_key_find(key));

	return text ? text : "(null)";
}

struct branches {
	uint64_t nr;
	struct perf_branch_entry all[3];
};

/* Each branch is a row or part of one, and counts once, whatever the period is. */
TEST_F(details, branches)
{
	struct branches some = {
		.nr = 3,
		.all = {
			{ .from = address_of(the_work), .to = address_of(the_leaf),
			  .predicted = 1, .cycles = 7 },
			{ .from = address_of(the_work), .to = address_of(the_leaf),
			  .predicted = 1, .cycles = 7 },
			{ .from = address_of(the_leaf) + 1, .to = 0x1234,
			  .mispred = 1, .in_tx = 1, .abort = 1, .cycles = 9 },
		},
	};
	struct branches none = { .nr = 0 };

	begin(self, PERF_SAMPLE_BRANCH_STACK);
	put(self, 10, PROGRAM_BASE, 1000, &some, 8 + 3 * 24);
	put(self, 20, PROGRAM_BASE, 1000, &none, 8);
	read_keys(self, "symbol_from,symbol_to,dso_to,addr_from,mispredict,in_tx,abort,cycles,sym");
	EXPECT_TRUE(kermon_report_column(self->report, 0)->branches);
	EXPECT_EQ(3, kermon_report_column(self->report, 0)->total);
	EXPECT_EQ(3, kermon_report_column(self->report, 0)->records);
	ASSERT_EQ(2, self->table->nr_rows);
	EXPECT_EQ(2, self->table->rows[0].values[0]);
	EXPECT_EQ(2, self->table->rows[0].samples);
	EXPECT_STREQ("the_work", text_of(self, 0, "symbol_from"));
	EXPECT_STREQ("the_leaf", text_of(self, 0, "symbol_to"));
	EXPECT_STREQ("the_leaf", text_of(self, 0, "sym"));
	EXPECT_STREQ("N", text_of(self, 0, "mispredict"));
	EXPECT_STREQ(".", text_of(self, 0, "in_tx"));
	EXPECT_EQ(7, kermon_row_number(&self->table->rows[0],
				       kermon_key_find("cycles")));
	EXPECT_EQ(1, self->table->rows[1].values[0]);
	EXPECT_STREQ("the_leaf+0x1", text_of(self, 1, "addr_from"));
	EXPECT_STREQ("(null)", text_of(self, 1, "symbol_to"));
	EXPECT_STREQ("(null)", text_of(self, 1, "dso_to"));
	EXPECT_STREQ("Y", text_of(self, 1, "mispredict"));
	EXPECT_STREQ("T", text_of(self, 1, "in_tx"));
	EXPECT_STREQ("A", text_of(self, 1, "abort"));
}

struct access {
	uint64_t weight;
	uint64_t source;
	uint64_t transaction;
	uint64_t physical;
};

#define ACCESS	(PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC |		\
		 PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR)

static void put_access(FIXTURE_DATA(details) *self, uint64_t time,
		       const struct access *access)
{
	put(self, time, address_of(the_leaf), 10, access, sizeof(*access));
}

static const struct access loads[] = {
	{ 30, PERF_MEM_S(LVL, L1) | PERF_MEM_S(LVL, HIT) |
	  PERF_MEM_S(LOCK, LOCKED) | PERF_MEM_S(SNOOP, HITM) |
	  PERF_MEM_S(TLB, L1) | PERF_MEM_S(TLB, HIT),
	  PERF_TXN_TRANSACTION | PERF_TXN_SYNC | 2ULL << PERF_TXN_ABORT_SHIFT,
	  0x1000 },
	{ 200, PERF_MEM_S(LVL, LOC_RAM), 0, 0x2000 },
};

TEST_F(details, accesses)
{
	begin(self, ACCESS);
	put_access(self, 10, &loads[0]);
	put_access(self, 20, &loads[1]);
	put_access(self, 30, &loads[0]);
	read_keys(self, "sym,mem,snoop,tlb,locked,blocked,weight,local_weight,transaction,phys_daddr");
	ASSERT_EQ(2, self->table->nr_rows);
	EXPECT_EQ(20, self->table->rows[0].values[0]);
	EXPECT_STREQ("the_leaf", text_of(self, 0, "sym"));
	EXPECT_STREQ("L1 hit", text_of(self, 0, "mem"));
	EXPECT_STREQ("HitM", text_of(self, 0, "snoop"));
	EXPECT_STREQ("L1 hit", text_of(self, 0, "tlb"));
	EXPECT_STREQ("Yes", text_of(self, 0, "locked"));
	EXPECT_STREQ("N/A", text_of(self, 0, "blocked"));
	EXPECT_EQ(30, kermon_row_number(&self->table->rows[0],
					kermon_key_find("local_weight")));
	EXPECT_EQ(60, kermon_row_number(&self->table->rows[0],
					kermon_key_find("weight")));
	EXPECT_STREQ("TX SYNC :2", text_of(self, 0, "transaction"));
	EXPECT_STREQ("0x0000000000001000",
		     text_of(self, 0, "phys_daddr"));
	EXPECT_STREQ("Local RAM", text_of(self, 1, "mem"));
	EXPECT_STREQ("No", text_of(self, 1, "locked"));
	EXPECT_STREQ("", text_of(self, 1, "transaction"));
}

/* Whatever a broken file contains: no word is truncated. */
TEST_F(details, all_levels_of_memory)
{
	static const struct access access = { .source = 0x3fffULL << 5 };
	const char *text;

	begin(self, ACCESS);
	put_access(self, 10, &access);
	read_keys(self, "mem");
	ASSERT_EQ(1, self->table->nr_rows);
	text = text_of(self, 0, "mem");
	EXPECT_NE(NULL, strstr(text, "Remote Cache (2 hops)"));
	EXPECT_NE(NULL, strstr(text, "Uncached"));
}

/* A table of some of the keys that the report was created for. */
TEST_F(details, some_of_the_keys)
{
	struct kermon_report_options options = {
		.size = sizeof(options), .keys = "mem,time,phys_daddr",
		.time_quantum = 1000,
	};

	begin(self, ACCESS);
	put_access(self, 1999, &loads[0]);
	put_access(self, 2000, &loads[0]);
	put_access(self, 2999, &loads[1]);
	read_file(self, &options, "time");
	ASSERT_EQ(2, self->table->nr_rows);
	EXPECT_STREQ("0.000001", text_of(self, 0, "time"));
	EXPECT_STREQ("0.000002", text_of(self, 1, "time"));
	EXPECT_EQ(20, self->table->rows[1].values[0]);
	EXPECT_STREQ("(null)", text_of(self, 1, "mem"));
	EXPECT_EQ(-EINVAL, kermon_report_table(self->report, "tlb", 0,
					       &self->table));
}

/* Slices of time are in order, by number and not as texts; or the largest first. */
TEST_F(details, order_of_time)
{
	const uint64_t times[] = { 9000000000, 10000000000, 11000000000 };
	struct kermon_report_options options = {
		.size = sizeof(options), .keys = "time",
	};

	begin(self, ACCESS);
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j <= i; j++)
			put_access(self, times[i] + j, &loads[0]);
	read_file(self, &options, "time");
	ASSERT_EQ(3, self->table->nr_rows);
	EXPECT_STREQ("9.000000", text_of(self, 0, "time"));
	EXPECT_STREQ("11.000000", text_of(self, 2, "time"));
	kermon_report_free(self->report);
	options.by_weight = true;
	self->report = kermon_report_new(&options);
	ASSERT_EQ(0, kermon_report_read(self->report, self->file.path));
	ASSERT_EQ(0, kermon_report_table(self->report, "time", 0,
					 &self->table));
	EXPECT_STREQ("11.000000", text_of(self, 0, "time"));
	EXPECT_STREQ("9.000000", text_of(self, 2, "time"));
}

/* A file without the data of a key. */
TEST_F(details, of_nothing)
{
	begin(self, 0);
	put(self, 10, PROGRAM_BASE, 10, "", 0);
	read_keys(self, "mem,weight,data_page_size");
	ASSERT_EQ(1, self->table->nr_rows);
	EXPECT_STREQ("N/A", text_of(self, 0, "mem"));
	EXPECT_STREQ("N/A", text_of(self, 0, "data_page_size"));
	EXPECT_EQ(0, kermon_row_number(&self->table->rows[0],
				       kermon_key_find("weight")));
}

/* Rows of equal weight are in the order of their names, not of their addresses. */
TEST_F(details, order_of_equal_functions)
{
	begin(self, 0);
	put(self, 10, address_of(the_work), 10, "", 0);
	put(self, 20, address_of(the_leaf), 10, "", 0);
	read_keys(self, "sym");
	ASSERT_EQ(2, self->table->nr_rows);
	ASSERT_LT(address_of(the_work), address_of(the_leaf));
	EXPECT_STREQ("the_leaf", text_of(self, 0, "sym"));
	EXPECT_STREQ("the_work", text_of(self, 1, "sym"));
}

static int of_file_b(int i);
static int of_file_a(int i);

/* Files are in the order of their names, too, not of their folders. */
TEST_F(details, order_of_equal_files)
{
	begin(self, 0);
	put(self, 10, address_of(of_file_b), 10, "", 0);
	put(self, 20, address_of(of_file_a), 10, "", 0);
	read_keys(self, "srcfile");
	ASSERT_EQ(2, self->table->nr_rows);
	EXPECT_STREQ("a.c", text_of(self, 0, "srcfile"));
	EXPECT_STREQ("b.c", text_of(self, 1, "srcfile"));
}

/* Each key is found by its names, and says what it is. */
TEST(keys)
{
	const struct kermon_key *key;
	size_t nr = 0;

	for (; (key = kermon_key_at(nr)); nr++) {
		EXPECT_EQ(key, kermon_key_find(key->name));
		EXPECT_NE('\0', key->help[0]) TH_LOG("%s", key->name);
		EXPECT_EQ(0, strncmp(key->field, key->name, strlen(key->name)));
	}
	EXPECT_LT(10, nr);
	EXPECT_EQ(NULL, kermon_key_at(nr));
	EXPECT_EQ(kermon_key_find("sym"), kermon_key_find("symbol"));
	EXPECT_STREQ("time_s", kermon_key_find("time")->field);
}

/* Not a key, or one of a later version. */
TEST(no_key)
{
	const struct kermon_row row = { .comm = "a", .pid = 1 };

	EXPECT_EQ(NULL, kermon_key_at(SIZE_MAX));
	EXPECT_EQ(NULL, kermon_key_find(""));
	EXPECT_EQ(NULL, kermon_key_find("com"));
	EXPECT_EQ(NULL, kermon_key_find("comm,pid"));
	EXPECT_EQ(NULL, kermon_row_text(&row, NULL));
	EXPECT_EQ(0, kermon_row_number(&row, NULL));
}

TEST_HARNESS_MAIN

/* The last test, because lines are those of other files from here on. */
#line 1 "/folder/1/b.c"
__attribute__((noinline, used)) static int of_file_b(int i) { return i * 3; }
#line 1 "/folder/2/a.c"
__attribute__((noinline, used)) static int of_file_a(int i) { return i * 9; }
