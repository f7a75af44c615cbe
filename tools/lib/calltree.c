// SPDX-License-Identifier: GPL-2.0
/*
 * Chains that follow each other begin alike: only where they part something has to
 * be looked up.
 */
#include <errno.h>
#include <stdlib.h>

#include "calltree.h"

#define FIRST_ROOM	128

void calltree_free(struct calltree *tree)
{
	numbering_free(&tree->nodes);
	numbering_free(&tree->functions);
	free(tree->callees);
	free(tree->path);
	*tree = (struct calltree){};
}

/* What tells a function from others: no symbol has the address of a DSO. */
static const void *function_of(const struct frame *frame)
{
	return frame->place.symbol ? (const void *)frame->place.symbol :
				     frame->place.dso;
}

static int make_room_for_path(struct calltree *tree, size_t nr)
{
	size_t room = tree->room_path ? tree->room_path : FIRST_ROOM;
	struct calltree_step *path;

	while (room < nr)
		room *= 2;
	if (room == tree->room_path)
		return 0;
	path = realloc(tree->path, room * sizeof(*path));
	if (!path)
		return -ENOMEM;
	tree->path = path;
	tree->room_path = room;
	return 0;
}

static int keep_callee(struct calltree *tree, uint32_t number,
		       const struct frame *frame)
{
	size_t room = tree->room_callees ? 2 * tree->room_callees : FIRST_ROOM;
	struct callee *callees;

	if (number == tree->room_callees) {
		callees = realloc(tree->callees, room * sizeof(*callees));
		if (!callees)
			return -ENOMEM;
		tree->callees = callees;
		tree->room_callees = room;
	}
	tree->callees[number] = (struct callee){
		.dso = frame->place.dso,
		.symbol = frame->place.symbol,
	};
	return 0;
}

/* The node of @frame when called by @parent; NUMBERING_FULL: no memory. */
static uint32_t step(struct calltree *tree, uint32_t parent,
		     const struct frame *frame)
{
	uint32_t known = tree->functions.nr, callee;

	callee = numbering_get(&tree->functions,
			       (uintptr_t)function_of(frame));
	if (callee == NUMBERING_FULL ||
	    (callee == known && keep_callee(tree, callee, frame)))
		return NUMBERING_FULL;
	return numbering_get(&tree->nodes, (uint64_t)parent << 32 | callee);
}

/* How many frames from the outermost on are those of the newest chain. */
static size_t common_path(const struct calltree *tree,
			  const struct frame *frames, size_t nr)
{
	size_t common = 0;

	while (common < nr && common < tree->nr_path &&
	       tree->path[common].function ==
	       function_of(&frames[nr - 1 - common]))
		common++;
	return common;
}

int calltree_add(struct calltree *tree, const struct frame *frames, size_t nr,
		 uint32_t *node)
{
	const struct frame *frame;
	size_t common;

	/* the root is a callee of nobody that nobody has: no other has this key */
	if (make_room_for_path(tree, nr) ||
	    (!tree->nodes.nr &&
	     numbering_get(&tree->nodes, UINT64_MAX) == NUMBERING_FULL))
		return -ENOMEM;
	common = common_path(tree, frames, nr);
	*node = common ? tree->path[common - 1].node : CALLTREE_ROOT;
	tree->nr_path = common;
	for (size_t i = common; i < nr; i++) {
		frame = &frames[nr - 1 - i];
		*node = step(tree, *node, frame);
		if (*node == NUMBERING_FULL)
			return -ENOMEM;
		tree->path[tree->nr_path++] = (struct calltree_step){
			.function = function_of(frame),
			.node = *node,
		};
	}
	return 0;
}
