// SPDX-License-Identifier: GPL-2.0
/* Rotated sets: from the log to shares and estimates, and the messages about them. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kermon/report.h>
#include <kermon/writer.h>

#include "kselftest_harness.h"

#define NR_SETS		3
#define TURN_MS		10
#define TSC_KHZ		1000000		/* a cycle is a nanosecond */

struct record {
	struct kermon_sample sample;
	uint64_t values[2];
};

FIXTURE(turns)
{
	char path[64];
	int fd;
	struct kermon_info info;
	struct kermon_selection sets[NR_SETS];
	struct kermon_clock clock;
	struct kermon_writer *writer;
	struct kermon_report *report;
	uint64_t tsc;
};

static const char *const names[NR_SETS] = {
	"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:u", "MEM_INST_RETIRED:ALL_LOADS:u",
	"MEM_INST_RETIRED:ALL_STORES:u",
};

/* Each set has one event, and one fixed counter is in all of them. */
FIXTURE_SETUP(turns)
{
	struct kermon_writer_options options = {
		.size = sizeof(options),
		.events = self->sets,
		.nr_more = NR_SETS - 1,
		.count = KERMON_COUNT_USER,
		.info = &self->info,
		.clock = &self->clock,
	};
	int i;

	strcpy(self->path, "/tmp/kermon-turns-XXXXXX");
	self->fd = mkstemp(self->path);
	ASSERT_GE(self->fd, 0);
	options.fd = self->fd;
	for (i = 0; i < NR_SETS; i++) {
		self->sets[i].nr = 1;
		self->sets[i].events[0].event.config = 0x1000c + i;
		strcpy(self->sets[i].events[0].name, names[i]);
	}
	self->info = (struct kermon_info){ .fixed = 1, .tsc_khz = TSC_KHZ };
	kermon_clock_init(&self->clock, TSC_KHZ);
	kermon_clock_set(&self->clock, 0, 1U << 31, 31);
	self->tsc = 1ULL << 40;
	ASSERT_EQ(0, kermon_writer_open(&self->writer, &options));
	self->report = kermon_report_new(NULL);
}

FIXTURE_TEARDOWN(turns)
{
	kermon_report_free(self->report);
	kermon_writer_close(self->writer);
	close(self->fd);
	unlink(self->path);
}

static int put_record(FIXTURE_DATA(turns) *self, unsigned int type,
		      unsigned int set, unsigned int ms, uint64_t rate)
{
	struct record record = {
		.sample = {
			.record.type = type,
			.record.size = sizeof(record),
			.pid = 1,
			.tid = 1,
			.set_id = set,
			.reason = KERMON_REASON_ROTATE,
			.nr_fixed = 1,
			.nr_events = 1,
			.tsc_begin = self->tsc,
			.oncpu = ms * TSC_KHZ,
		},
		.values = { ms * 1000, ms * rate },
	};

	self->tsc += record.sample.oncpu;
	record.sample.tsc_end = self->tsc;
	return kermon_writer_log(self->writer, &record, sizeof(record));
}

/* An interval of set @set in which its event counts @rate per ms. */
static int put(FIXTURE_DATA(turns) *self, unsigned int set, unsigned int ms,
	       uint64_t rate)
{
	return put_record(self, KERMON_RECORD_SAMPLE, set, ms, rate);
}

static int finish(FIXTURE_DATA(turns) *self, const char *sets)
{
	kermon_writer_note(self->writer, "sets", "%s", sets);
	kermon_writer_note(self->writer, "rotate_ns", "%d", TURN_MS * 1000000);
	if (kermon_writer_round(self->writer) ||
	    kermon_writer_finish(self->writer))
		return -1;
	return kermon_report_read(self->report, self->path);
}

/* In the file, the note "sets=", which fits: strings are padded. */
static int replace_note(FIXTURE_DATA(turns) *self, const char *sets)
{
	static char bytes[1 << 16];
	ssize_t size = pread(self->fd, bytes, sizeof(bytes), 0);
	char *note = size > 0 ? memmem(bytes, size, "sets=", 5) : NULL;

	if (!note)
		return -1;
	strcpy(note + 5, sets);
	return pwrite(self->fd, bytes, size, 0) == size ? 0 : -1;
}

/* For the event of @set. */
static struct kermon_estimate estimate(FIXTURE_DATA(turns) *self,
				       unsigned int set)
{
	struct kermon_estimate found = { .value = NAN };

	kermon_report_estimate(self->report, 1 + set, &found);
	return found;
}

