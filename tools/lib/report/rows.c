// SPDX-License-Identifier: GPL-2.0
/*
 * Tables: sum up entries with equal keys and sort rows by weight. With callers, every
 * function in an entry's chain gets its share.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "details.h"
#include "lines/lines.h"
#include "report_private.h"
#include "util/array.h"

const char *report_symbol_name(struct kermon_report *report,
			       const struct callee *place)
{
	const char *name = place->inlined ? place->inlined :
			   symbol_name(place->dso, place->symbol);
	char *demangled = report->options.mangled ? NULL : symbol_demangle(name);
	char *whole = NULL;
	const char *shown = demangled ? demangled : name;

	if (place->inlined && asprintf(&whole, "%s (inlined)", shown) < 0) {
		free(demangled);
		return NULL;
	}
	shown = intern(&report->strings, whole ? whole : shown);
	free(demangled);
	free(whole);
	return shown;
}

int report_row_key(struct kermon_report *report, const struct report_keys *keys,
		   const struct origin *origin, const struct callee *place,
		   struct row_key *key)
{
	*key = (struct row_key){ .comm = NULL };
	if (report_has_key(keys, KEY_COMM))
		key->comm = origin->comm;
	if (report_has_key(keys, KEY_PID))
		key->pid = origin->pid;
	if (report_has_key(keys, KEY_TID))
		key->tid = origin->tid;
	if (report_has_key(keys, KEY_CPU))
		key->cpu = origin->cpu;
	if (report_has_key(keys, KEY_EVENT))
		key->event = origin->event;
	if (report_has_key(keys, KEY_CGROUP))
		key->cgroup = origin->cgroup;
	if (report_has_key(keys, KEY_SYM)) {
		key->symbol = place->symbol;
		key->inlined = place->inlined;
	}
	if (keys->flags & BY_PLACE && place->dso)
		key->dso = place->dso->name;
	if (keys->mask >> FIRST_DETAIL == 0)
		return 0;
	key->details = origin->details;
	if ((keys->mask ^ report->keys.mask) >> FIRST_DETAIL)
		key->details = details_among(report, origin->details, keys);
	return key->details ? 0 : -ENOMEM;
}

static bool same_row(const void *item, const void *key)
{
	const struct row *row = item;

	return !memcmp(&row->key, key, sizeof(row->key));
}

static int keep_row(struct table_node *node, struct row *row)
{
	if (array_room(node->rows, node->room, node->nr + 1))
		return -ENOMEM;
	row->number = node->nr;
	node->rows[node->nr++] = row;
	return 0;
}

static struct row *new_row(struct kermon_report *report,
			   struct table_node *node, const struct row_key *key,
			   uint64_t hash)
{
	const size_t nr_values = 2 * report->nr_columns, nr_peaks = report_nr_peaks(report);
	struct row *row = calloc(1, sizeof(*row) + nr_values * sizeof(row->values[0]) +
				    nr_peaks * sizeof(row->peaks[0]));

	if (!row)
		return NULL;
	row->key = *key;
	row->peaks = (double *)(row->values + nr_values);
	for (size_t i = 0; i < nr_peaks; i++)
		row->peaks[i] = NAN;
	if (keep_row(node, row)) {
		free(row);
		return NULL;
	}
	return hash_add(&node->by_key, hash, row) ? NULL : row;
}

const char *report_base_of(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

static const char *intern_line(struct kermon_report *report,
			       const struct source_line *line)
{
	char text[4096];

	snprintf(text, sizeof(text), "%s:%u", line->file, line->line);
	return intern(&report->strings, text);
}

int report_line_of(struct kermon_report *report, struct dso *dso,
		   uint64_t offset, const char **line)
{
	const struct source_line *found = dso_line(dso, &report->pipeline.sources,
						   offset);

	*line = found ? intern_line(report, found) : NULL;
	return found && !*line ? -ENOMEM : 0;
}

/* Set file and line of an origin, as far as known. */
static int find_line(struct kermon_report *report,
		     const struct report_keys *keys,
		     const struct origin *origin, struct row_key *key)
{
	const struct source_line *line = NULL;

	if (origin->place.dso)
		line = dso_line(origin->place.dso, &report->pipeline.sources,
				origin->offset);
	if (!line)
		return 0;
	if (report_has_key(keys, KEY_SRCFILE))
		key->srcfile = intern(&report->strings, line->file);
	if (!report_has_key(keys, KEY_SRCLINE))
		return key->srcfile ? 0 : -ENOMEM;
	key->srcline = intern_line(report, line);
	return key->srcline ? 0 : -ENOMEM;
}

