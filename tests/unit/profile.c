// SPDX-License-Identifier: GPL-2.0
/* What <kermon/profile.h> passes to a program. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <kermon/profile.h>

#include "collected.h"
#include "symbols/symbols.h"
#include "synthetic.h"

#include "kselftest_harness.h"

#define KEPT	8

/* What the callbacks saw; @stop_at: the sample at which they stop. */
struct seen {
	struct kermon_profile_sample samples[KEPT];
	struct kermon_place places[KEPT];
	const char *symbols[KEPT];
	unsigned int nr;
	unsigned int events;
	unsigned int ends;
	unsigned int stop_at;
};

FIXTURE(profile)
{
	struct synthetic file;
	struct seen seen;
	struct kermon_report_options options;
	struct kermon_profile *profile;
};

static int see_begin(void *context, struct kermon_profile *profile)
{
	struct seen *seen = context;

	while (kermon_profile_event(profile, seen->events))
		seen->events++;
	return 0;
}

static int see_sample(void *context, const struct kermon_profile_sample *sample)
{
	struct seen *seen = context;
	struct kermon_place *place;

	if (seen->nr == KEPT)
		return -E2BIG;
	place = &seen->places[seen->nr];
	kermon_profile_place(sample, sample->mode, sample->ip, place);
	seen->symbols[seen->nr] = kermon_profile_symbol(sample->profile, place,
							KERMON_NAME_FULL);
	seen->samples[seen->nr++] = *sample;
	return seen->nr == seen->stop_at ? 1234 : 0;
}

static int see_end(void *context, struct kermon_profile *profile)
{
	struct seen *seen = context;

	(void)profile;
	seen->ends++;
	return 0;
}

static const struct kermon_profile_callbacks callbacks = {
	.size = sizeof(callbacks),
	.begin = see_begin,
	.sample = see_sample,
	.end = see_end,
};

FIXTURE_SETUP(profile)
{
	self->options = collected();
	self->profile = kermon_profile_new(&self->options, &callbacks,
					   &self->seen);
	ASSERT_NE(NULL, self->profile);
}

FIXTURE_TEARDOWN(profile)
{
	kermon_profile_free(self->profile);
	kermon_damages_free(self->options.damages);
	synthetic_end(&self->file);
}

static const char *const two_events[] = { "instructions:u", "cycles:u", NULL };

static void put_sample(struct synthetic *file, unsigned int event,
		       uint32_t tid, uint64_t time, uint64_t ip)
{
	synthetic_sample(file, &(struct synthetic_sample){
		.event = event, .pid = 10, .tid = tid, .cpu = 3, .time = time,
		.period = 100 + time, .ip = ip,
	});
}

TEST_F(profile, samples_in_the_order_of_time)
{
	const struct kermon_profile_sample *first = &self->seen.samples[0];

	synthetic_begin(&self->file, two_events);
	synthetic_comm(&self->file, 10, 10, "main", 1, false);
	put_sample(&self->file, 0, 11, 9, 0x9000);
	put_sample(&self->file, 1, 10, 5, 0x5000);
	synthetic_comm(&self->file, 10, 10, "later", 7, false);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_profile_read(self->profile, self->file.path));
	EXPECT_EQ(2, self->seen.events);
	EXPECT_EQ(1, self->seen.ends);
	ASSERT_EQ(2, self->seen.nr);

	EXPECT_EQ(5, first->time);
	EXPECT_EQ(105, first->period);
	EXPECT_EQ(0x5000, first->ip);
	EXPECT_EQ(10, first->pid);
	EXPECT_EQ(10, first->tid);
	EXPECT_EQ(3, first->cpu);
	EXPECT_EQ(PERF_RECORD_MISC_USER, first->mode);
	EXPECT_EQ(PERFDATA_SAMPLE_TYPE, first->fields);
	EXPECT_EQ(1, first->event->index);
	EXPECT_STREQ("cycles:u", first->event->name);
	EXPECT_STREQ("main", first->comm);
	EXPECT_EQ(9, self->seen.samples[1].time);
	EXPECT_STREQ("instructions:u", self->seen.samples[1].event->name);
}

TEST_F(profile, places)
{
	const struct kermon_place *place = self->seen.places;

	synthetic_begin(&self->file, two_events);
	synthetic_mmap(&self->file, 10, 0x4000, 0x1000, 0x800, "/no/where/a",
		       1);
	put_sample(&self->file, 0, 10, 2, 0x4010);
	put_sample(&self->file, 0, 10, 3, 0x5000);
	synthetic_mmap(&self->file, 10, 0x4000, 0x1000, 0, "/no/where/b", 4);
	put_sample(&self->file, 0, 10, 5, 0x4010);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_profile_read(self->profile, self->file.path));
	ASSERT_EQ(3, self->seen.nr);

	EXPECT_STREQ("a", place[0].name);
	EXPECT_STREQ("/no/where/a", place[0].path);
	EXPECT_EQ(0x810, place[0].offset);
	EXPECT_FALSE(place[0].is_kernel);
	EXPECT_EQ(NULL, place[1].dso);
	EXPECT_EQ(NULL, place[1].name);
	EXPECT_STREQ("b", place[2].name);
	EXPECT_EQ(0x10, place[2].offset);
	/* neither file exists */
	EXPECT_EQ(NULL, self->seen.symbols[0]);
	EXPECT_EQ(0, kermon_place_offset(&place[0]));
}

TEST_F(profile, callbacks_stop_it)
{
	synthetic_begin(&self->file, two_events);
	for (unsigned int i = 1; i < 5; i++)
		put_sample(&self->file, 0, 10, i, 0x1000);
	synthetic_finish(&self->file);
	self->seen.stop_at = 2;
	EXPECT_EQ(1234, kermon_profile_read(self->profile, self->file.path));
	EXPECT_EQ(2, self->seen.nr);
	EXPECT_EQ(0, self->seen.ends);
}

