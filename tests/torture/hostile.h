/* SPDX-License-Identifier: GPL-2.0 */
/* Values that malicious or buggy programs pass to the kernel. */
#ifndef KERMON_TORTURE_HOSTILE_H
#define KERMON_TORTURE_HOSTILE_H

#include <stddef.h>
#include <stdint.h>

/* Number of accessible bytes behind hostile_copy(). */
#define HOSTILE_ROOM	4096

/* Set up pages for pointers into unmapped memory; 0, or -1 with errno. */
int hostile_init(void);

/* 0, all bits, a single bit, a limit or off by one, or any number. */
uint64_t hostile_number(void);

/*
 * An address of @size bytes, at most HOSTILE_ROOM, with a copy of @data, or of
 * random contents if that is NULL. Usually a valid address; otherwise unmapped,
 * partly unmapped, read-only or in the kernel.
 */
void *hostile_copy(const void *data, size_t size);

#endif /* KERMON_TORTURE_HOSTILE_H */
