/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All call chains of a file, each stored once, as a tree whose root calls the outermost
 * functions. A chain is represented by the node of its innermost function.
 *
 * All addresses in a DSO whose function is unknown are one frame.
 */
#ifndef KERMON_CALLTREE_H
#define KERMON_CALLTREE_H

#include "callchain.h"
#include "callmemo.h"
#include "util/numbering.h"

/* The node of an empty chain, and no node: for what has no chain. */
#define CALLTREE_ROOT	0
#define CALLTREE_NONE	UINT32_MAX

/*
 * A function; or a DSO if it is unknown; or neither. Inlined functions have a name from
 * the debugging information instead of a symbol.
 */
struct callee {
	struct dso *dso;
	const struct symbol *symbol;
	const char *inlined;
};

/**
 * struct calltree - the chains
 * @nodes: parent << 32 | callee, by node
 * @functions: keys of functions, by callee
 * @callees: the functions, with room for @room_callees
 * @memo: recently added chains and calls
 * @path: the nodes from the root to the newest chain
 */
struct calltree {
	struct numbering nodes;
	struct numbering functions;
	struct callee *callees;
	size_t room_callees;
	struct callmemo *memo;
	struct calltree_step {
		struct call_step step;
		uint32_t node;
	} *path;
	size_t nr_path;
	size_t room_path;
};

/*
 * Return: 0 or -ENOMEM; @node is that of the sample's chain, CALLTREE_ROOT if it is
 * empty.
 */
int calltree_add(struct calltree *tree, struct callchain *chain,
		 const struct pipeline_sample *sample, uint32_t *node);
void calltree_free(struct calltree *tree);

/* Create the root if there is none. Return: 0 or -ENOMEM. */
int calltree_begin(struct calltree *tree);
/* The node of @callee when called by @parent; NUMBERING_FULL: out of memory. */
uint32_t calltree_step(struct calltree *tree, uint32_t parent,
		       const struct callee *callee);

/* The caller; CALLTREE_ROOT for an outermost function. */
static inline uint32_t calltree_parent(const struct calltree *tree,
				       uint32_t node)
{
	return tree->nodes.keys[node] >> 32;
}

/* Number of the called function. */
static inline uint32_t calltree_callee(const struct calltree *tree,
				       uint32_t node)
{
	return (uint32_t)tree->nodes.keys[node];
}

/*
 * The function that contains the code of a node: inlined functions have no code of
 * their own.
 */
static inline const struct callee *
calltree_function(const struct calltree *tree, uint32_t node)
{
	while (tree->callees[calltree_callee(tree, node)].inlined)
		node = calltree_parent(tree, node);
	return &tree->callees[calltree_callee(tree, node)];
}

#endif /* KERMON_CALLTREE_H */
