/* SPDX-License-Identifier: GPL-2.0 */
/* Reading counters, whoever owns them. */
#ifndef KERMON_PMU_READ_H
#define KERMON_PMU_READ_H

#include <asm/msr.h>

#include "pmu.h"
#include "pmu_share.h"

/* The counters are perf events. */
DECLARE_STATIC_KEY_FALSE(pmu_is_shared);

/* rdpmcl() without the tracepoint; the compiler would add moves between the three. */
static __always_inline u64 pmu_rdpmc_untraced(u32 counter)
{
	u64 value;

	asm volatile("rdpmc\n\t"
		     "shl $32, %%rdx\n\t"
		     "or %%rdx, %%rax"
		     : "=a" (value) : "c" (counter) : "rdx", "cc");
	return value;
}

/* As pmu_rdpmc(), with an event of the tracepoint msr:rdpmc for each access. */
void pmu_rdpmc_traced(const u32 *rdpmc, u32 from, u32 to, u64 *values);

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

/* The operands of RDPMC for a set with which this CPU is programmed. */
static __always_inline const u32 *pmu_operands(const struct pmu_image *image)
{
	if (static_branch_unlikely(&pmu_is_shared))
		return this_cpu_ptr(&pmu_share_cpu)->rdpmc;
	return image->rdpmc;
}

/* Whether perf has moved counters since they were found; it does so in NMIs, too. */
static __always_inline bool pmu_moved(void)
{
	return static_branch_unlikely(&pmu_is_shared) &&
	       unlikely(this_cpu_read(kermon_event_moves) !=
			this_cpu_ptr(&pmu_share_cpu)->moves);
}

/* Both halves by themselves: shorter than to join them. */
static __always_inline void pmu_begin_value(u32 i, const u32 *operands,
					    u64 *begin)
{
	u32 *half = (u32 *)&begin[i];
	u32 low, high;

	asm volatile("rdpmc" : "=a" (low), "=d" (high) : "c" (operands[i]));
	half[0] = low;
	half[1] = high;
}

static __always_inline void pmu_advance_value(u32 i, const u32 *operands,
					      u64 mask, u64 *begin, u64 *deltas,
					      u64 *all)
{
	u64 value = pmu_rdpmc_untraced(operands[i]);
	u64 delta = (value - begin[i]) & mask;

	begin[i] = value;
	deltas[i] = delta;
	*all |= delta;
}

/* @advance is known to the compiler. */
static __always_inline void pmu_value(u32 i, bool advance, const u32 *operands,
				      u64 mask, u64 *begin, u64 *deltas, u64 *all)
{
	if (advance)
		pmu_advance_value(i, operands, mask, begin, deltas, all);
	else
		pmu_begin_value(i, operands, begin);
}

#define pmu_case(nr, i, ...)						\
case nr:								\
	pmu_value(i, __VA_ARGS__);					\
	fallthrough

/*
 * pmu_value(i, ...) for each i below @nr, the last one first. A loop would need three
 * more instructions for each, of four to nine.
 */
#define pmu_each_value(nr, ...)						\
do {									\
	static_assert(PMU_MAX_VALUES == 19);				\
	switch (nr) {							\
	pmu_case(19, 18, __VA_ARGS__);					\
	pmu_case(18, 17, __VA_ARGS__);					\
	pmu_case(17, 16, __VA_ARGS__);					\
	pmu_case(16, 15, __VA_ARGS__);					\
	pmu_case(15, 14, __VA_ARGS__);					\
	pmu_case(14, 13, __VA_ARGS__);					\
	pmu_case(13, 12, __VA_ARGS__);					\
	pmu_case(12, 11, __VA_ARGS__);					\
	pmu_case(11, 10, __VA_ARGS__);					\
	pmu_case(10, 9, __VA_ARGS__);					\
	pmu_case(9, 8, __VA_ARGS__);					\
	pmu_case(8, 7, __VA_ARGS__);					\
	pmu_case(7, 6, __VA_ARGS__);					\
	pmu_case(6, 5, __VA_ARGS__);					\
	pmu_case(5, 4, __VA_ARGS__);					\
	pmu_case(4, 3, __VA_ARGS__);					\
	pmu_case(3, 2, __VA_ARGS__);					\
	pmu_case(2, 1, __VA_ARGS__);					\
	pmu_case(1, 0, __VA_ARGS__);					\
	case 0:								\
		break;							\
	}								\
} while (0)

/*
 * Read the counters of a set with which this CPU is programmed: the begin of an
 * interval. Irqs off.
 */
static __always_inline void pmu_begin(const struct pmu_image *image, u64 *begin)
{
	const u32 *operands = pmu_operands(image);

	if (tracepoint_enabled(rdpmc))
		pmu_rdpmc_traced(operands, 0, image->nr_values, begin);
	else
		pmu_each_value(image->nr_values, false, operands, 0, begin, NULL,
			       NULL);
	if (pmu_moved())
		pmu_share_settle(0, image->nr_values, NULL, begin);
}

/*
 * Read the counters within an interval that began with the counters at @begin; if they
 * have moved since, @begin is made comparable. False if not all has been counted. Irqs off.
 */
static inline bool pmu_peek(const struct pmu_image *image, u64 *begin, u64 *values)
{
	pmu_rdpmc(pmu_operands(image), 0, image->nr_values, values);
	return !pmu_moved() || pmu_share_peek(image->nr_values, begin, values);
}

/* What the functions below do with tracing, and after counters have moved. */
u64 pmu_advance_traced(const struct pmu_image *image, const u32 *operands,
		       u64 *begin, u64 *deltas);
u64 pmu_advance_moved(const struct pmu_image *image, u64 *begin, u64 *deltas);
void pmu_begin_moved(const struct pmu_image *image, u64 *begin);

/*
 * End an interval that began with the counters at @begin: store the differences in
 * @deltas and the counters in @begin, where the next interval begins. Returns all
 * differences ORed together; U64_MAX if not all has been counted. Irqs off.
 */
static __always_inline u64 pmu_advance(const struct pmu_image *image,
				       u64 *begin, u64 *deltas)
{
	const u32 *operands = pmu_operands(image);
	const u64 mask = image->mask;
	u64 all = 0;

	if (tracepoint_enabled(rdpmc))
		all = pmu_advance_traced(image, operands, begin, deltas);
	else
		pmu_each_value(image->nr_values, true, operands, mask, begin,
			       deltas, &all);
	if (pmu_moved())
		all = pmu_advance_moved(image, begin, deltas);
	return all;
}

/* As pmu_begin(), except for the fixed counters, which have just been read. */
static __always_inline void pmu_begin_programmed(const struct pmu_image *image,
						 u64 *begin)
{
	pmu_rdpmc(pmu_operands(image), image->nr_fixed, image->nr_values, begin);
	if (pmu_moved())
		pmu_begin_moved(image, begin);
}

#endif /* KERMON_PMU_READ_H */
