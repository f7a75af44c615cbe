// SPDX-License-Identifier: GPL-2.0
/* The events of -e, for all commands that count: what is wrong with them, and completion. */
#include <errno.h>
#include <string.h>

#include "selection.h"
#include "ui/completion.h"
#include "ui/habits.h"
#include "ui/message.h"

static void say_near(const struct kermon_event_error *error)
{
	const char *advice = habits_event(error->word);

	if (advice) {
		message_hint("%s", advice);
		return;
	}
	message_similar(error->near, error->nr_near, "");
	message_hint("'kermon list' shows the sets and events of this CPU");
}

void selection_say(const char *name, unsigned int modes, int result,
		   const struct kermon_event_error *error)
{
	switch (-result) {
	case ENOENT:
		message(name, "this CPU has no event or set '%s'", error->word);
		break;
	case EEXIST:
		message(name, "'%s' is named twice, or is part of a set that is "
			"named too", error->word);
		return;
	case EALREADY:
		message(name, "'%s': the fixed counters of a recording count %s",
			error->word, modes & KERMON_COUNT_KERNEL ?
			"user and kernel mode together" : "user mode");
		message_hint("%s", modes & KERMON_COUNT_KERNEL ?
			     "leave out -k to count user mode alone" :
			     "-k has them count the kernel as well");
		return;
	case EOPNOTSUPP:
		message(name, "'%s' is no event of a programmable counter, nor "
			"of a fixed one that KerMon records", error->word);
		return;
	case ENXIO:
		message(name, "'%s': this CPU has no such event", error->word);
		message_hint("-e fixed counts instructions and cycles");
		return;
	case E2BIG:
		message(name, "'%s' is one event too many: %d are the most, "
			"in all sets", error->word, KERMON_MAX_SELECTED);
		return;
	case ENODEV:
		message(name, "libpfm4 does not know this CPU and so not '%s'",
			error->word);
		message_hint("name raw events: rUUEE, unit mask UU of event EE");
		return;
	case EINVAL:
		message(name, *error->word ? "'%s' lacks a unit mask or has a "
			"modifier that KerMon cannot count" :
			"there is an event without a name%s", error->word);
		break;
	default:
		message(name, "%s: %s", error->word, strerror(-result));
		return;
	}
	say_near(error);
}

static int complete_event(const struct kermon_event_info *info, void *data)
{
	if (!info->has_masks)
		completion_offer(data, info->name, info->title);
	return 0;
}

void selection_complete(struct completion *completion)
{
	const struct kermon_event_list *set;

	for (unsigned int i = 0; (set = kermon_events_list(i)); i++)
		completion_offer(completion, set->name, set->title);
	kermon_events_each(complete_event, completion);
}
