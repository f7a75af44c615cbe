/* SPDX-License-Identifier: GPL-2.0 */
/* Check for cancellation in long loops and while waiting for a pipe. */
#ifndef KERMON_UTIL_CANCEL_H
#define KERMON_UTIL_CANCEL_H

#include <errno.h>
#include <kermon/cancel.h>
#include <stdatomic.h>
#include <sys/types.h>

/**
 * struct kermon_cancel - a request to stop
 * @is_set: the request has been made
 * @fd: an eventfd that is readable then, for those who wait
 */
struct kermon_cancel {
	atomic_bool is_set;
	int fd;
};

/*
 * Return: 0, or -ECANCELED if the request has been made. Takes no longer than a load.
 * @cancel may be NULL. What a function has collected up to then is incomplete and must
 * not be cached: after a reset, the caller may ask for it again.
 */
static inline int cancel_check(const struct kermon_cancel *cancel)
{
	return cancel && atomic_load_explicit(&cancel->is_set,
					      memory_order_relaxed) ?
	       -ECANCELED : 0;
}

/* As read(2), but it returns -errno, is not interrupted by signals, and -ECANCELED. */
ssize_t cancel_read(const struct kermon_cancel *cancel, int fd, void *to,
		    size_t size);

/*
 * As open(2) for reading, but return -errno. A FIFO without a writer is opened at once
 * if @cancel is not NULL: cancel_read() waits for the writer.
 */
int cancel_open(const struct kermon_cancel *cancel, const char *path);

#endif /* KERMON_UTIL_CANCEL_H */
