// SPDX-License-Identifier: GPL-2.0
/* The tree of branches, and what each thread does in each. */
#define _GNU_SOURCE
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "private.h"
#include "util/array.h"

/* A node in the table of nodes by parent. */
struct child {
	uint32_t parent;
	uint32_t kind;
	const char *name;
	uint32_t node;
};

static bool same_child(const void *item, const void *key)
{
	const struct child *a = item, *b = key;

	return a->parent == b->parent && a->kind == b->kind && a->name == b->name;
}

static uint64_t hash_child(const struct child *child)
{
	return hash_mix(hash_mix((uintptr_t)child->name) ^
			((uint64_t)child->parent << 8 | child->kind));
}

static bool is_wanted(const struct regions *regions, uint32_t node)
{
	const char *pattern = regions->options.iterations;
	char branch[4096];

	if (!pattern)
		return false;
	return !fnmatch(pattern, regions->nodes[node].name, FNM_EXTMATCH) ||
	       !fnmatch(pattern, regions_branch(regions, node, branch, sizeof(branch)),
			FNM_EXTMATCH);
}

static uint32_t new_node(struct regions *regions, uint32_t parent, const char *name,
			 enum region_kind kind)
{
	struct region_node *node;

	if (array_room(regions->nodes, regions->room_nodes, (size_t)regions->nr_nodes + 1))
		return REGIONS_NONE;
	node = &regions->nodes[regions->nr_nodes];
	*node = (struct region_node){
		.name = name,
		.parent = parent,
		.kind = kind,
		.depth = parent == REGIONS_NONE ? 0 : regions->nodes[parent].depth + 1,
	};
	node->wanted = is_wanted(regions, regions->nr_nodes);
	return regions->nr_nodes++;
}

uint32_t tree_child(struct regions *regions, uint32_t parent, const char *name,
		    enum region_kind kind)
{
	const struct child key = { .parent = parent, .kind = kind, .name = name };
	void **place = hash_find(&regions->by_parent, hash_child(&key), same_child, &key);
	struct child *child;

	if (place)
		return ((struct child *)*place)->node;
	if (parent != REGIONS_NONE && regions->nodes[parent].depth == REGIONS_DEPTH) {
		regions->trouble.too_deep++;
		return parent;
	}
	child = malloc(sizeof(*child));
	if (!child)
		return REGIONS_NONE;
	*child = key;
	child->node = new_node(regions, parent, name, kind);
	if (child->node != REGIONS_NONE &&
	    !hash_add(&regions->by_parent, hash_child(&key), child))
		return child->node;
	free(child);
	return REGIONS_NONE;
}

uint32_t tree_branch(struct regions *regions, uint32_t base, const struct name *name,
		     enum region_kind kind)
{
	for (uint32_t i = 0; i < name->nr && base != REGIONS_NONE; i++)
		base = tree_child(regions, base, name->path[i], i + 1 < name->nr ?
				  REGION_NESTED : kind);
	return base;
}

struct stat_of *tree_stat(struct regions *regions, struct track *track, uint32_t node)
{
	uint32_t known = regions->stat_numbers.nr, number;
	struct stat_of *stat;

	if (array_room(regions->stats, regions->room_stats, (size_t)known + 1))
		return NULL;
	number = numbering_get(&regions->stat_numbers,
			       (uint64_t)track->shown.number << 32 | node);
	if (number == NUMBERING_FULL)
		return NULL;
	if (number < known)
		return regions->stats[number];
	stat = calloc(1, sizeof(*stat));
	regions->stats[number] = stat;
	if (!stat)
		return NULL;
	stat->node = node;
	stat->thread = track->shown.number;
	stat->next = track->stats;
	track->stats = stat;
	return stat;
}

/* Numbers attached to a node by a thread, in the table of all. */
struct attached {
	struct region_value value;
	const struct stat_of *stat;
};

static bool same_attached(const void *item, const void *key)
{
	const struct attached *a = item, *b = key;

	return a->stat == b->stat && a->value.name == b->value.name;
}

static struct region_value *find_value(struct regions *regions, struct stat_of *stat,
				       const char *name)
{
	const struct attached key = { .value.name = name, .stat = stat };
	uint64_t hash = hash_mix(hash_mix((uintptr_t)name) ^ (uintptr_t)stat);
	void **place = hash_find(&regions->values, hash, same_attached, &key);
	struct attached *new;

	if (place)
		return &((struct attached *)*place)->value;
	new = malloc(sizeof(*new));
	if (!new)
		return NULL;
	*new = key;
	if (hash_add(&regions->values, hash, new)) {
		free(new);
		return NULL;
	}
	new->value.next = stat->values;
	stat->values = &new->value;
	return &new->value;
}

int tree_value(struct regions *regions, struct stat_of *stat, const char *name, double value,
	       bool is_real)
{
	struct region_value *found = find_value(regions, stat, name);

	if (!found)
		return -ENOMEM;
	if (!found->nr || value < found->least)
		found->least = value;
	if (!found->nr || value > found->most)
		found->most = value;
	found->nr++;
	found->sum += value;
	found->is_real |= is_real;
	return 0;
}

const struct region_node *regions_node(const struct regions *regions, uint32_t node)
{
	return node < regions->nr_nodes ? &regions->nodes[node] : NULL;
}

size_t regions_path(const struct regions *regions, uint32_t node, uint32_t path[REGIONS_DEPTH])
{
	size_t nr = regions->nodes[node].depth;

	for (size_t i = nr; i--; node = regions->nodes[node].parent)
		path[i] = node;
	return nr;
}

const char *regions_branch(const struct regions *regions, uint32_t node, char *text, size_t size)
{
	uint32_t path[REGIONS_DEPTH];
	size_t nr = regions_path(regions, node, path), at = 0;

	if (!nr) {
		snprintf(text, size, "%s", regions->nodes[node].name);
		return text;
	}
	for (size_t i = 0; i < nr && at < size; i++)
		at += snprintf(text + at, size - at, "%s%s", i ? "/" : "",
			       regions->nodes[path[i]].name);
	return text;
}

static void free_stat(struct stat_of *stat)
{
	if (!stat)
		return;
	durations_free(&stat->durations);
	free(stat->counts);
	free(stat);
}

static void free_items(struct hash *table)
{
	for (size_t i = 0; i < table->room; i++)
		free(table->slots[i].item);
	hash_free(table);
}

void tree_free(struct regions *regions)
{
	for (uint32_t i = 0; i < regions->stat_numbers.nr; i++)
		free_stat(regions->stats[i]);
	free_items(&regions->values);
	free_items(&regions->by_parent);
	numbering_free(&regions->stat_numbers);
	free(regions->stats);
	free(regions->nodes);
}
