// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"

/* As perf record does: what is empty is not worth keeping. */
static int move_away(struct output *output)
{
	struct stat status;

	if (stat(output->path, &status))
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISREG(status.st_mode))
		return -EINVAL;
	if (!status.st_size)
		return unlink(output->path) ? -errno : 0;
	if (asprintf(&output->old, "%s.old", output->path) < 0)
		return -ENOMEM;
	if (!rename(output->path, output->old))
		return 0;
	free(output->old);
	output->old = NULL;
	return -errno;
}

int output_open(struct output *output, const char *path)
{
	int result;

	*output = (struct output){ .path = path, .fd = -1 };
	result = move_away(output);
	if (result)
		return result;
	output->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (output->fd >= 0)
		return 0;
	result = -errno;
	output_discard(output);
	return result;
}

void output_discard(struct output *output)
{
	if (output->fd >= 0)
		unlink(output->path);
	if (output->old)
		rename(output->old, output->path);
	output_close(output);
}

void output_close(struct output *output)
{
	if (output->fd >= 0)
		close(output->fd);
	free(output->old);
	output->old = NULL;
	output->fd = -1;
}
