// SPDX-License-Identifier: GPL-2.0
/*
 * The graph of a row: the chains of its entries, from one function on, laid over each
 * other where they are the same.
 *
 * Each node of the tree of calls is looked at once for a graph, however many entries
 * are below it: what it became is kept.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report_private.h"

/* Stands for a node of the tree that has no place in the graph. */
#define NOWHERE	UINT32_MAX

/**
 * struct call_index - how to go down the tree of calls
 * @nodes: of each node, the first one that it called, the next one of its caller, the
 *	next one of the same callee, its first entry plus one; and what it has become
 *	in the graph with the number @graph
 * @by_callee: the first node of each
 * @next_entry: by entry, plus one: the next one of the same node
 */
struct call_index {
	struct call_links {
		uint32_t first_call;
		uint32_t next_call;
		uint32_t next_same;
		uint32_t first_entry;
		uint32_t graph;
		uint32_t became;
	} *nodes;
	uint32_t *by_callee;
	uint32_t *next_entry;
	uint32_t graphs;
};

/**
 * struct graph - a graph that grows
 * @place: functions of the row's place begin it, and no others
 * @nodes: parent << 32 | callee, by node; node 0 stands before the first ones
 * @sums: by node, with room for @room
 * @path: nodes of the tree on the way down, the last one first
 */
struct graph {
	struct kermon_report *report;
	const struct table_node *table;
	const struct row *row;
	bool place;
	struct numbering nodes;
	struct graph_sum {
		uint64_t samples;
		uint64_t value;
		size_t nr_calls;
	} *sums;
	size_t room;
	uint32_t *path;
	size_t room_path;
};

void report_free_index(struct kermon_report *report)
{
	if (!report->index)
		return;
	free(report->index->nodes);
	free(report->index->by_callee);
	free(report->index->next_entry);
	free(report->index);
}

/* Nodes are numbered from the root on, so that the last ones come first here. */
static void link_nodes(struct call_index *index, const struct calltree *tree)
{
	struct call_links *nodes = index->nodes;
	uint32_t parent, callee;

	for (uint32_t i = tree->nodes.nr - 1; i; i--) {
		parent = calltree_parent(tree, i);
		callee = calltree_callee(tree, i);
		nodes[i].next_call = nodes[parent].first_call;
		nodes[parent].first_call = i;
		nodes[i].next_same = index->by_callee[callee];
		index->by_callee[callee] = i;
	}
}

static void link_entries(struct call_index *index,
			 const struct kermon_report *report)
{
	struct call_links *node;

	for (uint32_t i = 0; i < report->entries.nr; i++) {
		node = &index->nodes[report_chain(report, i)];
		index->next_entry[i] = node->first_entry;
		node->first_entry = i + 1;
	}
}

static int make_index(struct kermon_report *report)
{
	const struct calltree *tree = &report->tree;
	struct call_index *index = calloc(1, sizeof(*index));

	report->index = index;
	if (!index)
		return -ENOMEM;
	index->nodes = calloc(tree->nodes.nr + 1, sizeof(*index->nodes));
	index->by_callee = calloc(tree->functions.nr + 1,
				  sizeof(*index->by_callee));
	index->next_entry = calloc(report->entries.nr + 1,
				   sizeof(*index->next_entry));
	if (!index->nodes || !index->by_callee || !index->next_entry) {
		report_free_index(report);
		report->index = NULL;
		return -ENOMEM;
	}
	if (tree->nodes.nr)
		link_nodes(index, tree);
	link_entries(index, report);
	return 0;
}

static const struct callee *callee_of(const struct graph *graph,
				      uint32_t number)
{
	return &graph->report->tree.callees[number];
}

/* Whether a function is one that the row is of. */
static bool is_of_row(const struct graph *graph, uint32_t number)
{
	const struct callee *callee = callee_of(graph, number);
	const struct row_key *key = &graph->row->key;

	if (report_has_key(&graph->table->keys, KERMON_KEY_SYM) &&
	    callee->symbol != key->symbol)
		return false;
	return callee->dso ? callee->dso->name == key->dso : !key->dso;
}

/* Whether the graph may begin with a node of the tree. */
static bool begins(const struct graph *graph, uint32_t at)
{
	return !graph->place ||
	       is_of_row(graph, calltree_callee(&graph->report->tree, at));
}

/* The node of the graph for @callee behind @parent, made if need be. */
static uint32_t get_node(struct graph *graph, uint32_t parent, uint32_t callee)
{
	uint32_t known = graph->nodes.nr, node;
	size_t room = graph->room ? 2 * graph->room : 256;
	struct graph_sum *sums;

	if (known == graph->room) {
		sums = realloc(graph->sums, room * sizeof(*sums));
		if (!sums)
			return NUMBERING_FULL;
		graph->sums = sums;
		graph->room = room;
	}
	node = numbering_get(&graph->nodes, (uint64_t)parent << 32 | callee);
	if (node != known)
		return node;
	graph->sums[node] = (struct graph_sum){ .nr_calls = 0 };
	if (node)
		graph->sums[parent].nr_calls++;
	return node;
}

