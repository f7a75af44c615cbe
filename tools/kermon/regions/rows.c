// SPDX-License-Identifier: GPL-2.0
/*
 * The rows of the report: nodes in the order of the tree, those with the longest total first
 * among those in the same one; or with --flat, sums of the nodes of each name.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regions.h"
#include "util/array.h"
#include "util/hash.h"

static const struct region_node *node_of(const struct regions_view *view, uint32_t node)
{
	return regions_node(view->file.regions, node);
}

const char *regions_kind(const struct region_node *node)
{
	static const char *const kinds[] = {
		[REGION_NESTED] = "region",
		[REGION_EXCLUDED] = "excluded",
		[REGION_PAUSED] = "paused",
		[REGION_EVENT] = "event",
		[REGION_TASK] = "task",
		[REGION_FRAME] = "frame",
	};

	return kinds[node->kind];
}

bool regions_has_time(const struct region_node *node)
{
	return node->kind == REGION_NESTED || node->kind == REGION_EXCLUDED ||
	       node->kind == REGION_PAUSED;
}

double regions_share(const struct regions_view *view, const struct region_row *row,
		     uint64_t whole)
{
	return regions_has_time(node_of(view, row->node)) ?
	       regions_percent(row->sum.total, whole) : NAN;
}

double regions_percent(uint64_t ns, uint64_t whole)
{
	return whole ? 100 * (double)ns / (double)whole : 0;
}

const char *regions_event(const struct regions_view *view, size_t position)
{
	const int event = regions_counted_event(view->file.regions, position);

	return event < 0 ? NULL : reader_event(view->file.pipeline.reader, event)->name;
}

const char *regions_row_name(const struct regions_view *view, const struct region_row *row,
			     char *text, size_t size)
{
	if (view->flat)
		return node_of(view, row->node)->name;
	return regions_branch(view->file.regions, row->node, text, size);
}

static bool is_empty(const struct region_sum *sum)
{
	return !sum->calls && !sum->total && !sum->total_counts && !sum->values &&
	       !sum->sampled_total;
}

/* Move a sum to a row of its own: those of the rest are freed. */
static int add_row(struct regions_view *view, const struct region_row *row,
		   struct region_sum *sum)
{
	if (array_room(view->rows, view->room_rows, view->nr_rows + 1))
		return -ENOMEM;
	view->rows[view->nr_rows] = *row;
	view->rows[view->nr_rows++].sum = *sum;
	*sum = (struct region_sum){ .calls = 0 };
	return 0;
}

/* What is outside is a row like others: what is in all of them is its total no longer. */
static void take_rest(struct regions_view *view, struct region_sum *outside)
{
	const size_t nr = regions_counted(view->file.regions);

	view->whole += outside->total;
	view->inside += outside->total - outside->self;
	outside->total = outside->self;
	outside->sampled_total = outside->sampled;
	for (size_t i = 0; i < nr && outside->total_counts; i++)
		outside->total_counts[i] = outside->self_counts ? outside->self_counts[i] : 0;
}

/* The order of nodes, or of rows, that are in the same node. */
struct order {
	const struct regions_view *view;
	const struct region_sum *sums;
};

/* Those that have time of threads come first. */
static int compare_kinds(const struct regions_view *view, uint32_t left, uint32_t right)
{
	return regions_has_time(node_of(view, right)) - regions_has_time(node_of(view, left));
}

/* As an argument of qsort_r(). */
static int compare(const void *a, const void *b, void *context)
{
	const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	const struct order *order = context;
	const struct region_sum *sums = order->sums;
	const int kinds = compare_kinds(order->view, left, right);

	if (kinds)
		return kinds;
	if (sums[left].total != sums[right].total)
		return sums[left].total > sums[right].total ? -1 : 1;
	return left < right ? -1 : left > right;
}

/**
 * struct walk - the tree as lists of children
 * @first: children of node n are @children[@first[n]] to before @children[@first[n + 1]]
 */
struct walk {
	uint32_t *first;
	uint32_t *children;
	uint32_t nr;
};

