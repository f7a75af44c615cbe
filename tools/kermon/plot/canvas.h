/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to canvas.c: a picture of characters. In Unicode, a character is 2 dots wide and
 * 4 dots high (braille); in ASCII, it is one dot, drawn as a letter.
 *
 *	canvas = canvas_new(columns, rows, canvas_is_unicode());
 *	canvas_line(canvas, &pen, 0, 0, 10, 10);
 *	canvas_print(canvas, stdout, colour);
 *	canvas_free(canvas);
 */
#ifndef KERMON_CANVAS_H
#define KERMON_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct canvas;

/* Whether the characters of the locale are UTF-8. */
bool canvas_is_unicode(void);

/* NULL if out of memory; at least 1 by 1 characters. */
struct canvas *canvas_new(size_t columns, size_t rows, bool unicode);
void canvas_free(struct canvas *canvas);

/* Dots in each direction. Positions are from the left and from the top, in dots. */
double canvas_width(const struct canvas *canvas);
double canvas_height(const struct canvas *canvas);
/* Dots of a character. */
unsigned int canvas_dots_x(const struct canvas *canvas);
unsigned int canvas_dots_y(const struct canvas *canvas);

/**
 * struct pen - how dots are drawn
 * @colour: 0: that of texts; 1 to CANVAS_COLOURS
 * @ascii: the letter in ASCII
 */
struct pen {
	unsigned int colour;
	char ascii;
};

#define CANVAS_COLOURS	6

/* What is outside of the canvas is left out. Later pens cover the colour of earlier ones. */
void canvas_dot(struct canvas *canvas, const struct pen *pen, double x, double y);
void canvas_line(struct canvas *canvas, const struct pen *pen, double x1, double y1,
		 double x2, double y2);

/*
 * Write ASCII characters from @column and @row on, as far as they fit, over all dots.
 */
void canvas_text(struct canvas *canvas, unsigned int colour, size_t column, size_t row,
		 const char *text);

/* With line ends, but without spaces at the ends of lines. */
void canvas_print(const struct canvas *canvas, FILE *out, bool colour);

#endif /* KERMON_CANVAS_H */
