// SPDX-License-Identifier: GPL-2.0
/* Patterns of names, and numbers of iterations. */
#define _GNU_SOURCE
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "filter.h"

struct filter filter;

enum { ITERATIONS, INCLUDED, EXCLUDED, STRINGS };

static char strings[RING_CONFIG_MAX];
static const char *patterns[STRINGS];
static uint64_t first, last;
static uint64_t iterations;

/* Each pattern of the lists has a NUL behind it, and the list another one. */
static void separate(char *list)
{
	for (; *list; list++) {
		if (*list == ',')
			*list = '\0';
	}
}

int filter_set(const struct ring_config *config, size_t size)
{
	const size_t bytes = size - sizeof(*config);
	const char *next = config->strings, *end = next + bytes, *nul;
	char *to = strings;

	/* Each list becomes a NUL longer. */
	if (bytes + STRINGS > sizeof(strings))
		return -EPROTO;
	for (int i = 0; i < STRINGS; i++) {
		nul = next < end ? memchr(next, '\0', end - next) : NULL;
		if (!nul)
			return -EPROTO;
		memcpy(to, next, nul - next + 1);
		patterns[i] = to;
		separate(to);
		to += nul - next + 2;
		next = nul + 1;
	}
	filter.iterates = *patterns[ITERATIONS];
	filter.includes = *patterns[INCLUDED];
	first = config->first;
	last = config->last;
	return 0;
}

static bool matches(const char *pattern, const char *name)
{
	for (; *pattern; pattern += strlen(pattern) + 1) {
		if (!fnmatch(pattern, name, 0))
			return true;
	}
	return false;
}

unsigned int filter_of(const char *name)
{
	unsigned int flags = 0;

	/* Before the tool has answered, there are none. */
	if (!patterns[0])
		return 0;
	if (matches(patterns[EXCLUDED], name))
		flags |= FILTER_EXCLUDES;
	if (matches(patterns[INCLUDED], name))
		flags |= FILTER_INCLUDES;
	if (matches(patterns[ITERATIONS], name))
		flags |= FILTER_ITERATES;
	return flags;
}

bool filter_iteration(void)
{
	const uint64_t number = __atomic_add_fetch(&iterations, 1, __ATOMIC_RELAXED);

	return number >= first && (!last || number <= last);
}
