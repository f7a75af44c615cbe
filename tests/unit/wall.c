// SPDX-License-Identifier: GPL-2.0
/* Times of day in filters: which are accepted, and what they are in the clock of a file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "flow/filter.h"

#include "kselftest_harness.h"

#define SECOND	1000000000ULL

/* The recording began at 100 s of its clock: 2026-03-28 22:30:00.25 UTC. */
static const struct wall began = {
	.time = 100 * SECOND, .wall = 1774737000 * SECOND + SECOND / 4,
};

static void set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

static const struct {
	const char *zone, *text;
	int64_t first, last;	/* quarters of a second after the beginning; 0: no limit */
} found[] = {
	{ "UTC", "22:30:00.25", 400, 0 },
	{ "UTC", "22:30:01", 403, 0 },
	{ "UTC", "22:30:01.0,22:30:02.50000000099", 403, 409 },
	{ "UTC", ",22:30:02", 0, 407 },
	{ "UTC", "22:30", 399, 0 },
	{ "UTC", "22:31,", 639, 0 },
	/* Before the clock began, which is a long time before the recording. */
	{ "UTC", "22:00,22:30:01", 0, 403 },
	{ "UTC", "2026-03-28 22:30:01,22:30:02", 403, 407 },
	{ "UTC", "2026-03-28T22:30:01,2026-03-28T22:30:02", 403, 407 },
	/* The first such time after the begin. */
	{ "UTC", "22:30:01,0:00", 403, 403 + 4 * 5399 },
	{ "UTC", "2026-03-29 00:00,01:00", 403 + 4 * 5399, 403 + 4 * (5399 + 3600) },
	{ "UTC", "22:30:01,2026-03-30 22:30:01", 403, 403 + 4 * 2 * 86400 },
	/* In this zone it was tomorrow, 04:00:00.25. */
	{ "Asia/Kolkata", "04:00:01,4:00:02", 403, 407 },
	{ "Asia/Kolkata", "2026-03-29 04:00:01", 403, 0 },
	/* An hour before, clocks showed 22:30; at 02:00, they are put forward to 03:00. */
	{ "Europe/Berlin", "23:30:01,01:59:59", 403, 403 + 4 * (3600 * 2 + 1798) },
	{ "Europe/Berlin", "23:30:01,3:00", 403, 403 + 4 * (3600 * 2 + 1799) },
};

TEST(found_in_the_clock_of_the_file)
{
	struct filter_range range;
	struct filter_wall wall;

	for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++) {
		set_zone(found[i].zone);
		ASSERT_EQ(0, filter_wall_parse(&wall, found[i].text));
		ASSERT_EQ(0, filter_wall_resolve(&wall, &began, &range));
		EXPECT_EQ(found[i].first * SECOND / 4, range.first) {
			TH_LOG("%s", found[i].text);
		}
		EXPECT_EQ(found[i].last ? found[i].last * SECOND / 4 : UINT64_MAX,
			  range.last) {
			TH_LOG("%s", found[i].text);
		}
	}
}

TEST(nanoseconds)
{
	struct filter_range range;
	struct filter_wall wall;

	set_zone("UTC");
	ASSERT_EQ(0, filter_wall_parse(&wall, "22:30:00.250000001,22:30:00.2500000029"));
	ASSERT_EQ(0, filter_wall_resolve(&wall, &began, &range));
	EXPECT_EQ(began.time + 1, range.first);
	EXPECT_EQ(began.time + 2, range.last);
}

TEST(refused)
{
	static const char *const bad[] = {
		"", ":", "24:00", "10:60", "10:30:60", "1030", "10:3", "010:30",
		"10:30x", "10:30:", "10:30:1", "10:30 ", " 10:30", "-10:30",
		"10:30,5", "5,10:30", "10:30,11:30,12:30", "10:30-11:30",
		"2026-02-30 10:00", "2026-00-10 10:00", "2026-01-00 10:00",
		"2026-13-01 10:00", "2026-1-1 10:00", "2026-11-25", "2026-11-25 ",
		"2026-11-25  10:30", "26-11-25 10:30", "2026-11-25 10:30Z",
		"2026-11-25 10:31,2026-11-25 10:30",
		"2026-11-25 10:30:00.2,2026-11-25 10:30:00.1",
	};
	struct filter_wall wall;

	set_zone("UTC");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		EXPECT_EQ(-EINVAL, filter_wall_parse(&wall, bad[i])) {
			TH_LOG("'%s'", bad[i]);
		}
	}
}

/* On that day, clocks showed 03:00 a second after 01:59:59. */
TEST(no_such_time)
{
	struct filter_range range;
	struct filter_wall wall;

	set_zone("Europe/Berlin");
	EXPECT_EQ(-EINVAL, filter_wall_parse(&wall, "2026-03-29 02:30"));
	ASSERT_EQ(0, filter_wall_parse(&wall, "23:30,02:30"));
	EXPECT_EQ(-EINVAL, filter_wall_resolve(&wall, &began, &range));
	ASSERT_EQ(0, filter_wall_parse(&wall, "2026-03-29 00:30,02:30"));
	EXPECT_EQ(-EINVAL, filter_wall_resolve(&wall, &began, &range));
}

TEST_HARNESS_MAIN
