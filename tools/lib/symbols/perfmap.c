// SPDX-License-Identifier: GPL-2.0
/*
 * Read the symbols of run-time generated code from a text file, /tmp/perf-PID.map, in
 * which the program lists them: "START SIZE name", numbers in hex.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loaders.h"
#include "util/cancel.h"

#define PATH_SIZE	4096

static enum symbols_state state_of_failure(int error)
{
	switch (error) {
	case ELOOP:
		return SYMBOLS_IRREGULAR;
	case EACCES:
		return SYMBOLS_FORBIDDEN;
	default:
		return SYMBOLS_NO_FILE;
	}
}

/* Anyone can create files in /tmp: apply the same checks as perf. */
static enum symbols_state check_map(int fd, struct symbols *symbols)
{
	struct stat status;

	if (fstat(fd, &status))
		return SYMBOLS_NO_FILE;
	if (!S_ISREG(status.st_mode))
		return SYMBOLS_IRREGULAR;
	symbols->owner = status.st_uid;
	return !status.st_uid || status.st_uid == geteuid() ?
	       SYMBOLS_FOUND : SYMBOLS_UNTRUSTED;
}

/* Return: NULL if it cannot be used; the state of @symbols says why. */
static FILE *open_map(const char *path, struct symbols *symbols)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0) {
		symbols->state = state_of_failure(errno);
		return NULL;
	}
	symbols->state = check_map(fd, symbols);
	if (symbols->state == SYMBOLS_FOUND)
		return fdopen(fd, "r");
	close(fd);
	return NULL;
}

/* Later lines replace earlier ones, so their rank is higher. */
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
	file = open_map(path, symbols);
	if (!file)
		return 0;
	while (!err && getline(&line, &size, file) > 0) {
		err = cancel_check(sources->cancel);
		if (!err)
			err = take_line(symbols, line, number++);
	}
	free(line);
	fclose(file);
	symbols->state = symbols->nr ? SYMBOLS_FOUND : SYMBOLS_NONE;
	return err;
}
