// SPDX-License-Identifier: GPL-2.0
/* Allow-lists: their format, the index, and what the installed ones permit. */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helper/allowlist.h"
#include "self.h"

#include "kselftest_harness.h"

static struct allowlist list;

static int parse(const char *text)
{
	return allowlist_parse(&list, text, strlen(text));
}

TEST(entries)
{
	const struct kermon_msr_entry *entry;

	ASSERT_EQ(0, parse("# MSR     Write mask\n"
			   "\n"
			   "0x00000611 0x0000000000000000 # \"MSR_PKG_ENERGY\"\n"
			   "  0x10\t0x0 # TSC: time stamp counter\n"
			   "0xC0010200 0xFfc7fFff # PERF_CTL0 zero=0x100000 an event: select\n"
			   "0x186 0xffffffffffffffff"));
	ASSERT_EQ(4, list.nr);
	EXPECT_EQ(0x10, list.entries[0].reg);
	EXPECT_STREQ("TSC", list.entries[0].name);
	EXPECT_STREQ("time stamp counter", list.entries[0].about);
	EXPECT_EQ(0x186, list.entries[1].reg);
	EXPECT_EQ(UINT64_MAX, list.entries[1].mask);
	EXPECT_STREQ("", list.entries[1].name);
	entry = allowlist_find(&list, 0x611);
	ASSERT_NE(NULL, entry);
	EXPECT_EQ(0, entry->mask);
	EXPECT_STREQ("MSR_PKG_ENERGY", entry->name);
	entry = allowlist_find(&list, 0xc0010200);
	ASSERT_NE(NULL, entry);
	EXPECT_EQ(0xffc7ffff, entry->mask);
	EXPECT_EQ(0x100000, entry->zero);
	EXPECT_STREQ("PERF_CTL0", entry->name);
	EXPECT_STREQ("an event: select", entry->about);
	EXPECT_EQ(NULL, allowlist_find(&list, 0x11));
	EXPECT_EQ(NULL, allowlist_find(&list, 0));
	EXPECT_EQ(NULL, allowlist_find(&list, UINT32_MAX));
}

TEST(rejected_lines)
{
	static const char *const lines[] = {
		"0x10", "0x10 ", "0x10 # name", "10 0x0", "0x 0x0", "0x10 0x",
		"0x10 0", "0x100000000 0x0", "0x10 0x10000000000000000",
		"0x10 0x0 0x0", "0x10 0x0name", "-0x10 0x0", "0x10,0x0",
		"0x10 0x0 # \x1b[31m", "0x1 0x3 # A zero=0x2", "0x1 0x3 # A zero=2",
		"0x10 0x0 # \xc3\xa4", "0x1g 0x0",
	};
	char text[64];

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		snprintf(text, sizeof(text), "0x11 0x0\n%s\n", lines[i]);
		EXPECT_EQ(-EINVAL, parse(text)) {
			TH_LOG("accepted: %s", lines[i]);
		}
		EXPECT_EQ(2, list.line);
		EXPECT_EQ(0, list.nr);
	}
	EXPECT_EQ(-EINVAL, allowlist_parse(&list, "0x10\0 0x0", 9));
	EXPECT_EQ(-EEXIST, parse("0x10 0x0\n0x12 0x0\n0x010 0x1\n"));
	EXPECT_EQ(3, list.line);
}

TEST(long_lines)
{
	char text[300];

	memset(text, '#', sizeof(text));
	EXPECT_EQ(0, allowlist_parse(&list, text, 255));
	EXPECT_EQ(-EINVAL, allowlist_parse(&list, text, 256));
	memcpy(text, "0x1 0x2 #", 9);
	memset(text + 9, 'x', 200);
	EXPECT_EQ(0, allowlist_parse(&list, text, 200));
	EXPECT_EQ(KERMON_MSR_NAME - 1, strlen(list.entries[0].name));
}

TEST(too_many_entries)
{
	char *text = malloc((ALLOWLIST_MAX + 1) * 16), *end = text;

	/* descending, so that each one is inserted before the others */
	for (int i = ALLOWLIST_MAX; i >= 0; i--)
		end += sprintf(end, "0x%x 0x0\n", i + 0x100);
	EXPECT_EQ(-E2BIG, allowlist_parse(&list, text, end - text));
	EXPECT_EQ(0, allowlist_parse(&list, strchr(text, '\n') + 1,
				     end - strchr(text, '\n') - 1));
	EXPECT_EQ(ALLOWLIST_MAX, list.nr);
	EXPECT_EQ(0x100, list.entries[0].reg);
	EXPECT_EQ(0x100 + ALLOWLIST_MAX - 1,
		  list.entries[ALLOWLIST_MAX - 1].reg);
	free(text);
}

static int choose(const char *text, unsigned int model,
		  char file[ALLOWLIST_FILE], unsigned int *line)
{
	const struct processor processor = {
		.vendor = "GenuineIntel", .family = 6, .model = model,
	};

	return allowlist_choose(text, strlen(text), &processor, file, line);
}

