/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The complete tree of calls: nodes are in preorder, and the entries of samples are
 * sorted by node. So a node's subtree, and the entries of it, are a contiguous range.
 */
#ifndef KERMON_CALLINDEX_H
#define KERMON_CALLINDEX_H

#include "calltree.h"

/**
 * struct callindex - the tree
 * @nr: number of nodes; the first one is CALLTREE_ROOT
 * @callers: by node: its caller; for the root, itself
 * @callees: by node: number of the called function
 * @ends: by node: end of its subtree, exclusive
 * @first_entry: by node, plus one element: index of its first entry in @entries
 * @entries: numbers of entries by node, @nr_entries of them
 * @first_same: by callee, plus one element: index of its first node in @same
 * @same: nodes by callee, in ascending order for each
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
 * callindex_make - index a tree and the entries of its nodes
 * @index: filled in
 * @tree: its nodes are moved out: nothing can be added afterwards
 * @entries: the lower halves of their keys are nodes of @tree, and of the index
 *	afterwards; those with CALLTREE_NONE are left out. No more can be added
 *
 * Return: 0 or -ENOMEM; call callindex_free() in both cases.
 */
int callindex_make(struct callindex *index, struct calltree *tree,
		   struct numbering *entries);
void callindex_free(struct callindex *index);

#endif /* KERMON_CALLINDEX_H */
