/* SPDX-License-Identifier: GPL-2.0 */
/* What 'kermon diff' finds out: the same rows in several files. */
#ifndef KERMON_DIFF_H
#define KERMON_DIFF_H

#include <kermon/report.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/index.h"

/**
 * struct diff_file - one of the files
 * @path: of it
 * @report: that was read from it
 * @damages: what is wrong with it
 * @weight: index of the column of the event
 * @total: of that event
 * @estimate: sums of rows are estimates
 */
struct diff_file {
	const char *path;
	struct kermon_report *report;
	struct kermon_damages *damages;
	size_t weight;
	uint64_t total;
	bool estimate;
};

/**
 * struct diff_row - what is the same in all files, by its keys
 * @keys: a row of one of the files that has them
 * @change: the largest of the differences between the share in a file and that in
 *	the first one, without its sign
 * @values: where its sums begin in the values of all rows
 */
struct diff_row {
	struct kermon_row keys;
	double change;
	size_t values;
};

/**
 * struct diff - several files
 * @files: @nr_files; the others are compared with the first one
 * @keys: @nr_keys, what tells rows apart
 * @rows: @nr_rows, those that have changed most first
 * @values: of all rows: @nr_files each, from @rows' values on
 */
struct diff {
	struct diff_file *files;
	size_t nr_files;
	const struct kermon_key *const *keys;
	size_t nr_keys;
	struct diff_row *rows;
	uint64_t *values;
	size_t nr_rows;
	size_t room_rows;
	size_t room_values;
	struct index index;
};

/*
 * Once the files have been read: the rows of a comma-separated list of keys. 0;
 * -EINVAL: it is no list of keys; -ENOMEM.
 */
int diff_make(struct diff *diff, const char *keys);
void diff_free(struct diff *diff);

/* The sum of a row in a file, and the share of it in the file's total, in percent. */
uint64_t diff_value(const struct diff *diff, const struct diff_row *row,
		    size_t file);
double diff_percent(const struct diff *diff, const struct diff_row *row,
		    size_t file);

#endif /* KERMON_DIFF_H */