/* Operations, loads and stores are each measured in a third of the time. */
TEST_F(turns, derived)
{
	struct kermon_derived derived;

	for (int i = 0; i < 40 * NR_SETS; i++)
		ASSERT_EQ(0, put(self, i % NR_SETS, TURN_MS, 100 >> i % NR_SETS));
	ASSERT_EQ(0, finish(self, "1,1,1"));
	ASSERT_EQ(0, kermon_report_derive(self->report, NULL, &derived));
	EXPECT_TRUE(derived.rotated);
	EXPECT_LT(fabs(derived.seconds - 1.2), 1e-9);
	EXPECT_LT(fabs(derived.operations.all_flop - 120000), 1e-6);
	EXPECT_LT(fabs(derived.operations.bytes - 90000 * 8), 1e-6);
	EXPECT_LT(fabs(derived.flop_rate - 100000), 1e-6);
	EXPECT_LT(fabs(derived.intensity - 1 / 6.), 1e-9);
	EXPECT_EQ(0, derived.flop_error);
	EXPECT_EQ(0, derived.byte_error);
	EXPECT_TRUE(isnan(derived.joules_per_flop));
}

/* The error is that of the mean of the parts, less for what was measured. */
TEST_F(turns, error_of_phases)
{
	struct kermon_derived derived;
	const struct kermon_share *share;
	double error;

	for (int i = 0; i < 40 * NR_SETS; i++)
		ASSERT_EQ(0, put(self, i % NR_SETS, TURN_MS,
				 i % NR_SETS ? 50 : i < 20 * NR_SETS ? 100 : 300));
	ASSERT_EQ(0, finish(self, "1,1,1"));
	ASSERT_EQ(0, kermon_report_derive(self->report, NULL, &derived));
	share = kermon_report_share(self->report, 0);
	ASSERT_LE(KERMON_PARTS, share->parts);
	error = estimate(self, 0).spread * sqrt((1 - share->share) / share->parts);
	EXPECT_LT(fabs(derived.flop_error - error), 1e-9);
	EXPECT_LT(0.05, error);
	EXPECT_EQ(0, derived.byte_error);
	EXPECT_LT(fabs(derived.intensity_error - error), 1e-9);
}

/* A run of one round is too short to tell. */
TEST_F(turns, error_of_a_short_run)
{
	struct kermon_derived derived;

	for (int i = 0; i < NR_SETS; i++)
		ASSERT_EQ(0, put(self, i, TURN_MS, 100));
	ASSERT_EQ(0, finish(self, "1,1,1"));
	ASSERT_EQ(0, kermon_report_derive(self->report, NULL, &derived));
	EXPECT_LT(fabs(derived.operations.all_flop - 3000), 1e-6);
	EXPECT_TRUE(isnan(derived.flop_error));
	EXPECT_TRUE(isnan(derived.intensity_error));
}

TEST_F(turns, steady_program)
{
	const struct kermon_share *share;
	unsigned int i;

	for (i = 0; i < 300; i++)
		ASSERT_EQ(0, put(self, i % NR_SETS, TURN_MS, 7 + i % NR_SETS));
	ASSERT_EQ(0, finish(self, "1,1,1"));
	EXPECT_EQ(-1, kermon_report_column(self->report, 0)->set);
	for (i = 0; i < NR_SETS; i++) {
		EXPECT_EQ((int)i, kermon_report_column(self->report, 1 + i)->set);
		share = kermon_report_share(self->report, i);
		ASSERT_NE(NULL, share);
		EXPECT_EQ(1000000000, share->measured);
		EXPECT_LT(fabs(share->share - 1.0 / 3), 1e-9);
		EXPECT_GE(share->parts, KERMON_PARTS);
		EXPECT_GT(share->least, 0.25);
		EXPECT_LT(fabs(estimate(self, i).value - 3000.0 * (7 + i)),
			  1e-6);
		EXPECT_LT(estimate(self, i).spread, 1e-9);
	}
	EXPECT_EQ(NULL, kermon_report_share(self->report, NR_SETS));
}

static const struct kermon_share *shares(FIXTURE_DATA(turns) *self,
					 unsigned int set)
{
	return kermon_report_share(self->report, set);
}

/* The estimate is right, because each set saw all phases; but the event has phases. */
TEST_F(turns, long_phases)
{
	unsigned int i, part;

	for (i = 0; i < 600; i++)
		ASSERT_EQ(0, put(self, i % NR_SETS, TURN_MS, i < 300 ? 0 : 10));
	ASSERT_EQ(0, finish(self, "1,1,1"));
	for (i = 0; i < NR_SETS; i++) {
		EXPECT_LT(fabs(estimate(self, i).value - 30000), 1e-6);
		EXPECT_GT(estimate(self, i).spread, 0.9);
		EXPECT_LT(estimate(self, i).spread, 1.1);
		/* Each phase was seen by each set for a third of its time. */
		for (part = 0; part < shares(self, i)->parts; part++)
			EXPECT_LT(fabs(kermon_report_coverage(self->report, i,
							      part) - 1.0 / 3),
				  0.1);
	}
}

