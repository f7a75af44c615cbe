/* SPDX-License-Identifier: GPL-2.0 */
/* For tests that build programs in a folder of their own. */
#ifndef TESTS_UNIT_SHELL_H
#define TESTS_UNIT_SHELL_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether the command succeeds in @folder. */
static inline bool run_in(const char *folder, const char *command)
{
	char line[1024];

	snprintf(line, sizeof(line), "cd %s && %s", folder, command);
	return !system(line);
}

/* A new folder, which is also the home of programs that are run; to be removed. */
static inline bool make_home(char *home)
{
	strcpy(home, "/tmp/kermon-unit-XXXXXX");
	return mkdtemp(home) && !setenv("HOME", home, 1);
}

/* Writes program.c into @folder. */
static inline bool write_program(const char *folder, const char *source)
{
	char path[96];
	FILE *file;
	bool written;

	snprintf(path, sizeof(path), "%s/program.c", folder);
	file = fopen(path, "w");
	if (!file)
		return false;
	written = fputs(source, file) >= 0;
	return !fclose(file) && written;
}

#endif /* TESTS_UNIT_SHELL_H */
