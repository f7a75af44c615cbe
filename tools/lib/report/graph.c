// SPDX-License-Identifier: GPL-2.0
/*
 * The call graph of a row: the chains of its entries from a function on, merged where
 * they are equal.
 *
 * It grows level by level. When a function is added to the graph, its nodes in the tree
 * of calls and its sums are known before its callers or callees are examined. So
 * functions that are too small to be shown cost nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report_private.h"
#include "util/array.h"
#include "util/sized.h"

/**
 * struct stand - a node of the tree that a function of the graph represents
 * @sum: of the samples that continue from there
 */
struct stand {
	uint32_t node;
	struct call_sum sum;
};

struct stands {
	struct stand *all;
	size_t nr;
	size_t room;
};

/**
 * struct node - a function in the graph
 * @first_call: number of its first caller or callee; the others follow
 * @stands: index of its first element among those of its level
 */
struct node {
	uint32_t callee;
	uint32_t first_call;
	uint32_t nr_calls;
	struct call_sum sum;
	size_t stands;
	size_t nr_stands;
};

/**
 * struct graph - a growing graph
 * @total: base of percentages, unless they are relative to the previous function
 * @nodes: the first one is a dummy; every node precedes those that it leads to
 * @now: stands of the current level
 * @next: stands of the next level
 * @found: callers or callees of one function, not yet sorted by callee
 * @by_callee: their functions; 0: not found yet
 */
struct graph {
	struct kermon_report *report;
	const struct table_node *table;
	const struct row *row;
	const struct kermon_graph_options *options;
	uint64_t total;
	struct node *nodes;
	size_t nr;
	size_t room;
	struct stands now;
	struct stands next;
	struct stands found;
	uint32_t *by_callee;
};

static int add_stand(struct stands *stands, uint32_t node, struct call_sum sum)
{
	if (array_room(stands->all, stands->room, stands->nr + 1))
		return -ENOMEM;
	stands->all[stands->nr++] = (struct stand){ .node = node, .sum = sum };
	return 0;
}

/* Add a function that @parent leads to. Return: 0 or -ENOMEM. */
static int add_node(struct graph *graph, uint32_t parent, uint32_t callee)
{

	if (graph->nr == NUMBERING_FULL)
		return -ENOMEM;
	if (array_room(graph->nodes, graph->room, graph->nr + 1))
		return -ENOMEM;
	if (graph->nr && !graph->nodes[parent].nr_calls++)
		graph->nodes[parent].first_call = graph->nr;
	graph->nodes[graph->nr++] = (struct node){ .callee = callee };
	return 0;
}

/* Add a node of the tree that @parent leads to, with the sums that continue there. */
static int find(struct graph *graph, uint32_t parent, uint32_t at,
		struct call_sum sum)
{
	uint32_t callee = graph->report->index->callees[at];
	uint32_t *known = &graph->by_callee[callee];
	struct node *node;

	if (!sum.samples)
		return report_cancelled(graph->report);
	if (!*known) {
		*known = graph->nr;
		if (add_node(graph, parent, callee))
			return -ENOMEM;
	}
	node = &graph->nodes[*known];
	node->sum.samples += sum.samples;
	node->sum.value += sum.value;
	node->nr_stands++;
	return add_stand(&graph->found, at, sum) ? -ENOMEM :
	       report_cancelled(graph->report);
}

static bool is_large(const struct graph *graph, const struct node *parent,
		     const struct node *node)
{
	uint64_t whole = graph->options->of_caller ? parent->sum.value :
						     graph->total;

	double percent = whole ? 100.0 * (double)node->sum.value /
				 (double)whole : 0;

	return percent >= graph->options->min_percent;
}

/* Move what was found to the next level, sorted by callee, and drop what is too small. */
static int sort_found(struct graph *graph, uint32_t parent)
{
	const struct node *caller = &graph->nodes[parent];
	size_t nr = graph->next.nr;
	struct stand *stand;
	struct node *node;

	for (uint32_t i = 0; i < caller->nr_calls; i++) {
		node = &graph->nodes[caller->first_call + i];
		if (!is_large(graph, caller, node))
			node->nr_stands = 0;
		node->stands = nr;
		nr += node->nr_stands;
	}
	while (graph->next.nr < nr)
		if (add_stand(&graph->next, 0, (struct call_sum){}))
			return -ENOMEM;
	for (size_t i = 0; i < graph->found.nr; i++) {
		stand = &graph->found.all[i];
		node = &graph->nodes[graph->by_callee[
			graph->report->index->callees[stand->node]]];
		if (node->nr_stands)
			graph->next.all[node->stands++] = *stand;
	}
	for (uint32_t i = 0; i < caller->nr_calls; i++) {
		node = &graph->nodes[caller->first_call + i];
		node->stands -= node->nr_stands;
		graph->by_callee[node->callee] = 0;
	}
	graph->found.nr = 0;
	return 0;
}

