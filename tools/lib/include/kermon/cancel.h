/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cancelling a read: from another thread, from a signal handler, or from a callback.
 *
 *	cancel = kermon_cancel_new();
 *	options.cancel = cancel;
 *
 *	in a thread:		err = kermon_report_read(report, path);
 *	in another one:		kermon_cancel(cancel);
 *
 * The read returns -ECANCELED soon, usually within milliseconds. Waiting for a pipe is
 * interrupted; waiting for a disk or a debuginfod server, and decompressing a section of
 * debugging information, are not.
 */
#ifndef KERMON_CANCEL_H
#define KERMON_CANCEL_H

#include <stdbool.h>

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

/* A request to stop. One may be shared by any number of objects and threads. */
struct kermon_cancel;

/*
 * Create a request that has not been made. It uses one file descriptor.
 *
 * Return: NULL, and errno: ENOMEM, EMFILE or ENFILE.
 */
struct kermon_cancel *kermon_cancel_new(void);

/* @cancel may be NULL; no object that has it in its options may exist any more. */
void kermon_cancel_free(struct kermon_cancel *cancel);

/*
 * Stop what has @cancel in its options, now and until kermon_cancel_reset(). May be
 * called at any time, repeatedly, by any thread and by signal handlers; keeps errno.
 */
void kermon_cancel(struct kermon_cancel *cancel);

/* Whether kermon_cancel() has been called since the last reset. For any thread. */
bool kermon_cancel_is_set(const struct kermon_cancel *cancel);

/*
 * Withdraw the request. The caller makes sure that the threads to be stopped have
 * returned.
 */
void kermon_cancel_reset(struct kermon_cancel *cancel);

KERMON_END_DECLS
#endif /* KERMON_CANCEL_H */
