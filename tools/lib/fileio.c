// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <unistd.h>

#include "fileio.h"

int write_all(int fd, const void *data, size_t size)
{
	const char *at = data;
	ssize_t n;

	while (size) {
		n = write(fd, at, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		at += n;
		size -= n;
	}
	return 0;
}
