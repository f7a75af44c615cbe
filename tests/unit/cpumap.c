// SPDX-License-Identifier: GPL-2.0
/* Sets of CPUs in each encoding and both byte orders, and invalid ones. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include "perfdata/format/format.h"
#include "perfdata/read/swap.h"

#include "kselftest_harness.h"

/* A number of this many bytes; 0 bytes: the end. */
struct piece {
	uint64_t value;
	unsigned int size;
};

struct bytes {
	unsigned char at[128];
	size_t size;
};

static void put(struct bytes *bytes, uint64_t value, unsigned int size,
		bool swapped)
{
	unsigned char *to = bytes->at + bytes->size;

	memcpy(to, &value, size);
	for (unsigned int i = 0; swapped && i < size / 2; i++) {
		to[i] ^= to[size - 1 - i];
		to[size - 1 - i] ^= to[i];
		to[i] ^= to[size - 1 - i];
	}
	bytes->size += size;
}

/* A record of the other byte order is converted, as the reader does. */
static struct bytes contents(const struct piece *pieces, bool swapped)
{
	struct bytes bytes = { .size = 0 };
	uint16_t size = sizeof(struct perf_event_header);

	for (const struct piece *piece = pieces; piece->size; piece++)
		size += piece->size;
	put(&bytes, PERFDATA_RECORD_CPU_MAP, 4, swapped);
	put(&bytes, 0, 2, swapped);
	put(&bytes, size, 2, swapped);
	for (; pieces->size; pieces++)
		put(&bytes, pieces->value, pieces->size, swapped);
	if (swapped)
		swap_record(bytes.at, bytes.size, NULL);
	return bytes;
}

/* The set as text, or the error. */
static const char *read_map(const struct piece *pieces, bool swapped)
{
	static char text[128];
	struct bytes bytes = contents(pieces, swapped);
	struct cursor c = cursor_of(bytes.at, bytes.size);
	struct cpu_map map;
	size_t at = 0;
	int err;

	cursor_take(&c, sizeof(struct perf_event_header));
	err = cpu_map_read(&map, &c);
	if (err)
		return err == -EINVAL ? "EINVAL" : "EOPNOTSUPP";
	text[0] = '\0';
	for (size_t i = 0; i < map.nr; i++)
		at += snprintf(text + at, sizeof(text) - at, "%s%d",
			       i ? " " : "", map.cpus[i]);
	cpu_map_free(&map);
	return text;
}

static const struct {
	const char *expected;
	struct piece pieces[12];
} encodings[] = {
	{ "0 5", { { 0, 2 }, { 2, 2 }, { 0, 2 }, { 5, 2 } } },
	{ "-1", { { 0, 2 }, { 1, 2 }, { 0xffff, 2 }, { 0, 2 } } },
	{ "1 3 700", { { 0, 2 }, { 4, 2 }, { 700, 2 }, { 3, 2 }, { 1, 2 },
		       { 3, 2 } } },
	{ "", { { 0, 2 }, { 0, 2 } } },
	{ "1 33", { { 1, 2 }, { 2, 2 }, { 4, 2 }, { 2, 4 }, { 2, 4 } } },
	{ "0 63 65", { { 1, 2 }, { 2, 2 }, { 8, 2 }, { 0, 4 },
		       { 1ULL << 63 | 1, 8 }, { 2, 8 } } },
	{ "4 5 6", { { 2, 2 }, { 0, 1 }, { 0, 1 }, { 4, 2 }, { 6, 2 } } },
	{ "-1 0", { { 2, 2 }, { 1, 1 }, { 0, 1 }, { 0, 2 }, { 0, 2 } } },
	/* shorter than they say, or invalid */
	{ "EINVAL", { { 0, 2 } } },
	{ "EINVAL", { { 0, 2 }, { 3, 2 }, { 0, 2 }, { 5, 2 } } },
	{ "EINVAL", { { 1, 2 }, { 2, 2 }, { 4, 2 }, { 2, 4 } } },
	{ "EINVAL", { { 1, 2 }, { 1, 2 }, { 8, 2 }, { 2, 4 } } },
	{ "EINVAL", { { 1, 2 }, { 1, 2 }, { 2, 2 }, { 2, 4 } } },
	{ "EINVAL", { { 2, 2 }, { 0, 2 }, { 4, 2 } } },
	{ "EINVAL", { { 2, 2 }, { 0, 2 }, { 4, 2 }, { 3, 2 } } },
	{ "EOPNOTSUPP", { { 3, 2 }, { 1, 2 }, { 0, 2 }, { 0, 2 } } },
};

TEST(this_byte_order)
{
	for (size_t i = 0; i < sizeof(encodings) / sizeof(encodings[0]); i++) {
		EXPECT_STREQ(encodings[i].expected,
			     read_map(encodings[i].pieces, false));
	}
}

TEST(other_byte_order)
{
	for (size_t i = 0; i < sizeof(encodings) / sizeof(encodings[0]); i++) {
		EXPECT_STREQ(encodings[i].expected,
			     read_map(encodings[i].pieces, true));
	}
}

TEST(find)
{
	int32_t cpus[] = { -1, 2, 700 };
	const struct cpu_map map = { cpus, 3 };

	EXPECT_EQ(0, cpu_map_find(&map, -1));
	EXPECT_EQ(2, cpu_map_find(&map, 700));
	EXPECT_EQ(-1, cpu_map_find(&map, 3));
	EXPECT_EQ(-1, cpu_map_find(&(struct cpu_map){ 0 }, 0));
}

TEST_HARNESS_MAIN
