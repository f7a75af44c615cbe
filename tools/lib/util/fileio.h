/* SPDX-License-Identifier: GPL-2.0 */
/* Complete writes, small files as a whole, and temporary files without a name. */
#ifndef KERMON_FILEIO_H
#define KERMON_FILEIO_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Call write(2) until everything is written. Return: 0 or -errno. If the file would outgrow
 * the limit of its size (ulimit -f), that is -EFBIG, and SIGXFSZ does not end the process.
 */
int write_all(int fd, const void *data, size_t size);

/* posix_fallocate(3), without SIGXFSZ as well. Return: 0 or -errno. */
int allocate_part(int fd, off_t offset, off_t size);

/*
 * Read a regular file of at most @most bytes. @text has room for one more; no NUL is added.
 * Others, such as a FIFO without a writer, do not block. Return: the number of bytes or -errno;
 * -EINVAL: not a regular file; -EFBIG: it has more bytes.
 */
ssize_t read_small(const char *path, char *text, size_t most);

/*
 * Create a file for data that does not fit in memory, in temporary_folder(). It has no
 * name and vanishes when it is closed. Return: its descriptor or -errno.
 */
int temporary_file(void);

/* $TMPDIR, or else /var/tmp, because /tmp may be in memory. */
const char *temporary_folder(void);

#endif /* KERMON_FILEIO_H */
