// SPDX-License-Identifier: GPL-2.0
/* Options of programs that were built with other versions of the headers. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <kermon/file.h>
#include <kermon/merge.h>
#include <kermon/msr.h>
#include <kermon/profile.h>
#include <kermon/readperf.h>
#include <kermon/recorder.h>
#include <kermon/report.h>
#include <kermon/writer.h>

#include "util/sized.h"

#include "kselftest_harness.h"

struct known {
	size_t size;
	int first;
	int second;
};

struct longer {
	struct known known;
	int third;
	char fourth[3];
};

TEST(the_same)
{
	struct known given = { sizeof(given), 1, 2 }, taken;

	EXPECT_EQ(0, sized_take(&taken, sizeof(taken), &given));
	EXPECT_EQ(sizeof(taken), taken.size);
	EXPECT_EQ(1, taken.first);
	EXPECT_EQ(2, taken.second);
}

TEST(none)
{
	struct known taken = { 7, 7, 7 };

	EXPECT_EQ(0, sized_take(&taken, sizeof(taken), NULL));
	EXPECT_EQ(sizeof(taken), taken.size);
	EXPECT_EQ(0, taken.first);
	EXPECT_EQ(0, taken.second);
}

/* Fields that an older program does not have are 0, whatever follows in memory. */
TEST(shorter)
{
	struct known given = { offsetof(struct known, second), 1, 2 }, taken;

	EXPECT_EQ(0, sized_take(&taken, sizeof(taken), &given));
	EXPECT_EQ(sizeof(taken), taken.size);
	EXPECT_EQ(1, taken.first);
	EXPECT_EQ(0, taken.second);
	given.size = sizeof(given.size);
	EXPECT_EQ(0, sized_take(&taken, sizeof(taken), &given));
	EXPECT_EQ(0, taken.first);
}

/* A newer program may have more fields, if it does not use them. */
TEST(longer)
{
	struct longer given;
	struct known taken;

	memset(&given, 0, sizeof(given));
	given.known = (struct known){ sizeof(given), 1, 2 };
	EXPECT_EQ(0, sized_take(&taken, sizeof(taken), &given));
	EXPECT_EQ(sizeof(taken), taken.size);
	EXPECT_EQ(2, taken.second);
	given.fourth[2] = 1;
	EXPECT_EQ(-E2BIG, sized_take(&taken, sizeof(taken), &given));
	given.known.size = offsetof(struct longer, fourth) + 2;
	EXPECT_EQ(0, sized_take(&taken, sizeof(taken), &given));
	given.third = 1;
	EXPECT_EQ(-E2BIG, sized_take(&taken, sizeof(taken), &given));
}

TEST(not_set)
{
	struct known given = { 0, 1, 2 }, taken;

	EXPECT_EQ(-EINVAL, sized_take(&taken, sizeof(taken), &given));
	given.size = sizeof(given.size) - 1;
	EXPECT_EQ(-EINVAL, sized_take(&taken, sizeof(taken), &given));
}

/* An options structure, followed by 16 bytes of a later version. */
#define LATER(type)							\
	struct { type known; char more[16]; }

/* Checks that the function rejects a size of 0, and unknown fields that are set. */
#define EXPECT_SIZED(type, given, expression, is_refused) do {		\
	LATER(type) later;						\
	type *const given = &later.known;				\
	memset(&later, 0, sizeof(later));				\
	EXPECT_TRUE(is_refused(expression, EINVAL));			\
	later.known.size = sizeof(later);				\
	later.more[15] = 1;						\
	EXPECT_TRUE(is_refused(expression, E2BIG));			\
} while (0)

#define NULL_AND_ERRNO(expression, error)				\
	(errno = 0, !(expression) && errno == (error))
#define NEGATIVE(expression, error)	((expression) == -(error))

TEST(of_each_function)
{
	static const struct kermon_profile_callbacks none = {
		.size = sizeof(none)
	};
	struct kermon_recorder *recorder;
	struct kermon_writer *writer;
	struct kermon_msr *msr;

	EXPECT_SIZED(struct kermon_report_options, options,
		     kermon_report_new(options), NULL_AND_ERRNO);
	EXPECT_SIZED(struct kermon_report_options, options,
		     kermon_profile_new(options, &none, NULL), NULL_AND_ERRNO);
	EXPECT_SIZED(struct kermon_profile_callbacks, callbacks,
		     kermon_profile_new(NULL, callbacks, NULL),
		     NULL_AND_ERRNO);
	EXPECT_SIZED(struct kermon_report_options, options,
		     kermon_readperf_new(options, NULL, NULL), NULL_AND_ERRNO);
	EXPECT_SIZED(struct kermon_file_options, options,
		     kermon_file_new(options), NULL_AND_ERRNO);
	EXPECT_SIZED(struct kermon_merge_options, options,
		     kermon_merge_new(options), NULL_AND_ERRNO);
	EXPECT_SIZED(struct kermon_writer_options, options,
		     kermon_writer_open(&writer, options), NEGATIVE);
	EXPECT_SIZED(struct kermon_msr_options, options,
		     kermon_msr_open(&msr, options, NULL), NEGATIVE);
	EXPECT_SIZED(struct kermon_recorder_options, options,
		     kermon_recorder_open(&recorder, options), NEGATIVE);
}

/* A program of a version that had only the size. */
TEST(oldest_program)
{
	const size_t only = sizeof(only);
	struct kermon_report *report = kermon_report_new((const void *)&only);
	struct kermon_profile *profile =
		kermon_profile_new((const void *)&only, (const void *)&only,
				   NULL);

	ASSERT_NE(NULL, report);
	ASSERT_NE(NULL, profile);
	kermon_report_free(report);
	kermon_profile_free(profile);
}

TEST_HARNESS_MAIN