/* From the innermost function of the row outwards; @end is the outermost one. */
static int add_callers(struct graph *graph, uint32_t at, uint32_t *end)
{
	const struct calltree *tree = &graph->report->tree;
	struct call_index *index = graph->report->index;
	struct call_links *begin;

	while (at != CALLTREE_ROOT && !begins(graph, at))
		at = calltree_parent(tree, at);
	begin = &index->nodes[at];
	if (begin->graph == index->graphs) {
		*end = begin->became;
		return 0;
	}
	*end = 0;
	for (; at != CALLTREE_ROOT; at = calltree_parent(tree, at)) {
		*end = get_node(graph, *end, calltree_callee(tree, at));
		if (*end == NUMBERING_FULL)
			return -ENOMEM;
	}
	begin->graph = index->graphs;
	begin->became = *end;
	return 0;
}

static int add_to_path(struct graph *graph, size_t nr, uint32_t at)
{
	size_t room = graph->room_path ? 2 * graph->room_path : 128;
	uint32_t *path;

	if (nr == graph->room_path) {
		path = realloc(graph->path, room * sizeof(*path));
		if (!path)
			return -ENOMEM;
		graph->path = path;
		graph->room_path = room;
	}
	graph->path[nr] = at;
	return 0;
}

/* From the outermost function of the row inwards; @end is the innermost one. */
static int add_callees(struct graph *graph, uint32_t at, uint32_t *end)
{
	const struct calltree *tree = &graph->report->tree;
	struct call_index *index = graph->report->index;
	size_t nr = 0, outermost = 0;

	for (; at != CALLTREE_ROOT &&
	       index->nodes[at].graph != index->graphs;
	     at = calltree_parent(tree, at)) {
		if (add_to_path(graph, nr++, at))
			return -ENOMEM;
		if (begins(graph, at))
			outermost = nr;
	}
	*end = at == CALLTREE_ROOT ? 0 : index->nodes[at].became;
	if (at != CALLTREE_ROOT)
		outermost = nr;
	while (outermost--) {
		at = graph->path[outermost];
		*end = get_node(graph, *end, calltree_callee(tree, at));
		if (*end == NUMBERING_FULL)
			return -ENOMEM;
		index->nodes[at].graph = index->graphs;
		index->nodes[at].became = *end;
	}
	return 0;
}

static int add_entry(struct graph *graph, uint32_t entry,
		     enum kermon_direction direction)
{
	const uint64_t *sums = report_sums(graph->report, entry);
	uint32_t chain = report_chain(graph->report, entry), end;
	int err = direction == KERMON_CALLERS ?
		  add_callers(graph, chain, &end) :
		  add_callees(graph, chain, &end);

	if (err)
		return err;
	graph->sums[end].samples += sums[0];
	graph->sums[end].value += sums[1 + graph->table->table.weight];
	return 0;
}

/* Whether an entry comes from the threads and so on that the row is about. */
static bool is_from(const struct graph *graph, uint32_t entry)
{
	const struct row_key *row = &graph->row->key;
	struct callee nowhere = { .dso = NULL };
	struct row_key key;

	report_row_key(&graph->table->keys,
		       report_origin(graph->report, entry), &nowhere, &key);
	key.dso = row->dso;
	key.symbol = row->symbol;
	return !memcmp(&key, row, sizeof(key));
}

/* The entries of one node of the tree. */
static int add_node(struct graph *graph, uint32_t at,
		    enum kermon_direction direction)
{
	const struct call_index *index = graph->report->index;
	uint32_t entry = index->nodes[at].first_entry;
	int err = 0;

	for (; entry && !err; entry = index->next_entry[entry - 1])
		if (is_from(graph, entry - 1))
			err = add_entry(graph, entry - 1, direction);
	return err;
}

/* The entries of a node and of all below it. */
static int add_below(struct graph *graph, uint32_t top,
		     enum kermon_direction direction)
{
	const struct call_links *nodes = graph->report->index->nodes;
	uint32_t at = top;
	int err;

	for (;;) {
		err = add_node(graph, at, direction);
		if (err)
			return err;
		if (nodes[at].first_call) {
			at = nodes[at].first_call;
			continue;
		}
		while (at != top && !nodes[at].next_call)
			at = calltree_parent(&graph->report->tree, at);
		if (at == top)
			return 0;
		at = nodes[at].next_call;
	}
}

