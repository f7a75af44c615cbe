/* SPDX-License-Identifier: GPL-2.0 */
/* Reading counters, whoever owns them. */
#ifndef KERMON_PMU_READ_H
#define KERMON_PMU_READ_H

#include "pmu.h"
#include "pmu_share.h"

/* The counters are perf events. */
DECLARE_STATIC_KEY_FALSE(pmu_is_shared);

/*
 * Read the counters of a set with which this CPU is programmed. @begin, if not
 * NULL, are earlier values of this CPU, to which these will be compared; they
 * change if counters have moved since. Irqs off.
 */
static __always_inline void pmu_read(const struct pmu_image *image, u64 *begin,
				     u64 *values)
{
	const u32 nr_values = image->nr_values;
	u32 i;

	if (static_branch_unlikely(&pmu_is_shared)) {
		pmu_share_read(0, nr_values, begin, values);
		return;
	}
	for (i = 0; i < nr_values; i++)
		rdpmcl(image->rdpmc[i], values[i]);
}

/* As pmu_read(), except for the fixed counters, whose earlier values are in @values. */
static __always_inline void pmu_read_programmed(const struct pmu_image *image,
						u64 *values)
{
	u32 i;

	if (static_branch_unlikely(&pmu_is_shared)) {
		pmu_share_read(image->nr_fixed, image->nr_values, values,
			       values);
		return;
	}
	for (i = image->nr_fixed; i < image->nr_values; i++)
		rdpmcl(image->rdpmc[i], values[i]);
}

#endif /* KERMON_PMU_READ_H */
