// SPDX-License-Identifier: GPL-2.0
/* Breaks text into lines that fit the terminal. */
#include <string.h>

#include "wrap.h"

void wrap_text(FILE *out, const char *text, size_t column, size_t indent,
	       size_t width)
{
	size_t length, at = column;

	while (*text) {
		length = strcspn(text, " ");
		if (at > column && at + 1 + length > width) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = at = indent;
		}
		at += fprintf(out, "%s%.*s", at > column ? " " : "",
			      (int)length, text);
		text += length;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}
