// SPDX-License-Identifier: GPL-2.0
/* Lists of CPUs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/cpulist.h"

#include "kselftest_harness.h"

/* The list as numbers with blanks before them, or the name of the error. */
static const char *parsed(const char *text)
{
	static char found[256];
	unsigned int *cpus;
	int nr = cpulist_parse(text, &cpus), length = 0;

	found[0] = '\0';
	if (nr < 0)
		snprintf(found, sizeof(found), "%s", strerrorname_np(-nr));
	for (int i = 0; i < nr; i++)
		length += snprintf(found + length, sizeof(found) - length, " %u", cpus[i]);
	free(cpus);
	return found;
}

TEST(lists)
{
	EXPECT_STREQ(" 0", parsed("0"));
	EXPECT_STREQ(" 0 1 2 3 8", parsed("0-3,8"));
	EXPECT_STREQ(" 2 5", parsed("5,2,5,2-2"));
	EXPECT_STREQ(" 8191", parsed("8191"));
}

TEST(no_lists)
{
	static const char *const wrong[] = {
		"", ",", "1,", ",1", "a", "1-", "-1", "3-2", "1 2", "1,,2", "0x1", "+1",
		"1-2-3", "0-3 ",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		EXPECT_STREQ("EINVAL", parsed(wrong[i])) {
			TH_LOG("'%s'", wrong[i]);
		}
	}
	EXPECT_STREQ("ERANGE", parsed("8192"));
	EXPECT_STREQ("ERANGE", parsed("1-99999"));
	EXPECT_STREQ("EINVAL", parsed("1-99999999999999999999"));
}

TEST(online)
{
	unsigned int *cpus;
	int nr = cpulist_online(&cpus);

	EXPECT_LE(1, nr);
	free(cpus);
}

TEST_HARNESS_MAIN
