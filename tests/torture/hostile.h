/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values that a program with bad intentions, or none, hands to the kernel.
 */
#ifndef KERMON_TORTURE_HOSTILE_H
#define KERMON_TORTURE_HOSTILE_H

#include <stddef.h>
#include <stdint.h>

/* The bytes behind hostile_copy() that may be read and written. */
#define HOSTILE_ROOM	4096

/* Pages for pointers that end in nothing; 0, or -1 with errno. */
int hostile_init(void);

/* Nothing, everything, a bit, a bound or one beside it, or any number. */
uint64_t hostile_number(void);

/*
 * An address of @size bytes, at most HOSTILE_ROOM, which are those of @data or, if
 * it is NULL, of anything. Mostly a good one; else one that is not mapped, or ends
 * in nothing, or may not be written, or is the kernel's.
 */
void *hostile_copy(const void *data, size_t size);

#endif /* KERMON_TORTURE_HOSTILE_H */
