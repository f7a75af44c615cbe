// SPDX-License-Identifier: GPL-2.0
/* Functions of this very program that were inlined, in reports and in profiles. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <kermon/profile.h>
#include <kermon/report.h>

#include "self.h"
#include "synthetic.h"

#include "kselftest_harness.h"

#define PROGRAM_BASE	0x400000000000ULL
#define PROGRAM_SIZE	(1ULL << 28)

#define HERE(code)	__asm__ volatile("lea 0(%%rip), %0" : "=r"(code))
#define INLINE		static inline __attribute__((always_inline))
#define OUTLINE		static __attribute__((noinline, noclone, no_icf))

static const char *const events[] = { "cycles", NULL };

INLINE const char *the_innermost(void)
{
	const char *code;

	HERE(code);
	return code;
}

INLINE const char *the_middle(void)
{
	return the_innermost();
}

/* Although they are identical, they must remain two functions: hence no_icf. */
OUTLINE const char *the_leaf(void)
{
	return the_middle();
}

OUTLINE const char *the_caller(void)
{
	return the_middle();
}

FIXTURE(inlines)
{
	struct synthetic file;
	struct kermon_report *report;
	const struct kermon_table *table;
};

/* The leaf was called where the caller has inlined the same function as the leaf. */
FIXTURE_SETUP(inlines)
{
	struct {
		uint64_t nr, words[3];
	} chain = { 3, {
		PERF_CONTEXT_USER,
		PROGRAM_BASE + self_offset((void *)the_leaf()) - 1,
		PROGRAM_BASE + self_offset((void *)the_caller()),
	} };

	synthetic_start_with(&self->file, events, ~0U,
			     &(struct perf_event_attr){
		.sample_type = PERF_SAMPLE_CALLCHAIN,
	});
	synthetic_mmap(&self->file, 5, PROGRAM_BASE, PROGRAM_SIZE, 0, SELF_PATH,
		       10);
	for (uint64_t time = 20; time < 22; time++)
		synthetic_sample_with(&self->file, &(struct synthetic_sample){
			.pid = 5, .tid = 5, .time = time, .period = 3,
			.ip = chain.words[1],
		}, PERF_RECORD_MISC_USER, &chain, sizeof(chain));
	synthetic_finish(&self->file);
}

FIXTURE_TEARDOWN(inlines)
{
	kermon_report_free(self->report);
	synthetic_end(&self->file);
}

static void read_file(FIXTURE_DATA(inlines) *self, const char *keys,
		      enum kermon_inlines inlines)
{
	struct kermon_report_options options = {
		.size = sizeof(options), .calls = true, .keys = keys,
		.inlines = inlines,
	};

	self->report = kermon_report_new(&options);
	if (!self->report ||
	    kermon_report_read(self->report, self->file.path) ||
	    kermon_report_callers(self->report, keys, 0, &self->table))
		abort();
}

static const struct kermon_row *row_of(const FIXTURE_DATA(inlines) *self,
				       const char *sym)
{
	const struct kermon_row *row;

	for (size_t i = 0; i < self->table->nr_rows; i++) {
		row = &self->table->rows[i];
		if (row->sym && !strcmp(row->sym, sym))
			return row;
	}
	return NULL;
}

/* The rows of all functions: samples in them, and including callees. */
TEST_F(inlines, rows)
{
	static const struct {
		const char *sym;
		uint64_t own;
	} rows[] = {
		{ "the_leaf", 6 }, { "the_caller", 0 },
		{ "the_middle (inlined)", 0 }, { "the_innermost (inlined)", 0 },
	};
	const struct kermon_row *row;

	read_file(self, "sym", KERMON_INLINES_ALL);
	EXPECT_EQ(4, self->table->nr_rows);
	for (size_t i = 0; i < 4; i++) {
		row = row_of(self, rows[i].sym);
		ASSERT_NE(NULL, row);
		EXPECT_EQ(rows[i].own, row->values[0]);
		EXPECT_EQ(6, row->all_values[0]);
		EXPECT_EQ(2, row->all_samples);
	}
}

/* The only callee of each function of the graph, as long as there is one. */
static const char *path_of(const struct kermon_call *graph, char *path)
{
	*path = '\0';
	for (; graph->nr_calls == 1; graph = graph->calls) {
		strcat(path, graph->calls->sym);
		strcat(path, ";");
	}
	return path;
}

