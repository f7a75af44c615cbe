/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of the cost table. */
#ifndef KERMON_BENCH_WAYS_H
#define KERMON_BENCH_WAYS_H

#include <stddef.h>

#include "measure.h"

/* The first way of each policy is the base for the others. */
extern const struct way ways[];
extern const size_t nr_ways;

#endif /* KERMON_BENCH_WAYS_H */
