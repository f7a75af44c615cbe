/* SPDX-License-Identifier: GPL-2.0 */
/* Complete writes, and temporary files without a name. */
#ifndef KERMON_FILEIO_H
#define KERMON_FILEIO_H

#include <stddef.h>

/* Call write(2) until everything is written. Return: 0 or -errno. */
int write_all(int fd, const void *data, size_t size);

/*
 * Create a file for data that does not fit in memory, in $TMPDIR or else in /var/tmp,
 * because /tmp may be in memory. It has no name and vanishes when it is closed. Return:
 * its descriptor or -errno.
 */
int temporary_file(void);

#endif /* KERMON_FILEIO_H */
