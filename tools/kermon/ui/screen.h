/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to screen.c, which is all that knows ncurses: the terminal of the live views, what
 * is written to it, and keys.
 */
#ifndef KERMON_SCREEN_H
#define KERMON_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* Keys that are no characters. */
enum {
	KEY_NONE = -1,
	KEY_ENTER_LINE = '\n',
	KEY_ESCAPE = 27,
	KEY_ERASE = 127,
	KEY_LINE_UP = 0x1000,
	KEY_LINE_DOWN,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_FIRST,
	KEY_LAST,
};

enum screen_style {
	SCREEN_PLAIN,
	SCREEN_HEADER,		/* lines above a table */
	SCREEN_HEADING,		/* its headings */
	SCREEN_SORTED,		/* that of the column that it is sorted by */
};

/* Returns 0, or -ENOTTY if the type of the terminal is unknown. */
int screen_open(bool colour);

/* Its size. */
int screen_lines(void);
int screen_columns(void);

/* Begin to draw on an empty screen; end, with a line at the bottom. */
void screen_begin(void);
void screen_end(const char *status);

/* The style of what is drawn from now on. */
void screen_style(enum screen_style style);

/* A line without text, in the style of headings. */
void screen_bar(int y);

/* Most characters of a text, with the 0 at its end. */
#define SCREEN_TEXT	320

/* Append to a text, as far as it fits; returns its new length. */
size_t screen_append(char text[SCREEN_TEXT], size_t length, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Write @text, escaped, in columns @x to @x + @width, to the right if @right. Returns the column
 * that follows.
 */
int screen_text(int y, int x, int width, const char *text, bool right);

/* The next key, KEY_NONE if there is none; arrows to the left and right are '<' and '>'. */
int screen_key(void);

/* After SIGWINCH. */
void screen_resize(void);

/* Give the terminal back while this process is stopped, and take it again. */
void screen_leave(void);
void screen_return(void);

void screen_close(void);

#endif /* KERMON_SCREEN_H */
