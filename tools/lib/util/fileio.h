/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KERMON_FILEIO_H
#define KERMON_FILEIO_H

#include <stddef.h>

/* write(2) until all is written; 0 or -errno. */
int write_all(int fd, const void *data, size_t size);

/*
 * A file for what does not fit in memory, in $TMPDIR or else /var/tmp, which is a
 * disk where /tmp may be memory; it has no name and goes when it is closed.
 * Return: its descriptor or -errno.
 */
int temporary_file(void);

#endif /* KERMON_FILEIO_H */
