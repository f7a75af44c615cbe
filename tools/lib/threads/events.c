// SPDX-License-Identifier: GPL-2.0
/* Chooses the events that are counted for threads, and finds out which can be. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "threads_private.h"
#include "util/perfevent.h"

#define BOTH_MODES	(KERMON_COUNT_USER | KERMON_COUNT_KERNEL)

static struct threads_event *add(struct threads_events *events, const char *name,
				 unsigned int group)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_RAW };
	struct threads_event *event = &events->events[events->nr++];

	*event = (struct threads_event){
		.type = PERF_TYPE_RAW,
		.modes = BOTH_MODES,
		.group = group,
	};
	snprintf(event->name, sizeof(event->name), "%s", name);
	kermon_metric_of(name, &attr, &event->metric);
	return event;
}

static void add_fixed(struct threads_events *events)
{
	static const struct {
		const char *name;
		uint64_t config;
	} fixed[] = {
		{ "instructions", PERF_COUNT_HW_INSTRUCTIONS },
		{ "cycles", PERF_COUNT_HW_CPU_CYCLES },
	};

	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++) {
		struct threads_event *event = add(events, fixed[i].name, 0);

		event->type = PERF_TYPE_HARDWARE;
		event->config = fixed[i].config;
	}
}

static void add_selected(struct threads_events *events,
			 const struct kermon_selected_event *selected,
			 unsigned int group)
{
	const uint64_t config = selected->event.config;
	struct threads_event *event = add(events, selected->name, group);

	event->config = config & ~PERFEVENT_MODES;
	event->config1 = selected->event.extra;
	event->modes = perfevent_modes(config);
}

/* Whether an event that is there already has its counts: all of the precision, or the same. */
static bool is_covered(const struct threads_events *events,
		       const struct kermon_metric *metric)
{
	const struct kermon_metric *other;

	for (unsigned int i = 0; i < events->nr; i++) {
		other = &events->events[i].metric;
		if (other->kind != metric->kind)
			continue;
		if (metric->kind == KERMON_METRIC_INSTRUCTIONS ||
		    metric->kind == KERMON_METRIC_CYCLES ||
		    (metric->kind == KERMON_METRIC_FLOP && other->whole &&
		     other->precision == metric->precision))
			return true;
	}
	return false;
}

/* Whether it is there: sets may have events in common. */
static bool is_added(const struct threads_events *events,
		     const struct kermon_selected_event *selected)
{
	for (unsigned int i = 0; i < events->nr; i++)
		if (!strcmp(events->events[i].name, selected->name))
			return true;
	return false;
}

/* Groups follow those that exist; each named set is one, and all other events are one. */
static int add_selection(struct threads_events *events,
			 const struct kermon_selection *selection, bool only_flop,
			 struct kermon_event_error *error)
{
	const unsigned int first = events->nr ? events->events[events->nr - 1].group + 1 : 0;
	const struct perf_event_attr attr = { .type = PERF_TYPE_RAW };
	const struct kermon_selected_event *selected;
	struct kermon_metric metric;

	for (unsigned int list = 0; list <= selection->nr; list++) {
		for (unsigned int i = 0; i < selection->nr; i++) {
			selected = &selection->events[i];
			kermon_metric_of(selected->name, &attr, &metric);
			if (selected->list != list || is_covered(events, &metric) ||
			    (only_flop && (metric.kind != KERMON_METRIC_FLOP ||
					   is_added(events, selected))))
				continue;
			if (events->nr == THREADS_EVENTS) {
				memcpy(error->word, selected->name, sizeof(error->word));
				return -E2BIG;
			}
			add_selected(events, selected, first + list);
		}
	}
	return 0;
}

/* Sets that do not fit are left out, as are those that this libpfm4 does not know. */
static void add_flop(struct threads_events *events)
{
	const struct kermon_event_list *set;
	struct kermon_selection selection;
	struct kermon_event_error error;

	for (unsigned int i = 0; (set = kermon_events_list(i)); i++)
		if (!kermon_events_select(set->name, BOTH_MODES, &selection, &error))
			add_selection(events, &selection, true, &error);
}

int threads_events_choose(struct threads_events *events, const char *text,
			  struct kermon_event_error *error)
{
	struct kermon_selection selection;
	int err;

	memset(events, 0, sizeof(*events));
	add_fixed(events);
	events->chosen = text;
	if (!text) {
		add_flop(events);
		return 0;
	}
	err = kermon_events_select(text, BOTH_MODES, &selection, error);
	return err ? err : add_selection(events, &selection, false, error);
}

static int try_event(const struct threads_event *event, int leader)
{
	return event_open(event, 0, leader);
}

static int try_alone(const struct threads_event *event)
{
	int fd = try_event(event, -1);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/* A user without the permission for kernel mode counts user mode. */
static void restrict_modes(struct threads_events *events)
{
	events->user_only = true;
	for (unsigned int i = 0; i < events->nr; i++) {
		struct threads_event *event = &events->events[i];

		if (event->modes == BOTH_MODES)
			strncat(event->name, ":u", sizeof(event->name) - strlen(event->name) - 1);
		event->modes &= KERMON_COUNT_USER;
	}
}

static void remove_event(struct threads_events *events, unsigned int index)
{
	memmove(&events->events[index], &events->events[index + 1],
		(--events->nr - index) * sizeof(events->events[0]));
}

/* Remove what cannot be counted even alone; the first error is in @events. */
static const char *remove_impossible(struct threads_events *events,
				     char refused[KERMON_EVENT_NAME])
{
	const char *first = NULL;
	int err, error = 0;

	for (unsigned int i = 0; i < events->nr;) {
		err = events->events[i].modes ? try_alone(&events->events[i]) : -EACCES;
		if (!err) {
			i++;
			continue;
		}
		if (!error)
			error = err;
		if (err == -EBUSY || err == -EMFILE)
			break;
		if (!first && events->chosen) {
			memcpy(refused, events->events[i].name, KERMON_EVENT_NAME);
			first = refused;
		}
		remove_event(events, i);
	}
	events->error = error == -EBUSY || error == -EMFILE || !events->nr ? error : 0;
	return events->nr ? first : NULL;
}

/* Whether the events from @begin to @end can be counted at the same time. */
static bool fits(const struct threads_events *events, unsigned int begin, unsigned int end)
{
	int fds[THREADS_EVENTS];
	unsigned int i, nr = 0;

	for (i = begin; i < end; i++) {
		fds[nr] = try_event(&events->events[i], nr ? fds[0] : -1);
		if (fds[nr] < 0)
			break;
		nr++;
	}
	while (nr)
		close(fds[--nr]);
	return i == end;
}

/* Groups become as large as the CPU has counters. */
static void split_groups(struct threads_events *events)
{
	unsigned int wanted[THREADS_EVENTS], begin = 0, group = 0;

	for (unsigned int i = 0; i < events->nr; i++)
		wanted[i] = events->events[i].group;
	for (unsigned int i = 0; i < events->nr; i++) {
		if (i > begin && (wanted[i] != wanted[begin] ||
				  !fits(events, begin, i + 1))) {
			begin = i;
			group++;
		}
		events->events[i].group = group;
	}
}

const char *threads_events_probe(struct threads_events *events,
				 char refused[KERMON_EVENT_NAME])
{
	const char *first;
	int err = events->nr ? try_alone(&events->events[0]) : -ENOENT;

	if (err == -EACCES || err == -EPERM)
		restrict_modes(events);
	first = remove_impossible(events, refused);
	if (!events->error)
		split_groups(events);
	return first;
}
