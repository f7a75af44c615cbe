/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to unwinding.c: messages about copied stacks without a whole call chain.
 */
#ifndef KERMON_UNWINDING_H
#define KERMON_UNWINDING_H

#include <kermon/report.h>
#include <stdbool.h>
#include <stddef.h>

#define UNWINDING_TEXT_SIZE	256

/*
 * Write statement @index, from 0 on, without a full stop. Return: false after the last
 * one; a recording has none if it has no copies of stacks or all were unwound.
 */
bool unwinding_text(const struct kermon_unwinding *unwinding, size_t index,
		    char text[UNWINDING_TEXT_SIZE]);

/* Print all of them to standard error as messages of @command about the file @path. */
void unwinding_tell(const char *command, const char *path,
		    const struct kermon_unwinding *unwinding);

#endif /* KERMON_UNWINDING_H */
