// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of a switch stays within KerMon's bounds: instructions and register
 * accesses per pair of switches, for each way of monitoring that has bounds, and
 * instructions per round trip of two tasks of the class without monitoring.
 * "make bench" prints the whole table.
 */
#include "kselftest_harness.h"

#include <linux/kermon.h>
#include <math.h>
#include <sched.h>
#include <string.h>

#include "cost/bounds.h"
#include "quantities.h"
#include "ways.h"

#define NR_ROUNDS	1000

/* Measured once for each policy. */
static const struct cost *measure_nothing(int policy)
{
	static struct cost costs[SCHED_KERMON + 1];
	size_t i = 0;

	while (ways[i].monitor || ways[i].policy != policy)
		i++;
	if (!costs[policy].pairs)
		costs[policy] = measure(&ways[i], NR_ROUNDS);
	return &costs[policy];
}

/* What the class costs without monitoring, relative to a real-time class. */
static void compare_class(struct __test_metadata *_metadata)
{
	double more = measure_nothing(SCHED_KERMON)->median -
		      measure_nothing(SCHED_FIFO)->median;

	TH_LOG("class: %.0f instructions per round trip more than under FIFO", more);
	EXPECT_TRUE(more <= BOUND_CLASS);
}

static void compare(struct __test_metadata *_metadata, const struct way *way)
{
	const struct bound *bound = way->bound;
	const struct cost *nothing = measure_nothing(way->policy);
	struct cost cost = measure(way, NR_ROUNDS);
	double over = cost_over(&cost, nothing);

	TH_LOG("%s: %.1f instructions, %.1f in hooks, %.2f WRMSR, %.2f RDMSR, %.2f RDPMC, %.2f RDMSR of a domain in a millisecond",
	       way->name, over, cost.hooks, cost.wrmsr, cost.rdmsr, cost.rdpmc,
	       cost.energy);
	EXPECT_GT(cost.hooks, 0);
	EXPECT_TRUE(over <= bound->instructions);
	EXPECT_TRUE(cost.hooks <= bound->hooks);
	if (isfinite(bound->instructions))
		EXPECT_TRUE(over > cost.hooks);
	EXPECT_TRUE(cost.wrmsr <= bound->wrmsr);
	EXPECT_TRUE(cost.rdmsr <= bound->rdmsr);
	EXPECT_TRUE(cost.rdpmc <= bound->rdpmc);
	EXPECT_TRUE(cost.energy <= bound->energy);
	/*
	 * The counters of a monitored task are read at least at the end of each
	 * pair.
	 */
	EXPECT_TRUE(cost.rdpmc >= SET_SIZE);
	EXPECT_EQ(bound->wrmsr > 0, cost.wrmsr > 0);
	/* KerMon charges the cost of writes. */
	if (bound->wrmsr)
		EXPECT_TRUE(cost.hooks > BOUND_HOOKS(BOUND_INSTRUCTIONS));
	EXPECT_EQ(bound->energy > 0, cost.energy > 0);
}

TEST(bounds)
{
	unsigned int compared = 0;
	size_t i;

	ASSERT_NE(NULL, quantity_set(0));
	for (i = 0; i < nr_ways; i++) {
		if (!ways[i].bound)
			continue;
		compare(_metadata, &ways[i]);
		compared++;
	}
	EXPECT_GT(compared, 0);
	compare_class(_metadata);
}

TEST_HARNESS_MAIN
