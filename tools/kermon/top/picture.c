// SPDX-License-Identifier: GPL-2.0
/* Draws the live view. */
#include <stdio.h>
#include <stdlib.h>

#include "picture.h"

#define COMMAND_WIDTH	12

/* Which columns are seen: those that matter least give way to the name. */
static void choose_columns(const struct top *top, bool seen[TOP_COLUMNS])
{
	static const unsigned int dispensable[] = {
		THREADS_WAIT, THREADS_FAULTS, THREADS_CPU, THREADS_SWITCHES,
		THREADS_USER, THREADS_INSTRUCTIONS,
	};
	int width = COMMAND_WIDTH;

	for (unsigned int i = 0; i < TOP_COLUMNS; i++) {
		seen[i] = column_is_shown(top, i);
		if (seen[i] && i != THREADS_COMMAND)
			width += abs(column_width(top, i)) + 1;
	}
	for (size_t i = 0; i < sizeof(dispensable) / sizeof(dispensable[0]); i++) {
		const unsigned int column = dispensable[i];

		if (width <= screen_columns() || !seen[column] || column == top->view.column)
			continue;
		seen[column] = false;
		width -= abs(column_width(top, column)) + 1;
	}
}

/* The name comes last, and has the rest of the line. */
static unsigned int column_after(unsigned int column)
{
	if (column == THREADS_COMMAND)
		return TOP_COLUMNS;
	column++;
	if (column == THREADS_COMMAND)
		column++;
	return column < TOP_COLUMNS ? column : THREADS_COMMAND;
}

static int put_cell(const struct top *top, int y, int x, unsigned int column,
		    const char *text)
{
	const int width = column_width(top, column);

	if (column == THREADS_COMMAND)
		return screen_text(y, x, screen_columns() - x, text, false);
	return screen_text(y, x, abs(width), text, width > 0) + 1;
}

static void draw_heading(const struct top *top, int y, const bool seen[TOP_COLUMNS])
{
	char text[TOP_CELL];
	int x = 0;

	screen_bar(y);
	for (unsigned int i = 0; i < TOP_COLUMNS; i = column_after(i)) {
		if (!seen[i])
			continue;
		column_heading(top, i, text);
		screen_style(i == top->view.column ? SCREEN_SORTED : SCREEN_HEADING);
		x = put_cell(top, y, x, i, text);
	}
	screen_style(SCREEN_PLAIN);
}

static void draw_row(const struct top *top, int y, const struct threads_row *row,
		     const bool seen[TOP_COLUMNS])
{
	char text[TOP_CELL];
	int x = 0;

	for (unsigned int i = 0; i < TOP_COLUMNS; i = column_after(i)) {
		if (!seen[i])
			continue;
		column_text(top, row, i, text);
		x = put_cell(top, y, x, i, text);
	}
}

/* A low terminal has rows rather than a header. */
static int draw_header(const struct top *top)
{
	char lines[HEADER_LINES][TOP_LINE];
	const unsigned int nr = screen_lines() >= 12 ? header_lines(top, lines) : 0;

	screen_style(SCREEN_HEADER);
	for (unsigned int i = 0; i < nr; i++)
		screen_text(i, 0, screen_columns(), lines[i], false);
	screen_style(SCREEN_PLAIN);
	return nr;
}

static void draw_table(struct picture *picture)
{
	const struct top *top = picture->top;
	const struct view *view = &top->view;
	bool seen[TOP_COLUMNS];
	int y = draw_header(top);

	choose_columns(top, seen);
	draw_heading(top, y++, seen);
	scroll_fit(&picture->scroll, screen_lines() - y - 1, view->nr);
	for (size_t i = 0; i < picture->scroll.page && picture->scroll.first + i < view->nr; i++)
		draw_row(top, y++, &view->rows[picture->scroll.first + i], seen);
}

static const char *const keys[] = {
	"< >        sort by the column to the left or right",
	"r          reverse the order",
	"t          threads, or processes",
	"/          show only rows whose name contains a text, or with this pid or tid",
	"space      pause, and go on: meanwhile everything is still counted",
	"w          write the rows to a file, as CSV",
	"arrows     scroll, as do Page Up, Page Down, Home and End",
	"q          quit, as does Ctrl-C",
	"",
	"Sort by a column with its letter:",
};

static void draw_help(void)
{
	const struct column *column;
	char line[TOP_LINE];
	int y = 0;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		screen_text(y++, 0, screen_columns(), keys[i], false);
	for (unsigned int i = 0; (column = column_at(i)) && y < screen_lines() - 1; i++) {
		snprintf(line, sizeof(line), "%c  %-9s  %s", column->letter, column->heading,
			 column->help);
		screen_text(y++, 0, screen_columns(), line, false);
	}
}

void picture_draw(struct picture *picture)
{
	screen_begin();
	if (picture->help)
		draw_help();
	else
		draw_table(picture);
	screen_end(picture->status);
}
