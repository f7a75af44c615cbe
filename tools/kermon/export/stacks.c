// SPDX-License-Identifier: GPL-2.0
/*
 * Builds trees of call chains from samples, with the sums of all events by node.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stacks.h"
#include "util/array.h"

struct frame_key {
	const struct stacks *stacks;
	const struct stack_frame *frame;
};

/* Whether it is its name that tells it from others. */
static bool is_named(const struct stack_frame *frame)
{
	return frame->is_inlined || frame->is_region;
}

/* Frame equality; names of inlined functions and regions are interned, so compare pointers. */
static bool is_frame(const void *context, uint32_t number)
{
	const struct frame_key *key = context;
	const struct stack_frame *known = &key->stacks->frames[number];
	const struct stack_frame *wanted = key->frame;

	if (known->place.dso != wanted->place.dso ||
	    known->is_inlined != wanted->is_inlined ||
	    known->is_region != wanted->is_region ||
	    known->has_inlines != wanted->has_inlines)
		return false;
	if (is_named(wanted))
		return known->function == wanted->function;
	return known->place.symbol == wanted->place.symbol &&
	       (!key->stacks->exact ||
		known->place.offset == wanted->place.offset);
}

/* Place of the frame; the byte before a return address belongs to the call. */
static struct kermon_place place_of(const struct kermon_frame *frame)
{
	struct kermon_place place = frame->place;

	if (!place.dso)
		place.offset = frame->address;
	if (frame->is_return)
		place.offset--;
	return place;
}

/* Find or add a frame. Only for inlined functions and regions does @wanted have the name. */
static int get_frame(struct stacks *stacks, struct kermon_profile *profile,
		     const struct stack_frame *wanted, uint32_t *number)
{
	struct frame_key key = { stacks, wanted };
	uint64_t hash = index_mix(0, (uintptr_t)wanted->place.dso);
	struct stack_frame *frame;
	struct index_slot *slot;

	hash = index_mix(hash, is_named(wanted) ?
			       (uintptr_t)wanted->function :
			       (uintptr_t)wanted->place.symbol);
	if (stacks->exact)
		hash = index_mix(hash, wanted->place.offset);
	if (array_room(stacks->frames, stacks->room_frames,
		       stacks->nr_frames + 1))
		return -ENOMEM;
	slot = index_slot(&stacks->frame_index, hash, is_frame, &key);
	if (!slot)
		return -ENOMEM;
	if (slot->number == INDEX_FREE) {
		slot->number = stacks->nr_frames++;
		frame = &stacks->frames[slot->number];
		*frame = *wanted;
		if (!is_named(wanted))
			frame->function = kermon_profile_symbol(
				profile, &wanted->place, KERMON_NAME_SHORT);
	}
	*number = slot->number;
	return 0;
}

struct root_key {
	const struct stacks *stacks;
	struct stack_root root;
};

static bool is_root(const void *context, uint32_t number)
{
	const struct root_key *key = context;
	const struct stack_root *root = &key->stacks->roots[number];

	return root->pid == key->root.pid && root->tid == key->root.tid &&
	       (key->stacks->by_thread || root->comm == key->root.comm);
}

int stacks_root(struct stacks *stacks, const char *comm, uint32_t pid, uint32_t tid,
		uint32_t *number)
{
	struct root_key key = { stacks, { .comm = comm } };
	struct index_slot *slot;
	uint64_t hash;

	if (stacks->by_thread) {
		key.root.pid = pid;
		key.root.tid = tid;
	}
	hash = index_mix(index_mix(0, key.root.pid), key.root.tid);
	if (!stacks->by_thread)
		hash = index_mix(hash, (uintptr_t)key.root.comm);
	if (array_room(stacks->roots, stacks->room_roots, stacks->nr_roots + 1))
		return -ENOMEM;
	slot = index_slot(&stacks->root_index, hash, is_root, &key);
	if (!slot)
		return -ENOMEM;
	if (slot->number == INDEX_FREE)
		slot->number = stacks->nr_roots++;
	stacks->roots[slot->number] = key.root;
	*number = slot->number;
	return 0;
}

struct node_key {
	const struct stacks *stacks;
	struct stack_node node;
};

static bool is_node(const void *context, uint32_t number)
{
	const struct node_key *key = context;
	const struct stack_node *node = &key->stacks->nodes[number];

	return node->parent == key->node.parent &&
	       node->frame == key->node.frame && node->root == key->node.root;
}

static bool make_node_room(struct stacks *stacks)
{
	size_t nr = stacks->nr_nodes + 1;

	return !array_room(stacks->nodes, stacks->room_nodes, nr) &&
	       !array_room(stacks->values, stacks->room_values,
			   nr * stacks->nr_events);
}

