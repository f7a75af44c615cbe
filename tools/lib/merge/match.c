// SPDX-License-Identifier: GPL-2.0
/*
 * Match the threads of one run to those of another. Thread ids differ from run to run,
 * but the n-th child of a thread corresponds to the n-th child of its counterpart,
 * because a thread creates its children one after the other. Their names must be equal.
 */
#include <errno.h>
#include <kermon/text.h>
#include <stdlib.h>
#include <string.h>

#include "merge_private.h"
#include "util/hash.h"

/* Position of a thread in the tree; @parent is its number + 1, or 0 for none. */
struct position {
	size_t parent;
	size_t born;
};

/**
 * struct tree - the threads of a run
 * @threads: by number
 * @positions: by struct position
 */
struct tree {
	const struct thread **threads;
	struct hash positions;
};

static struct position position_of(const struct thread *thread)
{
	return (struct position){
		.parent = thread->parent ? thread->parent->number + 1 : 0,
		.born = thread->born,
	};
}

static bool is_at(const void *item, const void *key)
{
	struct position position = position_of(item);

	return !memcmp(&position, key, sizeof(position));
}

static void tree_free(struct tree *tree)
{
	free(tree->threads);
	hash_free(&tree->positions);
}

static int tree_build(struct tree *tree, const struct run *run)
{
	struct thread *thread;
	struct position position;

	tree->threads = calloc(run->processes.nr_threads + 1,
			       sizeof(*tree->threads));
	if (!tree->threads)
		return -ENOMEM;
	for (thread = run->processes.all_threads; thread;
	     thread = thread->next) {
		tree->threads[thread->number] = thread;
		position = position_of(thread);
		if (hash_add(&tree->positions, hash_bytes(&position, sizeof(position)),
			     thread))
			return -ENOMEM;
	}
	return 0;
}

static const struct thread *thread_at(const struct tree *tree,
				      const struct position *position)
{
	void **found = hash_find(&tree->positions,
				 hash_bytes(position, sizeof(*position)), is_at,
				 position);

	return found ? *found : NULL;
}

static int refuse_more(struct kermon_merge *merge, const struct run *has,
		       const struct thread *thread, const struct run *lacks)
{
	return merge_refuse(merge, "%s has %zu thread%s and %s has %zu: thread "
			    "%u ('%s') of %s has no counterpart",
			    has->told.file, has->processes.nr_threads,
			    kermon_plural(has->processes.nr_threads),
			    lacks->told.file, lacks->processes.nr_threads,
			    thread->tid, thread->comm, has->told.file);
}

/* Parents precede their children. */
static int match_threads(struct kermon_merge *merge, const struct run *first,
			 const struct tree *firsts, const struct run *run,
			 const struct tree *others, size_t *twins)
{
	const struct thread *thread, *twin;
	struct position position;

	for (size_t i = 0; i < run->processes.nr_threads; i++) {
		thread = others->threads[i];
		position = position_of(thread);
		if (position.parent)
			position.parent = twins[position.parent - 1] + 1;
		twin = thread_at(firsts, &position);
		if (!twin)
			return refuse_more(merge, run, thread, first);
		if (strcmp(twin->comm, thread->comm))
			return merge_refuse(merge, "thread %u of %s is '%s', "
					    "but its counterpart %u of %s is "
					    "'%s'", thread->tid,
					    run->told.file, thread->comm,
					    twin->tid, first->told.file,
					    twin->comm);
		twins[i] = twin->number;
	}
	return 0;
}

/* Check that all threads of the first run have been matched. */
static int check_all_matched(struct kermon_merge *merge,
			     const struct run *first,
			     const struct tree *firsts, const struct run *run,
			     const size_t *twins)
{
	bool *matched = calloc(first->processes.nr_threads + 1,
			       sizeof(*matched));
	int err = 0;

	if (!matched)
		return -ENOMEM;
	for (size_t i = 0; i < run->processes.nr_threads; i++)
		matched[twins[i]] = true;
	for (size_t i = 0; i < first->processes.nr_threads && !err; i++)
		if (!matched[i])
			err = refuse_more(merge, first, firsts->threads[i],
					  run);
	free(matched);
	return err;
}

int merge_match(struct kermon_merge *merge, const struct run *first,
		const struct run *run, size_t **twins)
{
	struct tree firsts = {}, others = {};
	int err;

	*twins = calloc(run->processes.nr_threads + 1, sizeof(**twins));
	err = *twins ? tree_build(&firsts, first) : -ENOMEM;
	if (!err)
		err = tree_build(&others, run);
	if (!err)
		err = match_threads(merge, first, &firsts, run, &others,
				    *twins);
	if (!err)
		err = check_all_matched(merge, first, &firsts, run, *twins);
	tree_free(&firsts);
	tree_free(&others);
	return err;
}
