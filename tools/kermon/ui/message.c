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
