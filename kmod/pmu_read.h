/* SPDX-License-Identifier: GPL-2.0 */
/* Reading counters, whoever owns them. */
#ifndef KERMON_PMU_READ_H
#define KERMON_PMU_READ_H

#include <asm/msr.h>

#include "pmu.h"
#include "pmu_share.h"

/* The counters are perf events. */
DECLARE_STATIC_KEY_FALSE(pmu_is_shared);

/* As pmu_rdpmc(), with an event of the tracepoint msr:rdpmc for each access. */
void pmu_rdpmc_traced(const u32 *rdpmc, u32 from, u32 to, u64 *values);

/* rdpmcl() without the tracepoint. */
static __always_inline u64 pmu_rdpmc_untraced(u32 counter)
{
	u32 low, high;

	asm volatile("rdpmc" : "=a" (low), "=d" (high) : "c" (counter));
	return (u64)high << 32 | low;
}

/*
 * Ask once whether accesses are traced: where every one may call the tracepoint, the
 * compiler saves its registers around the loop.
 */
static __always_inline void pmu_rdpmc(const u32 *rdpmc, u32 from, u32 to,
				      u64 *values)
{
	u32 i;

	if (tracepoint_enabled(rdpmc)) {
		pmu_rdpmc_traced(rdpmc, from, to, values);
		return;
	}
	for (i = from; i < to; i++)
		values[i] = pmu_rdpmc_untraced(rdpmc[i]);
}

static __always_inline void pmu_read_from(const struct pmu_image *image,
					  u32 from, u64 *begin, u64 *values)
{
	const u32 to = image->nr_values;
	struct pmu_share_cpu *cpu;

	if (!static_branch_unlikely(&pmu_is_shared)) {
		pmu_rdpmc(image->rdpmc, from, to, values);
		return;
	}
	cpu = this_cpu_ptr(&pmu_share_cpu);
	pmu_rdpmc(cpu->rdpmc, from, to, values);
	/* perf moves counters in NMIs, too. */
	if (unlikely(this_cpu_read(kermon_event_moves) != cpu->moves))
		pmu_share_settle(from, to, begin, values);
}

/*
 * Read the counters of a set with which this CPU is programmed. @begin, if not
 * NULL, are earlier values of this CPU, to which these will be compared; they
 * change if counters have moved since. Irqs off.
 */
static __always_inline void pmu_read(const struct pmu_image *image, u64 *begin,
				     u64 *values)
{
	pmu_read_from(image, 0, begin, values);
}

/* As pmu_read(), except for the fixed counters, whose earlier values are in @values. */
static __always_inline void pmu_read_programmed(const struct pmu_image *image,
						u64 *values)
{
	pmu_read_from(image, image->nr_fixed, values, values);
}

#endif /* KERMON_PMU_READ_H */
