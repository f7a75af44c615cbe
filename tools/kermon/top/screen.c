// SPDX-License-Identifier: GPL-2.0
/* Draws the live view with ncurses. */
#include <curses.h>
#include <errno.h>
#include <kermon/text.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "screen.h"

#define COLOUR_HEADER	1
#define COLOUR_SORTED	2
#define COMMAND_WIDTH	12

static SCREEN *terminal;
static bool coloured;

static attr_t attribute(attr_t plain, short pair)
{
	return coloured ? plain | COLOR_PAIR(pair) : plain;
}

/* Convert @text, whose control characters are escaped, to at most @width columns. */
static int to_wide(const char *text, wchar_t *wide, int width)
{
	mbstate_t state = { 0 };
	int used = 0, columns;
	size_t length;
	wchar_t *to = wide;

	while (*text && to - wide < TOP_LINE) {
		length = mbrtowc(to, text, MB_CUR_MAX, &state);
		if (length == (size_t)-1 || length == (size_t)-2) {
			*to = L'?';
			length = 1;
			memset(&state, 0, sizeof(state));
		}
		columns = wcwidth(*to);
		if (columns < 0 || used + columns > width)
			break;
		used += columns;
		text += length;
		to++;
	}
	*to = L'\0';
	return used;
}

/* Print in columns @x to @x + @width, to the right if @right; returns what follows. */
static int put_text(int y, int x, int width, const char *text, bool right)
{
	wchar_t wide[TOP_LINE + 1];
	char *escaped;
	int used;

	if (x + width > COLS)
		width = COLS - x;
	if (width <= 0)
		return x;
	escaped = kermon_text_escaped(text);
	used = escaped ? to_wide(escaped, wide, width) : 0;
	if (escaped)
		mvaddwstr(y, right ? x + width - used : x, wide);
	free(escaped);
	return x + width;
}

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

		if (width <= COLS || !seen[column] || column == top->view.column)
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
		return put_text(y, x, COLS - x, text, false);
	return put_text(y, x, abs(width), text, width > 0) + 1;
}

static void draw_heading(const struct top *top, int y, const bool seen[TOP_COLUMNS])
{
	char text[TOP_CELL];
	int x = 0;

	mvhline(y, 0, ' ' | A_REVERSE, COLS);
	for (unsigned int i = 0; i < TOP_COLUMNS; i = column_after(i)) {
		if (!seen[i])
			continue;
		column_heading(top, i, text);
		attrset(i == top->view.column ? attribute(A_BOLD | A_UNDERLINE, COLOUR_SORTED) :
			A_REVERSE);
		x = put_cell(top, y, x, i, text);
	}
	attrset(A_NORMAL);
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
	const unsigned int nr = LINES >= 12 ? header_lines(top, lines) : 0;

	attrset(attribute(A_BOLD, COLOUR_HEADER));
	for (unsigned int i = 0; i < nr; i++)
		put_text(i, 0, COLS, lines[i], false);
	attrset(A_NORMAL);
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
	picture->page = LINES > y + 1 ? LINES - y - 1 : 0;
	if (picture->first + picture->page > view->nr)
		picture->first = view->nr > picture->page ? view->nr - picture->page : 0;
	for (size_t i = 0; i < picture->page && picture->first + i < view->nr; i++)
		draw_row(top, y++, &view->rows[picture->first + i], seen);
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
		put_text(y++, 0, COLS, keys[i], false);
	for (unsigned int i = 0; (column = column_at(i)) && y < LINES - 1; i++) {
		snprintf(line, sizeof(line), "%c  %-9s  %s", column->letter, column->heading,
			 column->help);
		put_text(y++, 0, COLS, line, false);
	}
}

void screen_draw(struct picture *picture)
{
	erase();
	if (picture->help)
		draw_help();
	else
		draw_table(picture);
	if (LINES > 1)
		put_text(LINES - 1, 0, COLS, picture->status, false);
	refresh();
}

static void begin_colours(bool colour)
{
	coloured = colour && has_colors() && start_color() != ERR;
	if (!coloured)
		return;
	use_default_colors();
	init_pair(COLOUR_HEADER, COLOR_CYAN, -1);
	init_pair(COLOUR_SORTED, COLOR_GREEN, -1);
}

int screen_open(bool colour)
{
	setlocale(LC_CTYPE, "");
	terminal = newterm(NULL, stdout, stdin);
	if (!terminal)
		return -ENOTTY;
	set_term(terminal);
	begin_colours(colour);
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(50);
	curs_set(0);
	return 0;
}

int screen_key(void)
{
	const int key = getch();

	switch (key) {
	case ERR:
		return KEY_NONE;
	case KEY_UP:
		return KEY_LINE_UP;
	case KEY_DOWN:
		return KEY_LINE_DOWN;
	case KEY_PPAGE:
		return KEY_PAGE_UP;
	case KEY_NPAGE:
		return KEY_PAGE_DOWN;
	case KEY_HOME:
		return KEY_FIRST;
	case KEY_END:
		return KEY_LAST;
	case KEY_BACKSPACE:
	case '\b':
		return KEY_ERASE;
	case KEY_ENTER:
	case '\r':
		return KEY_ENTER_LINE;
	case KEY_LEFT:
		return '<';
	case KEY_RIGHT:
		return '>';
	default:
		return key < KEY_MIN ? key : 0;
	}
}

void screen_resize(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		return;
	resizeterm(size.ws_row, size.ws_col);
	clearok(stdscr, TRUE);
}

void screen_leave(void)
{
	endwin();
}

void screen_return(void)
{
	clearok(stdscr, TRUE);
	refresh();
}

void screen_close(void)
{
	if (!terminal)
		return;
	endwin();
	delscreen(terminal);
	terminal = NULL;
}
