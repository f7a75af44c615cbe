// SPDX-License-Identifier: GPL-2.0
/* Says why something cannot be counted, and what to do about it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "machine/hypervisor.h"
#include "machine/machine.h"
#include "top.h"

static void say_absent(char text[TOP_LINE])
{
	const size_t length = snprintf(text, TOP_LINE, "none: ");

	hypervisor_no_counters(text + length, TOP_LINE - length);
}

/* Perf cannot say which event is in its way; the rest is known. */
static void say_held(const struct machine *machine, char text[TOP_LINE])
{
	struct finding finding;

	machine_holder(machine, &finding);
	snprintf(text, TOP_LINE, "none: %.150s; %.150s", finding.text, finding.remedy);
}

void reason_find(struct top *top)
{
	struct machine machine;

	*top->reason = '\0';
	if (!top->events.error)
		return;
	machine_look(&machine);
	switch (-top->events.error) {
	case EBUSY:
		say_held(&machine, top->reason);
		break;
	case EACCES:
	case EPERM:
		snprintf(top->reason, TOP_LINE, "none: kernel.perf_event_paranoid is %d; as "
			 "root: sysctl kernel.perf_event_paranoid=2", machine.paranoid);
		break;
	case EMFILE:
		snprintf(top->reason, TOP_LINE, "none: too many open files; raise the limit: "
			 "ulimit -n");
		break;
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		say_absent(top->reason);
		break;
	default:
		snprintf(top->reason, TOP_LINE, "none: perf_event_open(2) fails: %s",
			 strerror(-top->events.error));
	}
}

static const char *const reasons[THREADS_REASONS] = {
	[THREADS_NEW] = "started to run",
	[THREADS_DENIED] = "of other users",
	[THREADS_FILES] = "beyond ulimit -n",
	[THREADS_WAITS] = "other users of the counters",
	[THREADS_KERNEL] = "of the kernel",
	[THREADS_OTHER] = "refused by perf_event",
	[THREADS_ENDED] = "ended",
};

void reason_rows(const struct top *top, char *text, size_t size)
{
	const size_t *uncounted = top->summary.uncounted;
	size_t total = 0, length;
	const char *comma = ": ";

	for (unsigned int i = THREADS_NEW; i < THREADS_REASONS; i++)
		total += uncounted[i];
	*text = '\0';
	if (!total)
		return;
	length = snprintf(text, size, "; %zu of %zu threads without", total,
			  top->summary.nr_active);
	for (unsigned int i = THREADS_NEW; i < THREADS_REASONS && length < size; i++) {
		if (!uncounted[i])
			continue;
		length += snprintf(text + length, size - length, "%s%zu %s", comma,
				   uncounted[i], reasons[i]);
		comma = ", ";
	}
}
