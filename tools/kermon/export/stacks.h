/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to stacks.c: all call chains of a file as trees, one per thread name or one
 * per thread.
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
 * @place: the place; for a function, one of its places
 * @function: name of the function; NULL if unknown
 * @is_inlined: it was inlined into its caller
 * @is_region: it is a region that was marked: @function is its name
 * @has_inlines: show the functions inlined at @place, too
 */
struct stack_frame {
	struct kermon_place place;
	const char *function;
	bool is_inlined;
	bool is_region;
	bool has_inlines;
};

/* Root of a tree: a thread, or a thread name with pid and tid 0. */
struct stack_root {
	const char *comm;
	uint32_t pid;
	uint32_t tid;
};

/**
 * struct stack_node - a frame with its callers
 * @parent: node of its caller; STACKS_NONE for an outermost frame
 * @frame: index of its frame
 * @root: index of its root
 * @depth: number of frames from the outermost one to this one
 * @records: number of sample records, of all events, with this as the innermost frame
 * @samples: number of these samples: intervals in KerMon's files, otherwise @records
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
 * @exact: frames are places, not functions; inlined functions have no frames of their own
 * @by_thread: roots are threads, not thread names
 * @of_intervals: it is a file of KerMon, whose samples are intervals of threads
 * @nr_events: number of events of the file
 * @nodes: the nodes, every parent before its children
 * @values: @nr_events per node: sums of the periods of its records
 * @max_depth: maximum depth of all nodes
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
 * Add a sample, by its instruction pointer if its call chain is empty, in @nr regions, whose
 * names are kept, outermost first. Sets @node to that of the innermost frame. Returns 0 or
 * -ENOMEM.
 */
int stacks_add(struct stacks *stacks, const struct kermon_profile_sample *sample,
	       const char *const *regions, size_t nr, uint32_t *node);

/* Find or add the root of a thread, shown with its last name. Returns 0 or -ENOMEM. */
int stacks_root(struct stacks *stacks, const char *comm, uint32_t pid, uint32_t tid,
		uint32_t *number);
void stacks_free(struct stacks *stacks);

static inline const uint64_t *stacks_values(const struct stacks *stacks,
					    size_t node)
{
	return stacks->values + node * stacks->nr_events;
}

/*
 * Store the nodes of a stack in @path, which has room for max_depth, the innermost first.
 * Returns their number.
 */
size_t stacks_path(const struct stacks *stacks, uint32_t node, uint32_t *path);

#endif /* KERMON_STACKS_H */