static int find_callees(struct graph *graph, uint32_t parent, uint32_t at)
{
	const uint32_t *ends = graph->report->index->ends;
	int err = 0;

	for (uint32_t i = at + 1; i < ends[at] && !err; i = ends[i])
		err = find(graph, parent, i,
			   report_selected(graph->report, i, ends[i]));
	return err;
}

static int find_caller(struct graph *graph, uint32_t parent,
		       const struct stand *stand)
{
	uint32_t caller = graph->report->index->callers[stand->node];

	return caller == CALLTREE_ROOT ? 0 :
	       find(graph, parent, caller, stand->sum);
}

/* Add everything that a function of the graph leads to. */
static int go_on(struct graph *graph, uint32_t parent)
{
	const struct node *node = &graph->nodes[parent];
	size_t end = node->stands + node->nr_stands;
	int err = 0;

	for (size_t i = node->stands; i < end && !err; i++)
		err = graph->options->direction == KERMON_CALLEES ?
		      find_callees(graph, parent, graph->now.all[i].node) :
		      find_caller(graph, parent, &graph->now.all[i]);
	return err ? err : sort_found(graph, parent);
}

/* Whether a function belongs to the row. */
static bool is_of_row(const struct graph *graph, uint32_t number)
{
	const struct callee *callee = &graph->report->tree.callees[number];
	const struct row_key *key = &graph->row->key;

	if (report_has_key(&graph->table->keys, KEY_SYM) &&
	    (callee->symbol != key->symbol || callee->inlined != key->inlined))
		return false;
	return callee->dso ? callee->dso->name == key->dso : !key->dso;
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

/* Find all nodes of the tree with functions of the row, ascending. */
static int find_places(const struct graph *graph, uint32_t **places, size_t *nr)
{
	const struct callindex *index = graph->report->index;
	uint32_t callees = graph->report->tree.functions.nr;
	size_t number = 0, of_row = 0;
	uint32_t count;

	for (uint32_t i = 0; i < callees; i++)
		if (is_of_row(graph, i))
			number += index->first_same[i + 1] -
				  index->first_same[i];
	*places = calloc(number + 1, sizeof(**places));
	*nr = number;
	if (!*places)
		return -ENOMEM;
	number = 0;
	for (uint32_t i = 0; i < callees; i++) {
		if (!is_of_row(graph, i))
			continue;
		count = index->first_same[i + 1] - index->first_same[i];
		memcpy(*places + number, index->same + index->first_same[i],
		       count * sizeof(**places));
		number += count;
		of_row++;
	}
	if (of_row > 1)
		qsort(*places, number, sizeof(**places), compare_numbers);
	return 0;
}

/* Start with the outermost functions of the row; what they called is in their subtrees. */
static int begin_outermost(struct graph *graph, const uint32_t *places,
			   size_t nr)
{
	const uint32_t *ends = graph->report->index->ends;
	uint32_t end = 0;
	int err = 0;

	for (size_t i = 0; i < nr && !err; i++) {
		if (places[i] < end)
			continue;
		end = ends[places[i]];
		err = find(graph, 0, places[i],
			   report_selected(graph->report, places[i], end));
	}
	return err;
}

/*
 * Start with the innermost functions of the row: each without the subtrees of others.
 * @open is the stack of functions that contain the current position.
 */
static int begin_innermost(struct graph *graph, uint32_t *places, size_t nr)
{
	const uint32_t *ends = graph->report->index->ends;
	struct call_sum *sums = calloc(nr + 1, sizeof(*sums));
	size_t *open = calloc(nr + 1, sizeof(*open)), depth = 0;
	int err = sums && open ? 0 : -ENOMEM;

	for (size_t i = 0; i < nr && !err; i++) {
		sums[i] = report_selected(graph->report, places[i],
					  ends[places[i]]);
		while (depth && ends[places[open[depth - 1]]] <= places[i])
			depth--;
		if (depth) {
			sums[open[depth - 1]].samples -= sums[i].samples;
			sums[open[depth - 1]].value -= sums[i].value;
		}
		open[depth++] = i;
	}
	for (size_t i = 0; i < nr && !err; i++)
		err = find(graph, 0, places[i], sums[i]);
	free(sums);
	free(open);
	return err;
}

static int begin_with_places(struct graph *graph)
{
	uint32_t *places;
	size_t nr;
	int err = find_places(graph, &places, &nr);

	if (!err)
		err = graph->options->direction == KERMON_CALLEES ?
		      begin_outermost(graph, places, nr) :
		      begin_innermost(graph, places, nr);
	free(places);
	return err;
}

/* Start where the row's own samples were taken. */
static int begin_with_ends(struct graph *graph)
{
	const struct kermon_report *report = graph->report;
	const struct selection *selected = report->selected;
	uint32_t entry, at, i = 0;
	int err = 0;

	while (i < selected->nr && !err) {
		entry = report->index->entries[selected->places[i]];
		at = report_chain(report, entry);
		err = at == CALLTREE_ROOT ? 0 :
		      find(graph, 0, at, report_selected(report, at, at + 1));
		while (i < selected->nr &&
		       selected->places[i] < report->index->first_entry[at + 1])
			i++;
	}
	return err;
}

/* The dummy node has the sums of all first functions. */
static void sum_up(struct graph *graph)
{
	struct node *root = &graph->nodes[0];

	if (!graph->table->table.callers) {
		root->sum = report_selected(graph->report, CALLTREE_ROOT,
					    graph->report->index->nr);
		return;
	}
	for (uint32_t i = 0; i < root->nr_calls; i++) {
		root->sum.samples +=
			graph->nodes[root->first_call + i].sum.samples;
		root->sum.value +=
			graph->nodes[root->first_call + i].sum.value;
	}
}

static int begin(struct graph *graph)
{
	int err = add_node(graph, 0, NUMBERING_FULL);

	if (err)
		return err;
	if (graph->table->table.callers)
		err = begin_with_places(graph);
	else if (graph->options->direction == KERMON_CALLEES)
		err = find_callees(graph, 0, CALLTREE_ROOT);
	else
		err = begin_with_ends(graph);
	if (err)
		return err;
	sum_up(graph);
	return sort_found(graph, 0);
}

static int grow(struct graph *graph)
{
	uint32_t from = 0, to;
	struct stands left;
	int err = begin(graph);

	for (from = 1; from < graph->nr && !err; from = to) {
		left = graph->now;
		graph->now = graph->next;
		graph->next = left;
		graph->next.nr = 0;
		to = graph->nr;
		for (uint32_t i = from; i < to && !err; i++)
			err = go_on(graph, i);
	}
	return err;
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

static int name_call(struct kermon_report *report, uint32_t number,
		     struct kermon_call *call)
{
	const struct callee *callee = &report->tree.callees[number];
	const char **name = &report->names[number];

	call->dso = callee->dso ? callee->dso->name : NULL;
	if (report_has_name(callee) && !*name)
		*name = report_symbol_name(report, callee);
	call->sym = *name;
	return report_has_name(callee) && !*name ? -ENOMEM : 0;
}

/* Convert to the public structure, with functions sorted by value. */
static int finish(const struct graph *graph, struct kermon_call **result)
{
	struct kermon_call *calls = calloc(graph->nr, sizeof(*calls));
	const struct node *node;
	int err = calls ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < graph->nr && !err; i++) {
		node = &graph->nodes[i];
		calls[i] = (struct kermon_call){
			.samples = node->sum.samples,
			.value = node->sum.value,
			.calls = calls + node->first_call,
			.nr_calls = node->nr_calls,
		};
		if (i)
			err = name_call(graph->report, node->callee, &calls[i]);
	}
	if (err) {
		free(calls);
		return err;
	}
	for (uint32_t i = 0; i < graph->nr; i++) {
		node = &graph->nodes[i];
		if (node->nr_calls > 1)
			qsort(calls + node->first_call, node->nr_calls,
			      sizeof(*calls), compare_calls);
	}
	*result = calls;
	return 0;
}

static int make_names(struct kermon_report *report)
{
	if (!report->names)
		report->names = calloc((size_t)report->tree.functions.nr + 1,
				       sizeof(*report->names));
	return report->names ? 0 : -ENOMEM;
}

static int make_graph(struct graph *graph, struct kermon_call **result)
{
	int err;

	graph->by_callee = calloc((size_t)graph->report->tree.functions.nr + 1,
				  sizeof(*graph->by_callee));
	err = graph->by_callee ? grow(graph) : -ENOMEM;
	if (!err)
		err = finish(graph, result);
	free(graph->nodes);
	free(graph->now.all);
	free(graph->next.all);
	free(graph->found.all);
	free(graph->by_callee);
	return err;
}

int kermon_report_graph(struct kermon_report *report,
			const struct kermon_table *table, size_t row,
			const struct kermon_graph_options *options,
			struct kermon_call **graph)
{
	struct table_node *node = (struct table_node *)table;
	struct kermon_graph_options taken;
	int err = sized_take(&taken, sizeof(taken), options);

	if (!err && (!report->calls || row >= table->nr_rows ||
		     !report_has_chains(report, report_summed(report, node->list))))
		err = -EINVAL;
	if (!err)
		err = report_make_index(report);
	if (!err)
		err = make_names(report);
	if (!err)
		err = report_select(report, node, node->rows[row]);
	return err ? err : make_graph(&(struct graph){
		.report = report,
		.table = node,
		.row = node->rows[row],
		.options = &taken,
		.total = report->columns[table->weight].total,
	}, graph);
}

void kermon_graph_free(struct kermon_call *graph)
{
	free(graph);
}
