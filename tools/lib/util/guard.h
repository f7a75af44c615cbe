/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Survive mapped files that are truncated, or whose disk fails, while they are read.
 *
 * The kernel then sends SIGBUS, which would end the program. In a guarded mapping, the
 * missing page is replaced by zeros and recorded, so that the reader of the file finds
 * damage there and can say why. A SIGBUS from elsewhere is passed to the handler that
 * was installed before the first guard. <kermon/sigbus.h> says what programs can do.
 *
 * Mappings made by other libraries are not known here. Between guard_enter() and
 * guard_leave(), a thread reads zeros from any mapping whose page is missing.
 */
#ifndef KERMON_GUARD_H
#define KERMON_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guard;

/* Nothing is missing. */
#define GUARD_ALL_THERE	UINT64_MAX

/* Guard the mapping at @bytes until guard_end(). Return: NULL if out of memory. */
struct guard *guard_begin(const void *bytes, size_t size);

/* Call before the file is unmapped. @guard may be NULL. */
void guard_end(struct guard *guard);

/*
 * Lowest offset of a page that was accessed since the last call and was missing, or
 * GUARD_ALL_THERE.
 */
uint64_t guard_missing(struct guard *guard);

/*
 * Call around functions of a library that reads files which it has mapped. Calls nest;
 * @before is the return value of the matching guard_enter(). Return: whether a page was
 * missing in between.
 */
unsigned int guard_enter(void);
bool guard_leave(unsigned int before);

#endif /* KERMON_GUARD_H */
