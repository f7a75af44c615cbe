// SPDX-License-Identifier: GPL-2.0
/*
 * Matches the rows of several reports by their keys, and sorts them by change.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "util/array.h"

/* Compare by content: each file interns its own strings. */
static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = index_mix(hash, (unsigned char)*text);
	return index_mix(hash, !text);
}

struct row_key {
	const struct diff *diff;
	const struct kermon_row *row;
};

static bool has_keys(const void *context, uint32_t number)
{
	const struct row_key *key = context;
	const struct kermon_row *a = &key->diff->rows[number].keys;
	const struct kermon_row *b = key->row;

	for (size_t i = 0; i < key->diff->nr_keys; i++) {
		if (key->diff->keys[i]->is_number ?
		    kermon_row_number(a, key->diff->keys[i]) !=
		    kermon_row_number(b, key->diff->keys[i]) :
		    !is_same(kermon_row_text(a, key->diff->keys[i]),
			     kermon_row_text(b, key->diff->keys[i])))
			return false;
	}
	return true;
}

static uint64_t hash_of(const struct row_key *key)
{
	const struct kermon_key *each;
	uint64_t hash = 0;

	for (size_t i = 0; i < key->diff->nr_keys; i++) {
		each = key->diff->keys[i];
		hash = each->is_number ?
		       index_mix(hash, kermon_row_number(key->row, each)) :
		       mix_text(hash, kermon_row_text(key->row, each));
	}
	return hash;
}

static int make_room(struct diff *diff)
{
	size_t nr = diff->nr_rows + 1;

	return array_room(diff->rows, diff->room_rows, nr) ||
	       array_room(diff->values, diff->room_values,
			  nr * diff->nr_files) ||
	       array_room(diff->watts, diff->room_watts,
			  nr * diff->nr_files) ? -ENOMEM : 0;
}

static int add_row(struct diff *diff, size_t file, const struct kermon_row *row)
{
	struct row_key key = { diff, row };
	struct index_slot *slot;
	struct diff_row *new;

	if (make_room(diff))
		return -ENOMEM;
	slot = index_slot(&diff->index, hash_of(&key), has_keys, &key);
	if (!slot)
		return -ENOMEM;
	if (slot->number == INDEX_FREE) {
		slot->number = diff->nr_rows++;
		new = &diff->rows[slot->number];
		*new = (struct diff_row){
			.keys = *row,
			.values = slot->number * diff->nr_files,
		};
		memset(diff->values + new->values, 0,
		       diff->nr_files * sizeof(*diff->values));
		for (size_t i = 0; i < diff->nr_files; i++)
			diff->watts[new->values + i] = NAN;
	}
	diff->values[diff->rows[slot->number].values + file] +=
		row->values[diff->files[file].weight];
	/* A file has each row once. */
	diff->watts[diff->rows[slot->number].values + file] =
		kermon_watts(diff->files[file].report, row->values, diff->files[file].weight);
	return 0;
}

static int add_file(struct diff *diff, size_t number, const char *keys)
{
	struct diff_file *file = &diff->files[number];
	const struct kermon_table *table;
	int err;

	err = kermon_report_table(file->report, keys, file->weight, &table);
	if (err)
		return err;
	file->total = kermon_report_column(file->report, file->weight)->total;
	file->estimate = table->estimate;
	diff->nr_keys = table->nr_keys;
	diff->keys = table->keys;
	for (size_t i = 0; i < table->nr_rows && !err; i++)
		err = add_row(diff, number, &table->rows[i]);
	return err;
}

/* By decreasing change; rows with equal changes stay in the order of the files. */
static int compare_rows(const void *a, const void *b)
{
	const struct diff_row *left = a, *right = b;

	if (left->change != right->change)
		return left->change > right->change ? -1 : 1;
	return left->values < right->values ? -1 : left->values > right->values;
}

/* The largest change of a row; rows without a ratio are the last ones. */
static double largest_change(const struct diff *diff, const struct diff_row *row)
{
	double change, largest = -INFINITY;

	for (size_t i = 1; i < diff->nr_files; i++) {
		change = diff_change(diff, row, i);
		if (diff->compute == DIFF_DELTA_ABS)
			change = fabs(change);
		if (change > largest)
			largest = change;
	}
	return largest;
}

int diff_make(struct diff *diff, const char *keys)
{
	int err = 0;

	for (size_t i = 0; i < diff->nr_files && !err; i++)
		err = add_file(diff, i, keys);
	if (err || !diff->nr_rows)
		return err;
	for (size_t i = 0; i < diff->nr_rows; i++)
		diff->rows[i].change = largest_change(diff, &diff->rows[i]);
	qsort(diff->rows, diff->nr_rows, sizeof(*diff->rows), compare_rows);
	return 0;
}

void diff_free(struct diff *diff)
{
	for (size_t i = 0; i < diff->nr_files; i++) {
		kermon_report_free(diff->files[i].report);
		kermon_damages_free(diff->files[i].damages);
	}
	free(diff->files);
	free(diff->rows);
	free(diff->values);
	free(diff->watts);
	index_free(&diff->index);
}

uint64_t diff_value(const struct diff *diff, const struct diff_row *row,
		    size_t file)
{
	return diff->values[row->values + file];
}

double diff_watts(const struct diff *diff, const struct diff_row *row, size_t file)
{
	return diff->watts[row->values + file];
}

double diff_percent(const struct diff *diff, const struct diff_row *row,
		    size_t file)
{
	uint64_t total = diff->files[file].total;

	return total ? 100.0 * (double)diff_value(diff, row, file) /
		       (double)total : 0;
}

double diff_change(const struct diff *diff, const struct diff_row *row,
		   size_t file)
{
	uint64_t base = diff_value(diff, row, 0);

	if (diff->compute != DIFF_RATIO)
		return diff_percent(diff, row, file) -
		       diff_percent(diff, row, 0);
	return base ? (double)diff_value(diff, row, file) / (double)base : NAN;
}
