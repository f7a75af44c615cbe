/* SPDX-License-Identifier: GPL-2.0 */
/* Telling which copies of stacks have not become whole call chains. */
#ifndef KERMON_UNWINDING_H
#define KERMON_UNWINDING_H

#include <kermon/report.h>
#include <stdbool.h>
#include <stddef.h>

#define UNWINDING_TEXT_SIZE	256

/*
 * Statement @index, from 0 on, without a full stop. Return: false if there are no more:
 * of a recording without copies, or all of whose copies could be used, there is none.
 */
bool unwinding_text(const struct kermon_unwinding *unwinding, size_t index,
		    char text[UNWINDING_TEXT_SIZE]);

/* All of them, on standard error, by @command of the file at @path. */
void unwinding_tell(const char *command, const char *path,
		    const struct kermon_unwinding *unwinding);

#endif /* KERMON_UNWINDING_H */
