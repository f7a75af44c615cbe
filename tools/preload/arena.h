/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory of the collector. It does not call malloc(): an allocator may be what is marked, or
 * what marks itself.
 */
#ifndef KERMON_PRELOAD_ARENA_H
#define KERMON_PRELOAD_ARENA_H

#include <stddef.h>

/**
 * arena_take() - memory that is never given back; the caller holds process_lock()
 * @size: bytes
 *
 * Return: zeroed memory, aligned to 16 bytes, or NULL. A child of fork() has a copy.
 */
void *arena_take(size_t size);

/**
 * arena_wiped() - whole pages that are all zero in a child of fork(); to be unmapped
 * @size: bytes
 *
 * Return: zeroed memory or NULL.
 */
void *arena_wiped(size_t size);

#endif /* KERMON_PRELOAD_ARENA_H */
