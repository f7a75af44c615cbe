/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to picture.c: draws the live view. */
#ifndef KERMON_PICTURE_H
#define KERMON_PICTURE_H

#include "top.h"
#include "ui/screen.h"
#include "ui/scroll.h"

/**
 * struct picture - what to draw
 * @top: header and rows
 * @scroll: which rows are seen; adjusted to what there is
 * @status: the line at the bottom
 * @help: instead of the table
 */
struct picture {
	const struct top *top;
	struct scroll scroll;
	const char *status;
	bool help;
};

void picture_draw(struct picture *picture);

#endif /* KERMON_PICTURE_H */
