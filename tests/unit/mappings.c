// SPDX-License-Identifier: GPL-2.0
/* Mappings, compared with a model that has one entry per address. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "flow/mappings.h"

#include "kselftest_harness.h"

#define SPACE	8192
#define STEPS	20000
#define LOOKS	40		/* in so many steps */

/* What is at an address: of which mapping, and where that starts now. */
struct cell {
	bool mapped;
	uint64_t start;
	uint64_t offset;
};

FIXTURE(mappings)
{
	struct mappings mappings;
	struct cell *cells;
};

FIXTURE_SETUP(mappings)
{
	self->cells = calloc(SPACE, sizeof(*self->cells));
	ASSERT_NE(NULL, self->cells);
	srand(1);
}

FIXTURE_TEARDOWN(mappings)
{
	mappings_free(&self->mappings);
	free(self->cells);
}

/* A mapping that began before @end and extends beyond it starts there now. */
static void put(struct cell *cells, const struct mapping *new)
{
	uint64_t at;

	for (at = new->end; at < SPACE && cells[at].mapped &&
			    cells[at].start < new->end; at++)
		cells[at].start = new->end;
	for (at = new->start; at < new->end; at++)
		cells[at] = (struct cell){
			true, new->start, new->offset + (at - new->start)
		};
}

static void drop(struct cell *cells, uint64_t start)
{
	uint64_t at;

	if (!cells[start].mapped || cells[start].start != start)
		return;
	for (at = start; at < SPACE && cells[at].mapped &&
			 cells[at].start == start; at++)
		cells[at].mapped = false;
}

/* Mostly short, so that there are many, and now and then one over many. */
static struct mapping any_mapping(uint64_t offset)
{
	uint64_t length = rand() % 500 ? 1 + rand() % 6 : 1 + rand() % SPACE;
	struct mapping new = { .start = rand() % SPACE, .offset = offset };

	new.end = new.start + length < SPACE ? new.start + length : SPACE;
	return new;
}

static bool is_cell(const struct mapping *found, const struct cell *cell,
		    uint64_t at)
{
	if (!found || !cell->mapped)
		return !found && !cell->mapped;
	return found->start == cell->start &&
	       found->offset + (at - found->start) == cell->offset &&
	       found->start <= at && at < found->end;
}

/*
 * Maps or unmaps something, here and in the model. What was found there before must not
 * be found again.
 */
static int change(struct mappings *mappings, struct cell *cells, uint64_t offset)
{
	struct mapping new = any_mapping(offset);
	int err;

	mappings_find(mappings, new.start);
	if (rand() % 4) {
		put(cells, &new);
		err = mappings_put(mappings, &new);
	} else {
		drop(cells, new.start);
		err = mappings_remove(mappings, new.start);
	}
	return err ? err : !is_cell(mappings_find(mappings, new.start),
				    &cells[new.start], new.start);
}

/* The end of the last mapping before @at, and the start of the next one. */
static uint64_t end_before(const struct cell *cells, uint64_t at)
{
	if (cells[at].mapped)
		at = cells[at].start;
	while (at && !cells[at - 1].mapped)
		at--;
	return at;
}

static uint64_t start_from(const struct cell *cells, uint64_t at)
{
	while (at < SPACE && !cells[at].mapped)
		at++;
	return at < SPACE ? cells[at].start : SPACE;
}

static void check_blocks(struct __test_metadata *_metadata,
			 const struct mappings *mappings)
{
	for (size_t i = 0; i < mappings->nr_blocks; i++) {
		EXPECT_LT(0, mappings->blocks[i]->nr);
		EXPECT_GE(MAPPINGS_BLOCK, mappings->blocks[i]->nr);
	}
}

static void check_all(struct __test_metadata *_metadata, struct mappings *mappings,
		      const struct cell *cells)
{
	const struct mapping *found;

	for (uint64_t at = 0; at < SPACE; at++) {
		ASSERT_TRUE(is_cell(mappings_find(mappings, at), &cells[at], at));
		found = mappings_from(mappings, at);
		ASSERT_EQ(start_from(cells, at), found ? found->start : SPACE);
		found = mappings_below(mappings, at);
		ASSERT_EQ(end_before(cells, at), found ? found->end : 0);
	}
	check_blocks(_metadata, mappings);
}

TEST_F(mappings, of_any_order)
{
	size_t most = 0;

	for (uint64_t i = 0; i < STEPS; i++) {
		ASSERT_EQ(0, change(&self->mappings, self->cells, i * SPACE));
		if (self->mappings.nr_blocks > most)
			most = self->mappings.nr_blocks;
		if (i % (STEPS / LOOKS) == 0)
			check_all(_metadata, &self->mappings, self->cells);
	}
	EXPECT_LT(4, most);
}

/* In ascending order they fill the blocks, in descending order those are half full. */
TEST_F(mappings, of_one_order)
{
	size_t nr = 16 * MAPPINGS_BLOCK;
	struct mapping new;

	for (size_t i = 0; i < nr; i++) {
		new = (struct mapping){ .start = i, .end = i + 1 };
		ASSERT_EQ(0, mappings_put(&self->mappings, &new));
	}
	EXPECT_EQ(16, self->mappings.nr_blocks);
	mappings_free(&self->mappings);
	for (size_t i = nr; i--;) {
		new = (struct mapping){ .start = i, .end = i + 1 };
		ASSERT_EQ(0, mappings_put(&self->mappings, &new));
	}
	EXPECT_GE(32, self->mappings.nr_blocks);
	check_blocks(_metadata, &self->mappings);
}

/* A child and its parent share mappings, and each changes its own. */
TEST_F(mappings, of_children)
{
	struct cell *theirs = malloc(SPACE * sizeof(*theirs));
	struct mappings child = {};

	ASSERT_NE(NULL, theirs);
	for (uint64_t i = 0; i < STEPS / 10; i++)
		ASSERT_EQ(0, change(&self->mappings, self->cells, i * SPACE));
	memcpy(theirs, self->cells, SPACE * sizeof(*theirs));
	ASSERT_EQ(0, mappings_copy(&child, &self->mappings));
	EXPECT_EQ(child.blocks[0], self->mappings.blocks[0]);
	for (uint64_t i = 0; i < STEPS / 10; i++) {
		ASSERT_EQ(0, change(&self->mappings, self->cells, i * SPACE));
		ASSERT_EQ(0, change(&child, theirs, i * SPACE));
	}
	check_all(_metadata, &self->mappings, self->cells);
	check_all(_metadata, &child, theirs);
	mappings_free(&child);
	free(theirs);
}

/* Some mappings end at the end of the address space. */
TEST_F(mappings, up_to_the_end)
{
	struct mapping all = { .start = 0, .end = UINT64_MAX };
	struct mapping last = { .start = UINT64_MAX - 1, .end = UINT64_MAX };

	EXPECT_EQ(NULL, mappings_find(&self->mappings, 0));
	EXPECT_EQ(NULL, mappings_below(&self->mappings, UINT64_MAX));
	ASSERT_EQ(0, mappings_put(&self->mappings, &all));
	ASSERT_EQ(0, mappings_put(&self->mappings, &last));
	EXPECT_EQ(0, mappings_find(&self->mappings, UINT64_MAX - 2)->start);
	EXPECT_EQ(UINT64_MAX - 1,
		  mappings_find(&self->mappings, UINT64_MAX - 1)->start);
	ASSERT_EQ(0, mappings_put(&self->mappings, &all));
	EXPECT_EQ(1, self->mappings.blocks[0]->nr);
}

TEST_HARNESS_MAIN
