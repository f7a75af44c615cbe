// SPDX-License-Identifier: GPL-2.0
/* Finds places for the names of ceilings, so that no text covers another. */
#include "names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* In pixels: of a character, of a line of text, and between a line and its name. */
#define CHARACTER	6.2
#define HEIGHT		12.0
#define ABOVE		4.0

/* Between two points of a text, and between two places to try. */
#define PIECE		8.0
#define STEP		10.0

#define DEGREES		57.29577951308232

double names_length(const char *text)
{
	return CHARACTER * strlen(text);
}

static void cover(struct names *names, double x, double y, double length, double angle)
{
	for (double at = 0; at <= length; at += PIECE) {
		if (array_room(names->all, names->room, names->nr + 1))
			return;
		names->all[names->nr++] = (struct covered){
			x + at * cos(angle), y - at * sin(angle) };
	}
}

void names_cover(struct names *names, double x, double y, double length)
{
	cover(names, x, y, length, 0);
}

static bool is_free(const struct names *names, struct covered from, double length, double angle)
{
	for (double at = 0; at <= length; at += PIECE)
		for (size_t i = 0; i < names->nr; i++)
			if (hypot(from.x + at * cos(angle) - names->all[i].x,
				  from.y - at * sin(angle) - names->all[i].y) < HEIGHT)
				return false;
	return true;
}

bool names_is_free(const struct names *names, double x, double y, double length)
{
	return is_free(names, (struct covered){ x, y }, length, 0);
}

/* Where a text begins that far from the begin of the line. */
static struct covered place_at(const struct name_line *line, double at, double angle)
{
	return (struct covered){ line->left + at * cos(angle),
				 line->bottom - at * sin(angle) - ABOVE };
}

void names_write(struct names *names, const struct chart *chart, const struct name_line *line)
{
	const double width = line->right - line->left, height = line->bottom - line->top;
	const double whole = hypot(width, height), angle = atan2(height, width);
	const double length = names_length(line->name), last = fmax(whole - length - ABOVE, 0);
	const double first = line->from_end ? last : fmin(STEP, last);
	struct covered place = place_at(line, first, angle), next;

	for (double moved = 0; moved <= last; moved += STEP) {
		const double at = line->from_end ? first - moved : first + moved;

		if (at < 0 || at > last)
			break;
		next = place_at(line, at, angle);
		if (is_free(names, next, length, angle)) {
			place = next;
			break;
		}
	}
	/* A short line at the right may have a long name. */
	if (!(angle > 0))
		place.x = fmin(place.x, chart->to_x.to - length);
	cover(names, place.x, place.y, length, angle);
	svg_text(chart->out, &(struct svg_text){
		.x = place.x, .y = place.y, .angle = angle * DEGREES, .class = "name",
	}, line->name);
}

void names_free(struct names *names)
{
	free(names->all);
	*names = (struct names){ 0 };
}
