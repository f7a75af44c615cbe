/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to pid_list.c: options that name processes or threads. */
#ifndef KERMON_PID_LIST_H
#define KERMON_PID_LIST_H

#include <stddef.h>
#include <sys/types.h>

#include "values.h"

/* Processes or threads: @nr of @ids, with room for @room. */
struct pid_list {
	pid_t *ids;
	size_t nr;
	size_t room;
};

/* "PID,..."; a repeated option adds to the list, which has each id once. */
#define VALUE_pids	struct pid_list
extern const struct value_type value_pids;

void pid_list_free(struct pid_list *list);

#endif /* KERMON_PID_LIST_H */
