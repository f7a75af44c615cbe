/* SPDX-License-Identifier: GPL-2.0 */
/* For tests that build programs in a folder of their own. */
#ifndef TESTS_UNIT_SHELL_H
#define TESTS_UNIT_SHELL_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Whether the command has succeeded in @folder. */
static inline bool run_in(const char *folder, const char *command)
{
	char line[1024];

	snprintf(line, sizeof(line), "cd %s && %s", folder, command);
	return !system(line);
}

#endif /* TESTS_UNIT_SHELL_H */
