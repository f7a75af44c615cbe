// SPDX-License-Identifier: GPL-2.0
/*
 * Sort a complete tree of calls. While it grows, every node gets a higher number than
 * its caller. So one pass from the last node to the first computes sizes, and one pass
 * back positions.
 */
#include <errno.h>
#include <stdlib.h>

#include "callindex.h"

void callindex_free(struct callindex *index)
{
	free(index->callers);
	free(index->callees);
	free(index->ends);
	free(index->first_entry);
	free(index->entries);
	free(index->first_same);
	free(index->same);
	*index = (struct callindex){};
}

static uint32_t *new_numbers(size_t nr)
{
	return calloc(nr, sizeof(uint32_t));
}

/* Count the nodes of each subtree. */
static void measure(const struct calltree *tree, uint32_t *sizes, uint32_t nr)
{
	for (uint32_t i = nr; i-- > 0;) {
		sizes[i]++;
		if (i)
			sizes[calltree_parent(tree, i)] += sizes[i];
	}
}

/*
 * Compute @places from the sizes: the position in the index by number in the tree.
 * @next is the position for the next call of each node.
 */
static void place(struct callindex *index, const struct calltree *tree,
		  uint32_t *places, uint32_t *next)
{
	uint32_t caller, at, size;

	index->callees[CALLTREE_ROOT] = UINT32_MAX;
	index->ends[CALLTREE_ROOT] = index->nr;
	places[CALLTREE_ROOT] = CALLTREE_ROOT;
	next[CALLTREE_ROOT] = 1;
	for (uint32_t i = 1; i < index->nr; i++) {
		caller = calltree_parent(tree, i);
		at = next[caller];
		size = places[i];
		index->callers[at] = places[caller];
		index->callees[at] = calltree_callee(tree, i);
		index->ends[at] = at + size;
		next[caller] += size;
		next[i] = at + 1;
		places[i] = at;
	}
}

static int make_nodes(struct callindex *index, struct calltree *tree,
		      uint32_t **places)
{
	uint32_t *next;

	index->nr = tree->nodes.nr ? tree->nodes.nr : 1;
	numbering_settle(&tree->nodes);
	*places = new_numbers(index->nr);
	next = new_numbers(index->nr);
	index->callers = new_numbers(index->nr);
	index->callees = new_numbers(index->nr);
	index->ends = new_numbers(index->nr);
	if (*places && next && index->callers && index->callees &&
	    index->ends) {
		measure(tree, *places, index->nr);
		place(index, tree, *places, next);
	}
	free(next);
	numbering_free(&tree->nodes);
	return *places && next && index->callers && index->callees &&
	       index->ends ? 0 : -ENOMEM;
}

/* Convert counts to start positions; the last element is the end. */
static void add_up(uint32_t *first, uint32_t nr)
{
	uint32_t sum = 0, count;

	for (uint32_t i = 0; i <= nr; i++) {
		count = first[i];
		first[i] = sum;
		sum += count;
	}
}

/* Filling the array has advanced each start position to the next one: restore them. */
static void move_back(uint32_t *first, uint32_t nr)
{
	for (uint32_t i = nr; i; i--)
		first[i] = first[i - 1];
	first[0] = 0;
}

static int sort_entries(struct callindex *index, struct numbering *entries,
			const uint32_t *places)
{
	uint32_t node;

	numbering_settle(entries);
	index->first_entry = new_numbers((size_t)index->nr + 1);
	index->entries = new_numbers((size_t)entries->nr + 1);
	if (!index->first_entry || !index->entries)
		return -ENOMEM;
	for (uint32_t i = 0; i < entries->nr; i++) {
		if ((uint32_t)entries->keys[i] == CALLTREE_NONE)
			continue;
		node = places[(uint32_t)entries->keys[i]];
		entries->keys[i] = entries->keys[i] >> 32 << 32 | node;
		index->first_entry[node]++;
		index->nr_entries++;
	}
	add_up(index->first_entry, index->nr);
	for (uint32_t i = 0; i < entries->nr; i++) {
		node = (uint32_t)entries->keys[i];
		if (node != CALLTREE_NONE)
			index->entries[index->first_entry[node]++] = i;
	}
	move_back(index->first_entry, index->nr);
	return 0;
}

static int sort_nodes(struct callindex *index, uint32_t nr_callees)
{
	index->first_same = new_numbers((size_t)nr_callees + 1);
	index->same = new_numbers(index->nr);
	if (!index->first_same || !index->same)
		return -ENOMEM;
	for (uint32_t i = 1; i < index->nr; i++)
		index->first_same[index->callees[i]]++;
	add_up(index->first_same, nr_callees);
	for (uint32_t i = 1; i < index->nr; i++)
		index->same[index->first_same[index->callees[i]]++] = i;
	move_back(index->first_same, nr_callees);
	return 0;
}

int callindex_make(struct callindex *index, struct calltree *tree,
		   struct numbering *entries)
{
	uint32_t *places;
	int err;

	*index = (struct callindex){};
	err = make_nodes(index, tree, &places);
	if (!err)
		err = sort_entries(index, entries, places);
	free(places);
	return err ? err : sort_nodes(index, tree->functions.nr);
}
