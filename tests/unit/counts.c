// SPDX-License-Identifier: GPL-2.0
/* Counts of perf stat record, as delivered by <kermon/profile.h>. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <kermon/profile.h>

#include "perfdata/format/format.h"

#include "collected.h"
#include "synthetic.h"

#include "kselftest_harness.h"

#define KEPT	16

struct seen {
	struct kermon_profile_count counts[KEPT];
	char units[KEPT][8];
	unsigned int nr;
};

FIXTURE(counts)
{
	struct synthetic file;
	struct seen seen;
	struct kermon_report_options options;
	struct kermon_profile *profile;
};

static int see(void *context, const struct kermon_profile_count *count)
{
	struct seen *seen = context;

	if (seen->nr < KEPT) {
		seen->counts[seen->nr] = *count;
		snprintf(seen->units[seen->nr], sizeof(seen->units[0]), "%s",
			 count->unit);
	}
	seen->nr++;
	return 0;
}

static const struct kermon_profile_callbacks callbacks = {
	.size = sizeof(callbacks),
	.count = see,
};

static const char *const two_events[] = { "task-clock", "page-faults", NULL };

FIXTURE_SETUP(counts)
{
	self->options = collected();
	self->profile = kermon_profile_new(&self->options, &callbacks,
					   &self->seen);
	ASSERT_NE(NULL, self->profile);
	synthetic_begin(&self->file, two_events);
}

FIXTURE_TEARDOWN(counts)
{
	kermon_profile_free(self->profile);
	kermon_damages_free(self->options.damages);
	synthetic_end(&self->file);
}

/* A record of perf's own. */
static void put(struct synthetic *file, uint32_t type, const void *body,
		size_t size)
{
	struct perf_event_header header = {
		.type = type, .size = sizeof(header) + size,
	};

	synthetic_put(file, &header, sizeof(header));
	synthetic_put(file, body, size);
}

static void put_config(struct synthetic *file, uint64_t aggregation,
		       uint64_t scale)
{
	const uint64_t body[] = { 2, PERFDATA_STAT_AGGREGATION, aggregation,
				  PERFDATA_STAT_SCALE, scale };

	put(file, PERFDATA_RECORD_STAT_CONFIG, body, sizeof(body));
}

static void put_threads(struct synthetic *file, int64_t first, uint64_t nr)
{
	struct {
		uint64_t nr;
		struct {
			int64_t tid;
			char comm[16];
		} threads[4];
	} body = { .nr = nr };

	for (unsigned int i = 0; i < nr; i++)
		body.threads[i].tid = first + i;
	put(file, PERFDATA_RECORD_THREAD_MAP, &body, 8 + 24 * nr);
}

/* The CPUs @first to @last, -1: any. */
static void put_cpus(struct synthetic *file, int first, int last)
{
	uint16_t body[8] = { PERFDATA_CPUS_LIST, last - first + 1 };

	for (int cpu = first; cpu <= last; cpu++)
		body[2 + cpu - first] = cpu;
	put(file, PERFDATA_RECORD_CPU_MAP, body, sizeof(body));
}

static void put_count(struct synthetic *file, unsigned int event, int cpu,
		      uint32_t thread, uint64_t value, uint64_t running)
{
	struct {
		uint64_t id;
		int32_t cpu;
		uint32_t thread;
		uint64_t value, enabled, running;
	} body = { SYNTHETIC_ID(event), cpu, thread, value, 100, running };

	put(file, PERFDATA_RECORD_STAT, &body, sizeof(body));
}

static void put_round(struct synthetic *file, uint64_t time)
{
	const uint64_t body[] = { 0, time };

	put(file, PERFDATA_RECORD_STAT_ROUND, body, sizeof(body));
}

/* About an event: the contents of @data, of @size bytes. */
static void put_update(struct synthetic *file, unsigned int event,
		       uint64_t what, const void *data, size_t size)
{
	struct {
		uint64_t what, id;
		char data[16];
	} body = { what, SYNTHETIC_ID(event), "" };

	memcpy(body.data, data, size);
	put(file, PERFDATA_RECORD_EVENT_UPDATE, &body, sizeof(body));
}

static bool is_count(const struct kermon_profile_count *count, size_t event,
		     int32_t cpu, int32_t tid, uint64_t value, uint64_t time)
{
	return count->event->index == event && count->cpu == cpu &&
	       count->tid == tid && count->value == value &&
	       count->time == time;
}

