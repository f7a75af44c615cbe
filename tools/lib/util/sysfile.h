/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small text files of the kernel, in sysfs and procfs, and lists of CPUs as it writes
 * them: "0-3,8".
 */
#ifndef KERMON_SYSFILE_H
#define KERMON_SYSFILE_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>

/* Size of a buffer for any line: sysfs writes at most a page. */
#define SYSFILE_LINE	4096

/*
 * Read the first line of the file at this path, without newline and spaces at its end.
 * Return: whether there is one; @line is "" otherwise.
 */
bool sysfile_line(char line[SYSFILE_LINE], const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A number in base @base. Return: whether the file begins with one. */
bool sysfile_number(uint64_t *number, int base, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Entries of a folder whose names are @prefix and a number, ascending by that number.
 * Return: their number, 0 if there is no such folder. Free @entries and each of them.
 */
int sysfile_numbered(struct dirent ***entries, const char *folder,
		     const char *prefix);

/* The number behind @prefix in the name of an entry. */
unsigned int sysfile_number_of(const struct dirent *entry, const char *prefix);

void sysfile_free(struct dirent **entries, int nr);

#endif /* KERMON_SYSFILE_H */
