/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to names.c: places for the names of ceilings in a picture. */
#ifndef KERMON_ROOFLINE_NAMES_H
#define KERMON_ROOFLINE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "plot/chart.h"
#include "plot/svg.h"

/* A point of the picture that is covered by text. */
struct covered {
	double x;
	double y;
};

/**
 * struct names - what is covered; zeroed at first
 * @all: @nr of them
 * @room: for so many
 */
struct names {
	struct covered *all;
	size_t nr;
	size_t room;
};

/**
 * struct name_line - a ceiling in the picture, and its name
 * @left: its begin in the picture; likewise @bottom
 * @right: its end; likewise @top
 * @from_end: begin to look for a place at its end
 */
struct name_line {
	double left;
	double bottom;
	double right;
	double top;
	bool from_end;
	const char *name;
};

/* Pixels that a text takes, about. */
double names_length(const char *text);

/* Note that text of this length begins there. Without memory, texts may overlap. */
void names_cover(struct names *names, double x, double y, double length);
/* Whether a text there covers nothing. */
bool names_is_free(const struct names *names, double x, double y, double length);

/* Write the name along the line where it covers nothing, or at its end if that is nowhere. */
void names_write(struct names *names, const struct chart *chart,
		 const struct name_line *line);
void names_free(struct names *names);

#endif /* KERMON_ROOFLINE_NAMES_H */