TEST_F(inlines, graphs)
{
	struct kermon_graph_options options = { .size = sizeof(options) };
	struct kermon_call *graph;
	char path[1024];

	read_file(self, "sym", KERMON_INLINES_ALL);
	options.direction = KERMON_CALLEES;
	ASSERT_EQ(0, kermon_report_graph(self->report, self->table,
					 row_of(self, "the_caller") -
					 self->table->rows, &options, &graph));
	EXPECT_STREQ("the_caller;the_middle (inlined);the_innermost (inlined);"
		     "the_leaf;the_middle (inlined);the_innermost (inlined);",
		     path_of(graph, path));
	kermon_graph_free(graph);
	ASSERT_EQ(0, kermon_report_table(self->report, "sym", 0, &self->table));
	ASSERT_EQ(1, self->table->nr_rows);
	EXPECT_STREQ("the_leaf", self->table->rows->sym);
	options.direction = KERMON_CALLERS;
	ASSERT_EQ(0, kermon_report_graph(self->report, self->table, 0, &options,
					 &graph));
	EXPECT_STREQ("the_innermost (inlined);the_middle (inlined);the_leaf;"
		     "the_innermost (inlined);the_middle (inlined);the_caller;",
		     path_of(graph, path));
	kermon_graph_free(graph);
}

/* A row of an inlined function has a graph of its own, in both of its places. */
TEST_F(inlines, graph_of_an_inlined_function)
{
	struct kermon_graph_options options = {
		.size = sizeof(options), .direction = KERMON_CALLERS,
	};
	struct kermon_call *graph;

	read_file(self, "dso,sym", KERMON_INLINES_ALL);
	ASSERT_EQ(0, kermon_report_graph(self->report, self->table,
					 row_of(self, "the_middle (inlined)") -
					 self->table->rows, &options, &graph));
	ASSERT_EQ(1, graph->nr_calls);
	EXPECT_STREQ("the_middle (inlined)", graph->calls->sym);
	ASSERT_EQ(1, graph->calls->nr_calls);
	EXPECT_STREQ("the_leaf", graph->calls->calls->sym);
	kermon_graph_free(graph);
}

/* No stack is unwound here: no inlined functions, unless all are requested. */
TEST_F(inlines, of_recorded_chains)
{
	read_file(self, "sym", KERMON_INLINES_UNWOUND);
	EXPECT_EQ(2, self->table->nr_rows);
	EXPECT_EQ(NULL, row_of(self, "the_middle (inlined)"));
}

TEST_F(inlines, no_inlines)
{
	read_file(self, "sym", KERMON_INLINES_NONE);
	EXPECT_EQ(2, self->table->nr_rows);
	EXPECT_EQ(NULL, row_of(self, "the_middle (inlined)"));
}

/* Lines of a table are those of samples, so the function's own line is not looked up. */
TEST_F(inlines, rows_of_lines)
{
	struct kermon_report_options options = {
		.size = sizeof(options), .calls = true, .keys = "srcfile",
		.inlines = KERMON_INLINES_ALL,
	};

	self->report = kermon_report_new(&options);
	ASSERT_NE(NULL, self->report);
	ASSERT_EQ(0, kermon_report_read(self->report, self->file.path));
	ASSERT_EQ(0, kermon_report_table(self->report, "srcfile", 0,
					 &self->table));
	ASSERT_EQ(1, self->table->nr_rows);
	EXPECT_STREQ("inlines.c", self->table->rows->srcfile);
}

struct seen {
	size_t nr;
	bool has_inlines;
	ssize_t nr_functions;
};

static int see(void *context, const struct kermon_profile_sample *sample)
{
	const struct kermon_source_line *lines;
	const struct kermon_frame *frames;
	struct seen *seen = context;

	seen->nr = kermon_profile_frames(sample, &frames);
	seen->has_inlines = frames[0].has_inlines;
	seen->nr_functions = kermon_profile_source(sample->profile,
						   &frames[0].place,
						   frames[0].is_return,
						   KERMON_NAME_SHORT, &lines);
	return 0;
}

/* A profile has them as lines of a frame. */
TEST_F(inlines, of_a_profile)
{
	static const struct kermon_profile_callbacks callbacks = {
		.size = sizeof(callbacks), .sample = see,
	};
	struct kermon_report_options options = { .size = sizeof(options) };
	struct kermon_profile *profile;
	struct seen seen;

	for (int all = 0; all < 2; all++) {
		options.inlines = all ? KERMON_INLINES_ALL :
					KERMON_INLINES_UNWOUND;
		profile = kermon_profile_new(&options, &callbacks, &seen);
		ASSERT_NE(NULL, profile);
		EXPECT_EQ(0, kermon_profile_read(profile, self->file.path));
		kermon_profile_free(profile);
		EXPECT_EQ(2, seen.nr);
		EXPECT_EQ(all, seen.has_inlines);
		EXPECT_EQ(3, seen.nr_functions);
	}
}

TEST_HARNESS_MAIN
