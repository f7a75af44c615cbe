// SPDX-License-Identifier: GPL-2.0
/*
 * Translate names of events that perf_event samples: those of perf, tracepoints, terms of PMUs,
 * raw events, and those of libpfm4.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <kermon/sampling.h>

#include "pmu_terms.h"
#include "util/perfevent.h"
#include "util/tracefs.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

/* The names that perf has for events which every machine has, or most of them. */
static const struct {
	const char *name;
	uint32_t type;
	uint64_t config;
} generic[] = {
	{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
	{ "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS },
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES },
	{ "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES },
	{ "stalled-cycles-frontend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
};

static bool find_generic(struct kermon_sampling *sampling, const char *name)
{
	for (size_t i = 0; i < NR(generic); i++) {
		if (strcmp(generic[i].name, name))
			continue;
		sampling->type = generic[i].type;
		sampling->config = generic[i].config;
		return true;
	}
	return false;
}

/* Index of the entry that @name begins with, which is cut off; -1 if there is none. */
static int cut_prefix(const char **name, const char *const *list, size_t nr)
{
	size_t length;

	for (size_t i = 0; i < nr; i++) {
		length = strlen(list[i]);
		if (strncasecmp(*name, list[i], length))
			continue;
		*name += length;
		return i;
	}
	return -1;
}

/* "L1-dcache-load-misses": cache, operation, result. */
static bool find_cache(struct kermon_sampling *sampling, const char *name)
{
	static const char *const caches[] = {
		"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node",
	};
	static const char *const operations[] = { "-load", "-store", "-prefetch" };
	int cache = cut_prefix(&name, caches, NR(caches)), operation;
	bool misses;

	if (cache < 0)
		return false;
	operation = cut_prefix(&name, operations, NR(operations));
	misses = !strcmp(name, "-misses");
	if (operation < 0 || (!misses && strcmp(name, operation == 2 ? "es" : "s")))
		return false;
	sampling->type = PERF_TYPE_HW_CACHE;
	sampling->config = cache | operation << 8 | misses << 16;
	return true;
}

static bool find_raw(struct kermon_sampling *sampling, const char *name)
{
	const size_t digits = strlen(name + !!*name);

	if (*name != 'r' || !digits || digits > 16 ||
	    strspn(name + 1, "0123456789abcdefABCDEF") != digits)
		return false;
	sampling->type = PERF_TYPE_RAW;
	sampling->config = strtoull(name + 1, NULL, 16);
	return true;
}

static int find_listed(struct kermon_sampling *sampling, const char *name)
{
	struct kermon_event_error error;
	struct kermon_selection selection;
	const int result = kermon_events_select(name, sampling->modes, &selection,
						&error);

	if (result)
		return result;
	if (selection.nr != 1)
		return -ENOENT;
	sampling->type = PERF_TYPE_RAW;
	sampling->config = selection.events[0].event.config & ~PERFEVENT_MODES;
	sampling->config1 = selection.events[0].event.extra;
	return 0;
}

static unsigned int mode_of(char letter)
{
	return letter == 'u' ? KERMON_COUNT_USER :
	       letter == 'k' ? KERMON_COUNT_KERNEL : 0;
}

/* Whether all letters of @text are modifiers; @modes and @precise become theirs. */
static bool are_modifiers(const char *text, unsigned int *modes,
			  unsigned int *precise)
{
	if (!*text || text[strspn(text, "ukp")])
		return false;
	for (; *text; text++) {
		*modes |= mode_of(*text);
		*precise += *text == 'p';
	}
	return true;
}

/* Cut modifiers, ":u", ":k", ":uk", ":pp", or the same behind terms, off the end of @name. */
static int cut_modifiers(char *name, struct kermon_sampling *sampling)
{
	unsigned int modes = 0, precise = 0;
	char *end;

	while ((end = strrchr(name, ':')) && are_modifiers(end + 1, &modes, &precise))
		*end = '\0';
	end = strrchr(name, '/');
	if (end && are_modifiers(end + 1, &modes, &precise))
		end[1] = '\0';
	if (modes)
		sampling->modes = modes;
	sampling->precise = precise;
	return precise > 3 ? -EINVAL : 0;
}

/* Events that need more than an attr: breakpoints, groups, patterns, programs. */
static bool is_elsewhere(const char *name)
{
	return strpbrk(name, "{}@*?") || !strncmp(name, "mem:", 4);
}

/* Names of libpfm4 are in upper case, those of tracepoints rarely are. */
static bool is_tracepoint(const char *name)
{
	const size_t length = strcspn(name, ":");

	return name[length] && strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789") == length;
}

/* @result: that of looking for another event of this name */
static int find_tracepoint(struct kermon_sampling *sampling, const char *name, int result)
{
	const int found = tracefs_id(name, &sampling->config);

	if (found)
		return is_tracepoint(name) ? found : result;
	sampling->type = PERF_TYPE_TRACEPOINT;
	return 0;
}

int kermon_sampling_find(struct kermon_sampling *sampling, const char *text,
			 unsigned int modes)
{
	char name[KERMON_EVENT_NAME];
	int result;

	memset(sampling, 0, sizeof(*sampling));
	if (!*text || strlen(text) >= sizeof(name) - 2)
		return *text ? -ENOENT : -EINVAL;
	strcpy(name, text);
	strcpy(sampling->name, text);
	sampling->modes = modes;
	result = cut_modifiers(name, sampling);
	if (result)
		return result;
	if (find_generic(sampling, name) || find_cache(sampling, name) ||
	    find_raw(sampling, name))
		return 0;
	if (is_elsewhere(name))
		return -EOPNOTSUPP;
	if (strchr(name, '/'))
		return pmu_terms_find(sampling, name);
	result = find_listed(sampling, name);
	return result && strchr(name, ':') ? find_tracepoint(sampling, name, result) : result;
}

size_t kermon_events_length(const char *list)
{
	return pmu_terms_length(list);
}

int kermon_tracepoints_each(const char *pattern, int (*fn)(void *data, const char *name),
			    void *data)
{
	return tracefs_each(pattern, fn, data);
}
