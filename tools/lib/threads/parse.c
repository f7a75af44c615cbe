// SPDX-License-Identifier: GPL-2.0
/* Parses files and folders of /proc that belong to threads. */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "threads_private.h"

/* PF_KTHREAD of the kernel. */
#define KERNEL_THREAD	0x00200000UL

/* Fields after the name, counted from the state, which is 0. */
enum {
	FLAGS = 6, MINOR = 7, MAJOR = 9, USER = 11, SYSTEM = 12, START = 19, CPU = 36,
	NR_FIELDS,
};

static bool parse_numbers(const char *text, uint64_t numbers[NR_FIELDS])
{
	char *end;

	/* Some fields are negative, but none of those that are used. */
	for (unsigned int i = 1; i < NR_FIELDS; i++) {
		numbers[i] = strtoull(text, &end, 10);
		if (end == text)
			return false;
		text = end;
	}
	return true;
}

bool stat_parse(const char *text, struct stat_fields *fields)
{
	const char *begin = strchr(text, '('), *end = strrchr(text, ')');
	uint64_t numbers[NR_FIELDS];

	if (!begin || !end || end < begin || strlen(end) < 4 ||
	    !parse_numbers(end + 3, numbers))
		return false;
	snprintf(fields->comm, sizeof(fields->comm), "%.*s", (int)(end - begin - 1),
		 begin + 1);
	fields->kernel = numbers[FLAGS] & KERNEL_THREAD;
	fields->ended = end[2] == 'Z' || end[2] == 'X';
	fields->faults = numbers[MINOR] + numbers[MAJOR];
	fields->ticks = numbers[USER] + numbers[SYSTEM];
	fields->start = numbers[START];
	fields->cpu = numbers[CPU];
	return true;
}

bool schedstat_parse(const char *text, struct sched_times *times)
{
	unsigned long long run, wait, switches;

	if (sscanf(text, "%llu %llu %llu", &run, &wait, &switches) != 3)
		return false;
	*times = (struct sched_times){ run, wait, switches };
	return true;
}

pid_t entries_next(const char *entries, size_t size, size_t *at)
{
	const struct dirent64 *entry;
	pid_t number = 0;

	while (!number && *at < size) {
		entry = (const void *)(entries + *at);
		*at += entry->d_reclen;
		number = atoi(entry->d_name);
	}
	return number > 0 ? number : 0;
}
