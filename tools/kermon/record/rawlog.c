// SPDX-License-Identifier: GPL-2.0
/*
 * Opens the file for the raw log, and leaves an existing one untouched until the
 * recording begins.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rawlog.h"

static bool is_regular(int fd)
{
	struct stat status;

	return !fstat(fd, &status) && S_ISREG(status.st_mode);
}

/* Whether output_keep() would replace the file. */
static bool is_recording(int fd, const struct output *output)
{
	struct stat status;

	return !fstat(fd, &status) && S_ISREG(status.st_mode) &&
	       (output_is_at(&status, output->path) ||
		(output->old && output_is_at(&status, output->old)));
}

int rawlog_open(struct rawlog *raw, const struct output *output,
		const char *path)
{
	struct stat status;
	const bool is_new = stat(path, &status) && errno == ENOENT;

	raw->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (raw->fd < 0)
		return -errno;
	/* A new file can be compared with those of @output only once it exists. */
	raw->made = is_new ? realpath(path, NULL) : NULL;
	return is_recording(raw->fd, output) ? -EEXIST : 0;
}

int rawlog_begin(struct rawlog *raw)
{
	free(raw->made);
	raw->made = NULL;
	if (raw->fd < 0 || !is_regular(raw->fd) || !ftruncate(raw->fd, 0))
		return 0;
	raw->failed = true;
	return -errno;
}

void rawlog_close(struct rawlog *raw)
{
	if (raw->made)
		unlink(raw->made);
	free(raw->made);
	if (raw->fd >= 0)
		close(raw->fd);
	*raw = (struct rawlog){ .fd = -1 };
}
