// SPDX-License-Identifier: GPL-2.0
/*
 * Lays out a table for the width of the terminal, and prints it.
 */
#include <errno.h>
#include <kermon/text.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "util/array.h"

#define HEADING_LINES	4
#define GAP		2
/* Minimum width to which a key is truncated to leave room for a value beside it. */
#define KEY_MIN		12
/*
 * Without a terminal, nothing is truncated. What follows a longer key, such as the name of a
 * C++ function, is moved to the right in its own row, not in all of them.
 */
#define KEY_MOST	64

struct cell {
	char *exact;
	char *brief;	/* NULL: same as exact */
};

struct column {
	enum table_column kind;
	char *heading;
	size_t exact_width;
	size_t brief_width;
};

struct table {
	struct column *columns;
	size_t nr_columns;
	size_t room_columns;
	struct cell *cells;
	size_t nr_cells;
	size_t room;
	bool failed;
};

/* What is printed of a table: which columns, how wide, exact or brief, whole or truncated. */
struct part {
	size_t *columns;
	size_t *widths;
	size_t nr;
	bool brief;
	bool whole;
};

struct table *table_new(void)
{
	return calloc(1, sizeof(struct table));
}

void table_free(struct table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->nr_columns; i++)
		free(table->columns[i].heading);
	for (size_t i = 0; i < table->nr_cells; i++) {
		free(table->cells[i].exact);
		free(table->cells[i].brief);
	}
	free(table->columns);
	free(table->cells);
	free(table);
}

/* Copy a text, with control characters escaped; NULL if out of memory. */
static char *shown_copy(const char *text)
{
	return kermon_text_is_plain(text) ? strdup(text) :
					    kermon_text_escaped(text);
}

/* Columns of the terminal: UTF-8 continuation bytes take none. */
static size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

/* Bytes of the first @width columns of a text that is longer. */
static size_t bytes_of(const char *text, size_t width)
{
	size_t bytes = 0;

	while (width--)
		for (bytes++; (text[bytes] & 0xc0) == 0x80; bytes++)
			;
	return bytes;
}

