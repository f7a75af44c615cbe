/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface between kermon stat and its output formats.
 */
#ifndef KERMON_STAT_VIEW_H
#define KERMON_STAT_VIEW_H

#include <stdio.h>

#include "totals.h"

/* Columns of a table, at most. */
#define STAT_WIDTH	100

/**
 * struct stat_view - totals, and how to show them
 * @totals: of all runs
 * @report: of the only run, for a table of its threads; NULL: no such table
 * @command: the command line that ran
 * @runs: how often it ran
 * @all_domains: show all domains of energy, not only the package
 * @out: where to print
 */
struct stat_view {
	const struct totals *totals;
	struct kermon_report *report;
	char *const *command;
	unsigned int runs;
	bool all_domains;
	FILE *out;
};

/* Whether a count is to be shown. */
bool stat_shows(const struct stat_view *view, const struct total *total);

/* Print the threads of the only run below the totals. Return: 0 or -ENOMEM. */
int stat_print_threads(const struct stat_view *view);

/* Return: 0 or -ENOMEM; errors of @out are for the caller. */
int stat_print_text(const struct stat_view *view);
int stat_print_json(const struct stat_view *view);

#endif /* KERMON_STAT_VIEW_H */
