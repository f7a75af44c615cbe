// SPDX-License-Identifier: GPL-2.0
/*
 * Prints lines in which control characters are escaped.
 */
#define _GNU_SOURCE
#include <kermon/text.h>
#include <stdlib.h>

#include "shown.h"

void shown_vline(FILE *out, const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		return;
	kermon_text_print(out, text);
	fputc('\n', out);
	free(text);
}

void shown_line(FILE *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	shown_vline(out, format, args);
	va_end(args);
}

void shown_header(void *context, const char *name, const char *value)
{
	(void)context;
	shown_line(stdout, "%-20s %s", name, value);
}
