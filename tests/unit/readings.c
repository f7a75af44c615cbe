// SPDX-License-Identifier: GPL-2.0
/* Samples that read all counters of a group are samples of all its events. */
#include <errno.h>

#include "flow/pipeline.h"
#include "synthetic.h"

#include "kselftest_harness.h"

#define KEPT	8

struct seen {
	unsigned int nr;
	size_t events[KEPT];
	uint64_t periods[KEPT];
};

FIXTURE(readings)
{
	struct synthetic file;
	struct pipeline pipeline;
	struct seen seen;
};

static int see(void *context, const struct pipeline_sample *sample)
{
	struct seen *seen = context;

	if (seen->nr == KEPT)
		return -E2BIG;
	seen->events[seen->nr] = sample->record->event;
	seen->periods[seen->nr++] = sample->fields->period;
	return 0;
}

static const struct pipeline_consumer seer = { .sample = see };
static const char *const events[] = { "cycles", "instructions", NULL };

FIXTURE_SETUP(readings)
{
	ASSERT_EQ(0, pipeline_init(&self->pipeline, &seer, &self->seen,
				   NULL));
	synthetic_start_with(&self->file, events, ~0U,
			     &(struct perf_event_attr){
		.sample_type = PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID,
	});
}

FIXTURE_TEARDOWN(readings)
{
	pipeline_end(&self->pipeline);
	synthetic_end(&self->file);
}

static void put_sample(struct synthetic *file, uint64_t time, uint64_t cycles,
		       uint64_t second_id, uint64_t second)
{
	const uint64_t read[] = {
		2, cycles, SYNTHETIC_ID(0), second, second_id,
	};

	synthetic_sample_with(file, &(struct synthetic_sample){
		.pid = 1, .tid = 1, .time = time, .period = 999,
	}, PERF_RECORD_MISC_USER, read, sizeof(read));
}

TEST_F(readings, what_each_has_counted)
{
	static const size_t expected_events[] = { 0, 1, 0, 0, 1 };
	static const uint64_t expected_periods[] = { 100, 7, 50, 1, 3 };

	put_sample(&self->file, 1, 100, SYNTHETIC_ID(1), 7);
	put_sample(&self->file, 2, 150, SYNTHETIC_ID(1), 7);
	put_sample(&self->file, 3, 151, SYNTHETIC_ID(1), 10);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	EXPECT_EQ(0, self->pipeline.damages.nr);
	ASSERT_EQ(5, self->seen.nr);
	for (unsigned int i = 0; i < 5; i++) {
		EXPECT_EQ(expected_events[i], self->seen.events[i]);
		EXPECT_EQ(expected_periods[i], self->seen.periods[i]);
	}
}

/* Threads that inherit an event have a counter each, with the same id. */
TEST_F(readings, inherited)
{
	static const uint64_t sums[] = { 100, 30, 150, 31 };
	static const uint64_t expected[] = { 100, 30, 50, 1 };

	synthetic_end(&self->file);
	synthetic_start_with(&self->file, events, ~0U,
			     &(struct perf_event_attr){
		.sample_type = PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID,
		.inherit = 1,
	});
	for (uint64_t i = 0; i < 4; i++)
		synthetic_sample_with(&self->file, &(struct synthetic_sample){
			.pid = 1, .tid = 1 + i % 2, .time = i + 1,
		}, PERF_RECORD_MISC_USER, (uint64_t[]){
			1, sums[i], SYNTHETIC_ID(0),
		}, 3 * sizeof(uint64_t));
	synthetic_finish(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	ASSERT_EQ(4, self->seen.nr);
	for (unsigned int i = 0; i < 4; i++)
		EXPECT_EQ(expected[i], self->seen.periods[i]);
}

TEST_F(readings, of_no_event)
{
	put_sample(&self->file, 1, 100, 4711, 7);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	EXPECT_EQ(1, self->seen.nr);
	EXPECT_EQ(1, self->pipeline.damages.nr);
}

TEST_HARNESS_MAIN
