// SPDX-License-Identifier: GPL-2.0
/* From call chains to tables with callers and to graphs. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <kermon/report.h>

#include "self.h"
#include "synthetic.h"

#include "kselftest_harness.h"

#define PROGRAM_BASE	0x400000000000ULL
#define CHAIN_MAX	8

static const char *const events[] = { "cycles", NULL };

/* Never called: only their addresses are used. */
__attribute__((noinline, used)) static int the_main(int i) { return i * 3 + 1; }
__attribute__((noinline, used)) static int the_work(int i) { return i * 5 + 2; }
__attribute__((noinline, used)) static int the_leaf(int i) { return i * 7 + 3; }

typedef int function(int i);

FIXTURE(calls)
{
	struct synthetic file;
	struct kermon_report *report;
	const struct kermon_table *table;
	struct kermon_call *graph;
};

/* The innermost function first; NULL ends the chain. */
static void put_chain(struct synthetic *file, uint32_t tid, uint64_t period,
		      function *const *chain)
{
	struct {
		uint64_t nr, addresses[CHAIN_MAX];
	} tail = {};

	for (; chain[tail.nr]; tail.nr++)
		tail.addresses[tail.nr] = PROGRAM_BASE + !!tail.nr +
					  self_offset((void *)chain[tail.nr]);
	synthetic_sample_with(file, &(struct synthetic_sample){
		.pid = 5, .tid = tid, .time = 100, .period = period,
		.ip = tail.addresses[0],
	}, PERF_RECORD_MISC_USER, &tail, 8 + 8 * tail.nr);
}

#define PUT(file, tid, period, ...) \
	put_chain(file, tid, period, (function *const[]){ __VA_ARGS__, NULL })

static void make_file(struct synthetic *file)
{
	synthetic_start_with(file, events, ~0U, &(struct perf_event_attr){
		.sample_type = PERF_SAMPLE_CALLCHAIN,
	});
	synthetic_comm(file, 5, 5, "program", 0, false);
	synthetic_mmap(file, 5, PROGRAM_BASE, 1 << 28, 0, SELF_PATH, 0);
	PUT(file, 5, 1, the_leaf, the_work, the_main);
	PUT(file, 5, 2, the_leaf, the_work, the_work, the_main);
	PUT(file, 5, 4, the_leaf, the_main);
	PUT(file, 5, 8, the_work, the_main);
	PUT(file, 6, 16, the_leaf, the_work, the_main);
	synthetic_finish(file);
}

FIXTURE_SETUP(calls)
{
	struct kermon_report_options options = {
		.size = sizeof(options), .calls = true,
	};

	make_file(&self->file);
	self->report = kermon_report_new(&options);
	ASSERT_NE(NULL, self->report);
	ASSERT_EQ(0, kermon_report_read(self->report, self->file.path));
	ASSERT_TRUE(kermon_report_has_calls(self->report));
}

FIXTURE_TEARDOWN(calls)
{
	kermon_graph_free(self->graph);
	kermon_report_free(self->report);
	synthetic_end(&self->file);
}

static bool is_row(const struct kermon_row *row, const char *sym, uint32_t tid,
		   uint64_t value, uint64_t all)
{
	return !strcmp(row->sym, sym) && row->tid == tid &&
	       row->values[0] == value && row->all_values[0] == all;
}

TEST_F(calls, callers_have_what_they_called)
{
	ASSERT_EQ(0, kermon_report_callers(self->report, "sym", 0,
					   &self->table));
	ASSERT_EQ(3, self->table->nr_rows);
	ASSERT_TRUE(self->table->callers);
	EXPECT_TRUE(is_row(&self->table->rows[0], "the_main", 0, 0, 31));
	EXPECT_TRUE(is_row(&self->table->rows[1], "the_work", 0, 8, 27));
	EXPECT_TRUE(is_row(&self->table->rows[2], "the_leaf", 0, 23, 23));
	EXPECT_EQ(5, self->table->rows[0].all_samples);
	EXPECT_EQ(4, self->table->rows[1].all_samples);
	EXPECT_EQ(0, self->table->rows[0].samples);
}

