/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to diff_rows.c: rows of several files, matched by their keys.
 */
#ifndef KERMON_DIFF_H
#define KERMON_DIFF_H

#include <kermon/report.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/index.h"

/**
 * struct diff_file - one of the files
 * @path: path of the file
 * @report: its report
 * @damages: damages found while reading it
 * @weight: index of the column of the event
 * @total: total of that event
 * @estimate: the sums of its rows are estimates
 */
struct diff_file {
	const char *path;
	struct kermon_report *report;
	struct kermon_damages *damages;
	size_t weight;
	uint64_t total;
	bool estimate;
};

/* What is compared, as in perf diff; rows are sorted by it, in decreasing order. */
enum diff_compute {
	DIFF_DELTA_ABS,		/* difference of the shares; sorted by its size */
	DIFF_DELTA,		/* the same; sorted from increase to decrease */
	DIFF_RATIO,		/* sum divided by the one in the first file */
};

/**
 * struct diff_row - rows of all files with the same keys
 * @keys: the row of one of the files, for its keys
 * @change: what the row is sorted by: its largest change in any of the other files
 * @values: index of its first sum in the values of struct diff, likewise in the watts
 */
struct diff_row {
	struct kermon_row keys;
	double change;
	size_t values;
};

/**
 * struct diff - comparison of several files
 * @compute: what is compared
 * @files: the files, of which the first one is the base
 * @keys: keys of the rows
 * @rows: the rows, sorted by decreasing @change
 * @values: sums of all rows, @nr_files per row, see struct diff_row
 * @watts: likewise, the power of each sum of energy; NaN if it is none, or its time is unknown
 */
struct diff {
	enum diff_compute compute;
	struct diff_file *files;
	size_t nr_files;
	const struct kermon_key *const *keys;
	size_t nr_keys;
	struct diff_row *rows;
	uint64_t *values;
	double *watts;
	size_t nr_rows;
	size_t room_rows;
	size_t room_values;
	size_t room_watts;
	struct index index;
};

/*
 * Make the rows for a comma-separated list of keys, after the files have been read.
 * Returns 0, -EINVAL if @keys is invalid, or -ENOMEM. Call diff_free() in any case.
 */
int diff_make(struct diff *diff, const char *keys);
void diff_free(struct diff *diff);

/* Sum of a row in a file, and its share of the total of the file in percent. */
uint64_t diff_value(const struct diff *diff, const struct diff_row *row,
		    size_t file);
/* Watts of a sum of energy; NaN if it is none, or the time is not known. */
double diff_watts(const struct diff *diff, const struct diff_row *row, size_t file);
double diff_percent(const struct diff *diff, const struct diff_row *row,
		    size_t file);

/*
 * Change of a row from the first file to @file, in percentage points, or the ratio of its
 * sums; NaN if the ratio has no base.
 */
double diff_change(const struct diff *diff, const struct diff_row *row,
		   size_t file);

#endif /* KERMON_DIFF_H */
