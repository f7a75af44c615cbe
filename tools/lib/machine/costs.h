/* SPDX-License-Identifier: GPL-2.0 */
/* From the times of runs to what an access takes. */
#ifndef KERMON_COSTS_H
#define KERMON_COSTS_H

#include <stddef.h>

#include <kermon/control.h>

/*
 * Adds what @nr runs of @times accesses took, in any order, which changes. The loop
 * alone, KERMON_ACCESS_NONE, comes first, for it is subtracted from the others. 0,
 * or -EBADMSG if that makes no sense.
 */
int costs_add(struct kermon_access_costs *costs, uint32_t kind, uint32_t times,
	      uint32_t *cycles, size_t nr);

#endif /* KERMON_COSTS_H */