TEST_F(profile, damage)
{
	const struct kermon_damage *damage;

	synthetic_begin(&self->file, two_events);
	put_sample(&self->file, 0, 10, 1, 0x1000);
	synthetic_finish(&self->file);
	synthetic_write(&self->file, self->file.size - 1);
	EXPECT_EQ(0, kermon_profile_read(self->profile, self->file.path));
	EXPECT_EQ(1, self->seen.nr);
	EXPECT_LT(0, kermon_damages_count(self->options.damages));
	damage = kermon_damages_get(self->options.damages, 0);
	ASSERT_NE(NULL, damage);
	EXPECT_NE(0, *damage->text);
	EXPECT_EQ(NULL, kermon_damages_get(self->options.damages, 100));
}

/* A program built with an older version, which has fewer callbacks. */
TEST_F(profile, size_of_callbacks)
{
	struct kermon_profile_callbacks older = callbacks;
	struct kermon_profile *profile;

	older.size = offsetof(struct kermon_profile_callbacks, end);
	profile = kermon_profile_new(NULL, &older, &self->seen);
	ASSERT_NE(NULL, profile);
	synthetic_begin(&self->file, two_events);
	put_sample(&self->file, 0, 10, 1, 0x1000);
	synthetic_finish(&self->file);
	EXPECT_EQ(0, kermon_profile_read(profile, self->file.path));
	EXPECT_EQ(1, self->seen.nr);
	EXPECT_EQ(0, self->seen.ends);
	kermon_profile_free(profile);
}

#define KERNEL_TEXT	0xffffffff81000000ULL

/* What see_frames() found out in its callback. */
struct frames {
	ssize_t nr;
	struct kermon_frame frames[2];
	const char *full;
	const char *brief;
	const char *linked;
	uint64_t offset;
};

static int see_frames(void *context, const struct kermon_profile_sample *sample)
{
	const struct kermon_place *place;
	const struct kermon_frame *frames;
	struct frames *seen = context;

	seen->nr = kermon_profile_frames(sample, &frames);
	if (seen->nr != 2)
		return -EINVAL;
	memcpy(seen->frames, frames, sizeof(seen->frames));
	place = &frames[0].place;
	seen->full = kermon_profile_symbol(sample->profile, place,
					   KERMON_NAME_FULL);
	seen->brief = kermon_profile_symbol(sample->profile, place,
					    KERMON_NAME_SHORT);
	seen->linked = kermon_profile_symbol(sample->profile, place,
					     KERMON_NAME_LINKED);
	seen->offset = kermon_place_offset(place);
	return 0;
}

TEST_F(profile, frames_and_names)
{
	static const uint64_t chain[] = {
		4, PERF_CONTEXT_KERNEL, KERNEL_TEXT + 0x110,
		PERF_CONTEXT_USER, 0x4010,
	};
	const struct kermon_profile_callbacks only = {
		.size = sizeof(only), .sample = see_frames,
	};
	struct kermon_report_options options = {
		.size = sizeof(options),
	};
	struct kermon_profile *profile;
	struct frames seen = { 0 };
	FILE *kallsyms;
	char path[] = "/tmp/kermon-unit-XXXXXX";
	int fd = mkstemp(path);

	ASSERT_LE(0, fd);
	kallsyms = fdopen(fd, "w");
	fputs("ffffffff81000000 T _text\n"
	      "ffffffff81000100 T _ZN4list3addEi\n"
	      "ffffffff81000200 T behind\n", kallsyms);
	fclose(kallsyms);
	options.kallsyms = path;
	synthetic_start_with(&self->file, two_events, ~0U,
			     &(struct perf_event_attr){
		.sample_type = PERF_SAMPLE_CALLCHAIN,
	});
	synthetic_kernel(&self->file, KERNEL_TEXT);
	synthetic_mmap(&self->file, 10, 0x4000, 0x1000, 0, "/no/where/a", 1);
	synthetic_sample_with(&self->file, &(struct synthetic_sample){
		.pid = 10, .tid = 10, .time = 2, .ip = KERNEL_TEXT + 0x110,
	}, PERF_RECORD_MISC_KERNEL, chain, sizeof(chain));
	synthetic_finish(&self->file);
	profile = kermon_profile_new(&options, &only, &seen);
	ASSERT_NE(NULL, profile);
	EXPECT_EQ(0, kermon_profile_read(profile, self->file.path));
	unlink(path);

	ASSERT_EQ(2, seen.nr);
	EXPECT_EQ(PERF_RECORD_MISC_KERNEL, seen.frames[0].mode);
	EXPECT_TRUE(seen.frames[0].place.is_kernel);
	EXPECT_STREQ("list::add(int)", seen.full);
	EXPECT_STREQ("list::add", seen.brief);
	EXPECT_STREQ("_ZN4list3addEi", seen.linked);
	EXPECT_EQ(0x10, seen.offset);
	EXPECT_EQ(0x4010, seen.frames[1].address);
	EXPECT_EQ(0x10, seen.frames[1].place.offset);
	EXPECT_STREQ("a", seen.frames[1].place.name);
	kermon_profile_free(profile);
}

TEST(short_names)
{
	static const char *const names[][2] = {
		{ "_ZN4list3addEi", "list::add" },
		{ "_ZN4list3addEi@plt", "list::add@plt" },
	};
	char *name;

	for (size_t i = 0; i < 2; i++) {
		name = symbol_demangle_short(names[i][0]);
		EXPECT_STREQ(names[i][1], name);
		free(name);
	}
	EXPECT_EQ(NULL, symbol_demangle_short("main@plt"));
}

TEST_HARNESS_MAIN
