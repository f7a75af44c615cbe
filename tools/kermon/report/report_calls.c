// SPDX-License-Identifier: GPL-2.0
/*
 * Prints call graphs as text in the forms of perf report, and parses its -g.
 */
#include <errno.h>
#include <inttypes.h>
#include <kermon/text.h>
#include <stdlib.h>
#include <string.h>

#include "report_calls.h"
#include "ui/quantity.h"
#include "util/array.h"

/* Indentation of a branch below its parent: the length of "|--12.34%--" */
#define INDENT		11
#define MARGIN		12

/**
 * struct printer - state while a graph is printed
 * @out: stream to print to
 * @style: options of -g
 * @column: column of the values
 * @estimate: the values are estimates
 * @total: total of @column
 * @prefix: beginning of each line, @length bytes
 */
struct printer {
	FILE *out;
	const struct calls_style *style;
	const struct kermon_column *column;
	bool estimate;
	uint64_t total;
	char *prefix;
	size_t length;
	size_t room;
};

static double percent_of(uint64_t value, uint64_t total)
{
	return total ? 100.0 * (double)value / (double)total : 0;
}

static void print_name(FILE *out, const struct kermon_call *call)
{
	if (call->sym) {
		kermon_text_print(out, call->sym);
		return;
	}
	fputs("[unknown]", out);
	if (!call->dso)
		return;
	fputs(" (", out);
	kermon_text_print(out, call->dso);
	fputc(')', out);
}

/* Print an estimate with a '~' and three digits, as in the row above. */
static void print_estimate(const struct printer *printer, uint64_t value,
			   uint64_t total)
{
	char exact[NUMBER_SIZE], brief[NUMBER_SIZE];

	if (printer->style->value == CALLS_PERIOD) {
		quantity_format(printer->column, value, true, exact, brief);
		fputs(exact, printer->out);
		return;
	}
	number_about_real(percent_of(value, total), 2, exact);
	fprintf(printer->out, "%s%%", exact);
}

static void print_value(const struct printer *printer,
			const struct kermon_call *call, uint64_t total)
{
	if (printer->estimate && printer->style->value != CALLS_COUNT) {
		print_estimate(printer, call->value, total);
		return;
	}
	switch (printer->style->value) {
	case CALLS_PERIOD:
		fprintf(printer->out, "%" PRIu64, call->value);
		break;
	case CALLS_COUNT:
		fprintf(printer->out, "%" PRIu64, call->samples);
		break;
	default:
		fprintf(printer->out, "%.2f%%", percent_of(call->value, total));
	}
}

static int push(struct printer *printer, bool line)
{
	if (array_room(printer->prefix, printer->room,
		       printer->length + INDENT))
		return -ENOMEM;
	memset(printer->prefix + printer->length, ' ', INDENT);
	if (line)
		printer->prefix[printer->length] = '|';
	printer->length += INDENT;
	return 0;
}

static void pop(struct printer *printer)
{
	printer->length -= INDENT;
}

/* Print the margin and the prefix of a line. */
static void begin_line(const struct printer *printer)
{
	fprintf(printer->out, "%*s%.*s", MARGIN, "", (int)printer->length,
		printer->prefix ? printer->prefix : "");
}

/* Base of percentages: the total; in a fractal graph, the parent. */
static uint64_t base_of(const struct printer *printer,
			const struct kermon_call *parent)
{
	return printer->style->type == CALLS_FRACTAL ? parent->value :
						       printer->total;
}

/* Number of calls that are large enough to be printed; they are sorted by size. */
static size_t count_shown(const struct printer *printer,
			  const struct kermon_call *parent)
{
	uint64_t base = base_of(printer, parent);
	size_t limit = printer->style->limit, nr = 0;

	while (nr < parent->nr_calls && (!limit || nr < limit) &&
	       parent->calls[nr].value &&
	       percent_of(parent->calls[nr].value, base) >=
	       printer->style->min_percent)
		nr++;
	return nr;
}

/* Print a chain without indentation until it branches; returns its last function. */
static const struct kermon_call *
print_straight(const struct printer *printer, const struct kermon_call *call)
{
	print_name(printer->out, call);
	fputc('\n', printer->out);
	while (call->nr_calls == 1 && call->calls->value == call->value) {
		call = call->calls;
		begin_line(printer);
		print_name(printer->out, call);
		fputc('\n', printer->out);
	}
	return call;
}