TEST_F(calls, callers_of_each_thread)
{
	ASSERT_EQ(0, kermon_report_callers(self->report, "tid,sym", 0,
					   &self->table));
	ASSERT_EQ(6, self->table->nr_rows);
	/* equal sums: in the order of the keys */
	EXPECT_TRUE(is_row(&self->table->rows[0], "the_leaf", 6, 16, 16));
	EXPECT_TRUE(is_row(&self->table->rows[1], "the_main", 6, 0, 16));
	EXPECT_TRUE(is_row(&self->table->rows[3], "the_main", 5, 0, 15));
	EXPECT_TRUE(is_row(&self->table->rows[4], "the_work", 5, 8, 11));
}

TEST_F(calls, tables_without_callers)
{
	ASSERT_EQ(0, kermon_report_table(self->report, "sym", 0,
					 &self->table));
	ASSERT_EQ(2, self->table->nr_rows);
	EXPECT_FALSE(self->table->callers);
	EXPECT_EQ(NULL, self->table->rows[0].all_values);
	EXPECT_EQ(23, self->table->rows[0].values[0]);
	/* no caller at all */
	ASSERT_EQ(0, kermon_report_callers(self->report, "comm,tid", 0,
					   &self->table));
	EXPECT_FALSE(self->table->callers);
	ASSERT_EQ(0, kermon_report_callers(self->report, "sym,srcline", 0,
					   &self->table));
	EXPECT_FALSE(self->table->callers);
}

/* "main:31(work:27(leaf:17 ...)...)": the graph as text. */
static void describe(const struct kermon_call *call, char *text, size_t size)
{
	size_t len;

	for (size_t i = 0; i < call->nr_calls; i++) {
		len = strlen(text);
		snprintf(text + len, size - len, "%s%s:%llu", i ? " " : "",
			 call->calls[i].sym + strlen("the_"),
			 (unsigned long long)call->calls[i].value);
		if (!call->calls[i].nr_calls)
			continue;
		strncat(text, "(", size - strlen(text) - 1);
		describe(&call->calls[i], text, size);
		strncat(text, ")", size - strlen(text) - 1);
	}
}

static const char *graph_with(FIXTURE_DATA(calls) *self, size_t row,
			      const struct kermon_graph_options *options)
{
	static char text[256];

	kermon_graph_free(self->graph);
	self->graph = NULL;
	text[0] = '\0';
	if (kermon_report_graph(self->report, self->table, row, options,
				&self->graph))
		return "no graph";
	describe(self->graph, text, sizeof(text));
	return text;
}

static const char *graph_of(FIXTURE_DATA(calls) *self, size_t row,
			    enum kermon_direction direction)
{
	return graph_with(self, row, &(struct kermon_graph_options){
		.size = sizeof(struct kermon_graph_options),
		.direction = direction,
	});
}

/* From the outermost call of a function down, from the innermost one up. */
TEST_F(calls, graphs_of_callers)
{
	ASSERT_EQ(0, kermon_report_callers(self->report, "sym", 0,
					   &self->table));
	EXPECT_STREQ("main:31(work:27(leaf:17 work:2(leaf:2)) leaf:4)",
		     graph_of(self, 0, KERMON_CALLEES));
	EXPECT_STREQ("work:27(leaf:17 work:2(leaf:2))",
		     graph_of(self, 1, KERMON_CALLEES));
	EXPECT_STREQ("leaf:23", graph_of(self, 2, KERMON_CALLEES));
	EXPECT_STREQ("main:31", graph_of(self, 0, KERMON_CALLERS));
	EXPECT_STREQ("work:27(main:25 work:2(main:2))",
		     graph_of(self, 1, KERMON_CALLERS));
	EXPECT_STREQ("leaf:23(work:19(main:17 work:2(main:2)) main:4)",
		     graph_of(self, 2, KERMON_CALLERS));
	EXPECT_EQ(4, self->graph->samples);
	EXPECT_EQ(23, self->graph->value);
}

