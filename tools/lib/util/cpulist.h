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

/* More than any kernel supports. */
#define CPULIST_MOST	8192

/*
 * Parse @text to @cpus, ascending and each once; free them. Return: their number, at least
 * 1; -EINVAL: it is no such list; -ERANGE: a number is CPULIST_MOST or more; -ENOMEM.
 */
int cpulist_parse(const char *text, unsigned int **cpus);

/* The CPUs that are online, or all that there are. Return: their number or -errno. */
int cpulist_present(unsigned int **cpus);
int cpulist_online(unsigned int **cpus);

#endif /* KERMON_CPULIST_H */