TEST_F(counts, of_everything_together_as_recorded)
{
	const struct kermon_profile_count *counts = self->seen.counts;

	put_config(&self->file, PERFDATA_AGGREGATE_ALL, 1);
	put_threads(&self->file, 70, 2);
	put_cpus(&self->file, -1, -1);
	put_count(&self->file, 0, -1, 0, 5, 100);
	put_count(&self->file, 0, -1, 1, 6, 50);
	put_count(&self->file, 1, -1, 1, 7, 100);
	put_round(&self->file, 1000);
	put_count(&self->file, 0, -1, 1, 16, 100);
	put_round(&self->file, 2000);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_profile_read(self->profile, self->file.path));
	ASSERT_EQ(8, self->seen.nr);
	EXPECT_TRUE(is_count(&counts[0], 0, -1, 70, 5, 1000));
	EXPECT_TRUE(is_count(&counts[1], 0, -1, 71, 6, 1000));
	EXPECT_EQ(100, counts[1].enabled);
	EXPECT_EQ(50, counts[1].running);
	EXPECT_TRUE(is_count(&counts[2], 1, -1, 70, 0, 1000));
	EXPECT_TRUE(is_count(&counts[3], 1, -1, 71, 7, 1000));
	EXPECT_TRUE(is_count(&counts[4], 0, -1, 70, 5, 2000));
	EXPECT_TRUE(is_count(&counts[5], 0, -1, 71, 16, 2000));
	EXPECT_EQ(0, kermon_damages_count(self->options.damages));
}

TEST_F(counts, of_each_cpu_since_the_round_before)
{
	const struct kermon_profile_count *counts = self->seen.counts;

	put_config(&self->file, PERFDATA_AGGREGATE_NONE, 1);
	put_cpus(&self->file, 2, 3);
	put_threads(&self->file, -1, 1);
	put_count(&self->file, 0, 2, 0, 10, 25);
	put_count(&self->file, 0, 3, 0, 10, 100);
	put_round(&self->file, 1000);
	put_count(&self->file, 0, 3, 0, 14, 100);
	put_round(&self->file, 2000);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_profile_read(self->profile, self->file.path));
	ASSERT_EQ(8, self->seen.nr);
	/* a quarter of the time */
	EXPECT_TRUE(is_count(&counts[0], 0, 2, -1, 40, 1000));
	EXPECT_TRUE(is_count(&counts[1], 0, 3, -1, 10, 1000));
	EXPECT_TRUE(is_count(&counts[4], 0, 2, -1, 0, 2000));
	/* no time to scale by */
	EXPECT_TRUE(is_count(&counts[5], 0, 3, -1, 0, 2000));
	EXPECT_EQ(0, counts[5].enabled);
}

TEST_F(counts, unscaled_if_that_was_not_asked_for)
{
	put_config(&self->file, PERFDATA_AGGREGATE_NONE, 0);
	put_cpus(&self->file, 0, 0);
	put_threads(&self->file, -1, 1);
	put_count(&self->file, 0, 0, 0, 10, 25);
	put_round(&self->file, 1000);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_profile_read(self->profile, self->file.path));
	EXPECT_TRUE(is_count(&self->seen.counts[0], 0, 0, -1, 10, 1000));
}

TEST_F(counts, units_scales_and_cpus_of_an_event)
{
	static const uint16_t cpus[] = { PERFDATA_CPUS_LIST, 1, 3 };
	const struct kermon_profile_count *counts = self->seen.counts;
	const double scale = 0.25;

	put_update(&self->file, 0, PERFDATA_UPDATE_UNIT, "J", 2);
	put_update(&self->file, 0, PERFDATA_UPDATE_SCALE, &scale, sizeof(scale));
	put_update(&self->file, 0, PERFDATA_UPDATE_CPUS, cpus, sizeof(cpus));
	put_config(&self->file, PERFDATA_AGGREGATE_NONE, 0);
	put_cpus(&self->file, 2, 3);
	put_threads(&self->file, -1, 1);
	put_count(&self->file, 0, 3, 0, 10, 100);
	put_round(&self->file, 1000);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_profile_read(self->profile, self->file.path));
	ASSERT_EQ(3, self->seen.nr);
	EXPECT_TRUE(is_count(&counts[0], 0, 3, -1, 10, 1000));
	EXPECT_EQ(0.25, counts[0].scale);
	EXPECT_STREQ("J", self->seen.units[0]);
	EXPECT_TRUE(is_count(&counts[1], 1, 2, -1, 0, 1000));
	EXPECT_EQ(1.0, counts[1].scale);
	EXPECT_STREQ("", self->seen.units[1]);
}

TEST_F(counts, that_make_no_sense_are_damage)
{
	put_count(&self->file, 0, 0, 0, 1, 100);
	put_round(&self->file, 1000);
	put_cpus(&self->file, 0, 1);
	put_threads(&self->file, -1, 1);
	put_count(&self->file, 7, 0, 0, 1, 100);
	put_count(&self->file, 0, 2, 0, 1, 100);
	put_count(&self->file, 0, 0, 1, 1, 100);
	put(&self->file, PERFDATA_RECORD_STAT, "1234567", 8);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_profile_read(self->profile, self->file.path));
	EXPECT_EQ(6, kermon_damages_count(self->options.damages));
	EXPECT_EQ(0, self->seen.nr);
}