TEST_F(calls, graphs_of_a_thread)
{
	ASSERT_EQ(0, kermon_report_callers(self->report, "tid,sym", 0,
					   &self->table));
	EXPECT_STREQ("main:16(work:16(leaf:16))",
		     graph_of(self, 1, KERMON_CALLEES));
	EXPECT_STREQ("work:11(work:2(leaf:2) leaf:1)",
		     graph_of(self, 4, KERMON_CALLEES));
	EXPECT_STREQ("work:11(main:9 work:2(main:2))",
		     graph_of(self, 4, KERMON_CALLERS));
}

/* Without callers a graph has what the row did itself, from the first call on. */
TEST_F(calls, graphs_of_rows)
{
	ASSERT_EQ(0, kermon_report_table(self->report, "sym", 0,
					 &self->table));
	EXPECT_STREQ("main:23(work:19(leaf:17 work:2(leaf:2)) leaf:4)",
		     graph_of(self, 0, KERMON_CALLEES));
	EXPECT_STREQ("work:8(main:8)", graph_of(self, 1, KERMON_CALLERS));
	ASSERT_EQ(0, kermon_report_table(self->report, "tid", 0,
					 &self->table));
	EXPECT_STREQ("main:15(work:11(work:2(leaf:2) leaf:1) leaf:4)",
		     graph_of(self, 1, KERMON_CALLEES));
}

/* Threads are summed up independently of functions, and have no chains then. */
TEST_F(calls, lists_of_keys)
{
	struct kermon_report_options options = {
		.size = sizeof(options), .calls = true, .keys = "tid;sym",
	};
	struct kermon_graph_options which = { .size = sizeof(which) };
	struct kermon_call *graph = NULL;
	const struct kermon_table *table;

	kermon_report_free(self->report);
	self->report = kermon_report_new(&options);
	ASSERT_NE(NULL, self->report);
	ASSERT_EQ(0, kermon_report_read(self->report, self->file.path));
	ASSERT_EQ(0, kermon_report_callers(self->report, "tid", 0, &table));
	ASSERT_EQ(2, table->nr_rows);
	EXPECT_FALSE(table->callers);
	EXPECT_EQ(16, table->rows[0].values[0]);
	EXPECT_EQ(15, table->rows[1].values[0]);
	EXPECT_EQ(4, table->rows[1].samples);
	EXPECT_EQ(-EINVAL, kermon_report_graph(self->report, table, 0, &which,
					       &graph));
	ASSERT_EQ(0, kermon_report_callers(self->report, "sym", 0,
					   &self->table));
	ASSERT_EQ(3, self->table->nr_rows);
	EXPECT_TRUE(is_row(&self->table->rows[1], "the_work", 0, 8, 27));
	EXPECT_STREQ("work:27(leaf:17 work:2(leaf:2))",
		     graph_of(self, 1, KERMON_CALLEES));
	ASSERT_EQ(0, kermon_report_table(self->report, "sym", 0,
					 &self->table));
	EXPECT_STREQ("main:23(work:19(leaf:17 work:2(leaf:2)) leaf:4)",
		     graph_of(self, 0, KERMON_CALLEES));
}

/* Nodes below the limit are present, but without callees. */
TEST_F(calls, small_parts_of_graphs)
{
	struct kermon_graph_options options = {
		.size = sizeof(options), .direction = KERMON_CALLEES,
		.min_percent = 100.0 * 2 / 31,
	};

	ASSERT_EQ(0, kermon_report_callers(self->report, "sym", 0,
					   &self->table));
	EXPECT_STREQ("main:31(work:27(leaf:17 work:2(leaf:2)) leaf:4)",
		     graph_with(self, 0, &options));
	options.min_percent = 100.0 * 3 / 31;
	EXPECT_STREQ("main:31(work:27(leaf:17 work:2) leaf:4)",
		     graph_with(self, 0, &options));
	options.min_percent = 88;
	EXPECT_STREQ("main:31(work:27 leaf:4)", graph_with(self, 0, &options));
	/* of 27, not of 31 */
	options.min_percent = 7;
	options.of_caller = true;
	EXPECT_STREQ("main:31(work:27(leaf:17 work:2(leaf:2)) leaf:4)",
		     graph_with(self, 0, &options));
}

TEST_HARNESS_MAIN
