/* SPDX-License-Identifier: GPL-2.0 */
/* Compute the cost of an access from the measured times of loops of accesses. */
#ifndef KERMON_COSTS_H
#define KERMON_COSTS_H

#include <stddef.h>

#include <kermon/control.h>

/*
 * Add the cost of access @kind: @cycles are the durations of @nr runs of @times
 * accesses, in any order; they get sorted. The empty loop, KERMON_ACCESS_NONE, must be
 * added first because it is subtracted from the others. Return: 0, or -EBADMSG if the
 * arguments are inconsistent.
 */
int costs_add(struct kermon_access_costs *costs, uint32_t kind, uint32_t times,
	      uint32_t *cycles, size_t nr);

#endif /* KERMON_COSTS_H */
