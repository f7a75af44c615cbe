/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Structures passed by callers that begin with their size so that they can grow: options
 * and callbacks. The rules are those of struct sched_attr.
 *
 * A program built with an older header passes a shorter structure; the members that it
 * lacks are 0. One built with a newer header passes a longer structure, which is accepted
 * as long as the members unknown here are 0.
 *
 * New members are only added at or behind the sizeof() of the last release, because the
 * padding at the end of a caller's structure is undefined.
 */
#ifndef KERMON_SIZED_H
#define KERMON_SIZED_H

#include <stddef.h>

/**
 * sized_take - copy a caller's structure
 * @known: filled in; all zeros except for its size if @given is NULL
 * @size: of @known
 * @given: begins with a size_t, its own size
 *
 * Return: 0; -EINVAL: the size is smaller than a size_t, so it was not set; -E2BIG: @given
 * sets a member that is unknown to this library.
 */
int sized_take(void *known, size_t size, const void *given);

#endif /* KERMON_SIZED_H */
