/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to screen.c, which is all that knows ncurses: it draws what it is given, and
 * reads keys.
 */
#ifndef KERMON_SCREEN_H
#define KERMON_SCREEN_H

#include "top.h"

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

/**
 * struct picture - what to draw
 * @top: header and rows
 * @first: first row that is seen; adjusted to what there is
 * @page: number of rows that fit; set by screen_draw()
 * @status: the line at the bottom
 * @help: instead of the table
 */
struct picture {
	const struct top *top;
	size_t first;
	size_t page;
	const char *status;
	bool help;
};

/* Returns 0, or -ENOTTY if the type of the terminal is unknown. */
int screen_open(bool colour);

void screen_draw(struct picture *picture);

/* The next key, KEY_NONE if there is none. */
int screen_key(void);

/* After SIGWINCH. */
void screen_resize(void);

/* Give the terminal back while this process is stopped, and take it again. */
void screen_leave(void);
void screen_return(void);

void screen_close(void);

#endif /* KERMON_SCREEN_H */
