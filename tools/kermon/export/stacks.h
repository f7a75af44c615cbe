/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All call chains of a file as trees: one for each name of threads, or each thread.
 */
#ifndef KERMON_STACKS_H
#define KERMON_STACKS_H

#include <kermon/profile.h>
#include <stdbool.h>
#include <stdint.h>

#include "ui/index.h"

#define STACKS_NONE	UINT32_MAX

/**
 * struct stack_frame - a function, or a place in one
 * @place: where; of functions: one of its places
 * @function: its name; NULL: nobody knows
 * @is_inlined: it was inlined into the frame that called it
 * @has_inlines: of a place: functions that were inlined there are to be shown, too
 */
struct stack_frame {
	struct kermon_place place;
	const char *function;
	bool is_inlined;
	bool has_inlines;
};

/* Whose samples they are. Numbers are 0 where roots are names. */
struct stack_root {
	const char *comm;
	uint32_t pid;
	uint32_t tid;
};

/**
 * struct stack_node - a frame, called from others
 * @parent: node that it was called from; STACKS_NONE: it is an outermost one
 * @frame: number of its frame
 * @root: number of its root
 * @depth: how many frames there are up to it
 * @records: of samples that were taken in this very frame, of all events
 * @samples: how many samples that is: of KerMon's files intervals, else records
 */
struct stack_node {
	uint32_t parent;
	uint32_t frame;
	uint32_t root;
	uint32_t depth;
	uint64_t records;
	uint64_t samples;
};

/**
 * struct stacks - the trees
 * @exact: frames are places, not functions: what was inlined has no frames of its own
 * @by_thread: roots are threads, not names of threads
 * @of_intervals: the file is KerMon's, whose samples are intervals of threads
 * @nr_events: of the file
 * @nodes: @nr_nodes, every parent before its children
 * @values: @nr_events for each node: sums of the periods of its @records
 * @max_depth: the largest depth of a node
 */
struct stacks {
	bool exact;
	bool by_thread;
	bool of_intervals;
	size_t nr_events;
	struct stack_frame *frames;
	size_t nr_frames;
	size_t room_frames;
	struct stack_root *roots;
	size_t nr_roots;
	size_t room_roots;
	struct stack_node *nodes;
	uint64_t *values;
	size_t nr_nodes;
	size_t room_nodes;
	size_t room_values;
	uint32_t max_depth;
	struct index frame_index;
	struct index root_index;
	struct index node_index;
};

/*
 * Adds a sample; of one with an empty call chain, its instruction pointer. @node: set
 * to the one that it was taken in. 0 or -ENOMEM.
 */
int stacks_add(struct stacks *stacks,
	       const struct kermon_profile_sample *sample, uint32_t *node);
void stacks_free(struct stacks *stacks);

static inline const uint64_t *stacks_values(const struct stacks *stacks,
					    size_t node)
{
	return stacks->values + node * stacks->nr_events;
}

/*
 * The nodes of a stack, the innermost first, into @path with room for max_depth.
 * Returns how many there are.
 */
size_t stacks_path(const struct stacks *stacks, uint32_t node, uint32_t *path);

#endif /* KERMON_STACKS_H */
