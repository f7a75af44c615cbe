// SPDX-License-Identifier: GPL-2.0
/* What is intact in a damaged file is read, and what is not is reported. */
#include <errno.h>
#include <string.h>

#include <kermon/file.h>
#include <kermon/profile.h>
#include <kermon/readperf.h>
#include <kermon/report.h>

#include "collected.h"
#include "synthetic.h"

#include "kselftest_harness.h"

#define SAMPLES	8
#define SIZE	sizeof(struct perfdata_sample)	/* 56 */

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
	uint64_t of_first;	/* event */
	uint64_t damages;
	char text[KERMON_DAMAGE_TEXT];
};

static struct outcome outcome_of(const char *path)
{
	struct kermon_report_options options = collected();
	struct kermon_report *report = kermon_report_new(&options);
	struct outcome outcome = { .err = kermon_report_read(report, path) };
	const struct kermon_damage *first =
		kermon_damages_get(options.damages, 0);

	outcome.damages = kermon_damages_count(options.damages);
	if (first)
		strcpy(outcome.text, first->text);
	if (!outcome.err)
		outcome.of_first = kermon_report_column(report, 0)->records;
	if (!outcome.err)
		for (size_t i = 0; i < kermon_report_nr_columns(report); i++)
			outcome.samples +=
				kermon_report_column(report, i)->records;
	kermon_report_free(report);
	kermon_damages_free(options.damages);
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

/* However short the file: no crash, a message, and every complete sample. */
TEST_F(damage, truncated_at_every_byte)
{
	const struct perfdata_header header = *synthetic_header(&self->file);
	size_t end = header.data.offset + header.data.size;
	size_t first = end - SAMPLES * SIZE;
	struct outcome outcome;

	for (size_t size = 0; size < self->file.size; size++) {
		outcome = outcome_at(&self->file, size);
		EXPECT_LT(0, outcome.damages);
		if (size < header.data.offset)
			continue;
		ASSERT_EQ(0, outcome.err);
		EXPECT_EQ(size >= end ? SAMPLES : size < first ? 0 :
			  (size - first) / SIZE,
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

/* A record of the file: the first one is not a sample. */
static struct perf_event_header *record_at(struct synthetic *file,
					   unsigned int index)
{
	unsigned char *at = file->bytes +
			    synthetic_header(file)->data.offset;

	while (index--)
		at += ((struct perf_event_header *)at)->size;
	return (struct perf_event_header *)at;
}

/* Wrong sizes: all samples but one are found, or all. */
TEST_F(damage, records_of_any_size)
{
	static const struct {
		unsigned int size;
		uint64_t samples;
		uint64_t damages;
		const char *text;
	} lies[] = {
		{ 0, SAMPLES - 1, 1, "does not fit; 56 bytes from here on" },
		{ 7, SAMPLES - 1, 1, "does not fit; 56 bytes from here on" },
		{ 48, SAMPLES - 1, 2, "does not fit; 8 bytes from here on" },
		{ 64, SAMPLES, 1, "is truncated there, after 56" },
		{ 56 + 55, SAMPLES, 1, "is truncated there, after 56" },
		{ 65535, SAMPLES - 1, 1, "does not fit; 56 bytes from here on" },
	};
	struct perf_event_header *record = record_at(&self->file, 3);
	struct outcome outcome;

	ASSERT_EQ(SIZE, record->size);
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		record->size = lies[i].size;
		outcome = outcome_at(&self->file, self->file.size);
		EXPECT_EQ(0, outcome.err);
		EXPECT_EQ(lies[i].samples, outcome.samples);
		EXPECT_EQ(lies[i].damages, outcome.damages);
		EXPECT_NE(NULL, strstr(outcome.text, lies[i].text))
			TH_LOG("size %u: %s", lies[i].size, outcome.text);
	}
}

/* As a file system leaves a file after a crash: zeros, wherever it ends. */
TEST_F(damage, hole_of_zeros)
{
	unsigned char *hole = (unsigned char *)record_at(&self->file, 2);
	struct synthetic *file = &self->file;
	struct outcome outcome;

	for (size_t size = 8; size <= 4 * SIZE; size += 8) {
		memset(hole, 0, size);
		outcome = outcome_at(file, file->size);
		EXPECT_EQ(SAMPLES - (size + SIZE - 1) / SIZE, outcome.samples);
		EXPECT_EQ(1, outcome.damages);
		EXPECT_NE(NULL, strstr(outcome.text, "does not fit"));
	}
}

/* Bytes that are not records do not affect those around them. */
TEST_F(damage, noise_between_records)
{
	unsigned char *at = (unsigned char *)record_at(&self->file, 4);
	struct outcome outcome;

	for (size_t i = 0; i < SIZE; i++)
		at[i] = 0x80 | i;
	outcome = outcome_at(&self->file, self->file.size);
	EXPECT_EQ(SAMPLES - 1, outcome.samples);
	EXPECT_EQ(1, outcome.damages);
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
	EXPECT_NE(NULL, strstr(outcome.text, "has an unknown event id"));
}

/*
 * The event of a sample is unknown: because no ids are known, or because samples have
 * none, where the first field is taken for one.
 */
TEST_F(damage, samples_without_ids)
{
	const uint64_t types[] = { PERFDATA_SAMPLE_TYPE,
				   (PERFDATA_SAMPLE_TYPE | PERF_SAMPLE_ADDR) &
				   ~PERF_SAMPLE_IDENTIFIER };
	struct perfdata_attr *attrs = (void *)(self->file.bytes +
		synthetic_header(&self->file)->attrs.offset);
	struct outcome outcome;

	attrs[0].ids.size = 0;
	attrs[1].ids.size = 0;
	for (size_t i = 0; i < 2; i++) {
		attrs[0].attr.sample_type = types[i];
		attrs[1].attr.sample_type = types[i];
		outcome = outcome_at(&self->file, self->file.size);
		EXPECT_EQ(0, outcome.err);
		EXPECT_EQ(SAMPLES, outcome.samples);
		EXPECT_EQ(SAMPLES, outcome.of_first);
		EXPECT_EQ(1, outcome.damages);
		EXPECT_NE(NULL, strstr(outcome.text,
				       "all 2 events are counted as instructions:u"));
		attrs[1].attr.sample_type ^= PERF_SAMPLE_STREAM_ID;
		outcome = outcome_at(&self->file, self->file.size);
		EXPECT_EQ(-EINVAL, outcome.err);
		EXPECT_NE(NULL, strstr(outcome.text, "cannot be identified"));
	}
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

static int skip(void *context, const struct kermon_readperf_record *record)
{
	(void)context;
	(void)record;
	return 0;
}

struct found {
	unsigned int nr;
	struct kermon_damage last;
};

static void find(void *context, const struct kermon_damage *damage)
{
	struct found *found = context;

	found->nr++;
	found->last = *damage;
}

/* One interface for all that read: they see the same in a truncated file. */
TEST_F(damage, one_interface)
{
	struct found found = { .nr = 0 };
	struct kermon_damages *damages = kermon_damages_new(find, &found);
	struct kermon_report_options options = {
		.size = sizeof(options), .damages = damages,
	};
	struct kermon_file_options as_it_is = {
		.size = sizeof(as_it_is), .damages = damages,
	};
	const struct kermon_profile_callbacks none = { .size = sizeof(none) };
	struct kermon_report *report = kermon_report_new(&options);
	struct kermon_profile *profile =
		kermon_profile_new(&options, &none, NULL);
	struct kermon_readperf *readperf =
		kermon_readperf_new(&options, skip, NULL);
	struct kermon_file *file = kermon_file_new(&as_it_is);

	synthetic_write(&self->file, 60);
	EXPECT_EQ(-EINVAL, kermon_report_read(report, self->file.path));
	EXPECT_EQ(1, kermon_damages_count(damages));
	EXPECT_EQ(-EINVAL, kermon_profile_read(profile, self->file.path));
	EXPECT_EQ(2, kermon_damages_count(damages));
	EXPECT_EQ(-EINVAL, kermon_readperf_read(readperf, self->file.path));
	EXPECT_EQ(3, kermon_damages_count(damages));
	EXPECT_EQ(-EINVAL, kermon_file_open(file, self->file.path));
	EXPECT_EQ(4, kermon_damages_count(damages));
	EXPECT_EQ(4, found.nr);
	for (size_t i = 0; i < 4; i++)
		EXPECT_STREQ("the file ends inside its header",
			     kermon_damages_get(damages, i)->text);
	EXPECT_EQ(NULL, kermon_damages_get(damages, 4));
	EXPECT_EQ(60, found.last.offset);
	kermon_report_free(report);
	kermon_profile_free(profile);
	kermon_readperf_free(readperf);
	kermon_file_free(file);
	kermon_damages_free(damages);
}

/* The first ones are kept; each is passed on, and all are counted. */
TEST_F(damage, more_than_are_kept)
{
	struct found found = { .nr = 0 };
	struct kermon_damages *damages = kermon_damages_new(find, &found);
	struct kermon_report_options options = {
		.size = sizeof(options), .damages = damages,
	};
	struct kermon_report *report;
	size_t kept = 0;

	for (unsigned int i = 0; i < 20; i++) {
		report = kermon_report_new(&options);
		synthetic_write(&self->file, 40 + i);
		EXPECT_EQ(-EINVAL, kermon_report_read(report, self->file.path));
		kermon_report_free(report);
	}
	EXPECT_EQ(20, kermon_damages_count(damages));
	EXPECT_EQ(20, found.nr);
	EXPECT_EQ(59, found.last.offset);
	while (kermon_damages_get(damages, kept))
		kept++;
	EXPECT_GT(20, kept);
	EXPECT_EQ(40 + kept - 1, kermon_damages_get(damages, kept - 1)->offset);
	kermon_damages_free(damages);
}

TEST_HARNESS_MAIN
