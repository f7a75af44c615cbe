// SPDX-License-Identifier: GPL-2.0
/*
 * Calls set_events() for a recording, and reports which of the events the kernel
 * rejected and why.
 */
#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include <kermon/session.h>

#include "counting.h"
#include "ui/message.h"

/**
 * struct counting - arguments of set_events()
 * @set: the first set
 * @more: the remaining sets
 * @events: events of each set, the first one included
 */
struct counting {
	struct kermon_event_set set;
	struct kermon_more_events more[KERMON_MAX_SETS - 1];
	struct kermon_event events[KERMON_MAX_SETS][KERMON_MAX_EVENTS];
};

static void fill_set(struct counting *counting,
		     const struct kermon_selection *from, unsigned int index)
{
	struct kermon_event *events = counting->events[index];
	unsigned int i;

	for (i = 0; i < from->nr; i++)
		events[i] = from->events[i].event;
	if (index)
		counting->more[index - 1] = (struct kermon_more_events){
			.set_id = index,
			.nr_events = from->nr,
			.events = (uintptr_t)events,
		};
}

static void fill_counting(const struct counted *counted,
			  struct counting *counting)
{
	const struct request *request = counted->request;
	unsigned int i;

	counting->set = (struct kermon_event_set){
		.flags = (counted->energy ? KERMON_SET_ENERGY : 0) |
			 (request->overwrite ? KERMON_SET_OVERWRITE : 0) |
			 (request->coalesce ? KERMON_SET_COALESCE : 0),
		.count = counted->count,
		.nr_events = counted->sets[0].nr,
		.events = (uintptr_t)counting->events[0],
		.interval_ns = request->interval_ns,
		.log_bytes = request->log_bytes,
		.more = (uintptr_t)counting->more,
		.nr_more = counted->nr_sets - 1,
		.rotate_ns = request->rotate_ns,
	};
	for (i = 0; i < counted->nr_sets; i++)
		fill_set(counting, &counted->sets[i], i);
}

/* Bit mask of the events that this CPU lacks according to CPUID. */
static unsigned int absent_events(const struct kermon_selection *set)
{
	unsigned int i, absent = 0;

	for (i = 0; i < set->nr; i++)
		if (set->events[i].absent)
			absent |= 1U << i;
	return absent;
}

static bool lacks_events(const struct counted *counted)
{
	unsigned int i, absent = 0;

	for (i = 0; i < counted->nr_sets; i++)
		absent |= absent_events(&counted->sets[i]);
	return absent;
}

/* @counting reduced to set @index, without rotation. */
static struct kermon_event_set one_of(const struct counted *counted,
				      const struct counting *counting,
				      unsigned int index)
{
	struct kermon_event_set one = counting->set;

	one.set_id = index;
	one.nr_events = counted->sets[index].nr;
	one.events = (uintptr_t)counting->events[index];
	one.nr_more = 0;
	one.rotate_ns = 0;
	return one;
}

/* Try each set alone, to find the events that the kernel rejects. */
static void say_refused(const struct counted *counted,
			const struct counting *counting, unsigned int flags)
{
	const struct kermon_selection *set;
	struct kermon_event_set one;
	unsigned int i, refused;

	explain_refused(counted->request);
	for (i = 0; i < counted->nr_sets; i++) {
		set = &counted->sets[i];
		one = one_of(counted, counting, i);
		refused = absent_events(set) |
			  kermon_session_refused(counted->pid, &one, flags);
		explain_events(set, refused);
	}
	explain_virtual();
	message_hint("'kermon list' shows the events of this CPU");
}

static void say_why_not(const struct counted *counted,
			const struct counting *counting, unsigned int flags,
			int error)
{
	if (error == -EINVAL || error == -EOPNOTSUPP)
		say_refused(counted, counting, flags);
	else if (error == -EPERM &&
		 kermon_session_log_refused(counted->pid, &counting->set, flags))
		explain_limit(counted->request);
	else
		explain_session(counted->request, error);
}

/* Without the class if that is what this user may not. */
static int open_session(const struct counted *counted,
			const struct counting *counting, unsigned int flags,
			bool *lend)
{
	int result;

	if (*lend) {
		result = kermon_session_open(counted->pid, &counting->set,
					     flags | KERMON_FLAG_LEND_CLASS);
		if (result != -EPERM && result != -EACCES)
			return result;
		*lend = false;
	}
	return kermon_session_open(counted->pid, &counting->set, flags);
}

int counting_open(const struct counted *counted, bool *lend)
{
	const struct request *request = counted->request;
	unsigned int flags = request->pid && !request->thread ?
			     KERMON_FLAG_PROCESS : 0;
	struct counting counting;
	int result = -EINVAL;

	fill_counting(counted, &counting);
	if (!lacks_events(counted))
		result = open_session(counted, &counting, flags, lend);
	if (result < 0)
		say_why_not(counted, &counting, flags, result);
	return result;
}

int counting_change(const struct counted *counted, unsigned int index)
{
	struct counting counting;
	struct kermon_event_set set;
	int result;

	fill_counting(counted, &counting);
	set = one_of(counted, &counting, index);
	set.log_bytes = 0;
	result = kermon_session_open(counted->pid, &set, KERMON_FLAG_CHANGE);
	if (result < 0)
		return result;
	close(result);
	return 0;
}
