/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to notes.c: sentences about a result, in the order in which they were added. */
#ifndef KERMON_NOTES_H
#define KERMON_NOTES_H

#include <stdarg.h>
#include <stddef.h>

/**
 * struct notes - sentences, each of them once; zeroed at first
 * @all: @nr of them
 * @room: for so many
 */
struct notes {
	char **all;
	size_t nr;
	size_t room;
};

/*
 * Add one, unless it is there already. If memory is exhausted, it goes to standard error, as
 * a message of @command.
 */
void notes_add(struct notes *notes, const char *command, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));
void notes_free(struct notes *notes);

#endif /* KERMON_NOTES_H */
