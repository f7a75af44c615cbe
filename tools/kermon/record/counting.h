/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel is to count, and the log that comes of it. */
#ifndef KERMON_COUNTING_H
#define KERMON_COUNTING_H

#include <kermon/events.h>
#include <stdbool.h>
#include <sys/types.h>

#include "request.h"

/**
 * struct counted - who is counted, and what
 * @request: interval, size of the log, modes; the flags of set_events() follow
 * @sets: each counted at once
 * @nr_sets: how many take turns, or 1
 * @energy: log energy too
 * @pid: thread that set_events() names
 */
struct counted {
	const struct request *request;
	const struct kermon_selection *sets;
	unsigned int nr_sets;
	bool energy;
	pid_t pid;
};

/*
 * Counts set @index alone from now on: when it returns, what was counted of other
 * sets is in the log. 0 or -errno.
 */
int counting_change(const struct counted *counted, unsigned int index);

/* A log descriptor; negative: what failed has been said. */
int counting_open(const struct counted *counted);

#endif /* KERMON_COUNTING_H */
