// SPDX-License-Identifier: GPL-2.0
/* What is intact in a damaged file is read, and what is not is said. */
#include <string.h>

#include <kermon/report.h>

#include "synthetic.h"

#include "kselftest_harness.h"

#define SAMPLES	8

static const char *const events[] = { "instructions:u", "cycles:u", NULL };

FIXTURE(damage)
{
	struct synthetic file;
};

FIXTURE_SETUP(damage)
{
	synthetic_begin(&self->file, events);
	synthetic_comm(&self->file, 1, 1, "task", 1, false);
	for (unsigned int i = 0; i < SAMPLES; i++)
		synthetic_sample(&self->file, &(struct synthetic_sample){
			.event = i % 2, .pid = 1, .tid = 1, .time = 10 + i,
			.period = 1,
		});
	synthetic_finish(&self->file);
}

FIXTURE_TEARDOWN(damage)
{
	synthetic_end(&self->file);
}

struct outcome {
	int err;
	uint64_t samples;
	uint64_t damages;
	char text[KERMON_DAMAGE_TEXT];
};

static struct outcome outcome_of(const char *path)
{
	struct kermon_report *report = kermon_report_new(NULL);
	struct outcome outcome = { .err = kermon_report_read(report, path) };
	const struct kermon_damage *first = kermon_report_damage(report, 0);

	outcome.damages = kermon_report_nr_damages(report);
	if (first)
		strcpy(outcome.text, first->text);
	if (!outcome.err)
		for (size_t i = 0; i < kermon_report_nr_columns(report); i++)
			outcome.samples +=
				kermon_report_column(report, i)->samples;
	kermon_report_free(report);
	return outcome;
}

static struct outcome outcome_at(struct synthetic *file, size_t size)
{
	synthetic_write(file, size);
	return outcome_of(file->path);
}

TEST_F(damage, none)
{
	struct outcome outcome = outcome_of(self->file.path);

	EXPECT_EQ(0, outcome.err);
	EXPECT_EQ(SAMPLES, outcome.samples);
	EXPECT_EQ(0, outcome.damages);
}

/* However short the file: no crash, no silence, and every whole sample. */
TEST_F(damage, truncated_at_every_byte)
{
	const struct perfdata_header header = *synthetic_header(&self->file);
	size_t end = header.data.offset + header.data.size;
	size_t first = end - SAMPLES * sizeof(struct perfdata_sample);
	struct outcome outcome;

	for (size_t size = 0; size < self->file.size; size++) {
		outcome = outcome_at(&self->file, size);
		EXPECT_LT(0, outcome.damages);
		if (size < header.data.offset)
			continue;
		ASSERT_EQ(0, outcome.err);
		EXPECT_EQ(size >= end ? SAMPLES : size < first ? 0 :
			  (size - first) / sizeof(struct perfdata_sample),
			  outcome.samples);
	}
}

/* Whatever value a byte has: no crash, no endless loop. */
TEST_F(damage, every_byte_flipped)
{
	static const unsigned char flips[] = { 0x01, 0x80, 0xff };

	for (size_t at = 0; at < self->file.size; at++) {
		for (size_t i = 0; i < sizeof(flips); i++) {
			self->file.bytes[at] ^= flips[i];
			outcome_at(&self->file, self->file.size);
			self->file.bytes[at] ^= flips[i];
		}
	}
}

TEST_F(damage, record_too_large)
{
	struct perf_event_header *record = (void *)(self->file.bytes +
		synthetic_header(&self->file)->data.offset);
	struct outcome outcome;

	record = (void *)((char *)record + record->size);
	record->size = UINT16_MAX;
	outcome = outcome_at(&self->file, self->file.size);
	EXPECT_EQ(0, outcome.err);
	EXPECT_EQ(0, outcome.samples);
	EXPECT_EQ(1, outcome.damages);
	EXPECT_NE(NULL, strstr(outcome.text, "does not fit"));
}

TEST_F(damage, record_of_size_zero)
{
	struct perf_event_header *record = (void *)(self->file.bytes +
		synthetic_header(&self->file)->data.offset);

	record->size = 0;
	EXPECT_EQ(1, outcome_at(&self->file, self->file.size).damages);
}

TEST_F(damage, unknown_id)
{
	struct perfdata_sample *last = (void *)(self->file.bytes +
		synthetic_header(&self->file)->data.offset +
		synthetic_header(&self->file)->data.size);
	struct outcome outcome;

	last[-1].id = 4711;
	outcome = outcome_at(&self->file, self->file.size);
	EXPECT_EQ(SAMPLES - 1, outcome.samples);
	EXPECT_NE(NULL, strstr(outcome.text, "has an id that no event has"));
}

TEST_F(damage, recording_under_way)
{
	struct perfdata_header *header = synthetic_header(&self->file);
	size_t end = header->data.offset + header->data.size;
	struct outcome outcome;

	header->data.size = 0;
	memset(header->features, 0, sizeof(header->features));
	outcome = outcome_at(&self->file, end);
	EXPECT_EQ(SAMPLES, outcome.samples);
	EXPECT_NE(NULL, strstr(outcome.text, "was not finished"));
}

TEST_F(damage, other_kinds_of_files)
{
	struct outcome outcome;

	memcpy(self->file.bytes, "#!/bin/sh", 9);
	outcome = outcome_at(&self->file, self->file.size);
	EXPECT_EQ(-EINVAL, outcome.err);
	EXPECT_EQ(-EINVAL, outcome_of("/usr").err);
	EXPECT_EQ(-ENOENT, outcome_of("/nonexistent/perf.data").err);
}

TEST_HARNESS_MAIN
