// SPDX-License-Identifier: GPL-2.0
/*
 * Tables with callers. The tree of calls is walked once for each group of rows: the
 * sums between entering and leaving a function belong to the function, counted once
 * even if it is recursive.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report_private.h"
#include "util/array.h"

int report_make_index(struct kermon_report *report)
{
	int err;

	if (report->index)
		return 0;
	report->index = calloc(1, sizeof(*report->index));
	if (!report->index)
		return -ENOMEM;
	err = callindex_make(report->index, &report->tree, &report->entries);
	if (err) {
		callindex_free(report->index);
		free(report->index);
		report->index = NULL;
	}
	return err;
}

static bool is_group(const void *item, const void *key)
{
	const struct row_group *group = item;

	return !memcmp(&group->key, key, sizeof(group->key));
}

static struct row_group *get_group(struct kermon_report *report,
				   struct table_node *node, struct hash *known,
				   const struct origin *origin)
{
	struct callee nowhere = { .dso = NULL };
	struct row_group *group;
	struct row_key key;
	uint64_t hash;
	void **found;

	if (report_row_key(report, &node->keys, origin, &nowhere, &key))
		return NULL;
	hash = hash_bytes(&key, sizeof(key));
	found = hash_find(known, hash, is_group, &key);
	if (found)
		return *found;
	group = calloc(1, sizeof(*group));
	if (!group)
		return NULL;
	group->key = key;
	group->next = node->groups;
	node->groups = group;
	return hash_add(known, hash, group) ? NULL : group;
}

static int find_groups(struct kermon_report *report, struct table_node *node)
{
	struct hash known = { .nr = 0 };
	struct row_group *group;
	int err = 0;

	node->group_by_origin = calloc(report->nr_origins + 1,
				       sizeof(*node->group_by_origin));
	if (!node->group_by_origin)
		return -ENOMEM;
	for (size_t i = 0; i < report->nr_origins && !err; i++) {
		if (!node->by_origin[i])
			continue;
		group = get_group(report, node, &known, report->origins[i]);
		if (!group) {
			err = -ENOMEM;
			break;
		}
		node->group_by_origin[i] = group;
		node->by_origin[i]->group = group;
	}
	hash_free(&known);
	return err;
}

void report_free_groups(struct table_node *node)
{
	struct row_group *group, *next;

	for (group = node->groups; group; group = next) {
		next = group->next;
		free(group);
	}
	free(node->group_by_origin);
}

static struct entry_list *list_of(const struct table_node *node,
				  uint32_t origin)
{
	return node->table.callers ? &node->group_by_origin[origin]->entries :
				     &node->by_origin[origin]->own;
}

/* Backwards, so that lists ascend. */
int report_link_entries(const struct kermon_report *report,
			struct table_node *node)
{
	const struct callindex *index = report->index;
	struct entry_list *list;

	if (node->next_entry)
		return 0;
	node->next_entry = calloc((size_t)index->nr_entries + 1,
				  sizeof(*node->next_entry));
	if (!node->next_entry)
		return -ENOMEM;
	for (uint32_t i = index->nr_entries; i; i--) {
		list = list_of(node, report->entries.keys[
				       index->entries[i - 1]] >> 32);
		node->next_entry[i - 1] = list->first;
		list->first = i;
		list->nr++;
	}
	return 0;
}

/**
 * struct call_walk - a walk down the tree and up again
 * @sums: number of samples so far, and their sums by column
 * @rows: rows of the group, by callee, as far as they have been visited
 * @path: nodes that have been entered, the outermost one first
 */
struct call_walk {
	struct kermon_report *report;
	struct table_node *node;
	uint64_t *sums;
	struct row **rows;
	struct step {
		uint32_t node;
		struct row *row;
	} *path;
	size_t nr;
	size_t room;
};

/* Add the current sums to a row that is left, or subtract them when it is entered. */
static void add_sums(const struct call_walk *walk, struct row *row, bool leave)
{
	size_t nr = walk->report->nr_columns;
	uint64_t *values = row->values + nr;

	row->shown.all_samples += leave ? walk->sums[0] : -walk->sums[0];
	for (size_t i = 0; i < nr; i++)
		values[i] += leave ? walk->sums[1 + i] : -walk->sums[1 + i];
}

