// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of a switch stays within KerMon's bounds: instructions and register
 * accesses per pair of switches, for each way of monitoring that has bounds.
 * "make bench" prints the whole table.
 */
#include "kselftest_harness.h"

#include <math.h>
#include <string.h>

#include "cost/bounds.h"
#include "quantities.h"
#include "ways.h"

#define NR_ROUNDS	1000

/* Measured once for consecutive ways of the same policy. */
static const struct cost *measure_nothing(const struct way *way)
{
	static const struct way *measured;
	static struct cost cost;
	size_t i = 0;

	while (ways[i].monitor || ways[i].policy != way->policy)
		i++;
	if (measured != &ways[i]) {
		measured = &ways[i];
		cost = measure(measured, NR_ROUNDS);
	}
	return &cost;
}

static void compare(struct __test_metadata *_metadata, const struct way *way)
{
	const struct bound *bound = way->bound;
	const struct cost *nothing = measure_nothing(way);
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
}

TEST_HARNESS_MAIN
