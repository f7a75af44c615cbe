/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to svg.c: a picture as SVG, complete in one file, which is readable on light
 * and dark screens: it has a background and colours of its own for both.
 */
#ifndef KERMON_SVG_H
#define KERMON_SVG_H

#include <stdbool.h>
#include <stdio.h>

/* Number of colours that lines can be told apart by: classes "c0", "c1", ... */
#define SVG_COLOURS	8

/* Number of colours that stand for a value, from low to high: classes "t0", "t1", ... */
#define SVG_SHADES	8

/* @title is what is read aloud, and shown by a browser. */
void svg_begin(FILE *out, double width, double height, const char *title);
void svg_end(FILE *out);

/* Where a text begins, has its middle or ends. */
enum svg_anchor {
	SVG_START,
	SVG_MIDDLE,
	SVG_END,
};

/**
 * struct svg_text - how a text is written
 * @anchor: what is at @x
 * @x: position, to the right
 * @y: of the base line, downwards
 * @upwards: turned to the left by 90 degrees
 * @angle: or turned to the left by that many degrees
 * @class: "title", "note" or NULL
 */
struct svg_text {
	enum svg_anchor anchor;
	double x;
	double y;
	bool upwards;
	double angle;
	const char *class;
};

/* Any text: special characters are escaped, and control characters shown as escapes. */
void svg_text(FILE *out, const struct svg_text *how, const char *text);

/* Only the text, with special characters escaped: for an element or an attribute. */
void svg_escaped(FILE *out, const char *text);

#endif /* KERMON_SVG_H */
