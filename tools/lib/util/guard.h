/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Mapped files that somebody may cut off, or whose disk may fail, while they are
 * read.
 *
 * The system then sends SIGBUS, which ends the program. For what is guarded, the page
 * that is missing becomes one of zeros instead, and the guard knows of it: whoever
 * reads the file finds damage there, and can say why. A SIGBUS from elsewhere goes
 * where it went before the first guard.
 *
 * What a library maps is not known here. Between guard_enter() and guard_leave(), a
 * thread finds zeros in any mapping whose page is missing.
 */
#ifndef KERMON_GUARD_H
#define KERMON_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guard;

/* Nothing is missing. */
#define GUARD_ALL_THERE	UINT64_MAX

/* Guards what has been mapped at @bytes, until guard_end(). NULL: no memory. */
struct guard *guard_begin(const void *bytes, size_t size);

/* To be called before the file is unmapped. @guard may be NULL. */
void guard_end(struct guard *guard);

/*
 * Offset of the first byte that was looked at since the last call and was not there,
 * or GUARD_ALL_THERE.
 */
uint64_t guard_missing(struct guard *guard);

/*
 * Around calls of a library that reads files which it has mapped. They nest; @before
 * is what the guard_enter() has returned that belongs to it. Return: whether anything
 * was missing in between.
 */
unsigned int guard_enter(void);
bool guard_leave(unsigned int before);

#endif /* KERMON_GUARD_H */
