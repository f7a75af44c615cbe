// SPDX-License-Identifier: GPL-2.0
/* Rows of kermon top: what is parsed from /proc, rates, sums, order and selection. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "threads/threads_private.h"

#include "kselftest_harness.h"

#define FIELDS	" S 1 2 3 4 -1 %lu 500 0 7 0 30 12 0 0 20 0 1 0 98765 1 2 3 4 5 6 7 8 9 " \
		"0 0 0 0 0 0 17 %d 0 0"

static bool parse(const char *comm, unsigned long flags, int cpu, struct stat_fields *fields)
{
	char text[1024], tail[512];

	snprintf(tail, sizeof(tail), FIELDS, flags, cpu);
	snprintf(text, sizeof(text), "4711 (%s)%s\n", comm, tail);
	return stat_parse(text, fields);
}

TEST(stat_of_a_thread)
{
	struct stat_fields fields;

	ASSERT_TRUE(parse("worker", 0x400040, 3, &fields));
	EXPECT_STREQ("worker", fields.comm);
	EXPECT_FALSE(fields.kernel);
	EXPECT_EQ(507, fields.faults);
	EXPECT_EQ(42, fields.ticks);
	EXPECT_EQ(98765, fields.start);
	EXPECT_EQ(3, fields.cpu);
	EXPECT_FALSE(fields.ended);
	ASSERT_TRUE(parse("kworker/0:1", 0x208040, 0, &fields));
	EXPECT_TRUE(fields.kernel);
	ASSERT_TRUE(stat_parse("1 (a b) Z 1 2 3 4 -1 0 500 0 7 0 30 12 0 0 20 0 1 0 98765 1 2 3 "
			       "4 5 6 7 8 9 0 0 0 0 0 0 17 1 0 0", &fields));
	EXPECT_TRUE(fields.ended);
}

TEST(names_with_any_character)
{
	static const char *const names[] = {
		"", ")", "(", ") S 1 (", "a\nb", "\x1b[2J", "a b) R 9", "\xff\xfe",
	};
	struct stat_fields fields;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		ASSERT_TRUE(parse(names[i], 0, 1, &fields));
		EXPECT_STREQ(names[i], fields.comm);
		EXPECT_EQ(1, fields.cpu);
	}
}

TEST(invalid_stat)
{
	static const char *const texts[] = {
		"", "4711", "4711 (", "4711 )", "4711 (a)", "4711 (a) S", "4711 (a) S 1 2 3",
		")(", "4711 (a) S 1 2 3 4 5 6 7 8 9 10 x",
	};
	struct stat_fields fields;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		EXPECT_FALSE(stat_parse(texts[i], &fields));
}

TEST(schedstat)
{
	struct sched_times times;

	ASSERT_TRUE(schedstat_parse("1234567890123 42 7\n", &times));
	EXPECT_EQ(1234567890123, times.run_ns);
	EXPECT_EQ(42, times.wait_ns);
	EXPECT_EQ(7, times.switches);
	EXPECT_FALSE(schedstat_parse("1 2\n", &times));
	EXPECT_FALSE(schedstat_parse("", &times));
}

static size_t add_entry(char *to, const char *name)
{
	struct dirent64 *entry = (void *)to;

	entry->d_reclen = (offsetof(struct dirent64, d_name) + strlen(name) + 1 + 7) / 8 * 8;
	strcpy(entry->d_name, name);
	return entry->d_reclen;
}

TEST(only_numbers_are_processes)
{
	static const char *const names[] = { ".", "..", "self", "12", "cpuinfo", "4194303" };
	_Alignas(8) char entries[512] = { 0 };
	size_t size = 0, at = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		size += add_entry(entries + size, names[i]);
	EXPECT_EQ(12, entries_next(entries, size, &at));
	EXPECT_EQ(4194303, entries_next(entries, size, &at));
	EXPECT_EQ(0, entries_next(entries, size, &at));
}

TEST(readings)
{
	const struct reading last = { 1000, 500, 500 };
	const struct reading all = { 3000, 1500, 1500 }, half = { 3000, 1500, 1000 };
	const struct reading none = { 1000, 1500, 500 }, same = { 1000, 500, 500 };
	bool estimate;
	double count;

	EXPECT_TRUE(reading_since(&all, &last, &count, &estimate));
	EXPECT_EQ(2000, count);
	EXPECT_FALSE(estimate);
	EXPECT_TRUE(reading_since(&half, &last, &count, &estimate));
	EXPECT_EQ(4000, count);
	EXPECT_TRUE(estimate);
	EXPECT_FALSE(reading_since(&none, &last, &count, &estimate));
	EXPECT_TRUE(reading_since(&same, &last, &count, &estimate));
	EXPECT_EQ(0, count);
}

#define INSTRUCTIONS	0
#define CYCLES		1
#define PACKED		2
#define SCALAR		3
#define NR_EVENTS	4

static const struct threads_events events = {
	.nr = NR_EVENTS,
	.events = {
		{ .name = "instructions", .metric.kind = KERMON_METRIC_INSTRUCTIONS },
		{ .name = "cycles", .metric.kind = KERMON_METRIC_CYCLES },
		{ .name = "packed", .group = 1,
		  .metric = { KERMON_METRIC_FLOP, KERMON_DOUBLE, 2 } },
		{ .name = "scalar", .group = 1,
		  .metric = { KERMON_METRIC_FLOP, KERMON_DOUBLE, 1 } },
	},
};

/* A row of half a second in which @run_ms were on the CPU; all events are counted. */
static struct threads_row row(pid_t pid, pid_t tid, unsigned int run_ms, double instructions)
{
	struct threads_row row = {
		.pid = pid, .tid = tid, .cpu = tid % 2, .nr = 1,
		.ns = 500000000, .run_ns = run_ms * 1000000ULL,
		.wait_ns = 5000000, .switches = 10, .faults = 3,
		.counted = (1U << NR_EVENTS) - 1,
		.counts = { instructions, 2 * instructions, 100, 50 },
	};

