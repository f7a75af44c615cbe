/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to report_calls.c: call graphs as text, in the forms of perf report -g.
 */
#ifndef KERMON_REPORT_CALLS_H
#define KERMON_REPORT_CALLS_H

#include <kermon/report.h>
#include <stdbool.h>
#include <stdio.h>

enum calls_type {
	CALLS_NONE,
	CALLS_GRAPH,		/* a tree, with percentages of the total */
	CALLS_FRACTAL,		/* a tree, with percentages of the parent */
	CALLS_FLAT,		/* chains, with one line per function */
	CALLS_FOLDED,		/* chains, with one line per chain */
};

enum calls_value {
	CALLS_PERCENT,
	CALLS_PERIOD,		/* sum of the event */
	CALLS_COUNT,		/* number of samples */
};

/**
 * struct calls_style - options of -g
 * @given: -g was given
 * @type: form of the graph
 * @min_percent: smaller branches are omitted
 * @limit: maximum number of branches per function, or of chains; 0: no limit
 * @directed: @direction was given
 * @direction: callers or callees first
 * @value: what is printed for each branch
 */
struct calls_style {
	bool given;
	enum calls_type type;
	double min_percent;
	size_t limit;
	bool directed;
	enum kermon_direction direction;
	enum calls_value value;
};

/* What -g stands for without an argument, as in perf. */
#define CALLS_ALONE	"graph,0.5,caller"

/*
 * Parse "graph,0.5,caller", with perf's words and numbers. Returns NULL, or the first word
 * that is invalid, which ends at a comma or with @text.
 */
const char *calls_parse(struct calls_style *style, const char *text);

/* The words that calls_parse() knows, by index; NULL after the last. */
const char *calls_word(size_t index);

/**
 * calls_print - print the graph of a row
 * @out: stream to print to
 * @graph: graph from kermon_report_graph()
 * @column: column of its values, whose total is the base of percentages
 * @estimate: the values are estimates
 * @style: options of -g
 *
 * Return: 0 or -ENOMEM.
 */
int calls_print(FILE *out, const struct kermon_call *graph,
		const struct kermon_column *column, bool estimate,
		const struct calls_style *style);

#endif /* KERMON_REPORT_CALLS_H */