static int get_node(struct stacks *stacks, const struct stack_node *wanted,
		    uint32_t *number)
{
	struct node_key key = { stacks, *wanted };
	uint64_t hash = index_mix(index_mix(0, wanted->parent), wanted->frame);
	struct index_slot *slot;

	if (!make_node_room(stacks))
		return -ENOMEM;
	slot = index_slot(&stacks->node_index, index_mix(hash, wanted->root),
			  is_node, &key);
	if (!slot)
		return -ENOMEM;
	if (slot->number == INDEX_FREE) {
		slot->number = stacks->nr_nodes++;
		stacks->nodes[slot->number] = *wanted;
		memset(stacks->values + slot->number * stacks->nr_events, 0,
		       stacks->nr_events * sizeof(*stacks->values));
	}
	if (wanted->depth > stacks->max_depth)
		stacks->max_depth = wanted->depth;
	*number = slot->number;
	return 0;
}

/* Add @frame as a callee of @next->parent, and make it the next parent. */
static int step(struct stacks *stacks, struct kermon_profile *profile,
		const struct stack_frame *frame, struct stack_node *next)
{
	int err = get_frame(stacks, profile, frame, &next->frame);

	next->depth++;
	return err ? err : get_node(stacks, next, &next->parent);
}

/* Add the functions that were inlined at @place, the outermost one first. */
static int step_inside(struct stacks *stacks, struct kermon_profile *profile,
		       const struct kermon_place *place, struct stack_node *next)
{
	const struct kermon_source_line *lines;
	ssize_t nr = kermon_profile_source(profile, place, false,
					   KERMON_NAME_SHORT, &lines);
	struct stack_frame inlined = { .place = *place, .is_inlined = true };
	int err = nr < 0 ? nr : 0;

	for (ssize_t i = nr - 1; i > 0 && !err; i--) {
		inlined.function = lines[i - 1].function;
		if (inlined.function)
			err = step(stacks, profile, &inlined, next);
	}
	return err;
}

static int step_to(struct stacks *stacks, struct kermon_profile *profile,
		   const struct kermon_frame *frame, struct stack_node *next)
{
	struct stack_frame outer = {
		.place = place_of(frame),
		.has_inlines = stacks->exact && frame->has_inlines,
	};
	int err = step(stacks, profile, &outer, next);

	if (err || stacks->exact || !frame->has_inlines)
		return err;
	return step_inside(stacks, profile, &outer.place, next);
}

/* Begin the stack of a sample with its regions. */
static int add_regions(struct stacks *stacks, const struct kermon_profile_sample *sample,
		       const char *const *regions, size_t nr, struct stack_node *next)
{
	struct stack_frame region = { .is_region = true };
	int err = stacks_root(stacks, sample->comm, sample->pid, sample->tid, &next->root);

	for (size_t i = 0; i < nr && !err; i++) {
		region.function = regions[i];
		err = step(stacks, sample->profile, &region, next);
	}
	return err;
}

int stacks_add(struct stacks *stacks, const struct kermon_profile_sample *sample,
	       const char *const *regions, size_t nr_regions, uint32_t *node)
{
	struct stack_node next = { .parent = STACKS_NONE };
	struct kermon_frame here = {
		.address = sample->ip,
		.mode = sample->mode,
	};
	const struct kermon_frame *frames;
	ssize_t nr = kermon_profile_frames(sample, &frames);
	int err;

	if (nr < 0)
		return nr;
	if (!nr) {
		kermon_profile_place(sample, sample->mode, sample->ip,
				     &here.place);
		frames = &here;
		nr = 1;
	}
	err = add_regions(stacks, sample, regions, nr_regions, &next);
	while (nr-- && !err)
		err = step_to(stacks, sample->profile, &frames[nr], &next);
	if (err)
		return err;
	*node = next.parent;
	stacks->nodes[*node].records++;
	stacks->nodes[*node].samples += !stacks->of_intervals ||
					sample->event->is_interval;
	stacks->values[*node * stacks->nr_events + sample->event->index] +=
		sample->period;
	return 0;
}

void stacks_free(struct stacks *stacks)
{
	free(stacks->frames);
	free(stacks->roots);
	free(stacks->nodes);
	free(stacks->values);
	index_free(&stacks->frame_index);
	index_free(&stacks->root_index);
	index_free(&stacks->node_index);
}

size_t stacks_path(const struct stacks *stacks, uint32_t node, uint32_t *path)
{
	size_t nr = 0;

	for (; node != STACKS_NONE; node = stacks->nodes[node].parent)
		path[nr++] = node;
	return nr;
}
