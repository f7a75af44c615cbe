// SPDX-License-Identifier: GPL-2.0
/*
 * Which thread of one run is which of another. Numbers differ from run to run, but
 * the n-th child of a thread is the n-th child of its counterpart, for a thread
 * creates its children one after the other. Their names have to be the same.
 */
#include <errno.h>
#include <kermon/text.h>
#include <stdlib.h>
#include <string.h>

#include "merge_private.h"
#include "util/hash.h"

/* Where a thread is in the tree; @parent is a number + 1, or 0 for none. */
struct place {
	size_t parent;
	size_t born;
};

/**
 * struct tree - threads of a run
 * @threads: by number
 * @places: by struct place
 */
struct tree {
	const struct thread **threads;
	struct hash places;
};

static struct place place_of(const struct thread *thread)
{
	return (struct place){
		.parent = thread->parent ? thread->parent->number + 1 : 0,
		.born = thread->born,
	};
}

static bool is_at(const void *item, const void *key)
{
	struct place place = place_of(item);

	return !memcmp(&place, key, sizeof(place));
}

static void tree_free(struct tree *tree)
{
	free(tree->threads);
	hash_free(&tree->places);
}

static int tree_build(struct tree *tree, const struct run *run)
{
	struct thread *thread;
	struct place place;

	tree->threads = calloc(run->processes.nr_threads + 1,
			       sizeof(*tree->threads));
	if (!tree->threads)
		return -ENOMEM;
	for (thread = run->processes.all_threads; thread;
	     thread = thread->next) {
		tree->threads[thread->number] = thread;
		place = place_of(thread);
		if (hash_add(&tree->places, hash_bytes(&place, sizeof(place)),
			     thread))
			return -ENOMEM;
	}
	return 0;
}

static const struct thread *thread_at(const struct tree *tree,
				      const struct place *place)
{
	void **found = hash_find(&tree->places,
				 hash_bytes(place, sizeof(*place)), is_at,
				 place);

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

/* Parents come before their children. */
static int match_threads(struct kermon_merge *merge, const struct run *first,
			 const struct tree *firsts, const struct run *run,
			 const struct tree *others, size_t *twins)
{
	const struct thread *thread, *twin;
	struct place place;

	for (size_t i = 0; i < run->processes.nr_threads; i++) {
		thread = others->threads[i];
		place = place_of(thread);
		if (place.parent)
			place.parent = twins[place.parent - 1] + 1;
		twin = thread_at(firsts, &place);
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

/* And none of the first run is left over. */
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
