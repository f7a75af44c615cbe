/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of the table of costs. */
#ifndef KERMON_BENCH_WAYS_H
#define KERMON_BENCH_WAYS_H

#include <stddef.h>

#include "measure.h"

/* That on which the others of its policy are a burden is the first of them. */
extern const struct way ways[];
extern const size_t nr_ways;

#endif /* KERMON_BENCH_WAYS_H */
