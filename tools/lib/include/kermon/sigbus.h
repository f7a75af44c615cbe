/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SIGBUS handling: files that are truncated while they are read.
 *
 * perf.data and the binaries with symbols and lines are mapped. If such a file is
 * truncated, or its disk fails, while it is read, the kernel sends SIGBUS to the thread,
 * which would kill the process. So libkermon installs a handler when the first file is
 * read. It replaces the missing page by zeros, and the reader reports damage. A SIGBUS for
 * any other address is passed to the handler that was installed before, with its signal
 * mask, or has its default action. The handler runs on the alternate stack, if any, and
 * stays installed until the process ends; libkermon.so is never unloaded.
 *
 * A program with a handler of its own has three ways:
 *
 * - install it before the first read: libkermon passes on what is not its own;
 * - install it later, and call kermon_sigbus_handle() in it;
 * - call kermon_sigbus_leave() first, so that libkermon installs none, and call
 *   kermon_sigbus_handle() in it. Without that call, truncating a file that is being
 *   read has the effect that the program chose for SIGBUS: by default it is killed.
 */
#ifndef KERMON_SIGBUS_H
#define KERMON_SIGBUS_H

#include <stdbool.h>

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

/*
 * Leave SIGBUS to the program. To be called before the first file is read; from any
 * thread.
 *
 * Return: 0; -EBUSY if the handler has been installed already.
 */
int kermon_sigbus_leave(void);

/*
 * Handle a SIGBUS: to be called in a handler with SA_SIGINFO. Async-signal-safe; keeps
 * errno. @code and @address are si_code and si_addr of its siginfo_t.
 *
 * Return: true if a missing page of a file that libkermon reads was replaced: the handler
 * has to return, and the access is repeated. False if libkermon has nothing to do with it.
 */
bool kermon_sigbus_handle(int code, void *address);

KERMON_END_DECLS
#endif /* KERMON_SIGBUS_H */
