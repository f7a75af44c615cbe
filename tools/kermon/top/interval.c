// SPDX-License-Identifier: GPL-2.0
/* Ends an interval: looks at all threads, and makes the view of what they did. */
#include <errno.h>
#include <string.h>

#include "top.h"
#include "util/array.h"

/* Others may have released the counters meanwhile. */
static void try_again(struct top *top)
{
	char refused[KERMON_EVENT_NAME];

	if (top->events.error != -EBUSY && top->events.error != -EMFILE)
		return;
	threads_events_probe(&top->events, refused);
	reason_find(top);
}

static void tally(struct summary *summary, const struct threads_row *rows, size_t nr)
{
	uint64_t run_ns = 0;

	memset(summary->uncounted, 0, sizeof(summary->uncounted));
	for (size_t i = 0; i < nr; i++) {
		run_ns += rows[i].run_ns;
		summary->uncounted[rows[i].uncounted]++;
	}
	summary->nr_active = nr;
	summary->seen = (double)run_ns / summary->interval_ns / summary->nr_cpus;
}

int view_update(struct top *top)
{
	struct view *view = &top->view;
	const struct threads_row *rows;
	size_t nr;

	rows = threads_rows(top->threads, &nr);
	if (array_room(view->rows, view->room, nr + 1))
		return -ENOMEM;
	if (nr)
		memcpy(view->rows, rows, nr * sizeof(*rows));
	if (view->processes)
		nr = threads_merge(&top->events, view->rows, nr);
	view->nr = threads_filter(view->rows, nr, view->filter);
	threads_sort(&top->events, view->rows, view->nr, view->column, view->reverse);
	return 0;
}

int interval_end(struct top *top)
{
	const struct threads_row *rows;
	size_t nr;
	int err;

	try_again(top);
	err = threads_scan(top->threads);
	if (err)
		return err;
	gauges_read(&top->gauges, &top->summary);
	rows = threads_rows(top->threads, &nr);
	tally(&top->summary, rows, nr);
	top->summary.nr_threads = threads_nr(top->threads);
	top->ended = top->options.nr_targets && !top->summary.nr_threads;
	return view_update(top);
}
