// SPDX-License-Identifier: GPL-2.0
/*
 * Reports of intervals, whose records contain sums by CPU: what each thread has counted is
 * found again, whether samples are parsed one by one or added by the fast path, and however
 * the samples of the CPUs mix.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kermon/report.h>

#include "perfdata/format/format.h"

#include "written.h"

#include "kselftest_harness.h"

#define NR_THREADS	3
#define ROUNDS		7
#define PER_ROUND	50
#define COLUMNS		(NR_EVENTS + 2)		/* energy has two */
#define MS		2000000			/* cycles */

FIXTURE(intervals)
{
	struct written file;
	unsigned int pairs;
	unsigned int reads;
	uint64_t tsc[NR_CPUS];
	uint64_t samples[NR_THREADS];
	uint64_t sums[NR_THREADS][COLUMNS];
};

FIXTURE_VARIANT(intervals)
{
	const char *keys;
	unsigned int pairs;	/* of CPUs, which take turns */
};

/* Tables by event parse each sample. */
FIXTURE_VARIANT_ADD(intervals, known)
{
	.keys = "tid",
	.pairs = 1,
};

/* More ids than the fast path remembers. */
FIXTURE_VARIANT_ADD(intervals, many_cpus)
{
	.keys = "tid",
	.pairs = 16,
};

FIXTURE_VARIANT_ADD(intervals, parsed)
{
	.keys = "tid,event",
	.pairs = 1,
};

FIXTURE_SETUP(intervals)
{
	self->pairs = variant->pairs;
	self->file.nr_cpus = NR_CPUS * self->pairs;
	ASSERT_EQ(0, written_begin(&self->file, KERMON_CLOCK_PERF));
	for (int cpu = 0; cpu < NR_CPUS; cpu++)
		self->tsc[cpu] = 1ULL << 40;
}

FIXTURE_TEARDOWN(intervals)
{
	written_end(&self->file);
}

static void add_sums(FIXTURE_DATA(intervals) *self, int thread,
		     const struct logged *logged)
{
	uint64_t *sums = self->sums[thread];
	bool valid = logged->sample.record.type == KERMON_RECORD_SAMPLE;
	bool alone = logged->sample.flags & KERMON_SAMPLE_ALONE;

	self->samples[thread]++;
	for (int i = 0; i < ONCPU && valid; i++)
		sums[i] += logged->values[i];
	sums[ONCPU] += logged->sample.oncpu / 2;
	sums[ONCPU + 1] += logged->values[7] << 16;
	sums[ONCPU + 2] += alone ? logged->values[7] << 16 : 0;
	sums[ONCPU + 3] += logged->values[8] << 18;
	sums[ONCPU + 4] += alone ? logged->values[8] << 18 : 0;
}

/* Most counts are 0 now and then, and some intervals are invalid. */
static int put_interval(FIXTURE_DATA(intervals) *self, int cpu)
{
	int thread = random() % NR_THREADS;
	struct logged logged = logged_sample(thread, self->tsc[cpu],
					     2 + 2 * (random() % MS));

	if (!(random() % 50))
		logged.sample.record.type = KERMON_RECORD_INVALID;
	logged.sample.record.cpu = cpu + NR_CPUS * (self->reads / NR_CPUS % self->pairs);
	logged.sample.flags = random() % 2 ? KERMON_SAMPLE_ALONE : 0;
	for (int i = 0; i < NR_EVENTS - 1; i++)
		logged.values[i] = random() % 3 ? random() % 100000 : 0;
	self->tsc[cpu] = logged.sample.tsc_end;
	add_sums(self, thread, &logged);
	return kermon_writer_log(self->file.writer, &logged, sizeof(logged));
}

/* A record of the side-band, up to which samples have to be delivered. */
static int put_name(FIXTURE_DATA(intervals) *self, uint64_t tsc)
{
	return written_comm(&self->file, "same", 0,
			    kermon_clock_time(&self->file.clock, tsc));
}

/* As the log is read, CPU by CPU; a round may read it more than once. */
static int put_round(FIXTURE_DATA(intervals) *self)
{
	int err = 0;

	for (int cpu = 0; cpu < 3 * NR_CPUS; cpu++, self->reads++)
		for (int i = 0; i < PER_ROUND && !err; i++)
			err = put_interval(self, cpu % NR_CPUS);
	return err;
}

static void write_log(struct __test_metadata *_metadata,
		      FIXTURE_DATA(intervals) *self)
{
	for (int round = 0; round < ROUNDS; round++) {
		ASSERT_EQ(0, put_round(self));
		for (int i = 0; i < 5; i++)
			ASSERT_EQ(0, put_name(self, self->tsc[0] -
					      random() % (50ULL * MS)));
		ASSERT_EQ(0, kermon_writer_round(self->file.writer));
	}
	ASSERT_EQ(0, kermon_writer_finish(self->file.writer));
}

TEST_F(intervals, sums_of_threads)
{
	struct kermon_report *report = kermon_report_new(NULL);
	uint64_t found[NR_THREADS][COLUMNS] = { 0 };
	uint64_t samples[NR_THREADS] = { 0 };
	const struct kermon_table *table;
	unsigned int thread;

	write_log(_metadata, self);
	ASSERT_EQ(0, kermon_report_read(report, self->file.path));
	ASSERT_EQ(0, kermon_report_table(report, variant->keys, 0, &table));
	ASSERT_EQ(COLUMNS + 1, kermon_report_nr_columns(report));
	for (size_t row = 0; row < table->nr_rows; row++) {
		thread = table->rows[row].tid - getpid();
		ASSERT_LT(thread, NR_THREADS);
		if (!table->rows[row].event || !strcmp(table->rows[row].event, "oncpu"))
			samples[thread] += table->rows[row].samples;
		for (int i = 0; i < COLUMNS; i++)
			found[thread][i] += table->rows[row].values[i];
	}
	for (thread = 0; thread < NR_THREADS; thread++) {
		EXPECT_EQ(self->samples[thread], samples[thread]);
		for (int i = 0; i < COLUMNS; i++) {
			EXPECT_EQ(self->sums[thread][i], found[thread][i])
				TH_LOG("thread %u, column %d", thread, i);
		}
	}
	kermon_report_free(report);
}

TEST_HARNESS_MAIN