/* Print the omitted rest of a fractal graph, so that the percentages sum to 100. */
static void print_rest(const struct printer *printer,
		       const struct kermon_call *parent, size_t shown)
{
	struct kermon_call rest = { .value = 0 };

	for (size_t i = shown; i < parent->nr_calls; i++) {
		rest.value += parent->calls[i].value;
		rest.samples += parent->calls[i].samples;
	}
	if (!rest.value)
		return;
	begin_line(printer);
	fputs(" --", printer->out);
	print_value(printer, &rest, parent->value);
	fputs("--[...]\n", printer->out);
}

static int print_branches(struct printer *printer,
			  const struct kermon_call *parent);

static int print_branch(struct printer *printer,
			const struct kermon_call *parent,
			const struct kermon_call *call, bool last)
{
	int err;

	begin_line(printer);
	fputs(last ? " --" : "|--", printer->out);
	print_value(printer, call, base_of(printer, parent));
	fputs("--", printer->out);
	err = push(printer, !last);
	if (err)
		return err;
	err = print_branches(printer, print_straight(printer, call));
	pop(printer);
	return err;
}

static int print_branches(struct printer *printer,
			  const struct kermon_call *parent)
{
	bool fractal = printer->style->type == CALLS_FRACTAL;
	size_t nr = count_shown(printer, parent);
	bool rest = fractal && nr < parent->nr_calls;
	int err = 0;

	for (size_t i = 0; i < nr && !err; i++) {
		if (i) {
			begin_line(printer);
			fputs("|\n", printer->out);
		}
		err = print_branch(printer, parent, &parent->calls[i],
				   i + 1 == nr && !rest);
	}
	if (!err && rest)
		print_rest(printer, parent, nr);
	return err;
}

/* Print the tree; a single root is printed without a branch: "---main". */
static int print_tree(struct printer *printer, const struct kermon_call *graph)
{
	static const char begin[] = "---";
	const struct kermon_call *call;
	int err;

	if (!count_shown(printer, graph))
		return 0;
	fprintf(printer->out, "%*s|\n", MARGIN, "");
	if (graph->nr_calls != 1 || graph->calls->value != graph->value) {
		err = print_branches(printer, graph);
	} else {
		fprintf(printer->out, "%*s%s", MARGIN, "", begin);
		err = push(printer, false);
		if (err)
			return err;
		printer->length = strlen(begin);
		call = print_straight(printer, graph->calls);
		err = print_branches(printer, call);
	}
	fputc('\n', printer->out);
	return err;
}

/**
 * struct chain - a chain of a flat graph
 * @number: index in the order in which chains were found
 * @end: its last function, with the values of the chain alone
 * @calls: all its functions
 * @nr: length of @calls
 */
struct chain {
	size_t number;
	struct kermon_call end;
	const struct kermon_call **calls;
	size_t nr;
};

struct chains {
	struct chain *all;
	size_t nr;
	size_t room;
	const struct kermon_call **path;
	size_t depth;
	size_t room_path;
};

static void free_chains(struct chains *chains)
{
	for (size_t i = 0; i < chains->nr; i++)
		free(chains->all[i].calls);
	free(chains->all);
	free(chains->path);
}

/* Keep the current path as a chain, with the values that no longer chain has. */
static int keep_chain(struct chains *chains, const struct kermon_call *end)
{
	size_t size = chains->depth * sizeof(*chains->path);
	struct chain *chain;

	if (array_room(chains->all, chains->room, chains->nr + 1))
		return -ENOMEM;
	chain = &chains->all[chains->nr];
	*chain = (struct chain){
		.number = chains->nr, .end = *end, .nr = chains->depth,
	};
	chain->calls = malloc(size);
	if (!chain->calls)
		return -ENOMEM;
	memcpy(chain->calls, chains->path, size);
	chains->nr++;
	return 0;
}

static int enter(struct chains *chains, const struct kermon_call *call)
{
	if (array_room(chains->path, chains->room_path, chains->depth + 1))
		return -ENOMEM;
	chains->path[chains->depth++] = call;
	return 0;
}

static int collect(struct chains *chains, const struct printer *printer,
		   const struct kermon_call *call)
{
	struct kermon_call end = *call;
	int err = 0;

	if (percent_of(call->value, printer->total) <
	    printer->style->min_percent)
		return 0;
	for (size_t i = 0; i < call->nr_calls && !err; i++) {
		end.value -= call->calls[i].value;
		end.samples -= call->calls[i].samples;
		err = enter(chains, &call->calls[i]);
		if (!err)
			err = collect(chains, printer, &call->calls[i]);
		chains->depth -= !err;
	}
	if (!err && chains->depth && end.value &&
	    percent_of(end.value, printer->total) >=
		    printer->style->min_percent)
		err = keep_chain(chains, &end);
	return err;
}