static size_t max(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Word @index of the heading, and its length; the last line gets the remaining words. */
static const char *heading_word(const char *heading, size_t index, size_t *len)
{
	for (size_t i = 0;; i++) {
		*len = i + 1 < HEADING_LINES ? strcspn(heading, " ") :
					       strlen(heading);
		if (i == index || !heading[*len])
			break;
		heading += *len + 1;
	}
	return heading;
}

static size_t heading_lines(const char *heading)
{
	size_t lines = 1;

	for (; *heading; heading++)
		lines += *heading == ' ' && lines < HEADING_LINES;
	return lines;
}

static size_t heading_width(const char *heading)
{
	size_t width = 0, len;

	for (size_t i = 0; i < heading_lines(heading); i++) {
		heading_word(heading, i, &len);
		width = max(width, len);
	}
	return width;
}

void table_column(struct table *table, enum table_column kind,
		  const char *heading)
{
	struct column *column;

	if (!table || table->failed)
		return;
	if (array_room(table->columns, table->room_columns,
		       table->nr_columns + 1)) {
		table->failed = true;
		return;
	}
	column = &table->columns[table->nr_columns];
	*column = (struct column){
		.kind = kind, .heading = shown_copy(heading),
	};
	if (!column->heading) {
		table->failed = true;
		return;
	}
	column->exact_width = heading_width(column->heading);
	column->brief_width = column->exact_width;
	table->nr_columns++;
}

void table_cell(struct table *table, const char *exact, const char *brief)
{
	struct column *column;
	struct cell cell;

	if (!table || table->failed)
		return;
	column = &table->columns[table->nr_cells % table->nr_columns];
	cell.exact = shown_copy(exact);
	cell.brief = brief ? shown_copy(brief) : NULL;
	if (!cell.exact || (brief && !cell.brief) ||
	    array_room(table->cells, table->room, table->nr_cells + 1)) {
		free(cell.exact);
		free(cell.brief);
		table->failed = true;
		return;
	}
	table->cells[table->nr_cells++] = cell;
	column->exact_width = max(column->exact_width, text_width(cell.exact));
	column->brief_width = max(column->brief_width,
				  text_width(brief ? cell.brief : cell.exact));
}

static size_t column_width(const struct table *table, size_t index, bool brief)
{
	return brief ? table->columns[index].brief_width :
		       table->columns[index].exact_width;
}

static bool is_key(const struct table *table, size_t index)
{
	return table->columns[index].kind != TABLE_VALUE;
}

static void part_free(struct part *part)
{
	free(part->columns);
	free(part->widths);
}

/* Allocate room for all columns. Returns 0 or -ENOMEM. */
static int part_make(const struct table *table, struct part *part)
{
	size_t nr = table->nr_columns;

	*part = (struct part){
		.columns = calloc(nr, sizeof(*part->columns)),
		.widths = calloc(nr, sizeof(*part->widths)),
	};
	if (part->columns && part->widths)
		return 0;
	part_free(part);
	return -ENOMEM;
}

static void part_add(struct part *part, size_t column, size_t width)
{
	part->columns[part->nr] = column;
	part->widths[part->nr++] = width;
}

static size_t part_width(const struct part *part)
{
	size_t width = 0;

	for (size_t i = 0; i < part->nr; i++)
		width += part->widths[i] + (i ? GAP : 0);
	return width;
}

/* Truncate the widest key so that @room columns remain free. */
static void narrow_keys(const struct table *table, struct part *part,
			size_t width, size_t room)
{
	size_t widest = part->nr, over;

	for (size_t i = 0; i < part->nr; i++)
		if (table->columns[part->columns[i]].kind == TABLE_KEY &&
		    (widest == part->nr ||
		     part->widths[i] > part->widths[widest]))
			widest = i;
	if (widest == part->nr || part_width(part) + room <= width)
		return;
	over = part_width(part) + room - width;
	part->widths[widest] = part->widths[widest] > over + KEY_MIN ?
			       part->widths[widest] - over :
			       part->widths[widest] < KEY_MIN ?
			       part->widths[widest] : KEY_MIN;
}

static size_t widest_value(const struct table *table, bool brief)
{
	size_t width = 0;

	for (size_t i = 0; i < table->nr_columns; i++)
		if (!is_key(table, i))
			width = max(width, column_width(table, i, brief));
	return width;
}

static size_t key_width(const struct table *table, size_t index, const struct part *part)
{
	const size_t width = column_width(table, index, part->brief);

	return part->whole && table->columns[index].kind == TABLE_KEY &&
	       width > KEY_MOST ? KEY_MOST : width;
}

static void begin_part(const struct table *table, struct part *part,
		       size_t width, bool brief)
{
	part->nr = 0;
	part->brief = brief;
	part->whole = !width;
	for (size_t i = 0; i < table->nr_columns; i++)
		if (is_key(table, i))
			part_add(part, i, key_width(table, i, part));
	if (width)
		narrow_keys(table, part, width,
			    GAP + widest_value(table, brief));
}

/* Fill a part with value columns from @next on; returns the next one. */
static size_t fill_part(const struct table *table, struct part *part,
			size_t width, bool brief, size_t next)
{
	size_t keys, i, needed;

	begin_part(table, part, width, brief);
	keys = part->nr;
	for (i = next; i < table->nr_columns; i++) {
		if (is_key(table, i))
			continue;
		needed = GAP + column_width(table, i, brief);
		if (width && part->nr > keys &&
		    part_width(part) + needed > width)
			break;
		part_add(part, i, column_width(table, i, brief));
	}
	return i;
}

/* A line of cells, printed without trailing spaces. */
struct table_line {
	FILE *out;
	size_t pending;		/* spaces to print before the next text */
};

static void line_text(struct table_line *line, const char *text, int bytes)
{
	if (!bytes)
		return;
	fprintf(line->out, "%*s%.*s", (int)line->pending, "", bytes, text);
	line->pending = 0;
}

/*
 * Print @text in @width columns; a longer text is truncated and ends in "..", unless it is to
 * be printed @whole.
 */
static void line_cell(struct table_line *line, const char *text, size_t width,
		      bool right, bool whole)
{
	const size_t needed = text_width(text);
	const size_t left = needed < width ? width - needed : 0;

	if (needed > width && width > 2 && !whole) {
		line_text(line, text, bytes_of(text, width - 2));
		line_text(line, "..", 2);
	} else {
		line->pending += right ? left : 0;
		line_text(line, text, strlen(text));
		line->pending += right ? 0 : left;
	}
}

/* Print line @index of @lines of the headings, which are aligned to the last line. */
static void print_heading_line(const struct table *table,
			       const struct part *part, FILE *out,
			       size_t index, size_t lines)
{
	struct table_line line = { .out = out };
	const struct column *column;
	size_t own, len;
	const char *word;
	char text[256];

	for (size_t i = 0; i < part->nr; i++) {
		column = &table->columns[part->columns[i]];
		own = heading_lines(column->heading);
		text[0] = '\0';
		if (index + own >= lines) {
			word = heading_word(column->heading,
					    index + own - lines, &len);
			snprintf(text, sizeof(text), "%.*s", (int)len, word);
		}
		line.pending += i ? GAP : 0;
		line_cell(&line, text, part->widths[i],
			  column->kind != TABLE_KEY, part->whole);
	}
}

static void print_heading(const struct table *table, const struct part *part,
			  FILE *out, bool colour)
{
	size_t lines = 0;

	for (size_t i = 0; i < part->nr; i++)
		lines = max(lines, heading_lines(
			    table->columns[part->columns[i]].heading));
	for (size_t i = 0; i < lines; i++) {
		fputs(colour ? "\033[1m" : "", out);
		print_heading_line(table, part, out, i, lines);
		fputs(colour ? "\033[0m\n" : "\n", out);
	}
}

static void print_row(const struct table *table, const struct part *part,
		      FILE *out, const struct cell *cells)
{
	struct table_line line = { .out = out };
	const struct cell *cell;
	size_t index;

	for (size_t i = 0; i < part->nr; i++) {
		index = part->columns[i];
		cell = &cells[index];
		line.pending += i ? GAP : 0;
		line_cell(&line, part->brief && cell->brief ? cell->brief :
							      cell->exact,
			  part->widths[i],
			  table->columns[index].kind != TABLE_KEY, part->whole);
	}
	fputc('\n', out);
}

/* Print a part of the table, the first one with what is below its rows. */
static int print_part(const struct table *table, const struct part *part,
		      FILE *out, const struct table_style *style, bool first)
{
	size_t rows = table->nr_cells / table->nr_columns;
	int err = 0;

	if (!style->no_heading)
		print_heading(table, part, out, style->colour);
	for (size_t row = 0; row < rows && !err; row++) {
		print_row(table, part, out,
			  table->cells + row * table->nr_columns);
		if (first && style->below)
			err = style->below(style->context, out);
	}
	return err;
}

void table_title(const char *text, bool colour)
{
	printf(colour ? "\n\033[1;4m%s\033[0m\n" : "\n%s\n", text);
}

int table_print(const struct table *table, FILE *out,
		const struct table_style *style)
{
	struct part part;
	bool brief;
	size_t first, next;
	int err = 0;

	if (!table || table->failed || part_make(table, &part))
		return -ENOMEM;
	brief = !style->exact &&
		fill_part(table, &part, style->width, false, 0) <
		table->nr_columns;
	for (next = 0; next < table->nr_columns && !err;) {
		first = next;
		next = fill_part(table, &part, style->width, brief, first);
		err = print_part(table, &part, out, style, !first);
		if (next < table->nr_columns)
			fputc('\n', out);
	}
	part_free(&part);
	return err;
}
