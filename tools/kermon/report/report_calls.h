/* SPDX-License-Identifier: GPL-2.0 */
/* Graphs of calls as text, as perf's users know them. */
#ifndef KERMON_REPORT_CALLS_H
#define KERMON_REPORT_CALLS_H

#include <kermon/report.h>
#include <stdbool.h>
#include <stdio.h>

enum calls_type {
	CALLS_NONE,
	CALLS_GRAPH,		/* a tree, percentages of everything */
	CALLS_FRACTAL,		/* a tree, percentages of the function before */
	CALLS_FLAT,		/* each chain, a line for each function */
	CALLS_FOLDED,		/* each chain in a line */
};

enum calls_value {
	CALLS_PERCENT,
	CALLS_PERIOD,		/* the sum */
	CALLS_COUNT,		/* of samples */
};

/**
 * struct calls_style - what -g asks for
 * @given: it was
 * @min_percent: what is below is left out
 * @limit: no more functions behind one, or chains, than that; 0: all
 * @directed: @direction was given
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

/* "graph,0.5,caller": words and numbers as perf has them. Returns whether it is. */
bool calls_parse(struct calls_style *style, const char *text);

/* The words that calls_parse() knows, by index; NULL after the last. */
const char *calls_word(size_t index);

/**
 * calls_print - the graph of a row
 * @graph: of kermon_report_graph()
 * @column: whose values it has, and whose total percentages are of
 * @estimate: the values are estimates
 */
int calls_print(FILE *out, const struct kermon_call *graph,
		const struct kermon_column *column, bool estimate,
		const struct calls_style *style);

#endif /* KERMON_REPORT_CALLS_H */