static void free_walk(struct walk *walk)
{
	free(walk->first);
	free(walk->children);
}

static int make_walk(const struct regions_view *view, struct region_sum *sums, struct walk *walk)
{
	struct order order = { view, sums };
	uint32_t *at;

	*walk = (struct walk){ .nr = 0 };
	while (node_of(view, walk->nr))
		walk->nr++;
	walk->first = calloc(walk->nr + 2, sizeof(*walk->first));
	walk->children = calloc(walk->nr + 1, sizeof(*walk->children));
	at = calloc(walk->nr + 1, sizeof(*at));
	if (!walk->first || !walk->children || !at) {
		free(at);
		return -ENOMEM;
	}
	for (uint32_t i = 1; i < walk->nr; i++)
		walk->first[node_of(view, i)->parent + 1]++;
	for (uint32_t i = 0; i < walk->nr; i++)
		walk->first[i + 1] += walk->first[i];
	for (uint32_t i = 1; i < walk->nr; i++)
		walk->children[walk->first[node_of(view, i)->parent] +
			       at[node_of(view, i)->parent]++] = i;
	for (uint32_t i = 0; i < walk->nr; i++)
		qsort_r(walk->children + walk->first[i], walk->first[i + 1] - walk->first[i],
			sizeof(*walk->children), compare, &order);
	free(at);
	return 0;
}

/* Nodes are as deep as REGIONS_DEPTH at most. */
static int add_subtree(struct regions_view *view, const struct walk *walk,
		       struct region_sum *sums, const struct region_thread *thread,
		       uint32_t node)
{
	const struct region_row row = {
		.node = node, .thread = thread,
		.depth = node ? node_of(view, node)->depth - 1 : 0,
	};
	const bool shown = !is_empty(&sums[node]) &&
			   (!view->pie || regions_has_time(node_of(view, node)));
	int err = shown ? add_row(view, &row, &sums[node]) : 0;

	if (!node || (view->pie && node_of(view, node)->depth))
		return err;
	for (uint32_t i = walk->first[node]; i < walk->first[node + 1] && !err; i++)
		err = add_subtree(view, walk, sums, thread, walk->children[i]);
	return err;
}

/* What is outside comes last: it is a rest. */
static int add_tree(struct regions_view *view, struct region_sum *sums,
		    const struct region_thread *thread)
{
	struct walk walk;
	int err = make_walk(view, sums, &walk);

	for (uint32_t i = walk.first ? walk.first[0] : 0; !err && i < walk.first[1]; i++)
		err = add_subtree(view, &walk, sums, thread, walk.children[i]);
	if (!err)
		err = add_subtree(view, &walk, sums, thread, REGIONS_OUTSIDE);
	free_walk(&walk);
	return err;
}

/* Add to the sum of a name what is in one of its nodes; @inner: another is around it. */
static int join(const struct regions_view *view, struct region_sum *to, struct region_sum *from,
		bool inner)
{
	const size_t nr = regions_counted(view->file.regions);
	struct region_value *last;

	to->calls += from->calls;
	to->self += from->self;
	to->sampled += from->sampled;
	to->missing += from->missing;
	to->unended += from->unended;
	to->lost += from->lost;
	to->mixed += from->mixed;
	if (!inner) {
		to->total += from->total;
		to->sampled_total += from->sampled_total;
	}
	for (size_t i = 0; i < nr && to->self_counts && from->self_counts; i++)
		to->self_counts[i] += from->self_counts[i];
	for (size_t i = 0; i < nr && to->total_counts && from->total_counts && !inner; i++)
		to->total_counts[i] += from->total_counts[i];
	if (!to->self_counts) {
		to->self_counts = from->self_counts;
		from->self_counts = NULL;
	}
	if (!to->total_counts && !inner) {
		to->total_counts = from->total_counts;
		from->total_counts = NULL;
	}
	for (last = from->values; last && last->next;)
		last = last->next;
	if (last) {
		last->next = to->values;
		to->values = from->values;
		from->values = NULL;
	}
	return durations_join(&to->durations, &from->durations);
}

struct named {
	const struct region_node *node;
	uint32_t first;
};