static struct row *row_of(struct call_walk *walk, const struct row_group *group,
			  const struct origin *origin, uint32_t callee)
{
	struct row *row = walk->rows[callee];

	if (row && row->group == group)
		return row;
	row = report_get_row(walk->report, walk->node, origin,
			     &walk->report->tree.callees[callee]);
	if (!row)
		return NULL;
	row->group = (struct row_group *)group;
	walk->rows[callee] = row;
	return row;
}

/* Leave all nodes that do not lead to @to. */
static void leave(struct call_walk *walk, uint32_t to)
{
	const uint32_t *ends = walk->report->index->ends;
	struct row *row;

	while (walk->nr && ends[walk->path[walk->nr - 1].node] <= to) {
		row = walk->path[--walk->nr].row;
		if (!--row->active)
			add_sums(walk, row, true);
	}
}

/* Enter all nodes from the last step to @to. */
static int enter(struct call_walk *walk, uint32_t to, const struct row_group *group,
		 const struct origin *origin)
{
	const struct callindex *index = walk->report->index;
	uint32_t last = walk->nr ? walk->path[walk->nr - 1].node :
				   CALLTREE_ROOT;
	size_t nr = walk->nr;
	struct row *row;

	for (uint32_t at = to; at != last; at = index->callers[at])
		nr++;
	if (array_room(walk->path, walk->room, nr))
		return -ENOMEM;
	for (size_t i = nr; i > walk->nr; i--, to = index->callers[to])
		walk->path[i - 1].node = to;
	for (; walk->nr < nr; walk->nr++) {
		row = row_of(walk, group, origin,
			     index->callees[walk->path[walk->nr].node]);
		if (!row)
			return -ENOMEM;
		walk->path[walk->nr].row = row;
		if (!row->active++)
			add_sums(walk, row, false);
	}
	return 0;
}

/* Samples without a chain are not in any function, but still in their row. */
static void add_alone(const struct call_walk *walk, uint32_t origin,
		      const uint64_t *sums)
{
	struct row *row = walk->node->by_origin[origin];

	row->shown.all_samples += sums[0];
	for (size_t i = 0; i < walk->report->nr_columns; i++)
		row->values[walk->report->nr_columns + i] += sums[1 + i];
}

static int take_entry(struct call_walk *walk, const struct row_group *group,
		      uint32_t entry)
{
	const struct kermon_report *report = walk->report;
	uint32_t to = report_chain(report, entry);
	const uint64_t *sums = report_sums(report, entry);
	int err = report_cancelled(report);

	if (err)
		return err;
	if (to == CALLTREE_ROOT) {
		add_alone(walk, report->entries.keys[entry] >> 32, sums);
		return 0;
	}
	leave(walk, to);
	err = enter(walk, to, group, report_origin(report, entry));
	for (size_t i = 0; i <= report->nr_columns; i++)
		walk->sums[i] += sums[i];
	return err;
}

static int walk_group(struct call_walk *walk, const struct row_group *group)
{
	const struct callindex *index = walk->report->index;
	uint32_t at = group->entries.first;
	int err = 0;

	for (; at && !err; at = walk->node->next_entry[at - 1])
		err = take_entry(walk, group, index->entries[at - 1]);
	leave(walk, UINT32_MAX);
	return err;
}

static int walk_all(struct call_walk *walk)
{
	const struct callindex *index = walk->report->index;
	int err = 0;

	for (uint32_t i = 0; i < index->nr_entries && !err; i++)
		err = take_entry(walk, walk->node->groups, index->entries[i]);
	leave(walk, UINT32_MAX);
	return err;
}

int report_add_callers(struct kermon_report *report, struct table_node *node)
{
	struct call_walk walk = { .report = report, .node = node };
	int err = report_make_index(report);

	if (!err)
		err = find_groups(report, node);
	if (!err && node->groups && node->groups->next)
		err = report_link_entries(report, node);
	walk.sums = calloc(report->nr_columns + 1, sizeof(*walk.sums));
	walk.rows = calloc((size_t)report->tree.functions.nr + 1,
			   sizeof(struct row *));
	if (!err && (!walk.sums || !walk.rows))
		err = -ENOMEM;
	if (!err && node->next_entry)
		for (struct row_group *group = node->groups; group && !err;
		     group = group->next)
			err = walk_group(&walk, group);
	else if (!err)
		err = walk_all(&walk);
	free(walk.sums);
	free(walk.rows);
	free(walk.path);
	return err;
}
