/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Structures of the caller that begin with their size, so that they can grow: those
 * of options and of callbacks. The rules are those of struct sched_attr.
 *
 * A program that was built with an older header hands in a shorter structure: what it
 * does not have is 0. One that was built with a newer header hands in a longer one,
 * which is accepted so long as what is unknown here is 0.
 *
 * A member is only ever added at or behind the sizeof() that was released last: what
 * callers have in the padding at the end is undefined.
 */
#ifndef KERMON_SIZED_H
#define KERMON_SIZED_H

#include <stddef.h>

/**
 * sized_take - copy a structure of the caller
 * @known: filled, also if @given is NULL: with zeros but for its size
 * @size: of @known
 * @given: begins with a size_t, its own size
 *
 * Return: 0; -EINVAL: the size has no room for itself, so it was not set; -E2BIG: there
 * is something in @given that this library does not know of.
 */
int sized_take(void *known, size_t size, const void *given);

#endif /* KERMON_SIZED_H */
