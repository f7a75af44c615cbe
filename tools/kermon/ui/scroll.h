/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to scroll.c: which rows of a table are seen, and the keys that change that. */
#ifndef KERMON_SCROLL_H
#define KERMON_SCROLL_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct scroll - which rows are seen
 * @first: the first one
 * @page: number of rows that fit
 * @nr: number of rows
 */
struct scroll {
	size_t first;
	size_t page;
	size_t nr;
};

/* Adjust it to a table of @nr rows, of which @page fit. */
void scroll_fit(struct scroll *scroll, int page, size_t nr);

/* Obey a key of screen_key(). Returns whether it is one for scrolling. */
bool scroll_key(struct scroll *scroll, int key);

#endif /* KERMON_SCROLL_H */
