// SPDX-License-Identifier: GPL-2.0
/* Read small text files of the kernel, in sysfs and procfs. */
#define _GNU_SOURCE
#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sysfile.h"

static bool read_line(char line[SYSFILE_LINE], const char *format, va_list args)
{
	char path[PATH_MAX];
	FILE *file;
	size_t length;

	vsnprintf(path, sizeof(path), format, args);
	file = fopen(path, "re");
	if (!file || !fgets(line, SYSFILE_LINE, file))
		*line = '\0';
	if (file)
		fclose(file);
	for (length = strlen(line); length; length--)
		if (!isspace((unsigned char)line[length - 1]))
			break;
	line[length] = '\0';
	return length;
}

bool sysfile_line(char line[SYSFILE_LINE], const char *format, ...)
{
	va_list args;
	bool found;

	va_start(args, format);
	found = read_line(line, format, args);
	va_end(args);
	return found;
}

bool sysfile_number(uint64_t *number, int base, const char *format, ...)
{
	char line[SYSFILE_LINE], *end;
	va_list args;
	bool found;

	va_start(args, format);
	found = read_line(line, format, args);
	va_end(args);
	if (!found)
		return false;
	*number = strtoull(line, &end, base);
	return end != line;
}

/* For scandir(3), which passes nothing to it. */
static __thread const char *wanted_prefix;

static int is_numbered(const struct dirent *entry)
{
	const char *number = entry->d_name + strlen(wanted_prefix);

	return !strncmp(entry->d_name, wanted_prefix, strlen(wanted_prefix)) &&
	       *number && !number[strspn(number, "0123456789")];
}

int sysfile_numbered(struct dirent ***entries, const char *folder,
		     const char *prefix)
{
	int nr;

	*entries = NULL;
	wanted_prefix = prefix;
	nr = scandir(folder, entries, is_numbered, versionsort);
	return nr < 0 ? 0 : nr;
}

unsigned int sysfile_number_of(const struct dirent *entry, const char *prefix)
{
	return strtoul(entry->d_name + strlen(prefix), NULL, 10);
}

void sysfile_free(struct dirent **entries, int nr)
{
	while (nr > 0)
		free(entries[--nr]);
	free(entries);
}