/* Whether a function of the row called this one, so that it is below that. */
static bool is_nested(const struct graph *graph, uint32_t at)
{
	const struct calltree *tree = &graph->report->tree;

	do
		at = calltree_parent(tree, at);
	while (at != CALLTREE_ROOT && !begins(graph, at));
	return at != CALLTREE_ROOT;
}

/* All entries that were active in the row's place. */
static int add_active(struct graph *graph, enum kermon_direction direction)
{
	const struct call_index *index = graph->report->index;
	uint32_t at;
	int err = 0;

	for (uint32_t i = 0; i < graph->report->tree.functions.nr; i++) {
		if (!is_of_row(graph, i))
			continue;
		for (at = index->by_callee[i]; at && !err;
		     at = index->nodes[at].next_same)
			if (!is_nested(graph, at))
				err = add_below(graph, at, direction);
	}
	return err;
}

/* All entries that the row has itself. */
static int add_own(struct graph *graph, enum kermon_direction direction)
{
	uint32_t entry = graph->row->entries;
	int err = 0;

	for (; entry && !err; entry = graph->table->next_entry[entry - 1])
		err = add_entry(graph, entry - 1, direction);
	return err;
}

/* Sums are where chains end so far: callers have those of what they called. */
static void add_up(struct graph *graph)
{
	uint32_t parent;

	for (uint32_t i = graph->nodes.nr - 1; i; i--) {
		parent = graph->nodes.keys[i] >> 32;
		graph->sums[parent].samples += graph->sums[i].samples;
		graph->sums[parent].value += graph->sums[i].value;
	}
}

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_calls(const void *a, const void *b)
{
	const struct kermon_call *left = a, *right = b;
	int order;

	if (left->value != right->value)
		return left->value > right->value ? -1 : 1;
	order = compare_texts(left->sym, right->sym);
	return order ? order : compare_texts(left->dso, right->dso);
}

static int name_call(struct graph *graph, uint32_t node,
		     struct kermon_call *call)
{
	const struct callee *callee =
		callee_of(graph, (uint32_t)graph->nodes.keys[node]);

	call->dso = callee->dso ? callee->dso->name : NULL;
	if (!callee->symbol)
		return 0;
	call->sym = report_symbol_name(graph->report, callee);
	return call->sym ? 0 : -ENOMEM;
}

/*
 * Every node to its place behind its parent: nodes are numbered parents first, so
 * @first, where the calls of a node begin in @calls, is known before they come.
 */
static int lay_out(struct graph *graph, struct kermon_call *calls,
		   size_t *first)
{
	size_t next = 1, at = 0;
	int err = 0;

	for (uint32_t node = 0; node < graph->nodes.nr && !err; node++) {
		if (node)
			at = first[graph->nodes.keys[node] >> 32]++;
		first[node] = next;
		next += graph->sums[node].nr_calls;
		calls[at] = (struct kermon_call){
			.samples = graph->sums[node].samples,
			.value = graph->sums[node].value,
			.calls = calls + first[node],
			.nr_calls = graph->sums[node].nr_calls,
		};
		if (node)
			err = name_call(graph, node, &calls[at]);
	}
	return err;
}

static int finish(struct graph *graph, struct kermon_call **result)
{
	size_t nr = graph->nodes.nr;
	struct kermon_call *calls = calloc(nr, sizeof(*calls));
	size_t *first = calloc(nr, sizeof(*first));
	int err = -ENOMEM;

	add_up(graph);
	if (calls && first)
		err = lay_out(graph, calls, first);
	free(first);
	if (err) {
		free(calls);
		return err;
	}
	for (size_t i = 0; i < nr; i++)
		qsort((void *)calls[i].calls, calls[i].nr_calls,
		      sizeof(*calls), compare_calls);
	*result = calls;
	return 0;
}

int kermon_report_graph(struct kermon_report *report,
			const struct kermon_table *table, size_t row,
			enum kermon_direction direction,
			struct kermon_call **result)
{
	const struct table_node *node = (const struct table_node *)table;
	struct graph graph = {
		.report = report,
		.table = node,
		.row = node->rows[row],
		.place = table->callers,
	};
	int err = report->index ? 0 : make_index(report);

	if (!err && get_node(&graph, NOWHERE, NOWHERE) == NUMBERING_FULL)
		err = -ENOMEM;
	if (!err) {
		report->index->graphs++;
		err = graph.place ? add_active(&graph, direction) :
				    add_own(&graph, direction);
	}
	if (!err)
		err = finish(&graph, result);
	numbering_free(&graph.nodes);
	free(graph.sums);
	free(graph.path);
	return err;
}

void kermon_graph_free(struct kermon_call *graph)
{
	free(graph);
}
