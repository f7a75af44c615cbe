/* SPDX-License-Identifier: GPL-2.0 */
/* Lists of CPUs as the kernel and users write them: "0-3,8". */
#ifndef KERMON_CPULIST_H
#define KERMON_CPULIST_H

#include <stdbool.h>

/*
 * Take the next range of the list at @text, and advance. Return: whether there is one; at
 * the end of a valid list, @text is at its end, too.
 */
bool cpulist_next(const char **text, unsigned int *first, unsigned int *last);

#endif /* KERMON_CPULIST_H */
