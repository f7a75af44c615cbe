// SPDX-License-Identifier: GPL-2.0
/* Memory for records: what is put there is kept, in memory or in a file. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/read/chunks.h"
#include "util/array.h"

#include "kselftest_harness.h"

#define NR	(CHUNKS_IN_MEMORY + 36)

static bool is_filled(const struct chunks *chunks, uint32_t number, int byte)
{
	const unsigned char *bytes = chunks_bytes(chunks, number);

	return bytes[0] == byte &&
	       !memcmp(bytes, bytes + 1, CHUNK_SIZE - 1);
}

FIXTURE(chunks)
{
	struct chunks chunks;
	uint32_t numbers[NR];
};

FIXTURE_SETUP(chunks)
{
	memset(&self->chunks, 0, sizeof(self->chunks));
	for (int i = 0; i < NR; i++) {
		self->numbers[i] = chunks_new(&self->chunks);
		ASSERT_NE(0, self->numbers[i]);
		memset(chunks_bytes(&self->chunks, self->numbers[i]), i + 1,
		       CHUNK_SIZE);
	}
}

FIXTURE_TEARDOWN(chunks)
{
	chunks_free(&self->chunks);
}

TEST_F(chunks, memory_is_bounded)
{
	EXPECT_EQ(CHUNKS_IN_MEMORY, self->chunks.in_memory);
	EXPECT_NE(0, self->chunks.file);
	chunks_forget(&self->chunks);
	for (int i = 0; i < NR; i++)
		EXPECT_TRUE(is_filled(&self->chunks, self->numbers[i], i + 1));
}

/* A chunk is released with its last user, and reused. */
TEST_F(chunks, last_user)
{
	uint32_t first = self->numbers[0];

	chunks_hold(&self->chunks, first);
	chunks_release(&self->chunks, first);
	EXPECT_TRUE(is_filled(&self->chunks, first, 1));
	chunks_release(&self->chunks, first);
	EXPECT_EQ(CHUNKS_IN_MEMORY - 1, self->chunks.in_memory);
	EXPECT_EQ(first, chunks_new(&self->chunks));
	memset(chunks_bytes(&self->chunks, first), 77, CHUNK_SIZE);
	EXPECT_TRUE(is_filled(&self->chunks, self->numbers[1], 2));
}

TEST_F(chunks, all_released)
{
	for (int i = 0; i < NR; i++)
		chunks_release(&self->chunks, self->numbers[i * 7 % NR]);
	EXPECT_EQ(0, self->chunks.in_memory);
	for (size_t i = 0; i < self->chunks.nr; i++)
		EXPECT_EQ(NULL, self->chunks.all[i].bytes);
}

/* More than doubling can reach: it fails with no memory, instead of looping forever. */
TEST(array_of_more_than_there_is)
{
	size_t room = 0;

	EXPECT_EQ(NULL, array_grow(NULL, &room, SIZE_MAX / 2 + 2, 1));
	EXPECT_EQ(0, room);
}

TEST_HARNESS_MAIN
