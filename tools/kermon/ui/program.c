// SPDX-License-Identifier: GPL-2.0
/*
 * Looks up programs in PATH, and interpreters of scripts.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"

bool program_find(const char *name, size_t length, char *file, size_t size)
{
	const char *end;
	const char *path = memchr(name, '/', length) ? "" : getenv("PATH");
	struct stat status;

	for (path = path ? path : "/bin:/usr/bin"; ; path = end + 1) {
		end = strchrnul(path, ':');
		snprintf(file, size, "%.*s%s%.*s", (int)(end - path), path,
			 end > path ? "/" : "", (int)length, name);
		if (!access(file, X_OK) && !stat(file, &status) &&
		    S_ISREG(status.st_mode))
			return true;
		if (!*end)
			return false;
	}
}

bool program_interpreter(const char *file, char *interpreter, size_t size)
{
	FILE *stream = fopen(file, "re");
	/* The kernel reads only this much of the file. */
	char line[257] = "";
	const char *begin;

	if (!stream)
		return false;
	if (!fgets(line, sizeof(line), stream))
		*line = '\0';
	fclose(stream);
	if (strncmp(line, "#!", 2))
		return false;
	begin = line + 2 + strspn(line + 2, " \t");
	snprintf(interpreter, size, "%.*s", (int)strcspn(begin, " \t\n"), begin);
	return *interpreter;
}
