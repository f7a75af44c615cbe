// SPDX-License-Identifier: GPL-2.0
/*
 * Tables: the entries sorted by the keys that are asked for, those with equal
 * keys summed up, the rows sorted by their weight.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report_private.h"

struct table_node {
	struct kermon_table table;
	uint64_t *values;
	struct table_node *next;
};

static const char *const key_names[KERMON_KEY_COUNT] = {
	[KERMON_KEY_COMM] = "comm",
	[KERMON_KEY_PID] = "pid",
	[KERMON_KEY_TID] = "tid",
	[KERMON_KEY_CPU] = "cpu",
	[KERMON_KEY_DSO] = "dso",
	[KERMON_KEY_SYM] = "sym",
};

const char *kermon_key_name(enum kermon_key key)
{
	return key < KERMON_KEY_COUNT ? key_names[key] : NULL;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static const char *dso_name(const struct entry *entry)
{
	return entry->key.dso ? entry->key.dso->name : "";
}

/* A function is one of its DSO: equal names elsewhere are other functions. */
static int compare_symbols(const struct entry *a, const struct entry *b)
{
	const struct symbol *left = a->key.symbol, *right = b->key.symbol;
	int order = strcmp(dso_name(a), dso_name(b));

	if (order || left == right)
		return order;
	if (!left || !right)
		return left ? 1 : -1;
	if (a->key.dso != b->key.dso)
		return a->key.dso < b->key.dso ? -1 : 1;
	return compare_numbers(left->start, right->start);
}

static int compare_by(enum kermon_key key, const struct entry *a,
		      const struct entry *b)
{
	switch (key) {
	case KERMON_KEY_COMM:
		return strcmp(a->key.comm, b->key.comm);
	case KERMON_KEY_PID:
		return compare_numbers(a->key.thread->pid, b->key.thread->pid);
	case KERMON_KEY_TID:
		return compare_numbers(a->key.thread->tid, b->key.thread->tid);
	case KERMON_KEY_CPU:
		return compare_numbers(a->key.cpu, b->key.cpu);
	case KERMON_KEY_DSO:
		return strcmp(dso_name(a), dso_name(b));
	case KERMON_KEY_SYM:
		return compare_symbols(a, b);
	default:
		return 0;
	}
}

static int compare_entries(const void *a, const void *b, void *context)
{
	const struct kermon_table *table = context;
	int order = 0;

	for (size_t i = 0; i < table->nr_keys && !order; i++)
		order = compare_by(table->keys[i],
				   *(struct entry *const *)a,
				   *(struct entry *const *)b);
	return order;
}

/* Equal weights: in the order of the keys, which is the order of the values. */
static int compare_rows(const void *a, const void *b, void *context)
{
	const struct kermon_table *table = context;
	const struct kermon_row *left = a, *right = b;
	int order = compare_numbers(right->values[table->weight],
				    left->values[table->weight]);

	return order ? order : compare_numbers((uintptr_t)left->values,
					       (uintptr_t)right->values);
}

static int parse_key(struct kermon_table *table, const char *name, size_t len)
{
	for (enum kermon_key key = 0; key < KERMON_KEY_COUNT; key++) {
		if (strlen(key_names[key]) != len ||
		    strncmp(key_names[key], name, len))
			continue;
		for (size_t i = 0; i < table->nr_keys; i++)
			if (table->keys[i] == key)
				return -EINVAL;
		table->keys[table->nr_keys++] = key;
		return 0;
	}
	return -EINVAL;
}

static int parse_keys(struct kermon_table *table, const char *keys)
{
	size_t len;

	for (;; keys += len + 1) {
		len = strcspn(keys, ",");
		if (parse_key(table, keys, len))
			return -EINVAL;
		if (!keys[len])
			return 0;
	}
}

static const char *shown_symbol(struct kermon_report *report,
				const struct entry_key *key)
{
	const char *name = symbol_name(key->dso, key->symbol);
	char *demangled = symbol_demangle(name);
	const char *shown = intern(&report->strings,
				   demangled ? demangled : name);

	free(demangled);
	return shown;
}

static bool has_key(const struct kermon_table *table, enum kermon_key key)
{
	for (size_t i = 0; i < table->nr_keys; i++)
		if (table->keys[i] == key)
			return true;
	return false;
}

static int begin_row(struct kermon_report *report, struct table_node *node,
		     const struct entry_key *key)
{
	struct kermon_table *table = &node->table;
	struct kermon_row *row = &table->rows[table->nr_rows];

	*row = (struct kermon_row){
		.comm = key->comm,
		.pid = key->thread->pid,
		.tid = key->thread->tid,
		.cpu = key->cpu,
		.dso = key->dso ? key->dso->name : NULL,
		.values = node->values + table->nr_rows * report->nr_columns,
	};
	if (key->symbol && has_key(table, KERMON_KEY_SYM)) {
		row->sym = shown_symbol(report, key);
		if (!row->sym)
			return -ENOMEM;
	}
	table->nr_rows++;
	return 0;
}

static void add_entry(const struct kermon_report *report,
		      struct table_node *node, const struct entry *entry)
{
	size_t at = node->table.nr_rows - 1;
	uint64_t *values = node->values + at * report->nr_columns;

	node->table.rows[at].samples += entry->samples;
	for (size_t i = 0; i < report->nr_columns; i++)
		values[i] += entry->values[i];
}

/* Entries with equal keys are neighbours now: a row for each run of them. */
static int sum_up(struct kermon_report *report, struct table_node *node)
{
	struct entry **all = report->all;
	int err;

	if (!all)
		return 0;
	qsort_r(all, report->nr_entries, sizeof(*all), compare_entries,
		&node->table);
	for (size_t i = 0; i < report->nr_entries; i++) {
		if (!i || compare_entries(&all[i - 1], &all[i], &node->table)) {
			err = begin_row(report, node, &all[i]->key);
			if (err)
				return err;
		}
		add_entry(report, node, all[i]);
	}
	qsort_r(node->table.rows, node->table.nr_rows,
		sizeof(*node->table.rows), compare_rows, &node->table);
	return 0;
}

static void free_table(struct table_node *node)
{
	free(node->table.rows);
	free(node->values);
	free(node);
}

static struct table_node *new_table(const struct kermon_report *report)
{
	struct table_node *node = calloc(1, sizeof(*node));
	size_t nr = report->nr_entries + 1;

	if (!node)
		return NULL;
	node->table.rows = calloc(nr, sizeof(*node->table.rows));
	node->values = calloc(nr, (report->nr_columns + 1) *
				  sizeof(*node->values));
	if (node->table.rows && node->values)
		return node;
	free_table(node);
	return NULL;
}

int kermon_report_table(struct kermon_report *report, const char *keys,
			size_t weight, const struct kermon_table **table)
{
	struct table_node *node = new_table(report);
	int err;

	if (!node)
		return -ENOMEM;
	node->table.weight = weight;
	err = parse_keys(&node->table, keys);
	if (!err)
		err = sum_up(report, node);
	if (err) {
		free_table(node);
		return err;
	}
	node->next = report->tables;
	report->tables = node;
	*table = &node->table;
	return 0;
}

void report_free_tables(struct kermon_report *report)
{
	struct table_node *node, *next;

	for (node = report->tables; node; node = next) {
		next = node->next;
		free_table(node);
	}
}
