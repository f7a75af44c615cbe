// SPDX-License-Identifier: GPL-2.0
/* A thread's own counts, where the page alone does not do. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "counts.h"

void counts_open(struct counts *counts)
{
	int cancel;

	*counts = (struct counts){};
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
	if (counts->page)
		kermon_self_close(&counts->self);
	counts->page = NULL;
}

/* Another application counts the thread since: what it counts is announced. */
static int reopen(struct counts *counts, struct kermon_counts *now)
{
	counts_close(counts);
	counts_open(counts);
	return counts->page ? kermon_read_all(&counts->self, now) : -ENOENT;
}

bool counts_read(struct counts *counts, struct kermon_counts *now)
{
	int cancel, ret;

	if (!counts->page)
		return false;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	ret = kermon_read_all(&counts->self, now);
	if (ret == -ENOENT || ret == -ESTALE)
		ret = reopen(counts, now);
	if (ret || now->nr_values > KERMON_MAX_VALUES)
		counts_close(counts);
	pthread_setcancelstate(cancel, NULL);
	return counts->page;
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
