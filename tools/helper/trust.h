/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to trust.c: which files the helper believes, and how it gives up privilege. */
#ifndef KERMON_HELPER_TRUST_H
#define KERMON_HELPER_TRUST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether only root can have put a file at @path: it and each folder above belong to root
 * and nobody else may write to them, except to sticky folders. True for any file if this
 * process has no more privilege than its caller, as then there is none to abuse.
 */
bool trust_path(const char *path);

/*
 * Read a file that is trusted into @text, which has room for @size bytes. Return: its
 * length, or -errno; -EPERM: the file is not trusted; -E2BIG: it is longer.
 */
long trust_read(const char *path, char *text, size_t size);

/* Detach from the terminal, and ignore all signals that a process may ignore. */
void trust_nobody(void);

/* Give up all capabilities, for good. Return: whether that worked. */
bool trust_drop(void);

#endif /* KERMON_HELPER_TRUST_H */
