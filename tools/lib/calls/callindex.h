/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tree of calls when it is complete: nodes stand in preorder, and the sums of
 * samples in the order of the nodes that they were taken in. All that a node called,
 * and the sums of that, are what follows it, up to where it ends.
 */
#ifndef KERMON_CALLINDEX_H
#define KERMON_CALLINDEX_H

#include "calltree.h"

/**
 * struct callindex - the tree
 * @nr: how many nodes; the first one is CALLTREE_ROOT
 * @callers: by node: who called it; of the root, itself
 * @callees: by node: the number of what was called
 * @ends: by node: the first one behind all that it called
 * @first_entry: by node and one behind: index of its first entry in @entries
 * @entries: numbers of entries by node, @nr_entries of them
 * @first_same: by callee and one behind: index of its first node in @same
 * @same: nodes by callee, those of one ascending
 */
struct callindex {
	uint32_t nr;
	uint32_t *callers;
	uint32_t *callees;
	uint32_t *ends;
	uint32_t *first_entry;
	uint32_t *entries;
	uint32_t nr_entries;
	uint32_t *first_same;
	uint32_t *same;
};

/**
 * callindex_make - from a tree and what has been summed up by its nodes
 * @tree: gives away its nodes: nothing can be added any more
 * @entries: the lower halves of their keys are nodes of @tree, and of the index
 *	afterwards. No more can be added
 *
 * Return: 0 or -ENOMEM, and callindex_free() is to be called in both cases.
 */
int callindex_make(struct callindex *index, struct calltree *tree,
		   struct numbering *entries);
void callindex_free(struct callindex *index);

#endif /* KERMON_CALLINDEX_H */
