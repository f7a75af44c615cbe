// SPDX-License-Identifier: GPL-2.0
/*
 * Build the tree of calls. Chains recur, and consecutive ones share their outermost
 * part: addresses are only looked up from where a chain differs from those that are
 * cached.
 */
#include <errno.h>
#include <stdlib.h>

#include "calltree.h"
#include "util/array.h"

void calltree_free(struct calltree *tree)
{
	numbering_free(&tree->nodes);
	numbering_free(&tree->functions);
	free(tree->callees);
	free(tree->path);
	callmemo_free(tree->memo);
	*tree = (struct calltree){};
}

/*
 * A unique key of a function: addresses of symbols, DSOs and names of inlined functions
 * (unique in their DSO) never coincide.
 */
static const void *identity_of(const struct callee *callee)
{
	if (callee->inlined)
		return callee->inlined;
	return callee->symbol ? (const void *)callee->symbol : callee->dso;
}

static int keep_callee(struct calltree *tree, uint32_t number,
		       const struct callee *callee)
{
	if (array_room(tree->callees, tree->room_callees, number + 1))
		return -ENOMEM;
	tree->callees[number] = *callee;
	return 0;
}

/* The number of a function; NUMBERING_FULL: out of memory. */
static uint32_t number_of(struct calltree *tree, const struct callee *callee)
{
	uint32_t known = tree->functions.nr, number;

	number = numbering_get(&tree->functions,
			       (uintptr_t)identity_of(callee));
	if (number == known && keep_callee(tree, number, callee))
		return NUMBERING_FULL;
	return number;
}

/* The same. The number plus one is also kept with the symbol, where it is found faster. */
static uint32_t get_number(struct calltree *tree, const struct callee *callee)
{
	uint32_t *kept;

	if (callee->inlined || !callee->dso)
		return number_of(tree, callee);
	kept = dso_number(callee->dso, callee->symbol);
	if (!*kept)
		*kept = number_of(tree, callee) + 1;
	return *kept - 1;
}

uint32_t calltree_step(struct calltree *tree, uint32_t parent,
		       const struct callee *callee)
{
	uint32_t number = get_number(tree, callee);

	return number == NUMBERING_FULL ? NUMBERING_FULL :
	       numbering_get(&tree->nodes, (uint64_t)parent << 32 | number);
}

/* From the function of a frame, @node, to the innermost function that was inlined there. */
static uint32_t step_inside(struct calltree *tree, uint32_t node,
			    const struct callchain *chain,
			    const struct frame *frame)
{
	const struct source *source = callchain_source(chain, frame);
	struct callee inlined = { .dso = frame->place.dso };

	if (!source)
		return node;
	for (size_t i = source->nr - 1; i && node != NUMBERING_FULL; i--) {
		inlined.inlined = source->lines[i - 1].function;
		if (inlined.inlined)
			node = calltree_step(tree, node, &inlined);
	}
	return node;
}

/* The node of a frame when called by @parent; NUMBERING_FULL: out of memory. */
static uint32_t step_to(struct calltree *tree, uint32_t parent,
			const struct callchain *chain,
			const struct frame *frame)
{
	uint32_t node = calltree_step(tree, parent, &(struct callee){
		.dso = frame->place.dso,
		.symbol = frame->place.symbol,
	});

	if (node == NUMBERING_FULL || !frame->has_inlines)
		return node;
	return step_inside(tree, node, chain, frame);
}

/* Number of steps, from the outermost on, that equal those of the previous chain. */
static size_t common_path(const struct calltree *tree,
			  const struct call_step *steps, size_t nr)
{
	const struct call_step *new, *old;
	size_t common = 0;

	for (; common < nr && common < tree->nr_path; common++) {
		new = &steps[nr - 1 - common];
		old = &tree->path[common].step;
		if (old->address != new->address ||
		    old->version != new->version ||
		    old->is_return != new->is_return ||
		    old->has_inlines != new->has_inlines)
			break;
	}
	return common;
}

/* Advance @node by a step. Return: 0 or -ENOMEM. */
static int go_on(struct calltree *tree, const struct callchain *chain,
		 const struct pipeline_sample *sample,
		 const struct call_step *next, uint32_t *node)
{
	uint32_t *known = callmemo_call(tree->memo, *node, next);
	struct frame frame;

	if (*known == CALLMEMO_UNKNOWN) {
		frame = callchain_frame(chain, sample, next);
		*known = step_to(tree, *node, chain, &frame);
		if (*known == CALLMEMO_UNKNOWN)
			return -ENOMEM;
	}
	*node = *known;
	return 0;
}

static int follow(struct calltree *tree, struct callchain *chain,
		  const struct pipeline_sample *sample, uint32_t *node)
{
	const struct call_step *steps, *next;
	ssize_t nr = callchain_steps(chain, sample, &steps);
	size_t common;

	if (nr < 0 || array_room(tree->path, tree->room_path, (size_t)nr + 1))
		return -ENOMEM;
	common = common_path(tree, steps, nr);
	*node = common ? tree->path[common - 1].node : CALLTREE_ROOT;
	tree->nr_path = common;
	for (size_t i = nr - common; i; i--) {
		next = &steps[i - 1];
		if (go_on(tree, chain, sample, next, node))
			return -ENOMEM;
		tree->path[tree->nr_path++] = (struct calltree_step){
			.step = *next, .node = *node,
		};
	}
	return 0;
}

/* The root has a caller that does not exist, so no other node has its key. */
int calltree_begin(struct calltree *tree)
{
	if (!tree->nodes.nr &&
	    numbering_get(&tree->nodes, UINT64_MAX) == NUMBERING_FULL)
		return -ENOMEM;
	return 0;
}

/* The memo is only needed for chains that are added one by one. */
static int begin_memo(struct calltree *tree)
{
	tree->memo = callmemo_new();
	return tree->memo ? calltree_begin(tree) : -ENOMEM;
}

int calltree_add(struct calltree *tree, struct callchain *chain,
		 const struct pipeline_sample *sample, uint32_t *node)
{
	struct call_record record;
	uint32_t *known = NULL;
	int err;

	if (!tree->memo && begin_memo(tree))
		return -ENOMEM;
	if (callchain_record(chain, sample, &record))
		known = callmemo_chain(tree->memo, &record);
	if (known && *known != CALLMEMO_UNKNOWN) {
		*node = *known;
		return 0;
	}
	err = follow(tree, chain, sample, node);
	if (!err && known)
		*known = *node;
	return err;
}
