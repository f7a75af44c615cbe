// SPDX-License-Identifier: GPL-2.0
/* The table of backends, and how one of them is chosen. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"

/* The best one first. */
static const struct spy_backend *const backends[] = {
	&spy_perf,
	&spy_msr,
	&spy_software,
};

#define NR_BACKENDS	(sizeof(backends) / sizeof(backends[0]))

const char *kermon_spy_backend_name(unsigned int index)
{
	return index < NR_BACKENDS ? backends[index]->name : NULL;
}

int spy_fail(struct kermon_spy_trouble *trouble, enum kermon_spy_kind kind, int error,
	     int cpu, const char *what)
{
	*trouble = (struct kermon_spy_trouble){
		.kind = kind,
		.error = error,
		.cpu = cpu,
	};
	snprintf(trouble->what, sizeof(trouble->what), "%s", what ? what : "");
	return error;
}

int spy_add_event(struct spy_set *set, const struct kermon_spy_event *event,
		  unsigned int index, struct kermon_spy_trouble *trouble)
{
	if (set->public.nr == KERMON_SPY_EVENTS)
		return spy_fail(trouble, KERMON_SPY_EXCESS, -E2BIG, -1, event->name);
	set->events[set->public.nr] = *event;
	set->index[set->public.nr++] = index;
	return 0;
}

int spy_make_set(const struct spy_backend *backend, const struct spy_machine *machine,
		 const char *text, struct spy_set **set,
		 struct kermon_spy_trouble *trouble)
{
	char *copy = strdup(text);
	int err;

	*set = calloc(1, sizeof(**set));
	if (!copy || !*set) {
		free(copy);
		free(*set);
		*set = NULL;
		return spy_fail(trouble, KERMON_SPY_SYSTEM, -ENOMEM, -1, NULL);
	}
	(*set)->public = (struct kermon_spy_set){
		.size = sizeof((*set)->public),
		.text = copy,
		.events = (*set)->events,
	};
	err = backend->select(machine, *set, trouble);
	if (err) {
		spy_free_set(*set);
		*set = NULL;
	}
	return err;
}

void spy_free_set(struct spy_set *set)
{
	if (!set)
		return;
	free((char *)set->public.text);
	free(set);
}

/* Whether @backend can count all of @sets; otherwise the first trouble. */
static int try_sets(const struct spy_backend *backend, const char *const *sets,
		    unsigned int nr_sets, const struct spy_machine *machine,
		    struct kermon_spy_trouble *trouble)
{
	struct spy_set *set;
	int err = 0;

	for (unsigned int i = 0; i < nr_sets && !err; i++) {
		err = spy_make_set(backend, machine, sets[i], &set, trouble);
		spy_free_set(set);
	}
	return err;
}

static int try(const struct spy_backend *backend, const char *const *sets,
	       unsigned int nr_sets, struct spy_machine *machine,
	       struct kermon_spy_trouble *trouble)
{
	int err = backend->probe(machine, trouble);

	return err ? err : try_sets(backend, sets, nr_sets, machine, trouble);
}

static int choose_named(const char *name, struct spy_machine *machine,
			const struct spy_backend **backend,
			struct kermon_spy_trouble *trouble)
{
	for (size_t i = 0; i < NR_BACKENDS; i++) {
		if (strcmp(backends[i]->name, name))
			continue;
		*backend = backends[i];
		return backends[i]->probe(machine, trouble);
	}
	return spy_fail(trouble, KERMON_SPY_UNKNOWN, -ENOENT, -1, name);
}

/*
 * If no backend counts the sets, the first one to complain is right. Counters that something
 * else holds can be released: then the caller has to say so.
 */
int spy_choose(const char *name, const char *const *sets, unsigned int nr_sets,
	       struct spy_machine *machine, const struct spy_backend **backend,
	       enum kermon_spy_kind *reason, struct kermon_spy_trouble *trouble)
{
	struct kermon_spy_trouble later;
	int err;

	*reason = KERMON_SPY_NONE;
	if (name)
		return choose_named(name, machine, backend, trouble);
	*backend = backends[0];
	err = try(backends[0], sets, nr_sets, machine, trouble);
	if (err && trouble->kind == KERMON_SPY_HELD)
		return err;
	for (size_t i = 1; i < NR_BACKENDS && err; i++) {
		if (try(backends[i], sets, nr_sets, machine, &later))
			continue;
		*backend = backends[i];
		*reason = trouble->kind;
		err = 0;
	}
	return err;
}