	snprintf(row.comm, sizeof(row.comm), "thread%d", tid);
	snprintf(row.process, sizeof(row.process), "process%d", pid);
	return row;
}

TEST(rates)
{
	struct threads_row one = row(10, 11, 250, 1000);

	EXPECT_EQ(50, threads_value(&events, &one, THREADS_RUN));
	EXPECT_EQ(1, threads_value(&events, &one, THREADS_WAIT));
	EXPECT_EQ(0.5, threads_value(&events, &one, THREADS_IPC));
	EXPECT_EQ(2000, threads_value(&events, &one, THREADS_INSTRUCTIONS));
	EXPECT_EQ(500, threads_value(&events, &one, THREADS_FLOP));
	EXPECT_EQ(20, threads_value(&events, &one, THREADS_SWITCHES));
	EXPECT_EQ(6, threads_value(&events, &one, THREADS_FAULTS));
	EXPECT_EQ(200, threads_value(&events, &one, THREADS_EVENT + PACKED));
}

TEST(unknown_is_not_0)
{
	struct threads_row one = row(10, 11, 250, 1000);

	one.counted = 1U << INSTRUCTIONS | 1U << PACKED;
	EXPECT_TRUE(isnan(threads_value(&events, &one, THREADS_IPC)));
	EXPECT_TRUE(isnan(threads_value(&events, &one, THREADS_FLOP)));
	EXPECT_EQ(2000, threads_value(&events, &one, THREADS_INSTRUCTIONS));
	one.counts[CYCLES] = 0;
	one.counted |= 1U << CYCLES;
	EXPECT_TRUE(isnan(threads_value(&events, &one, THREADS_IPC)));
	one.cpu = -1;
	EXPECT_TRUE(isnan(threads_value(&events, &one, THREADS_CPU)));
}

TEST(estimates)
{
	struct threads_row one = row(10, 11, 250, 1000);

	one.estimated = 1U << SCALAR;
	EXPECT_TRUE(threads_is_estimate(&events, &one, THREADS_FLOP));
	EXPECT_TRUE(threads_is_estimate(&events, &one, THREADS_EVENT + SCALAR));
	EXPECT_FALSE(threads_is_estimate(&events, &one, THREADS_EVENT + PACKED));
	EXPECT_FALSE(threads_is_estimate(&events, &one, THREADS_IPC));
	EXPECT_FALSE(threads_is_estimate(&events, &one, THREADS_RUN));
}

