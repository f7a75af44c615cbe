/* SPDX-License-Identifier: GPL-2.0 */
/* How 'kermon report' is to show a report. */
#ifndef KERMON_REPORT_VIEW_H
#define KERMON_REPORT_VIEW_H

#include <kermon/report.h>
#include <stdbool.h>
#include <stddef.h>

#include "report_calls.h"

/**
 * struct report_view - what the command line asks for
 * @path: of the file
 * @report: that was read from it
 * @damages: what is wrong with it
 * @sort: keys of the only table; NULL: a table of threads, one of functions
 * @weight: column that rows are sorted by and percentages are of
 * @percent_limit: rows below are left out
 * @children: functions have what they called as well, and stand there for it
 * @calls: which graphs of calls are below the rows
 * @header: show what the file says about machine and recording
 * @header_only: and nothing else
 * @width: columns of the terminal; 0: as wide as it gets
 * @colour: emphasize headings
 */
struct report_view {
	const char *path;
	struct kermon_report *report;
	const struct kermon_damages *damages;
	const char *sort;
	size_t weight;
	double percent_limit;
	bool children;
	struct calls_style calls;
	bool header;
	bool header_only;
	size_t width;
	bool colour;
};

/* A table with its title and its name in JSON; of threads, it has no calls. */
struct report_section {
	const char *title;
	const char *name;
	const char *keys;
	bool threads;
};

/* Keys of the only table of CSV if none are asked for. */
#define REPORT_CSV_KEYS	"comm,pid,tid,dso,sym"

/* What stands for a name that nobody knows. */
#define REPORT_UNKNOWN	"[unknown]"

/* The tables to show; returns how many. */
size_t report_sections(const struct report_view *view,
		       struct report_section sections[2]);

/* 0 or -errno, as kermon_report_table(). */
int report_table(const struct report_view *view,
		 const struct report_section *section,
		 const struct kermon_table **table);

/* What rows have a number of: "samples"; "records" if events are told apart. */
const char *report_counted(const struct kermon_table *table);

/* Share of a value in the total of the weight column, in percent. */
double report_percent(const struct report_view *view, uint64_t value);

/* What a row is sorted by: with what it called, if that is known. */
uint64_t report_weight(const struct report_view *view,
		       const struct kermon_row *row);

/* Whether a row is large enough to be shown. */
bool report_shows(const struct report_view *view, const struct kermon_row *row);

/*
 * The graph of a row that is to have one; *@graph is NULL if it is not. 0 or -ENOMEM;
 * to be freed with kermon_graph_free().
 */
int report_graph(const struct report_view *view,
		 const struct report_section *section,
		 const struct kermon_table *table, size_t row,
		 struct kermon_call **graph);

/* Why the cycles of the file are not those of a CPU; NULL: they are. */
const char *report_cycles_caveat(const struct report_view *view);

/* All print to standard output. Return: 0 or -errno. */
int report_print_text(const struct report_view *view);
int report_print_json(const struct report_view *view);
int report_print_csv(const struct report_view *view);

#endif /* KERMON_REPORT_VIEW_H */
