// SPDX-License-Identifier: GPL-2.0
/* Parses lists of CPUs. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "cpulist.h"

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
