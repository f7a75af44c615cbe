// SPDX-License-Identifier: GPL-2.0
/*
 * A log that delivers samples late, up to a round after records of the side-band that are
 * newer: no sample is later than the rounds of the file allow, or readers sort it wrongly.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kermon/file.h>

#include "perfdata/format/format.h"

#include "written.h"

#include "kselftest_harness.h"

#define ROUNDS		40
#define PER_ROUND	25
#define LENGTH		2000000		/* of a round, in cycles */
#define START		1000000000	/* ns of the clock at cycle 0 */

/* @late: samples that are delivered in the next round; @counted: records of the file */
FIXTURE(held)
{
	struct written file;
	struct logged late[PER_ROUND];
	unsigned int nr_late;
	uint64_t counted[2];
};

FIXTURE_VARIANT(held)
{
	int compression;
};

FIXTURE_VARIANT_ADD(held, plain) { .compression = 0 };
FIXTURE_VARIANT_ADD(held, compressed) { .compression = 1 };

FIXTURE_SETUP(held)
{
	self->file.compression = variant->compression;
	self->file.unordered = true;
	ASSERT_EQ(0, written_begin(&self->file, KERMON_CLOCK_PERF));
}

FIXTURE_TEARDOWN(held)
{
	written_end(&self->file);
}

static int put(FIXTURE_DATA(held) *self, const struct logged *record)
{
	return kermon_writer_log(self->file.writer, record, sizeof(*record));
}

/* Samples of a round in any order of time, about half of which the log keeps back. */
static void write_samples(struct __test_metadata *_metadata, FIXTURE_DATA(held) *self,
			  uint64_t begin)
{
	struct logged record;

	for (unsigned int i = 0; i < self->nr_late; i++)
		ASSERT_EQ(0, put(self, &self->late[i]));
	self->nr_late = 0;
	for (unsigned int i = 0; i < PER_ROUND; i++) {
		record = logged_sample(i, begin, 1 + random() % LENGTH);
		record.sample.record.cpu = random() % NR_CPUS;
		if (random() % 2)
			self->late[self->nr_late++] = record;
		else
			ASSERT_EQ(0, put(self, &record));
	}
}

static void count(void *context, const struct kermon_file_count *type)
{
	uint64_t *counted = context;

	counted[0] += type->type == PERF_RECORD_SAMPLE ? type->records : 0;
	counted[1] += type->type == PERF_RECORD_COMM ? type->records : 0;
}

TEST_F(held, no_sample_is_later_than_rounds_allow)
{
	const struct kermon_file_options options = { .size = sizeof(options) };
	struct kermon_file *file = kermon_file_new(&options);
	uint64_t begin, late;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		begin = (uint64_t)i * LENGTH;
		write_samples(_metadata, self, begin);
		/* Newer than all samples so far. */
		ASSERT_EQ(0, written_comm(&self->file, "name", 0,
					  START + (begin + LENGTH) / 2));
		ASSERT_EQ(0, kermon_writer_round(self->file.writer));
	}
	ASSERT_EQ(0, kermon_writer_finish(self->file.writer));
	ASSERT_EQ(0, kermon_file_open(file, self->file.path));
	ASSERT_EQ(0, kermon_file_check(file, count, self->counted, &late));
	EXPECT_EQ(ROUNDS * PER_ROUND - self->nr_late, self->counted[0]);
	EXPECT_EQ(ROUNDS, self->counted[1]);
	EXPECT_EQ(0, late);
	kermon_file_free(file);
}

TEST_HARNESS_MAIN
