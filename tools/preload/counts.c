// SPDX-License-Identifier: GPL-2.0
/* A thread's own counts, where the page alone does not do. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "counts.h"

const struct kermon_page counts_none;

/* A sequence that is not that of counts_none. */
#define NO_SEQUENCE	1

void counts_open(struct counts *counts)
{
	int cancel;

	*counts = (struct counts){ .page = &counts_none, .sequence = NO_SEQUENCE };
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	if (!kermon_self_open(&counts->self)) {
		counts->page = counts->self.page;
		counts->nr = counts->page->nr_values;
		if (counts->nr > KERMON_MAX_VALUES)
			counts_close(counts);
	}
	pthread_setcancelstate(cancel, NULL);
}

void counts_close(struct counts *counts)
{
	if (counts_are_open(counts))
		kermon_self_close(&counts->self);
	counts->page = &counts_none;
	counts->sequence = NO_SEQUENCE;
}

/* Another application counts the thread since: what it counts is announced. */
static int reopen(struct counts *counts, struct kermon_counts *now)
{
	counts_close(counts);
	counts_open(counts);
	return counts_are_open(counts) ? kermon_read_all(&counts->self, now) : -ENOENT;
}

bool counts_read(struct counts *counts, struct kermon_counts *now)
{
	int cancel, ret;

	if (!counts_are_open(counts))
		return false;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	ret = kermon_read_all(&counts->self, now);
	if (ret == -ENOENT || ret == -ESTALE)
		ret = reopen(counts, now);
	if (ret || now->nr_values > KERMON_MAX_VALUES)
		counts_close(counts);
	pthread_setcancelstate(cancel, NULL);
	return counts_are_open(counts);
}

struct mark_counted counts_tell(struct counts *counts, const struct kermon_counts *now)
{
	counts->counted = KERMON_COUNTED(now->plan, now->set);
	counts->sequence = (uint64_t)counts->counted << 32;
	counts->nr = now->nr_values;
	return (struct mark_counted){
		.plan = now->plan, .set = now->set,
		.nr_fixed = now->nr_fixed, .nr_values = now->nr_values,
	};
}
