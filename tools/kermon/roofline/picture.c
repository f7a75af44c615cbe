// SPDX-License-Identifier: GPL-2.0
/* Draws a roofline as SVG: the plane, what happened over time, and how to read it. */
#include <errno.h>
#include <string.h>

#include "picture.h"

#define NOTE_HEIGHT	15
#define NOTE_LENGTH	150
#define MARGIN		16

const char *picture_colour(size_t number)
{
	static const char *const classes[SVG_COLOURS] = {
		"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7",
	};

	return classes[number % SVG_COLOURS];
}

/* Length of the next line of @text, which ends between words. */
static size_t next_line(const char *text)
{
	size_t length = strlen(text), end = NOTE_LENGTH;

	if (length <= NOTE_LENGTH)
		return length;
	while (end && text[end] != ' ')
		end--;
	return end ? end : NOTE_LENGTH;
}

/* Draw a note from @top on, or only measure it if @out is NULL. Returns where it ends. */
static double put_note(FILE *out, double top, const char *text)
{
	char line[NOTE_LENGTH + 1];
	size_t length;

	for (; *text; text += strspn(text, " ")) {
		length = next_line(text);
		snprintf(line, sizeof(line), "%.*s", (int)length, text);
		text += length;
		top += NOTE_HEIGHT;
		if (out)
			svg_text(out, &(struct svg_text){
				.x = MARGIN, .y = top, .class = "note",
			}, line);
	}
	return top;
}

static double put_notes(const struct roofline_view *view, FILE *out, double top)
{
	char text[VERDICT_SIZE];

	for (size_t i = 0; i < view->nr_runs; i++) {
		verdict_write(&view->runs[i], text);
		top = put_note(out, top, text);
	}
	for (size_t i = 0; i < view->labels.nr; i++)
		top = put_note(out, top, view->labels.all[i]);
	return top + MARGIN;
}

int roofline_picture(const void *context, FILE *out)
{
	const struct roofline_view *view = context;
	double top = PLANE_HEIGHT + picture_times_height(view) + picture_lanes_height(view);

	svg_begin(out, PICTURE_WIDTH, put_notes(view, NULL, top), "Roofline");
	top = picture_plane(view, out, 0);
	if (top >= 0)
		top = picture_times(view, out, top);
	if (top >= 0)
		top = picture_lanes(view, out, top);
	if (top < 0)
		return (int)top;
	put_notes(view, out, top);
	svg_end(out);
	return 0;
}