static bool same_name(const void *item, const void *key)
{
	const struct region_node *a = ((const struct named *)item)->node, *b = key;

	return a->name == b->name && a->kind == b->kind;
}

/* Whether a node of the same name is around it. */
static bool is_inner(const struct regions_view *view, uint32_t node)
{
	const struct region_node *one = node_of(view, node), *around = one;

	while (around->parent != REGIONS_NONE) {
		around = node_of(view, around->parent);
		if (around->name == one->name && around->kind == one->kind)
			return true;
	}
	return false;
}

/* Sum up in the first node of each name. */
static int join_names(const struct regions_view *view, struct region_sum *sums,
		      struct named *names, bool *joined)
{
	struct hash table = {};
	const struct region_node *node;
	uint64_t hash;
	void **place;
	int err = 0;

	for (uint32_t i = 0; (node = node_of(view, i)) && !err; i++) {
		hash = hash_mix((uintptr_t)node->name ^ node->kind);
		place = hash_find(&table, hash, same_name, node);
		joined[i] = place;
		names[i] = (struct named){ node, i };
		if (place)
			err = join(view, &sums[((struct named *)*place)->first], &sums[i],
				   is_inner(view, i));
		else
			err = hash_add(&table, hash, &names[i]);
	}
	hash_free(&table);
	return err;
}

static int compare_rows(const void *a, const void *b, void *context)
{
	const struct region_row *left = a, *right = b;
	const int kinds = compare_kinds(context, left->node, right->node);

	if (kinds)
		return kinds;
	if (left->sum.self != right->sum.self)
		return left->sum.self > right->sum.self ? -1 : 1;
	if (left->sum.total != right->sum.total)
		return left->sum.total > right->sum.total ? -1 : 1;
	return left->node < right->node ? -1 : left->node > right->node;
}

static int add_flat(struct regions_view *view, struct region_sum *sums,
		    const struct region_thread *thread)
{
	const size_t first = view->nr_rows;
	struct named *names;
	bool *joined;
	uint32_t nr = 0;
	int err;

	while (node_of(view, nr))
		nr++;
	names = calloc(nr, sizeof(*names));
	joined = calloc(nr, sizeof(*joined));
	err = names && joined ? join_names(view, sums, names, joined) : -ENOMEM;
	for (uint32_t i = 0; i < nr && !err; i++) {
		const struct region_row row = { .node = i, .thread = thread };

		if (joined[i] || is_empty(&sums[i]))
			continue;
		err = region_values_join(&sums[i].values);
		if (!err)
			err = add_row(view, &row, &sums[i]);
	}
	if (view->nr_rows > first)
		qsort_r(view->rows + first, view->nr_rows - first, sizeof(*view->rows),
			compare_rows, view);
	free(names);
	free(joined);
	return err;
}

static int add_rows(struct regions_view *view, const struct region_thread *thread)
{
	struct regions *regions = view->file.regions;
	const struct region_node *node;
	struct region_sum *sums;
	int err = regions_sum(regions, thread, &sums);

	if (err)
		return err;
	take_rest(view, &sums[REGIONS_OUTSIDE]);
	for (uint32_t i = 0; (node = regions_node(regions, i)); i++)
		if (node->kind == REGION_PAUSED)
			view->inside -= sums[i].self;
	err = view->flat ? add_flat(view, sums, thread) : add_tree(view, sums, thread);
	regions_free_sums(regions, sums);
	return err;
}

int regions_make_rows(struct regions_view *view)
{
	const struct region_thread *thread;
	int err = 0;

	if (!view->by_thread)
		return add_rows(view, NULL);
	for (size_t i = 0; (thread = regions_thread(view->file.regions, i)) && !err; i++)
		err = add_rows(view, thread);
	return err;
}

void regions_free_rows(struct regions_view *view)
{
	for (size_t i = 0; i < view->nr_rows; i++)
		regions_free_sum(&view->rows[i].sum);
	free(view->rows);
	for (size_t i = 0; i < view->nr_iterations; i++)
		free(view->iterations[i].counts);
	free(view->iterations);
}
