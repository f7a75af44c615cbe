/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples with counter readings (PERF_SAMPLE_READ): one sample for all events of a
 * group. Each event that has counted since its previous reading gets a sample of its
 * own, whose period is the difference.
 */
#ifndef KERMON_READINGS_H
#define KERMON_READINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/hash.h"

/* The last reading of each counter, by its id. */
struct readings {
	struct hash last;
};

/*
 * The difference to the previous reading of the counter; at the first one, the whole
 * value. Return: 0 or -ENOMEM.
 */
int readings_delta(struct readings *readings, uint64_t id, uint64_t value,
		   uint64_t *delta);
void readings_free(struct readings *readings);

#endif /* KERMON_READINGS_H */
