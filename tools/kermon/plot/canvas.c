// SPDX-License-Identifier: GPL-2.0
/* Draws dots, lines and texts as characters. */
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "canvas.h"

#define BRAILLE		0x2800
#define BRAILLE_X	2
#define BRAILLE_Y	4

/**
 * struct cell - a character
 * @dots: bits as in Unicode's braille patterns; in ASCII the letter
 * @text: a character of a text instead; 0: none
 */
struct cell {
	unsigned char dots;
	unsigned char colour;
	char text;
};

struct canvas {
	size_t columns;
	size_t rows;
	bool unicode;
	struct cell cells[];
};

bool canvas_is_unicode(void)
{
	locale_t user = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool is_utf8;

	if (!user)
		return false;
	is_utf8 = !strcmp(nl_langinfo_l(CODESET, user), "UTF-8");
	freelocale(user);
	return is_utf8;
}

struct canvas *canvas_new(size_t columns, size_t rows, bool unicode)
{
	struct canvas *canvas;

	columns = columns ? columns : 1;
	rows = rows ? rows : 1;
	canvas = calloc(1, sizeof(*canvas) + columns * rows * sizeof(canvas->cells[0]));
	if (!canvas)
		return NULL;
	canvas->columns = columns;
	canvas->rows = rows;
	canvas->unicode = unicode;
	return canvas;
}

void canvas_free(struct canvas *canvas)
{
	free(canvas);
}

unsigned int canvas_dots_x(const struct canvas *canvas)
{
	return canvas->unicode ? BRAILLE_X : 1;
}

unsigned int canvas_dots_y(const struct canvas *canvas)
{
	return canvas->unicode ? BRAILLE_Y : 1;
}

double canvas_width(const struct canvas *canvas)
{
	return canvas->columns * canvas_dots_x(canvas);
}

double canvas_height(const struct canvas *canvas)
{
	return canvas->rows * canvas_dots_y(canvas);
}

/* The dots of a braille pattern are numbered down the left, down the right, and below. */
static unsigned char bit_of(size_t x, size_t y)
{
	static const unsigned char bits[BRAILLE_Y][BRAILLE_X] = {
		{ 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 },
	};

	return bits[y % BRAILLE_Y][x % BRAILLE_X];
}

void canvas_dot(struct canvas *canvas, const struct pen *pen, double x, double y)
{
	size_t column, row;
	struct cell *cell;

	if (!(x >= 0 && x < canvas_width(canvas) && y >= 0 && y < canvas_height(canvas)))
		return;
	column = (size_t)x / canvas_dots_x(canvas);
	row = (size_t)y / canvas_dots_y(canvas);
	cell = &canvas->cells[row * canvas->columns + column];
	if (canvas->unicode)
		cell->dots |= bit_of(x, y);
	else
		cell->dots = pen->ascii;
	cell->colour = pen->colour;
}

void canvas_line(struct canvas *canvas, const struct pen *pen, double x1, double y1,
		 double x2, double y2)
{
	const double steps = ceil(fmax(fabs(x2 - x1), fabs(y2 - y1)));

	if (!isfinite(steps) || steps > 1e6)
		return;
	for (double i = 0; i <= steps; i++)
		canvas_dot(canvas, pen, x1 + (x2 - x1) * i / fmax(steps, 1),
			   y1 + (y2 - y1) * i / fmax(steps, 1));
}

void canvas_text(struct canvas *canvas, unsigned int colour, size_t column, size_t row,
		 const char *text)
{
	struct cell *cell;

	if (row >= canvas->rows)
		return;
	for (; *text && column < canvas->columns; text++, column++) {
		cell = &canvas->cells[row * canvas->columns + column];
		cell->text = *text >= ' ' && *text <= '~' ? *text : '?';
		cell->colour = colour;
	}
}

static bool is_blank(const struct cell *cell)
{
	return !cell->dots && (!cell->text || cell->text == ' ');
}

/* Of terminals with eight colours; all can be read on black and on white. */
static void begin_colour(FILE *out, unsigned int colour)
{
	static const int codes[CANVAS_COLOURS + 1] = { 39, 34, 31, 32, 35, 33, 36 };

	fprintf(out, "\033[%dm", codes[colour <= CANVAS_COLOURS ? colour : 0]);
}

static void print_cell(const struct canvas *canvas, const struct cell *cell, FILE *out)
{
	const unsigned int code = BRAILLE + cell->dots;

	if (cell->text)
		fputc(cell->text, out);
	else if (!cell->dots)
		fputc(' ', out);
	else if (canvas->unicode)
		fprintf(out, "%c%c%c", 0xe0 | code >> 12, 0x80 | (code >> 6 & 0x3f),
			0x80 | (code & 0x3f));
	else
		fputc(cell->dots, out);
}

static void print_row(const struct canvas *canvas, const struct cell *row, FILE *out,
		      bool colour)
{
	size_t nr = canvas->columns;
	unsigned int last = 0;

	while (nr && is_blank(&row[nr - 1]))
		nr--;
	for (size_t i = 0; i < nr; i++) {
		if (colour && !is_blank(&row[i]) && row[i].colour != last) {
			last = row[i].colour;
			begin_colour(out, last);
		}
		print_cell(canvas, &row[i], out);
	}
	fputs(last ? "\033[39m\n" : "\n", out);
}

void canvas_print(const struct canvas *canvas, FILE *out, bool colour)
{
	for (size_t i = 0; i < canvas->rows; i++)
		print_row(canvas, &canvas->cells[i * canvas->columns], out, colour);
}