/* One event has phases, the others do not. */
TEST_F(turns, phases_of_one_event)
{
	unsigned int i;

	for (i = 0; i < 600; i++)
		ASSERT_EQ(0, put(self, i % NR_SETS, TURN_MS,
				 i % NR_SETS || i % 200 < 100 ? 10 : 6));
	ASSERT_EQ(0, finish(self, "1,1,1"));
	EXPECT_GT(estimate(self, 0).spread, KERMON_PHASES);
	EXPECT_LT(estimate(self, 1).spread, 1e-9);
	EXPECT_LT(estimate(self, 2).spread, 1e-9);
}

/* A set that was not counted in a part of the run. */
TEST_F(turns, unseen_part)
{
	unsigned int i;

	for (i = 0; i < 600; i++)
		ASSERT_EQ(0, put(self, i < 300 ? i % 2 : i % NR_SETS, TURN_MS,
				 5));
	ASSERT_EQ(0, finish(self, "1,1,1"));
	EXPECT_EQ(0, shares(self, 2)->least);
	EXPECT_GT(shares(self, 2)->most, 0.25);
	EXPECT_GT(shares(self, 0)->least, 0.25);
	EXPECT_GT(shares(self, 0)->most, 0.45);
	EXPECT_EQ(0, kermon_report_coverage(self->report, 2, 0));
}

TEST_F(turns, too_short)
{
	unsigned int i;

	for (i = 0; i < 9; i++)
		ASSERT_EQ(0, put(self, i % NR_SETS, TURN_MS, 5));
	ASSERT_EQ(0, finish(self, "1,1,1"));
	EXPECT_LT(kermon_report_share(self->report, 0)->parts, KERMON_PARTS);
}

TEST_F(turns, never_measured)
{
	struct kermon_estimate none;

	ASSERT_EQ(0, put(self, 0, TURN_MS, 5));
	ASSERT_EQ(0, finish(self, "1,1,1"));
	EXPECT_FALSE(kermon_report_estimate(self->report, 2, &none));
	EXPECT_EQ(0, kermon_report_share(self->report, 1)->share);
}

/* A file may contain anything. */
static const char *const nonsense[] = {
	"", "x", ",", "1,1", "1,1,x", "0,0,0", "0,0,0,0,0,0,0,0,3",
};

TEST_F(turns, note_that_makes_no_sense)
{
	struct kermon_report *report;
	unsigned int i;

	ASSERT_EQ(0, put(self, 0, TURN_MS, 5));
	ASSERT_EQ(0, finish(self, "n,o,t,e"));
	EXPECT_EQ(NULL, kermon_report_share(self->report, 0));
	EXPECT_EQ(-1, kermon_report_column(self->report, 1)->set);
	for (i = 0; i < sizeof(nonsense) / sizeof(nonsense[0]); i++) {
		ASSERT_EQ(0, replace_note(self, nonsense[i]));
		report = kermon_report_new(NULL);
		ASSERT_EQ(0, kermon_report_read(report, self->path));
		EXPECT_EQ(NULL, kermon_report_share(report, 0))
			TH_LOG("'%s'", nonsense[i]);
		EXPECT_EQ(-1, kermon_report_column(report, 1)->set);
		kermon_report_free(report);
	}
}

/* In that time no set was counted: the estimate is of all time nevertheless. */
TEST_F(turns, invalid_counts)
{
	unsigned int i;

	for (i = 0; i < 300; i++)
		ASSERT_EQ(0, put(self, i % NR_SETS, TURN_MS, 7));
	ASSERT_EQ(0, put_record(self, KERMON_RECORD_INVALID, 1, 100 * TURN_MS,
				1ULL << 40));
	ASSERT_EQ(0, finish(self, "1,1,1"));
	EXPECT_EQ(1, kermon_report_losses(self->report)->invalid);
	EXPECT_EQ(1000000000, kermon_report_share(self->report, 1)->measured);
	for (i = 0; i < NR_SETS; i++)
		EXPECT_LT(fabs(estimate(self, i).value - 4000.0 * 7), 1e-6);
}

TEST_F(turns, samples_of_unknown_sets)
{
	EXPECT_EQ(-EBADMSG, put(self, NR_SETS, TURN_MS, 5));
}

TEST_HARNESS_MAIN