/* By decreasing value; chains with equal values stay in the order they were found. */
static int compare_chains(const void *a, const void *b)
{
	const struct chain *left = a, *right = b;

	if (left->end.value != right->end.value)
		return left->end.value > right->end.value ? -1 : 1;
	return left->number < right->number ? -1 : 1;
}

static void print_chain(const struct printer *printer,
			const struct chain *chain)
{
	bool folded = printer->style->type == CALLS_FOLDED;

	fprintf(printer->out, "%*s", folded ? 0 : MARGIN, "");
	print_value(printer, &chain->end, printer->total);
	fputc(folded ? ' ' : '\n', printer->out);
	for (size_t i = 0; i < chain->nr; i++) {
		fprintf(printer->out, "%*s", folded ? 0 : MARGIN + 4, "");
		print_name(printer->out, chain->calls[i]);
		fputs(!folded ? "\n" : i + 1 < chain->nr ? ";" : "",
		      printer->out);
	}
	fputc('\n', printer->out);
}

static int print_chains(const struct printer *printer,
			const struct kermon_call *graph)
{
	size_t limit = printer->style->limit;
	struct chains chains = { .nr = 0 };
	int err = collect(&chains, printer, graph);

	if (!err && chains.nr)
		qsort(chains.all, chains.nr, sizeof(*chains.all),
		      compare_chains);
	for (size_t i = 0; i < chains.nr && !err && (!limit || i < limit); i++)
		print_chain(printer, &chains.all[i]);
	free_chains(&chains);
	return err;
}

int calls_print(FILE *out, const struct kermon_call *graph,
		const struct kermon_column *column, bool estimate,
		const struct calls_style *style)
{
	struct printer printer = {
		.out = out, .style = style, .column = column,
		.estimate = estimate, .total = column->total,
	};
	int err = style->type == CALLS_FLAT || style->type == CALLS_FOLDED ?
		  print_chains(&printer, graph) : print_tree(&printer, graph);

	free(printer.prefix);
	return err;
}

/* Words of -g, and what each of them sets. */
static const struct {
	const char *word;
	enum { TYPE, DIRECTION, VALUE, KEY } kind;
	int value;
} words[] = {
	{ "none", TYPE, CALLS_NONE },
	{ "graph", TYPE, CALLS_GRAPH },
	{ "fractal", TYPE, CALLS_FRACTAL },
	{ "flat", TYPE, CALLS_FLAT },
	{ "folded", TYPE, CALLS_FOLDED },
	{ "caller", DIRECTION, KERMON_CALLEES },
	{ "callee", DIRECTION, KERMON_CALLERS },
	{ "percent", VALUE, CALLS_PERCENT },
	{ "period", VALUE, CALLS_PERIOD },
	{ "count", VALUE, CALLS_COUNT },
	{ "function", KEY, 0 },		/* the only one there is */
};

const char *calls_word(size_t index)
{
	return index < sizeof(words) / sizeof(words[0]) ? words[index].word :
							  NULL;
}

static bool take_word(struct calls_style *style, const char *word,
		      size_t length)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].word) != length ||
		    strncmp(words[i].word, word, length))
			continue;
		if (words[i].kind == TYPE)
			style->type = words[i].value;
		if (words[i].kind == VALUE)
			style->value = words[i].value;
		if (words[i].kind == DIRECTION) {
			style->direction = words[i].value;
			style->directed = true;
		}
		return true;
	}
	return false;
}

/* The first number is the minimum percentage, the second one the limit. */
static bool take_number(struct calls_style *style, const char *text,
			size_t length, unsigned int index)
{
	char *end;

	if (!length || strspn(text, "0123456789.") < length || index > 1)
		return false;
	if (index)
		style->limit = strtoul(text, &end, 10);
	else
		style->min_percent = strtod(text, &end);
	return end == text + length && style->min_percent <= 100;
}

const char *calls_parse(struct calls_style *style, const char *text)
{
	unsigned int numbers = 0;
	size_t length;

	style->given = true;
	for (;; text += length + 1) {
		length = strcspn(text, ",");
		if (!take_word(style, text, length) &&
		    !take_number(style, text, length, numbers++))
			return text;
		if (!text[length])
			return NULL;
	}
}
