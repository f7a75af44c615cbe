/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface between kermon report and its output formats.
 */
#ifndef KERMON_REPORT_VIEW_H
#define KERMON_REPORT_VIEW_H

#include <kermon/report.h>
#include <stdbool.h>
#include <stddef.h>

#include "report_calls.h"
#include "ui/power.h"

/**
 * struct report_view - a report, and how to show it
 * @path: path of the file
 * @report: its report
 * @damages: damages found while reading it
 * @sort: keys of the only table; NULL: a table of threads and one of functions
 * @weight: index of the column that rows are sorted by and percentages refer to
 * @idle: power of the idle machine, which is subtracted
 * @percent_limit: rows with a smaller percentage are omitted
 * @children: rows include their callees, and are sorted by these sums
 * @calls: call graphs below the rows
 * @header: show the headers about machine and recording
 * @header_only: show nothing but these
 * @samples: show the number of samples of each row
 * @exact: show exact sums, whatever their width
 * @quiet: show only rows: no headings, totals and remarks
 * @separator: of values in CSV; 0: a comma
 * @width: columns of the terminal; 0: no limit
 * @colour: emphasize headings
 */
struct report_view {
	const char *path;
	struct kermon_report *report;
	const struct kermon_damages *damages;
	const char *sort;
	size_t weight;
	struct idle_power idle;
	double percent_limit;
	bool children;
	struct calls_style calls;
	bool header;
	bool header_only;
	bool samples;
	bool exact;
	bool quiet;
	char separator;
	size_t width;
	bool colour;
};

/* A table with its title and its name in JSON; one of threads has no call graphs. */
struct report_section {
	const char *title;
	const char *name;
	const char *keys;
	bool threads;
};

/* Default keys of CSV, which has only one table. */
#define REPORT_CSV_KEYS	"comm,pid,tid,dso,sym"

/* Text for an unknown name. */
#define REPORT_UNKNOWN	"[unknown]"

/* The tables to show; returns their number. */
size_t report_sections(const struct report_view *view,
		       struct report_section sections[2]);

/* Make the table of a section. Returns 0 or -errno, as kermon_report_table(). */
int report_table(const struct report_view *view,
		 const struct report_section *section,
		 const struct kermon_table **table);

/* What rows count: "samples", or "records" if event is one of the keys. */
const char *report_counted(const struct kermon_table *table);

/* Percentage of a value in the total of the weight column. */
double report_percent(const struct report_view *view, uint64_t value);

/* The value that a row is sorted by, including its callees if these are known. */
uint64_t report_weight(const struct report_view *view,
		       const struct kermon_row *row);

/* Whether a row is large enough to be shown. */
bool report_shows(const struct report_view *view, const struct kermon_row *row);

/*
 * Make the call graph of a row; *@graph is NULL if it is not to be shown. Returns 0 or
 * -ENOMEM. Free it with kermon_graph_free().
 */
int report_graph(const struct report_view *view,
		 const struct report_section *section,
		 const struct kermon_table *table, size_t row,
		 struct kermon_call **graph);

/* Why the cycles of the file are not those of hardware; NULL if they are. */
const char *report_cycles_caveat(const struct report_view *view);

/* Print to standard output. Returns 0 or -errno. */
int report_print_text(const struct report_view *view);
int report_print_json(const struct report_view *view);
int report_print_csv(const struct report_view *view);

#endif /* KERMON_REPORT_VIEW_H */