/* Fill in the public part of a row. */
static int show_row(struct kermon_report *report, struct row *row,
		    const struct report_keys *keys, const struct callee *place)
{
	const struct row_key *key = &row->key;

	row->shown = (struct kermon_row){
		.comm = key->comm,
		.pid = key->pid,
		.tid = key->tid,
		.cpu = key->cpu,
		.dso = key->dso,
		.srcline = report_base_of(key->srcline),
		.srcfile = report_base_of(key->srcfile),
		.cgroup = report_cgroup(report, key->cgroup),
		.values = row->values,
		.details = key->details,
	};
	if (report_has_key(keys, KEY_EVENT))
		row->shown.event = reader_event(report->pipeline.reader,
						key->event)->name;
	if (!key->symbol && !key->inlined)
		return 0;
	row->shown.sym = report_symbol_name(report, place);
	return row->shown.sym ? 0 : -ENOMEM;
}

struct row *report_get_row(struct kermon_report *report,
			   struct table_node *node,
			   const struct origin *origin,
			   const struct callee *place)
{
	struct row_key key;
	struct row *row;
	uint64_t hash;
	void **found;

	if (report_row_key(report, &node->keys, origin, place, &key))
		return NULL;
	if (node->keys.flags & BY_LINE &&
	    find_line(report, &node->keys, origin, &key))
		return NULL;
	hash = hash_bytes(&key, sizeof(key));
	found = hash_find(&node->by_key, hash, same_row, &key);
	if (found)
		return *found;
	row = new_row(report, node, &key, hash);
	if (!row || show_row(report, row, &node->keys, place))
		return NULL;
	return row;
}

static int find_rows(struct kermon_report *report, struct table_node *node)
{
	const struct origin *origin;
	int err;

	node->by_origin = calloc(report->nr_origins + 1,
				 sizeof(*node->by_origin));
	if (!node->by_origin)
		return -ENOMEM;
	for (size_t i = 0; i < report->nr_origins; i++) {
		err = report_cancelled(report);
		if (err)
			return err;
		origin = report->origins[i];
		if (origin->list != node->list)
			continue;
		node->by_origin[i] = report_get_row(report, node, origin,
						    &origin->place);
		if (!node->by_origin[i])
			return -ENOMEM;
	}
	/* The last line may not have been found for that reason. */
	return report_cancelled(report);
}

static void add_own(const struct kermon_report *report,
		    const struct table_node *node)
{
	const struct origin *origin;
	const uint64_t *sums;
	struct row *row;

	for (uint32_t i = 0; i < report->entries.nr; i++) {
		row = node->by_origin[report->entries.keys[i] >> 32];
		if (!row)
			continue;
		origin = report_origin(report, i);
		sums = report_sums(report, i);
		if (!report_has_key(report_summed(report, node->list), KEY_EVENT) ||
		    report_is_sample(report, &node->keys, origin->event))
			row->shown.samples += sums[0];
		for (size_t j = 0; j < report->nr_columns; j++)
			row->values[j] += sums[1 + j];
		report_add_peaks(report, i, row->peaks);
	}
}

/* The order of rows. */
struct order_of_rows {
	const struct report_keys *keys;
	const struct kermon_key *slices;	/* earliest first; or NULL */
	size_t first;		/* index of the value to compare */
	size_t second;		/* and of that for ties */
};

