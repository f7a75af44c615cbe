// SPDX-License-Identifier: GPL-2.0
/* A terminal by ncurses: text, styles and keys. */
#include <curses.h>
#include <errno.h>
#include <kermon/text.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termcap.h>
#include <unistd.h>
#include <wchar.h>

#include "screen.h"

#define COLOUR_HEADER	1
#define COLOUR_SORTED	2

static SCREEN *terminal;
static bool coloured;
static struct sigaction old_stop;

/* Convert @text, whose control characters are escaped, to at most @width columns. */
static int to_wide(const char *text, wchar_t *wide, int width)
{
	mbstate_t state = { 0 };
	int used = 0, columns;
	size_t length;
	wchar_t *to = wide;

	while (*text && to - wide < SCREEN_TEXT) {
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

int screen_text(int y, int x, int width, const char *text, bool right)
{
	wchar_t wide[SCREEN_TEXT + 1];
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

size_t screen_append(char text[SCREEN_TEXT], size_t length, const char *format, ...)
{
	va_list args;
	int added;

	if (length >= SCREEN_TEXT)
		return length;
	va_start(args, format);
	added = vsnprintf(text + length, SCREEN_TEXT - length, format, args);
	va_end(args);
	return length + (added > 0 ? added : 0);
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

void screen_style(enum screen_style style)
{
	static const struct {
		attr_t attributes;
		short pair;
	} styles[] = {
		[SCREEN_HEADER] = { A_BOLD, COLOUR_HEADER },
		[SCREEN_HEADING] = { A_REVERSE, 0 },
		[SCREEN_SORTED] = { A_BOLD | A_UNDERLINE, COLOUR_SORTED },
		[SCREEN_PLAIN] = { A_NORMAL, 0 },
	};

	attrset(styles[style].attributes | (coloured ? COLOR_PAIR(styles[style].pair) : 0));
}

void screen_bar(int y)
{
	mvhline(y, 0, ' ' | A_REVERSE, COLS);
}

int screen_lines(void)
{
	return LINES;
}

int screen_columns(void)
{
	return COLS;
}

void screen_begin(void)
{
	erase();
}

void screen_end(const char *status)
{
	if (LINES > 1)
		screen_text(LINES - 1, 0, COLS, status, false);
	refresh();
}

static void never_called(int number)
{
	(void)number;
}

/*
 * While ncurses draws, it ignores SIGTSTP, and so loses one that waits to be read from a
 * signalfd: Ctrl-Z would have no effect. It leaves the signal alone if it has a handler
 * (_nc_signal_handler() in lib_tstp.c of ncurses).
 */
static void keep_stop_signal(void)
{
	const struct sigaction handled = { .sa_handler = never_called };

	sigaction(SIGTSTP, NULL, &old_stop);
	if (old_stop.sa_handler == SIG_DFL)
		sigaction(SIGTSTP, &handled, NULL);
}

static void restore_stop_signal(void)
{
	sigaction(SIGTSTP, &old_stop, NULL);
}

int screen_open(bool colour)
{
	const char *type = getenv("TERM");

	/* newterm() would leave memory behind. */
	if (!type || tgetent(NULL, type) != 1)
		return -ENOTTY;
	setlocale(LC_CTYPE, "");
	keep_stop_signal();
	terminal = newterm(NULL, stdout, stdin);
	if (!terminal) {
		restore_stop_signal();
		return -ENOTTY;
	}
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
	int key;

	/* resizeterm() puts one into the input, which nobody has typed. */
	do
		key = getch();
	while (key == KEY_RESIZE);
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
	restore_stop_signal();
}
