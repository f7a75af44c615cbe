// SPDX-License-Identifier: GPL-2.0
/*
 * Events that perf_event samples: their names, and their place in a file, with and without
 * those of KerMon's log.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <kermon/sampled.h>

#include "perfdata/read/read.h"
#include "written.h"

#include "kselftest_harness.h"

#define BOTH	(KERMON_COUNT_USER | KERMON_COUNT_KERNEL)

static const struct named {
	const char *text;
	int result;
	uint32_t type;
	uint64_t config;
	uint32_t modes;
	uint32_t precise;
} known[] = {
	{ "cpu-clock", 0, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, BOTH, 0 },
	{ "page-faults:u", 0, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS,
	  KERMON_COUNT_USER, 0 },
	{ "cs:k", 0, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES,
	  KERMON_COUNT_KERNEL, 0 },
	{ "cycles:ppu", 0, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
	  KERMON_COUNT_USER, 2 },
	{ "branch-misses:uk", 0, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, BOTH, 0 },
	{ "L1-dcache-load-misses", 0, PERF_TYPE_HW_CACHE, 0x10000, BOTH, 0 },
	{ "dTLB-stores", 0, PERF_TYPE_HW_CACHE, 0x103, BOTH, 0 },
	{ "LLC-prefetches", 0, PERF_TYPE_HW_CACHE, 0x202, BOTH, 0 },
	{ "r01c4", 0, PERF_TYPE_RAW, 0x1c4, BOTH, 0 },
	{ "MEM_UOPS_RETIRED:ALL_LOADS:u", 0, PERF_TYPE_RAW, 0x81d0, KERMON_COUNT_USER, 0 },
	{ .text = "cycles:pppp", .result = -EINVAL },
	{ .text = "", .result = -EINVAL },
	{ "software/config=3/k", 0, PERF_TYPE_SOFTWARE, 3, KERMON_COUNT_KERNEL, 0 },
	{ "software/config=0x2/:u", 0, PERF_TYPE_SOFTWARE, 2, KERMON_COUNT_USER, 0 },
	{ .text = "software/config=x/", .result = -EINVAL },
	{ .text = "software/config=/", .result = -EINVAL },
	{ .text = "software/event=1/", .result = -ENOENT },
	{ .text = "software/../type=1/", .result = -EINVAL },
	{ .text = "../config=1/", .result = -EINVAL },
	{ .text = "software/config=1", .result = -EINVAL },
	{ .text = "no-such-pmu/event=1/", .result = -ENXIO },
	{ .text = "mem:0x1000:w", .result = -EOPNOTSUPP },
	{ .text = "{cycles", .result = -EOPNOTSUPP },
	{ .text = "sched:*", .result = -EOPNOTSUPP },
	{ .text = "page-fualts", .result = -ENOENT },
	{ .text = "L1-dcache-loads-misses", .result = -ENOENT },
};

TEST(names)
{
	struct kermon_sampling sampling;

	setenv("LIBPFM_FORCE_PMU", "ivb", 1);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct named *named = &known[i];

		EXPECT_EQ(named->result, kermon_sampling_find(&sampling, named->text, BOTH)) {
			TH_LOG("'%s'", named->text);
		}
		if (named->result)
			continue;
		EXPECT_EQ(named->type, sampling.type) TH_LOG("'%s'", named->text);
		EXPECT_EQ(named->config, sampling.config) TH_LOG("'%s'", named->text);
		EXPECT_EQ(named->modes, sampling.modes) TH_LOG("'%s'", named->text);
		EXPECT_EQ(named->precise, sampling.precise) TH_LOG("'%s'", named->text);
		EXPECT_STREQ(named->text, sampling.name);
	}
}

/* Terms that are not part of an attr. */
TEST(terms_besides_configs)
{
	struct kermon_sampling sampling;

	ASSERT_EQ(0, kermon_sampling_find(&sampling, "software/config=1,config1=2,config2=0x3,"
					  "period=4,freq=5,name=mine/", BOTH));
	EXPECT_EQ(2, sampling.config1);
	EXPECT_EQ(3, sampling.config2);
	EXPECT_EQ(4, sampling.period);
	EXPECT_EQ(5, sampling.freq);
	EXPECT_STREQ("mine", sampling.name);
}

TEST(names_of_a_list)
{
	EXPECT_EQ(6, kermon_events_length("cycles,instructions"));
	EXPECT_EQ(11, kermon_events_length("cpu/a=1,b/u,cycles"));
	EXPECT_EQ(3, kermon_events_length("a/b,c"));
	EXPECT_EQ(0, kermon_events_length(""));
}

FIXTURE(sampled)
{
	struct written file;
	struct perf_event_attr attrs[2];
	struct kermon_sampled_event events[2];
};

FIXTURE_VARIANT(sampled)
{
	bool alone;
	bool pipe;
};

FIXTURE_VARIANT_ADD(sampled, alone) { .alone = true };
FIXTURE_VARIANT_ADD(sampled, beside_log) { };
FIXTURE_VARIANT_ADD(sampled, alone_in_pipe) { .alone = true, .pipe = true };

static const uint64_t ids[] = { 11, 12, 21, 22 };

