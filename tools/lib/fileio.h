/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KERMON_FILEIO_H
#define KERMON_FILEIO_H

#include <stddef.h>

/* write(2) until all is written; 0 or -errno. */
int write_all(int fd, const void *data, size_t size);

#endif /* KERMON_FILEIO_H */
