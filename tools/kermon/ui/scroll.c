// SPDX-License-Identifier: GPL-2.0
/* Which rows of a table are seen on a screen. */
#include "screen.h"
#include "scroll.h"

void scroll_fit(struct scroll *scroll, int page, size_t nr)
{
	scroll->page = page > 0 ? page : 0;
	scroll->nr = nr;
	if (scroll->first + scroll->page > nr)
		scroll->first = nr > scroll->page ? nr - scroll->page : 0;
}

bool scroll_key(struct scroll *scroll, int key)
{
	const size_t page = scroll->page ? scroll->page : 1;
	const size_t step = key == KEY_LINE_UP || key == KEY_LINE_DOWN ? 1 : page;

	switch (key) {
	case KEY_LINE_UP:
	case KEY_PAGE_UP:
		scroll->first -= scroll->first < step ? scroll->first : step;
		return true;
	case KEY_LINE_DOWN:
	case KEY_PAGE_DOWN:
		scroll->first += step;
		return true;
	case KEY_FIRST:
		scroll->first = 0;
		return true;
	case KEY_LAST:
		scroll->first = scroll->nr;
		return true;
	default:
		return false;
	}
}