/* CPUs that are not in the map are skipped; nothing remains of the first one. */
TEST_F(counts, of_maps_without_cpus)
{
	static const uint16_t none[8] = { PERFDATA_CPUS_MASK, 1, 4 };
	struct cursor c = cursor_of(none, sizeof(none));
	struct cpu_map map;

	EXPECT_EQ(0, cpu_map_read(&map, &c));
	EXPECT_EQ(0, map.nr);
	EXPECT_EQ(NULL, map.cpus);
	free(map.cpus);
	put(&self->file, PERFDATA_RECORD_CPU_MAP, none, sizeof(none));
	put(&self->file, PERFDATA_RECORD_CPU_MAP, none, sizeof(none));
	put_cpus(&self->file, 0, 0);
	put_threads(&self->file, -1, 1);
	put_count(&self->file, 0, 0, 0, 10, 100);
	put_round(&self->file, 1000);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_profile_read(self->profile, self->file.path));
	EXPECT_EQ(2, kermon_damages_count(self->options.damages));
	EXPECT_EQ(2, self->seen.nr);
}

/* One of two events is not counted, and shown nevertheless, on many more CPUs. */
TEST_F(counts, of_many_cpus_and_rounds_are_whole)
{
	static const uint16_t range[] = { PERFDATA_CPUS_RANGE, 0, 0, 299 };
	static const uint16_t own[] = { PERFDATA_CPUS_RANGE, 0, 0, 29 };

	put_update(&self->file, 0, PERFDATA_UPDATE_CPUS, own, sizeof(own));
	put(&self->file, PERFDATA_RECORD_CPU_MAP, range, sizeof(range));
	put_threads(&self->file, -1, 1);
	for (unsigned int round = 0; round < 500; round++) {
		for (int cpu = 0; cpu < 30; cpu++)
			put_count(&self->file, 0, cpu, 0, round, 100);
		put_round(&self->file, 1000 + round);
	}
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_profile_read(self->profile, self->file.path));
	EXPECT_EQ(0, kermon_damages_count(self->options.damages));
	EXPECT_EQ(500 * (30 + 300), self->seen.nr);
}

/* Few counts on many CPUs: 65,536 are shown nevertheless, and no more. */
TEST_F(counts, of_far_more_rounds_than_counts)
{
	static const uint16_t range[] = { PERFDATA_CPUS_RANGE, 0, 0, 999 };

	put(&self->file, PERFDATA_RECORD_CPU_MAP, range, sizeof(range));
	put_threads(&self->file, -1, 1);
	put_count(&self->file, 0, 0, 0, 1, 100);
	for (unsigned int i = 0; i < 1000; i++)
		put_round(&self->file, 1000 + i);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_profile_read(self->profile, self->file.path));
	EXPECT_EQ(1, kermon_damages_count(self->options.damages));
	EXPECT_EQ(2000 * (65536 / 2000), self->seen.nr);
}

/* Counts of one CPU do not cause 65,536 others to be shown for each of them. */
TEST_F(counts, of_few_cpus_show_few_others)
{
	static const uint16_t range[] = { PERFDATA_CPUS_RANGE, 0, 0, 0xffff };
	static const uint16_t own[] = { PERFDATA_CPUS_LIST, 1, 3 };

	put_update(&self->file, 0, PERFDATA_UPDATE_CPUS, own, sizeof(own));
	put(&self->file, PERFDATA_RECORD_CPU_MAP, range, sizeof(range));
	put_threads(&self->file, -1, 1);
	for (unsigned int i = 0; i < 3000; i++)
		put_count(&self->file, 0, 3, 0, i, 100);
	for (unsigned int i = 0; i < 100; i++)
		put_round(&self->file, 1000 + i);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_profile_read(self->profile, self->file.path));
	EXPECT_EQ(1, kermon_damages_count(self->options.damages));
	EXPECT_EQ(2 * 65537, self->seen.nr);
}

TEST_F(counts, of_too_many_threads_and_cpus)
{
	static const uint16_t range[] = { PERFDATA_CPUS_RANGE, 0, 0, 0xffff };
	static uint64_t threads[1 + 3 * 17] = { 17 };

	put(&self->file, PERFDATA_RECORD_CPU_MAP, range, sizeof(range));
	put(&self->file, PERFDATA_RECORD_THREAD_MAP, threads, sizeof(threads));
	put_count(&self->file, 0, 0, 0, 1, 100);
	put_round(&self->file, 1000);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_profile_read(self->profile, self->file.path));
	EXPECT_EQ(1, kermon_damages_count(self->options.damages));
	EXPECT_EQ(0, self->seen.nr);
}

TEST_F(counts, are_not_asked_for)
{
	const struct kermon_profile_callbacks none = { .size = sizeof(none) };
	struct kermon_profile *profile = kermon_profile_new(NULL, &none, NULL);

	put_cpus(&self->file, 0, 0);
	put_threads(&self->file, -1, 1);
	put_count(&self->file, 0, 0, 0, 1, 100);
	put_round(&self->file, 1000);
	synthetic_finish(&self->file);
	EXPECT_EQ(-ENOMSG, kermon_profile_read(profile, self->file.path));
	kermon_profile_free(profile);
}

TEST_HARNESS_MAIN
