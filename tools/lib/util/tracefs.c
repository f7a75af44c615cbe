// SPDX-License-Identifier: GPL-2.0
/* Finds tracefs, and tracepoints in it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "tracefs.h"

#define PATH_SIZE	512

/* Where the kernel wants it to be, and where it is mounted on access. */
static const char *mount_point(void)
{
	static const char *const points[] = {
		"/sys/kernel/tracing", "/sys/kernel/debug/tracing",
	};
	struct statfs info;

	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++)
		if (!statfs(points[i], &info) && info.f_type == TRACEFS_MAGIC)
			return points[i];
	return NULL;
}

/* Of an open(2) that failed. */
static int error_of(const char *mount)
{
	if (!mount)
		return -ENXIO;
	return errno == EACCES || errno == EPERM ? -EACCES : -ENOENT;
}

static int add_piece(char **text, size_t *size, const char *piece, size_t more)
{
	char *longer = realloc(*text, *size + more + 1);

	if (!longer)
		return -ENOMEM;
	memcpy(longer + *size, piece, more);
	*text = longer;
	*size += more;
	longer[*size] = '\0';
	return 0;
}

/* The kernel does not say how long these files are. */
static long read_file(int fd, char **text)
{
	char piece[4096];
	size_t size = 0;
	ssize_t n;

	while ((n = read(fd, piece, sizeof(piece))) > 0)
		if (add_piece(text, &size, piece, n))
			return -ENOMEM;
	return n < 0 ? -errno : (long)size;
}

long tracefs_read(char **text, const char *format, ...)
{
	const char *mount = mount_point();
	char path[PATH_SIZE], file[PATH_SIZE / 2];
	va_list args;
	long size;
	int fd;

	*text = NULL;
	va_start(args, format);
	vsnprintf(file, sizeof(file), format, args);
	va_end(args);
	snprintf(path, sizeof(path), "%s/%s", mount ? mount : "", file);
	fd = mount ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return error_of(mount);
	size = read_file(fd, text);
	close(fd);
	if (size >= 0)
		return size;
	free(*text);
	*text = NULL;
	return size;
}

/* @name with a '/' for its colon; false: it has not exactly one, or would be another path. */
static bool path_of(const char *name, char path[TRACEFS_NAME])
{
	const size_t length = strcspn(name, ":");

	if (strlen(name) >= TRACEFS_NAME || !length || !name[length] || !name[length + 1] ||
	    strpbrk(name + length + 1, ":/") || strchr(name, '/') || *name == '.' ||
	    name[length + 1] == '.')
		return false;
	strcpy(path, name);
	path[length] = '/';
	return true;
}

int tracefs_id(const char *name, uint64_t *id)
{
	char path[TRACEFS_NAME], *text;
	long size;

	if (!path_of(name, path))
		return -ENOENT;
	size = tracefs_read(&text, "events/%s/id", path);
	if (size < 0)
		return size;
	*id = strtoull(text ? text : "", NULL, 10);
	free(text);
	return size ? 0 : -ENOENT;
}

static int is_name(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && entry->d_type == DT_DIR;
}

/* The folders in @folder, in the order of the alphabet. Return: their number or -errno. */
static int list_folders(const char *folder, struct dirent ***entries)
{
	const char *mount = mount_point();
	char path[PATH_SIZE];
	int nr;

	*entries = NULL;
	snprintf(path, sizeof(path), "%s/%s", mount ? mount : "", folder);
	nr = mount ? scandir(path, entries, is_name, alphasort) : -1;
	return nr < 0 ? error_of(mount) : nr;
}

static void free_list(struct dirent **entries, int nr)
{
	while (nr > 0)
		free(entries[--nr]);
	free(entries);
}

static int each_in_system(const char *system, const char *pattern,
			  int (*fn)(void *data, const char *name), void *data)
{
	char folder[PATH_SIZE], name[2 * TRACEFS_NAME];
	struct dirent **events;
	int nr, result = 0;

	snprintf(folder, sizeof(folder), "events/%.255s", system);
	nr = list_folders(folder, &events);
	for (int i = 0; i < nr && !result; i++) {
		snprintf(name, sizeof(name), "%.*s:%.*s", TRACEFS_NAME / 2, system,
			 TRACEFS_NAME - 1, events[i]->d_name);
		if (!fnmatch(pattern, name, 0))
			result = fn(data, name);
	}
	free_list(events, nr);
	return nr < 0 ? nr : result;
}

int tracefs_each(const char *pattern, int (*fn)(void *data, const char *name), void *data)
{
	char wanted[TRACEFS_NAME];
	struct dirent **systems;
	int nr, result = 0;

	snprintf(wanted, sizeof(wanted), "%.*s", (int)strcspn(pattern, ":"), pattern);
	nr = list_folders("events", &systems);
	for (int i = 0; i < nr && !result; i++)
		if (!fnmatch(wanted, systems[i]->d_name, 0))
			result = each_in_system(systems[i]->d_name, pattern, fn, data);
	free_list(systems, nr);
	return nr < 0 ? nr : result;
}
