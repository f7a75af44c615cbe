// SPDX-License-Identifier: GPL-2.0
/* The policy of counters is that of the command line before anything can set it. */
#include <errno.h>

#include "kselftest_harness.h"

#include "credentials.h"

/* The machine starts with sysctl.kernel.kermon_counters_group="1000 1000". */
TEST(group_of_the_command_line)
{
	ASSERT_TRUE(set_sysctl(PARANOID, 2));
	EXPECT_EQ(0, count_as(SOMEBODY, KERMON_COUNT_USER));
	EXPECT_EQ(EACCES, count_as(SOMEBODY, KERMON_COUNT_USER | KERMON_COUNT_KERNEL));
	EXPECT_EQ(EACCES, count_as(NOBODY, KERMON_COUNT_USER));
	EXPECT_EQ(0, count_as(NOBODY, 0));
}

TEST_HARNESS_MAIN
