// SPDX-License-Identifier: GPL-2.0
/* What a process did before it executed the program is left out by the writer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfdata/format/format.h"

#include "written.h"

#include "kselftest_harness.h"

/* A process before its exec, and its log: this many samples each. */
FIXTURE(exec)
{
	struct written file;
	uint64_t tsc;
};

FIXTURE_VARIANT(exec)
{
	bool told;	/* by the side-band */
	bool ends;	/* the sample that ends with the exec is in the log */
	unsigned int before;
};

FIXTURE_VARIANT_ADD(exec, both)
{
	.told = true, .ends = true, .before = 4,
};

FIXTURE_VARIANT_ADD(exec, without_the_sample)
{
	.told = true, .before = 3,
};

FIXTURE_VARIANT_ADD(exec, without_the_record)
{
	.ends = true, .before = 4,
};

FIXTURE_SETUP(exec)
{
	self->tsc = 1ULL << 40;
	self->file.exec_pid = getpid();
	ASSERT_EQ(0, written_begin(&self->file, KERMON_CLOCK_PERF));
}

FIXTURE_TEARDOWN(exec)
{
	written_end(&self->file);
}

#define MS	2000000		/* cycles */

static int put_reason(FIXTURE_DATA(exec) *self, int thread, uint8_t reason)
{
	struct logged record = logged_sample(thread, self->tsc, MS);

	record.sample.reason = reason;
	record.values[0] = 1;
	self->tsc = record.sample.tsc_end;
	return kermon_writer_log(self->file.writer, &record, sizeof(record));
}

/* The kernel reports it some microseconds after the sample. */
static int tell_exec(FIXTURE_DATA(exec) *self, uint64_t tsc)
{
	return written_comm(&self->file, "program", PERF_RECORD_MISC_COMM_EXEC,
			    kermon_clock_time(&self->file.clock, tsc + 9000));
}

TEST_F(exec, what_was_before_is_left_out)
{
	struct kermon_writer_totals totals;
	unsigned int i;

	if (variant->told) {
		ASSERT_EQ(0, tell_exec(self, self->tsc +
				       (3 + variant->ends) * MS));
	}
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, put_reason(self, 0, KERMON_REASON_SLEEP));
	if (variant->ends)
		ASSERT_EQ(0, put_reason(self, 0, KERMON_REASON_EXEC));
	/* The program executes another one, and so does its child. */
	ASSERT_EQ(0, tell_exec(self, self->tsc + MS));
	ASSERT_EQ(0, put_reason(self, 0, KERMON_REASON_EXEC));
	ASSERT_EQ(0, put_reason(self, 1, KERMON_REASON_EXEC));
	ASSERT_EQ(0, put_reason(self, 0, KERMON_REASON_EXIT));
	kermon_writer_totals(self->file.writer, &totals);
	EXPECT_EQ(variant->before, totals.before_exec);
	EXPECT_EQ(3, totals.samples);
}

/* The side-band was read too early to tell. */
TEST_F(exec, ring_read_before_that_of_the_exec)
{
	struct kermon_writer_totals totals;
	struct logged log[] = {
		logged_sample(0, self->tsc + MS, MS),
		logged_sample(0, self->tsc, MS),
	};

	log[0].sample.record.cpu = 1;
	log[1].sample.reason = KERMON_REASON_EXEC;
	ASSERT_EQ(0, kermon_writer_log(self->file.writer, log, sizeof(log)));
	kermon_writer_totals(self->file.writer, &totals);
	EXPECT_EQ(1, totals.before_exec);
	EXPECT_EQ(1, totals.samples);
}

/* Of two execs, the later one is read first. */
TEST_F(exec, the_earliest_counts)
{
	struct kermon_writer_totals totals;
	struct logged log[3];

	for (int i = 0; i < 3; i++)
		log[i] = logged_sample(0, self->tsc + (2 - i) * MS, MS);
	log[0].sample.reason = KERMON_REASON_EXEC;
	log[2].sample.reason = KERMON_REASON_EXEC;
	if (variant->told) {
		ASSERT_EQ(0, tell_exec(self, self->tsc + 3 * MS));
		ASSERT_EQ(0, tell_exec(self, self->tsc + MS));
	}
	ASSERT_EQ(0, kermon_writer_log(self->file.writer, log, sizeof(log)));
	kermon_writer_totals(self->file.writer, &totals);
	EXPECT_EQ(1, totals.before_exec);
	EXPECT_EQ(2, totals.samples);
}

/* The sample that ends with the exec may be lost. */
TEST_F(exec, ring_read_before_a_loss)
{
	struct kermon_writer_totals totals;
	struct {
		struct logged sample;
		struct kermon_lost lost;
	} log = {
		.sample = logged_sample(0, self->tsc, MS),
		.lost = {
			.record = { KERMON_RECORD_LOST, sizeof(log.lost), 1 },
			.lost = 1,
		},
	};

	ASSERT_EQ(0, kermon_writer_log(self->file.writer, &log, sizeof(log)));
	kermon_writer_totals(self->file.writer, &totals);
	EXPECT_EQ(0, totals.before_exec);
	EXPECT_EQ(1, totals.samples);
}

/* On another CPU, read later; and one of another process. */
TEST_F(exec, order_does_not_matter)
{
	struct kermon_writer_totals totals;
	uint64_t begin = self->tsc;

	ASSERT_EQ(0, tell_exec(self, begin + 2 * MS));
	ASSERT_EQ(0, put_reason(self, 1, KERMON_REASON_SLEEP));
	ASSERT_EQ(0, put_reason(self, 0, KERMON_REASON_EXEC));
	ASSERT_EQ(0, put_reason(self, 0, KERMON_REASON_SLEEP));
	self->tsc = begin;
	ASSERT_EQ(0, put_reason(self, 0, KERMON_REASON_PREEMPT));
	kermon_writer_totals(self->file.writer, &totals);
	EXPECT_EQ(2, totals.before_exec);
	EXPECT_EQ(2, totals.samples);
}

TEST_HARNESS_MAIN
