// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"

static bool is_below(const char *path, const char *folder)
{
	return !strncmp(path, folder, strlen(folder));
}

/* Names of devices and of open files: what they stand for has no other place. */
static bool is_fixed(const char *path)
{
	return is_below(path, "/proc/") ||
	       (is_below(path, "/dev/") && !is_below(path, "/dev/shm/"));
}

/* Whether there is something at @path, and nothing but a file that can be replaced. */
static int look(const char *path, struct stat *status)
{
	if (stat(path, status))
		return errno == ENOENT ? 0 : -errno;
	return S_ISREG(status->st_mode) && !is_fixed(path) ? 1 : -EINVAL;
}

/* Whether @path is written directly, not replaced. */
static bool is_stream(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return false;
	return S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode) ||
	       (S_ISREG(status.st_mode) && is_fixed(path));
}

/* Whether files can be made where @path is to be. */
static int check_folder(const char *path)
{
	char *copy = strdup(path);
	int err;

	if (!copy)
		return -ENOMEM;
	err = access(dirname(copy), W_OK | X_OK) ? -errno : 0;
	free(copy);
	return err;
}

int output_check(const char *path)
{
	struct stat status;
	int result = look(path, &status);

	return result < 0 ? result : check_folder(path);
}

const char *output_reason(int err)
{
	return err == -EINVAL ? "not a regular file" : strerror(-err);
}

int output_check_stream(const char *path)
{
	if (!is_stream(path))
		return output_check(path);
	return access(path, W_OK) ? -errno : 0;
}

/* A name beside @path that nothing has, but an empty file now: its descriptor in @fd. */
static char *make_draft(const char *path, int *fd)
{
	char *draft;

	if (asprintf(&draft, "%s.XXXXXX", path) < 0) {
		errno = ENOMEM;
		return NULL;
	}
	*fd = mkostemp(draft, O_CLOEXEC);
	if (*fd >= 0)
		return draft;
	free(draft);
	return NULL;
}

int output_open(struct output *output, const char *path)
{
	struct stat status;
	int result = *path ? look(path, &status) : -ENOENT;

	*output = (struct output){ .path = path, .fd = -1 };
	if (result < 0)
		return result;
	if (asprintf(&output->old, "%s.old", path) < 0) {
		output->old = NULL;
		return -ENOMEM;
	}
	output->draft = make_draft(path, &output->fd);
	return output->draft ? 0 : -errno;
}

/* At the end of a file: standard output may have been that of others before. */
int output_open_stream(struct output *output, const char *path)
{
	if (!is_stream(path))
		return output_open(output, path);
	*output = (struct output){ .path = path };
	output->fd = open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
	return output->fd < 0 ? -errno : 0;
}

/* An older recording, which is removed if the new one is kept. */
static int save_old(struct output *output)
{
	struct stat status;
	int fd, result;

	if (lstat(output->old, &status))
		return errno == ENOENT ? 0 : -errno;
	if (S_ISDIR(status.st_mode))
		return -EISDIR;
	output->saved = make_draft(output->path, &fd);
	if (!output->saved)
		return -errno;
	close(fd);
	if (!rename(output->old, output->saved))
		return 0;
	result = -errno;
	unlink(output->saved);
	free(output->saved);
	output->saved = NULL;
	return result;
}

/* As perf record does: what is empty is not worth keeping. */
static int move_previous(struct output *output)
{
	struct stat status;
	int result = look(output->path, &status);

	if (result <= 0 || !status.st_size)
		return result;
	output->obstacle = output->old;
	result = save_old(output);
	if (result)
		return result;
	output->obstacle = output->path;
	if (rename(output->path, output->old))
		return -errno;
	output->moved = true;
	return 0;
}

int output_place(struct output *output)
{
	int result;

	output->obstacle = output->path;
	result = move_previous(output);
	if (result < 0)
		return result;
	if (rename(output->draft, output->path))
		return -errno;
	output->placed = true;
	return 0;
}

int output_keep(struct output *output)
{
	const bool is_done = output->placed || !output->draft;
	int result = is_done ? 0 : output_place(output);

	if (result)
		return result;
	if (output->saved)
		unlink(output->saved);
	output->kept = true;
	return 0;
}

bool output_is_at(const struct stat *file, const char *path)
{
	struct stat status;

	return !stat(path, &status) && status.st_dev == file->st_dev &&
	       status.st_ino == file->st_ino;
}

/* Nobody else has put a file there since. */
static bool is_in_place(const struct output *output)
{
	struct stat status;

	return !fstat(output->fd, &status) && output_is_at(&status, output->path);
}

static void undo(const struct output *output)
{
	if (output->draft && !output->placed)
		unlink(output->draft);
	if (output->placed && !is_in_place(output))
		return;
	if (output->placed)
		unlink(output->path);
	if (output->moved)
		rename(output->old, output->path);
	if (output->saved)
		rename(output->saved, output->old);
}

void output_close(struct output *output)
{
	if (!output->kept)
		undo(output);
	if (output->fd >= 0)
		close(output->fd);
	free(output->draft);
	free(output->old);
	free(output->saved);
	*output = (struct output){ .fd = -1 };
}
