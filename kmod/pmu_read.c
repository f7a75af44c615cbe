// SPDX-License-Identifier: GPL-2.0
/* Reading counters while accesses are traced, and after counters have moved. */
#include "pmu_read.h"

void pmu_rdpmc_traced(const u32 *rdpmc, u32 from, u32 to, u64 *values)
{
	u32 i;

	for (i = from; i < to; i++)
		rdpmcl(rdpmc[i], values[i]);
}

u64 pmu_advance_traced(const struct pmu_image *image, const u32 *operands,
		       u64 *begin, u64 *deltas)
{
	u64 value, all = 0;
	u32 i;

	for (i = 0; i < image->nr_values; i++) {
		rdpmcl(operands[i], value);
		deltas[i] = (value - begin[i]) & image->mask;
		all |= deltas[i];
		begin[i] = value;
	}
	return all;
}

/* What was read from counters that had moved does not matter: only the difference does. */
u64 pmu_advance_moved(const struct pmu_image *image, u64 *begin, u64 *deltas)
{
	u64 values[PMU_MAX_VALUES], all = 0;
	bool complete;
	u32 i;

	for (i = 0; i < image->nr_values; i++)
		begin[i] -= deltas[i];
	complete = pmu_share_settle(0, image->nr_values, begin, values);
	for (i = 0; i < image->nr_values; i++) {
		deltas[i] = (values[i] - begin[i]) & image->mask;
		all |= deltas[i];
		begin[i] = values[i];
	}
	return complete ? all : U64_MAX;
}

/* If counts have been lost since the fixed counters were read, read those again. */
void pmu_begin_moved(const struct pmu_image *image, u64 *begin)
{
	if (!pmu_share_settle(image->nr_fixed, image->nr_values, begin, begin))
		pmu_share_settle(0, image->nr_values, NULL, begin);
}
