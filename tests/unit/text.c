// SPDX-License-Identifier: GPL-2.0
/* Names as they are safe for a terminal. */
#include <stdlib.h>
#include <string.h>

#include <kermon/text.h>

#include "kselftest_harness.h"

static bool is_shown_as(const char *text, const char *wanted)
{
	char *escaped = kermon_text_escaped(text);
	bool same = escaped && !strcmp(escaped, wanted) &&
		    kermon_text_is_plain(text) == !strcmp(text, wanted);

	if (!same)
		fprintf(stderr, "# '%s', not '%s'\n", escaped, wanted);
	free(escaped);
	return same;
}

TEST(visible)
{
	EXPECT_TRUE(is_shown_as("", ""));
	EXPECT_TRUE(is_shown_as("std::vector<int>::push_back(int&&)\\n",
				"std::vector<int>::push_back(int&&)\\n"));
	EXPECT_TRUE(is_shown_as("\u00e4\u20ac\U0001f600 \u00a0",
				"\u00e4\u20ac\U0001f600 \u00a0"));
}

TEST(control_characters)
{
	EXPECT_TRUE(is_shown_as("a\x1b[31mb\n", "a\\x1b[31mb\\n"));
	EXPECT_TRUE(is_shown_as("\t\r\x01\x7f", "\\t\\r\\x01\\x7f"));
	EXPECT_TRUE(is_shown_as("\xc2\x9b" "31m", "\\u009b31m"));
	EXPECT_TRUE(is_shown_as("\u202egpj\u2066\u2028\u200f\ufeff\u061c",
				"\\u202egpj\\u2066\\u2028\\u200f\\ufeff\\u061c"));
	EXPECT_TRUE(is_shown_as("a\xef\xbf\xbe\xef\xbf\xbf" "b\ufffd", "a\\ufffe\\uffffb\ufffd"));
}

/* Invalid first bytes, overlong, truncated, surrogates, too large. */
TEST(not_utf8)
{
	EXPECT_TRUE(is_shown_as("\x9b" "1m", "\\x9b1m"));
	EXPECT_TRUE(is_shown_as("\xff\xfe", "\\xff\\xfe"));
	EXPECT_TRUE(is_shown_as("\xc0\x9b", "\\xc0\\x9b"));
	EXPECT_TRUE(is_shown_as("\xe0\x80\x9b", "\\xe0\\x80\\x9b"));
	EXPECT_TRUE(is_shown_as("\xe2\x82", "\\xe2\\x82"));
	EXPECT_TRUE(is_shown_as("\xed\xa0\x80", "\\xed\\xa0\\x80"));
	EXPECT_TRUE(is_shown_as("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"));
}

static ssize_t count_write(void *context, const char *bytes, size_t size)
{
	(void)bytes;
	++*(int *)context;
	return size;
}

/* Most names are ASCII: a single write for everything up to the next other character. */
TEST(runs_of_ascii)
{
	int writes = 0;
	FILE *out = fopencookie(&writes, "w", (cookie_io_functions_t){
					.write = count_write });

	ASSERT_NE(NULL, out);
	setvbuf(out, NULL, _IONBF, 0);
	kermon_text_print(out, "std::vector<int>::push_back(int&&)");
	EXPECT_EQ(1, writes);
	kermon_text_print(out, "before \u00e4 after");
	EXPECT_EQ(4, writes);
	fclose(out);
	EXPECT_TRUE(is_shown_as("before\nbetween\x1b after\u00e4",
				"before\\nbetween\\x1b after\u00e4"));
}

TEST(numbers_of_things)
{
	EXPECT_STREQ("s", kermon_plural(0));
	EXPECT_STREQ("", kermon_plural(1));
	EXPECT_STREQ("s", kermon_plural(2));
	EXPECT_STREQ("were", kermon_were(0));
	EXPECT_STREQ("was", kermon_were(1));
	EXPECT_STREQ("were", kermon_were(UINT64_MAX));
}

TEST_HARNESS_MAIN