/* Two events of two ids each. */
FIXTURE_SETUP(sampled)
{
	struct kermon_sampling sampling = { .modes = KERMON_COUNT_USER, .period = 1000 };
	const struct kermon_sampled_options options = {
		.size = sizeof(options),
		.events = self->events,
		.nr_events = 2,
		.alone = variant->alone,
	};

	self->file.pipe = variant->pipe;
	ASSERT_EQ(0, written_begin(&self->file, KERMON_CLOCK_PERF));
	kermon_sampling_attr(&sampling, KERMON_CLOCK_PERF, &self->attrs[0]);
	sampling.chains = KERMON_CHAINS_FP;
	kermon_sampling_attr(&sampling, KERMON_CLOCK_PERF, &self->attrs[1]);
	self->events[0] = (struct kermon_sampled_event){
		"first", &self->attrs[0], ids, 2,
	};
	self->events[1] = (struct kermon_sampled_event){
		"second", &self->attrs[1], ids + 2, 2,
	};
	ASSERT_EQ(0, kermon_writer_sampled(self->file.writer, &options));
}

FIXTURE_TEARDOWN(sampled)
{
	written_end(&self->file);
}

static int put_sample(struct kermon_writer *writer, uint64_t id, uint64_t time)
{
	const struct perfdata_sample sample = {
		.header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(sample) },
		.id = id, .tid = getpid(), .pid = getpid(), .time = time, .period = 1000,
	};

	return kermon_writer_sideband(writer, &sample.header);
}

static int put_lost(struct kermon_writer *writer, uint32_t type, uint64_t first,
		    uint64_t second)
{
	struct {
		struct perf_event_header header;
		uint64_t words[2];
		struct perfdata_sample_id id;
	} lost = {
		.header = { type, 0, sizeof(lost) },
		.words = { first, second },
	};

	return kermon_writer_sideband(writer, &lost.header);
}

TEST_F(sampled, totals)
{
	struct kermon_writer *writer = self->file.writer;
	struct kermon_sampled_totals totals;

	ASSERT_EQ(0, kermon_writer_start(writer, getpid()));
	ASSERT_EQ(0, put_sample(writer, 11, 5000));
	ASSERT_EQ(0, put_sample(writer, 12, 4000));
	ASSERT_EQ(0, put_lost(writer, PERF_RECORD_LOST, 11, 3));
	ASSERT_EQ(0, put_lost(writer, PERF_RECORD_THROTTLE, 0, 11));
	kermon_writer_sampled_totals(writer, &totals);
	EXPECT_EQ(2, totals.samples);
	EXPECT_EQ(3, totals.lost);
	EXPECT_EQ(1, totals.throttled);
	/* What the events say in the end includes what was lost last. */
	ASSERT_EQ(0, put_lost(writer, PERF_RECORD_LOST_SAMPLES, 7, 0));
	kermon_writer_sampled_totals(writer, &totals);
	EXPECT_EQ(7, totals.lost);
	ASSERT_EQ(0, kermon_writer_finish(writer));
}

/* Too late, and too many. */
TEST_F(sampled, is_refused)
{
	struct kermon_sampled_options options = {
		.size = sizeof(options), .nr_events = KERMON_MAX_SAMPLED + 1,
	};

	EXPECT_EQ(-E2BIG, kermon_writer_sampled(self->file.writer, &options));
	options.size = 0;
	EXPECT_EQ(-EINVAL, kermon_writer_sampled(self->file.writer, &options));
	ASSERT_EQ(0, kermon_writer_start(self->file.writer, getpid()));
	options = (struct kermon_sampled_options){ .size = sizeof(options) };
	EXPECT_EQ(-EINVAL, kermon_writer_sampled(self->file.writer, &options));
}

/* What perf makes of it: events in their order, with their samples. */
TEST_F(sampled, perf_reads_it)
{
	struct kermon_writer *writer = self->file.writer;
	char command[200], line[200];
	unsigned int nr = 0, firsts = 0;
	FILE *perf;

	ASSERT_EQ(0, kermon_writer_start(writer, getpid()));
	for (int i = 0; i < 10; i++)
		ASSERT_EQ(0, put_sample(writer, ids[i % 2], 1000 * i + 1000));
	ASSERT_EQ(0, kermon_writer_round(writer));
	ASSERT_EQ(0, kermon_writer_finish(writer));
	snprintf(command, sizeof(command), "perf script -i %s -F event,time 2>/dev/null %s%s",
		 variant->pipe ? "-" : self->file.path, variant->pipe ? "<" : "",
		 variant->pipe ? self->file.path : "");
	perf = popen(command, "r");
	ASSERT_NE(NULL, perf);
	while (fgets(line, sizeof(line), perf)) {
		nr++;
		firsts += !!strstr(line, "first:");
	}
	EXPECT_EQ(0, pclose(perf));
	EXPECT_EQ(10, nr);
	EXPECT_EQ(10, firsts);
}

/* The side-band is the last event; those of the log, if it is there, precede the others. */
TEST_F(sampled, order_of_events)
{
	struct kermon_writer *writer = self->file.writer;
	const size_t first = variant->alone ? 0 : NR_EVENTS;
	struct damages damages = { 0 };
	struct reader *reader;

	if (variant->pipe)
		return;
	ASSERT_EQ(0, kermon_writer_start(writer, getpid()));
	ASSERT_EQ(0, kermon_writer_finish(writer));
	ASSERT_EQ(0, reader_open(self->file.path, &reader, &damages));
	ASSERT_EQ(first + 3, reader_nr_events(reader));
	EXPECT_STREQ("first", reader_event(reader, first)->name);
	EXPECT_STREQ("second", reader_event(reader, first + 1)->name);
	EXPECT_STREQ("dummy:u", reader_event(reader, first + 2)->name);
	EXPECT_TRUE(reader_event(reader, first + 1)->attr.sample_type &
		    PERF_SAMPLE_CALLCHAIN);
	reader_close(reader);
}

TEST_HARNESS_MAIN
