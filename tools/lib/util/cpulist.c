// SPDX-License-Identifier: GPL-2.0
/* Parses lists of CPUs. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "cpulist.h"
#include "sysfile.h"

#define ONLINE	"/sys/devices/system/cpu/online"
#define PRESENT	"/sys/devices/system/cpu/present"

static bool take_cpu(const char **text, unsigned int *cpu)
{
	unsigned long number;
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;
	number = strtoul(*text, &end, 10);
	if (errno || number > INT_MAX)
		return false;
	*cpu = number;
	*text = end;
	return true;
}

bool cpulist_next(const char **text, unsigned int *first, unsigned int *last)
{
	const char *at = *text;

	if (!take_cpu(&at, first))
		return false;
	*last = *first;
	if (*at == '-') {
		at++;
		if (!take_cpu(&at, last) || *last < *first)
			return false;
	}
	/* A comma is followed by another range. */
	if (*at == ',' && isdigit((unsigned char)at[1]))
		at++;
	else if (*at)
		return false;
	*text = at;
	return true;
}

/* The numbers that are @wanted, in an array of their own. */
static int collect(const bool wanted[CPULIST_MOST], unsigned int **cpus)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < CPULIST_MOST; i++)
		nr += wanted[i];
	*cpus = calloc(nr, sizeof(**cpus));
	if (!*cpus)
		return -ENOMEM;
	nr = 0;
	for (unsigned int i = 0; i < CPULIST_MOST; i++)
		if (wanted[i])
			(*cpus)[nr++] = i;
	return nr;
}

int cpulist_parse(const char *text, unsigned int **cpus)
{
	bool wanted[CPULIST_MOST] = { false };
	unsigned int first, last;
	bool any = false;

	*cpus = NULL;
	while (cpulist_next(&text, &first, &last)) {
		if (last >= CPULIST_MOST)
			return -ERANGE;
		for (; first <= last; first++)
			wanted[first] = true;
		any = true;
	}
	return any && !*text ? collect(wanted, cpus) : -EINVAL;
}

static int read_list(const char *path, unsigned int **cpus)
{
	char line[SYSFILE_LINE];

	*cpus = NULL;
	return sysfile_line(line, "%s", path) ? cpulist_parse(line, cpus) : -ENOENT;
}

int cpulist_online(unsigned int **cpus)
{
	return read_list(ONLINE, cpus);
}

int cpulist_present(unsigned int **cpus)
{
	return read_list(PRESENT, cpus);
}