TEST(index_of_lists)
{
	static const char text[] = "# comment\n"
		"AuthenticAMD 0x6 * amd.list\n"
		"GenuineIntel 0xf * old.list\n"
		"GenuineIntel 0x06 0x3a,0x3e-0x3f one.list # Ivy Bridge\n"
		"GenuineIntel 0x06 * other.list\n";
	char file[ALLOWLIST_FILE];
	unsigned int line;

	EXPECT_EQ(0, choose(text, 0x3a, file, &line));
	EXPECT_STREQ("one.list", file);
	EXPECT_EQ(0, choose(text, 0x3f, file, &line));
	EXPECT_STREQ("one.list", file);
	EXPECT_EQ(0, choose(text, 0x3b, file, &line));
	EXPECT_STREQ("other.list", file);
	EXPECT_EQ(-ENOENT, choose("AuthenticAMD 0x6 * a.list", 1, file, &line));
	EXPECT_EQ(-ENOENT, choose("", 1, file, &line));
}

TEST(rejected_index)
{
	static const char *const lines[] = {
		"GenuineIntel", "GenuineIntel 6 * a", "GenuineIntel 0x6 a",
		"GenuineIntel 0x6 0x1- a", "GenuineIntel 0x6 0x2-0x1 a",
		"GenuineIntel 0x6 0x1, a", "GenuineIntel 0x6 *",
		"GenuineIntel 0x6 * ../a", "GenuineIntel 0x6 * /etc/passwd",
		"GenuineIntel 0x6 * .hidden", "GenuineIntel 0x6 * a b",
		"GenuineIntel 0x6 0x100 a", "GenuineIntel 0x6 * a\x7f",
	};
	char file[ALLOWLIST_FILE], text[96];
	unsigned int line;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		snprintf(text, sizeof(text), "\n%s\n", lines[i]);
		EXPECT_EQ(-EINVAL, choose(text, 1, file, &line)) {
			TH_LOG("accepted: %s", lines[i]);
		}
		EXPECT_EQ(2, line);
	}
}

/* Bits of event selects that interrupt a CPU or count its other hyperthreads. */
#define SELECT_INTERRUPT	(1ULL << 20)
#define SELECT_ANY_THREAD	(1ULL << 21)

static bool is_select(uint32_t reg)
{
	return (reg >= 0x186 && reg < 0x190) ||
	       (reg >= 0xc0010200 && reg < 0xc001020c && !(reg & 1));
}

/* What no list may permit, whatever it is for. */
static bool is_harmless(const struct kermon_msr_entry *entry)
{
	if (is_select(entry->reg))
		return !(entry->mask & (SELECT_INTERRUPT | SELECT_ANY_THREAD)) &&
		       entry->zero & SELECT_INTERRUPT;
	if (entry->zero)
		return false;
	if (entry->reg == 0x38d)
		return !(entry->mask & 0xcccccccc);
	return !entry->mask || (entry->reg >= 0x4c1 && entry->reg <= 0x4c8) ||
	       (entry->reg >= 0x309 && entry->reg <= 0x30c) ||
	       entry->reg == 0x38f || entry->reg == 0x390 ||
	       entry->reg == 0x1a6 || entry->reg == 0x1a7 ||
	       (entry->reg >= 0xc0010200 && entry->reg < 0xc001020c) ||
	       entry->reg == 0xc0000301 || entry->reg == 0xc0000302;
}

static size_t read_share(const char *name, char *text, size_t size)
{
	char path[PATH_MAX];
	size_t length = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/../../share/kermon/msr/%s",
		 dirname(strdupa(self_file())), name);
	file = fopen(path, "re");
	if (file) {
		length = fread(text, 1, size, file);
		fclose(file);
	}
	return length;
}

static const struct {
	struct processor processor;
	const char *file;
} processors[] = {
	{ { "GenuineIntel", 6, 0x3e }, "intel-core.list" },
	{ { "GenuineIntel", 6, 0x55 }, "intel-core.list" },
	{ { "GenuineIntel", 6, 0x6a }, "intel-icelake.list" },
	{ { "GenuineIntel", 6, 0x8f }, "intel-icelake.list" },
	{ { "GenuineIntel", 6, 0x97 }, "intel-energy.list" },
	{ { "AuthenticAMD", 0x17, 0x31 }, "amd-zen.list" },
	{ { "AuthenticAMD", 0x19, 0x01 }, "amd-zen.list" },
	{ { "AuthenticAMD", 0x19, 0x11 }, "amd-zen4.list" },
	{ { "AuthenticAMD", 0x19, 0x21 }, "amd-zen.list" },
	{ { "AuthenticAMD", 0x1a, 0x02 }, "amd-zen4.list" },
};

TEST(installed_lists)
{
	static char text[65536], content[65536];
	const size_t size = read_share("index", text, sizeof(text));
	char file[ALLOWLIST_FILE];
	unsigned int line;
	size_t length;

	ASSERT_LT(0, size);
	for (size_t i = 0; i < sizeof(processors) / sizeof(processors[0]); i++) {
		ASSERT_EQ(0, allowlist_choose(text, size,
					      &processors[i].processor, file,
					      &line));
		EXPECT_STREQ(processors[i].file, file);
		length = read_share(file, content, sizeof(content));
		ASSERT_EQ(0, allowlist_parse(&list, content, length)) {
			TH_LOG("%s:%u", file, list.line);
		}
		EXPECT_LT(10, list.nr);
		for (unsigned int j = 0; j < list.nr; j++) {
			EXPECT_TRUE(is_harmless(&list.entries[j])) {
				TH_LOG("%s: 0x%x", file, list.entries[j].reg);
			}
			EXPECT_NE('\0', *list.entries[j].name);
			EXPECT_NE('\0', *list.entries[j].about);
		}
	}
}

TEST_HARNESS_MAIN
