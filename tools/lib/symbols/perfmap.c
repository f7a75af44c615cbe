// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols of code that a program made at run time and told of in a text file,
 * /tmp/perf-PID.map: lines "START SIZE name", numbers in hex.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loaders.h"

#define PATH_SIZE	4096

/* Anybody may put a file into /tmp: what perf would not believe, we do not. */
static FILE *open_map(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat status;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) &&
	    (!status.st_uid || status.st_uid == geteuid()))
		return fdopen(fd, "r");
	close(fd);
	return NULL;
}

/* What comes later has taken the place of what came before: its rank is higher. */
static int take_line(struct symbols *symbols, char *line, uint32_t number)
{
	uint64_t start, size;
	char *at = line;

	start = strtoull(at, &at, 16);
	if (at == line || *at != ' ')
		return 0;
	size = strtoull(at, &at, 16);
	if (*at != ' ' || !size || start + size < start)
		return 0;
	at++;
	at[strcspn(at, "\n")] = '\0';
	return symbols_add(symbols, start, start + size, at,
			   SYMBOL_RANK_SIZED | number);
}

int symbols_load_perfmap(struct symbols *symbols, const struct dso *dso,
			 const struct symbol_sources *sources)
{
	const char *root = sources->symfs ? sources->symfs : "";
	char path[PATH_SIZE], *line = NULL;
	size_t size = 0;
	uint32_t number = 0;
	FILE *file;
	int err = 0;

	snprintf(path, sizeof(path), "%s%s", root, dso->path);
	symbols->state = SYMBOLS_NO_FILE;
	file = open_map(path);
	if (!file)
		return 0;
	while (!err && getline(&line, &size, file) > 0)
		err = take_line(symbols, line, number++);
	free(line);
	fclose(file);
	symbols->state = symbols->nr ? SYMBOLS_FOUND : SYMBOLS_NONE;
	return err;
}
