// SPDX-License-Identifier: GPL-2.0
/* Collects sentences about a result, for all of its outputs. */
#define _GNU_SOURCE

#include "notes.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "util/array.h"

static bool is_there(const struct notes *notes, const char *text)
{
	for (size_t i = 0; i < notes->nr; i++)
		if (!strcmp(notes->all[i], text))
			return true;
	return false;
}

void notes_add(struct notes *notes, const char *command, const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0) {
		message(command, "out of memory: a note is missing: %s", format);
		return;
	}
	if (is_there(notes, text)) {
		free(text);
	} else if (array_room(notes->all, notes->room, notes->nr + 1)) {
		message(command, "%s", text);
		free(text);
	} else {
		notes->all[notes->nr++] = text;
	}
}

void notes_free(struct notes *notes)
{
	for (size_t i = 0; i < notes->nr; i++)
		free(notes->all[i]);
	free(notes->all);
	*notes = (struct notes){ 0 };
}