static int compare_rows(const void *a, const void *b, void *context)
{
	const struct row *left = *(struct row *const *)a;
	const struct row *right = *(struct row *const *)b;
	const struct order_of_rows *order = context;
	int earlier = order->slices ?
		      report_compare_slices(order->slices, left, right) : 0;

	if (earlier)
		return earlier;
	if (left->values[order->first] != right->values[order->first])
		return left->values[order->first] > right->values[order->first] ?
		       -1 : 1;
	if (left->values[order->second] != right->values[order->second])
		return left->values[order->second] >
		       right->values[order->second] ? -1 : 1;
	return report_compare_rows(order->keys, left, right);
}

static int finish(struct kermon_report *report, struct table_node *node)
{
	struct kermon_table *table = &node->table;
	struct order_of_rows order = {
		.keys = &node->keys,
		.slices = report->options.by_weight ? NULL :
			  report_find_key(&node->keys, BY_SLICE),
		.first = table->weight + (table->callers ? report->nr_columns : 0),
		.second = table->weight,
	};

	table->rows = calloc(node->nr + 1, sizeof(*table->rows));
	if (!table->rows)
		return -ENOMEM;
	if (node->nr)
		qsort_r(node->rows, node->nr, sizeof(*node->rows),
			compare_rows, &order);
	for (size_t i = 0; i < node->nr; i++) {
		if (table->callers)
			node->rows[i]->shown.all_values =
				node->rows[i]->values + report->nr_columns;
		else
			node->rows[i]->shown.all_samples =
				node->rows[i]->shown.samples;
		table->rows[i] = node->rows[i]->shown;
	}
	table->nr_rows = node->nr;
	return 0;
}

static void free_table(struct table_node *node)
{
	for (size_t i = 0; i < node->nr; i++)
		free(node->rows[i]);
	free(node->rows);
	free(node->by_origin);
	report_free_groups(node);
	free(node->next_entry);
	hash_free(&node->by_key);
	free(node->table.rows);
	free(node);
}

/* Find the list that has all keys of a table. Return: 0 or -EINVAL. */
static int choose_list(const struct kermon_report *report,
		       struct table_node *node)
{
	for (int i = 0; i < report->nr_lists; i++)
		if (!(node->keys.mask & ~report->lists[i].mask)) {
			node->list = i < report->nr_summed ? i : 0;
			return 0;
		}
	return -EINVAL;
}

static int fill(struct kermon_report *report, struct table_node *node,
		const char *keys)
{
	int err = report_parse_keys(&node->keys, keys);

	if (err || choose_list(report, node))
		return -EINVAL;
	node->table.keys = node->keys.all;
	node->table.nr_keys = node->keys.nr;
	node->table.callers &= report_has_callers(&node->keys);
	node->table.estimate = kermon_report_is_estimate(report) ||
			       (report->of_intervals &&
				node->keys.flags & (BY_PLACE | BY_LINE | BY_POSITION)) ||
			       (report->of_intervals && node->keys.flags & BY_REGION &&
				!report_regions_are_exact(report));
	err = find_rows(report, node);
	if (err)
		return err;
	add_own(report, node);
	if (node->table.callers)
		err = report_add_callers(report, node);
	return err ? err : finish(report, node);
}

static int make_table(struct kermon_report *report, const char *keys,
		      size_t weight, bool callers,
		      const struct kermon_table **table)
{
	struct table_node *node;
	int err;

	if (!report->is_read || weight >= report->nr_columns)
		return -EINVAL;
	node = calloc(1, sizeof(*node));
	if (!node)
		return -ENOMEM;
	node->table.weight = weight;
	node->table.callers = callers && report->calls;
	err = fill(report, node, keys);
	if (err) {
		free_table(node);
		return err;
	}
	node->next = report->tables;
	report->tables = node;
	*table = &node->table;
	return 0;
}

int kermon_report_table(struct kermon_report *report, const char *keys,
			size_t weight, const struct kermon_table **table)
{
	return make_table(report, keys, weight, false, table);
}

int kermon_report_callers(struct kermon_report *report, const char *keys,
			  size_t weight, const struct kermon_table **table)
{
	return make_table(report, keys, weight, true, table);
}

void report_free_tables(struct kermon_report *report)
{
	struct table_node *node, *next;

	for (node = report->tables; node; node = next) {
		next = node->next;
		free_table(node);
	}
}
