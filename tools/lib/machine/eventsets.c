// SPDX-License-Identifier: GPL-2.0
/*
 * The event sets of a CPU, from all event files that apply to it. A set of the user
 * replaces one of KerMon with the same name.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "events/tables.h"
#include "eventsets.h"

/**
 * struct cpu_sets - the sets of a CPU, which other functions point to
 * @pmu: its name
 */
struct cpu_sets {
	char *pmu;
	struct kermon_event_list sets[EVENTSETS_MAX];
	unsigned int nr;
	struct cpu_sets *next;
};

static struct {
	pthread_mutex_t lock;
	struct cpu_sets *first;
} cache = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* A CPU that LIBPFM_FORCE_PMU makes up has what this one has. */
static bool is_usable(const struct table_set *set)
{
	return !set->needs || __builtin_cpu_supports("avx512f");
}

static struct kermon_event_list *find_in(struct cpu_sets *of, const char *name)
{
	for (unsigned int i = 0; i < of->nr; i++)
		if (!strcasecmp(of->sets[i].name, name))
			return &of->sets[i];
	return NULL;
}

/* Whether any file has a set of this name: it may be one that this CPU lacks. */
static bool is_any_set(const char *name)
{
	for (const struct event_table *table = tables_all(); table; table = table->next)
		for (size_t i = 0; i < table->nr_sets; i++)
			if (!strcasecmp(table->sets[i].name, name))
				return true;
	return false;
}

/* The events of a set without those sets to rotate that this CPU lacks. */
static const char *const *events_of(struct cpu_sets *of, const struct table_set *set)
{
	const char **events = calloc(set->nr + 1, sizeof(*events));
	size_t nr = 0;

	for (size_t i = 0; events && i < set->nr; i++)
		if (find_in(of, set->events[i]) || !is_any_set(set->events[i]))
			events[nr++] = set->events[i];
	return events;
}

static void add_set(struct cpu_sets *of, const struct table_set *set, bool is_users)
{
	struct kermon_event_list *list = find_in(of, set->name);
	const char *const *events;

	/* Of KerMon's files, those of the CPU precede that of all CPUs. */
	if ((list && !is_users) || (!list && of->nr == EVENTSETS_MAX) || !is_usable(set))
		return;
	events = events_of(of, set);
	if (!events)
		return;
	if (!list)
		list = &of->sets[of->nr++];
	else
		free((void *)list->events);
	*list = (struct kermon_event_list){ set->name, set->title, events };
}

/* Sets that rotate others come last, so that the others are there. */
static bool rotates(const struct table_set *set)
{
	for (size_t i = 0; i < set->nr; i++)
		if (is_any_set(set->events[i]))
			return true;
	return false;
}

static void add_sets(struct cpu_sets *of, bool is_users, bool rotating)
{
	const struct event_table *table;

	for (int any = 0; any < 2; any++) {
		for (table = tables_all(); table; table = table->next) {
			if (table->is_users != is_users ||
			    !event_table_is_of(table, any ? TABLES_ANY_CPU : of->pmu, false))
				continue;
			for (size_t i = 0; i < table->nr_sets; i++)
				if (rotates(&table->sets[i]) == rotating)
					add_set(of, &table->sets[i], is_users);
		}
	}
}

static struct cpu_sets *make_sets(const char *pmu)
{
	struct cpu_sets *of = calloc(1, sizeof(*of));

	if (!of)
		return NULL;
	of->pmu = strdup(pmu);
	if (!of->pmu) {
		free(of);
		return NULL;
	}
	for (int rotating = 0; rotating < 2; rotating++) {
		add_sets(of, false, rotating);
		add_sets(of, true, rotating);
	}
	of->next = cache.first;
	cache.first = of;
	return of;
}

/* The sets of a CPU; NULL if out of memory. */
static const struct cpu_sets *sets_of(const char *pmu)
{
	struct cpu_sets *of;

	pthread_mutex_lock(&cache.lock);
	for (of = cache.first; of; of = of->next)
		if (!strcmp(of->pmu, pmu))
			break;
	if (!of)
		of = make_sets(pmu);
	pthread_mutex_unlock(&cache.lock);
	return of;
}

const struct kermon_event_list *eventsets_get(const char *pmu,
					      unsigned int index)
{
	const struct cpu_sets *of = sets_of(pmu);

	return of && index < of->nr ? &of->sets[index] : NULL;
}

const struct kermon_event_list *eventsets_find(const char *pmu,
					       const char *name)
{
	const struct kermon_event_list *set;
	unsigned int i;

	for (i = 0; (set = eventsets_get(pmu, i)); i++)
		if (!strcasecmp(set->name, name))
			return set;
	return NULL;
}
