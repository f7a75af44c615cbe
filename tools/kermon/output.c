// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"

/* Whether there is something at @path, and nothing but a file. */
static int look(const char *path, struct stat *status)
{
	if (stat(path, status))
		return errno == ENOENT ? 0 : -errno;
	return S_ISREG(status->st_mode) ? 1 : -EINVAL;
}

int output_open(struct output *output, const char *path)
{
	struct stat status;
	int result = look(path, &status);

	*output = (struct output){ .path = path, .fd = -1 };
	if (result < 0)
		return result;
	if (asprintf(&output->draft, "%s.XXXXXX", path) < 0) {
		output->draft = NULL;
		return -ENOMEM;
	}
	output->fd = mkostemp(output->draft, O_CLOEXEC);
	if (output->fd >= 0)
		return 0;
	result = -errno;
	free(output->draft);
	output->draft = NULL;
	return result;
}

/* As perf record does: what is empty is not worth keeping. */
static int keep_previous(const char *path)
{
	struct stat status;
	char *old;
	int result = look(path, &status);

	if (result <= 0 || !status.st_size)
		return result < 0 ? result : 0;
	if (asprintf(&old, "%s.old", path) < 0)
		return -ENOMEM;
	result = rename(path, old) ? -errno : 0;
	free(old);
	return result;
}

int output_keep(struct output *output)
{
	int result = keep_previous(output->path);

	if (result)
		return result;
	if (rename(output->draft, output->path))
		return -errno;
	free(output->draft);
	output->draft = NULL;
	return 0;
}

void output_close(struct output *output)
{
	if (output->draft)
		unlink(output->draft);
	if (output->fd >= 0)
		close(output->fd);
	free(output->draft);
	output->draft = NULL;
	output->fd = -1;
}
