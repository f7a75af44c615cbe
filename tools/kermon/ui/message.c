// SPDX-License-Identifier: GPL-2.0
/* Prints messages to standard error, prefixed with the name of the command. */
#include <stdio.h>

#include "message.h"
#include "shown.h"

void message_write(const char *command, const char *format, va_list args)
{
	fflush(stdout);
	flockfile(stderr);
	fprintf(stderr, command ? "kermon %s: " : "kermon: ", command);
	shown_vline(stderr, format, args);
	funlockfile(stderr);
}

void message(const char *command, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message_write(command, format, args);
	va_end(args);
}

void message_hint(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("  ", stderr);
	shown_vline(stderr, format, args);
	va_end(args);
}

void message_similar(const char (*names)[NEARMATCH_LENGTH], unsigned int nr,
		     const char *prefix)
{
	char text[NEARMATCH_NAMES * (NEARMATCH_LENGTH + 16)] = "";
	size_t length = 0;

	for (unsigned int i = 0; i < nr && length < sizeof(text); i++)
		length += snprintf(text + length, sizeof(text) - length,
				   "%s'%s%s'", !i ? "" :
				   i == nr - 1 ? " or " : ", ", prefix,
				   names[i]);
	if (nr)
		message_hint("did you mean %s?", text);
}