/* An event that counts all operations of a precision replaces those of some. */
TEST(whole_events)
{
	struct threads_events whole = events;
	struct threads_row one = row(10, 11, 250, 1000);

	whole.events[SCALAR].metric.whole = true;
	EXPECT_EQ(100, threads_value(&whole, &one, THREADS_FLOP));
}

static void expect_order(struct __test_metadata *_metadata, struct threads_row *rows,
			 size_t nr, unsigned int column, bool reverse, const char *expected)
{
	char text[64] = "";
	size_t length = 0;

	threads_sort(&events, rows, nr, column, reverse);
	for (size_t i = 0; i < nr; i++)
		length += snprintf(text + length, sizeof(text) - length, "%s%d",
				   i ? " " : "", rows[i].tid);
	EXPECT_STREQ(expected, text);
}

TEST(order)
{
	struct threads_row rows[] = {
		row(10, 12, 100, 7), row(10, 11, 300, 5), row(20, 20, 200, 9),
	};

	rows[1].counted = 0;
	expect_order(_metadata, rows, 3, THREADS_RUN, false, "11 20 12");
	expect_order(_metadata, rows, 3, THREADS_RUN, true, "12 20 11");
	expect_order(_metadata, rows, 3, THREADS_TID, false, "11 12 20");
	expect_order(_metadata, rows, 3, THREADS_COMMAND, true, "20 12 11");
	/* Unknown comes last in both directions. */
	expect_order(_metadata, rows, 3, THREADS_INSTRUCTIONS, false, "20 12 11");
	expect_order(_metadata, rows, 3, THREADS_INSTRUCTIONS, true, "12 20 11");
	/* Equal values: by time on the CPU. */
	expect_order(_metadata, rows, 3, THREADS_SWITCHES, false, "11 20 12");
	expect_order(_metadata, rows, 0, THREADS_RUN, false, "");
}

TEST(processes)
{
	struct threads_row rows[] = {
		row(20, 20, 200, 9), row(10, 12, 100, 7), row(10, 11, 300, 5),
	};

	ASSERT_EQ(2, threads_merge(&events, rows, 3));
	EXPECT_EQ(10, rows[0].tid);
	EXPECT_EQ(2, rows[0].nr);
	EXPECT_STREQ("process10", rows[0].comm);
	EXPECT_EQ(400000000, rows[0].run_ns);
	EXPECT_EQ(20, rows[0].switches);
	EXPECT_EQ(-1, rows[0].cpu);
	EXPECT_EQ(12, rows[0].counts[INSTRUCTIONS]);
	EXPECT_EQ(0, rows[0].estimated);
	EXPECT_EQ(20, rows[1].tid);
	EXPECT_EQ(1, rows[1].nr);
	EXPECT_EQ(9, rows[1].counts[INSTRUCTIONS]);
}

/* What some threads have counted is scaled to the time of all, and an estimate. */
TEST(processes_with_uncounted_threads)
{
	struct threads_row rows[] = { row(10, 12, 100, 7), row(10, 11, 300, 5) };

	rows[1].counted = 0;
	rows[1].uncounted = THREADS_NEW;
	ASSERT_EQ(1, threads_merge(&events, rows, 2));
	EXPECT_EQ(28, rows[0].counts[INSTRUCTIONS]);
	EXPECT_EQ(0xf, rows[0].estimated);
	EXPECT_EQ(0.5, threads_value(&events, &rows[0], THREADS_IPC));
	rows[0].counted = 0;
	ASSERT_EQ(1, threads_merge(&events, rows, 1));
	EXPECT_EQ(0, rows[0].counted);
}

TEST(selection)
{
	struct threads_row rows[] = {
		row(10, 12, 100, 7), row(10, 11, 300, 5), row(20, 20, 200, 9),
	};

	EXPECT_EQ(3, threads_filter(rows, 3, ""));
	EXPECT_TRUE(threads_match(&rows[0], "READ12"));
	EXPECT_TRUE(threads_match(&rows[0], "process10"));
	EXPECT_TRUE(threads_match(&rows[0], "12"));
	EXPECT_FALSE(threads_match(&rows[2], "10"));
	ASSERT_EQ(2, threads_filter(rows, 3, "10"));
	EXPECT_EQ(12, rows[0].tid);
	EXPECT_EQ(11, rows[1].tid);
	EXPECT_EQ(0, threads_filter(rows, 2, "nothing"));
}

TEST_HARNESS_MAIN
