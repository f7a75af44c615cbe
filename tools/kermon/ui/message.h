/* SPDX-License-Identifier: GPL-2.0 */
/* What the tool tells its user, on standard error. */
#ifndef KERMON_MESSAGE_H
#define KERMON_MESSAGE_H

#include <stdarg.h>

#include "util/nearmatch.h"

/* "kermon COMMAND: text": @command may be NULL. No newline at the end. */
void message_write(const char *command, const char *format, va_list args);

void message(const char *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* An indented line below a message: why, or what to do about it. */
void message_hint(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* Print the hint "did you mean" with @nr names, each after @prefix; nothing if @nr is 0. */
void message_similar(const char (*names)[NEARMATCH_LENGTH], unsigned int nr,
		     const char *prefix);

#endif /* KERMON_MESSAGE_H */
