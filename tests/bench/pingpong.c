// SPDX-License-Identifier: GPL-2.0
/*
 * usage: pingpong [WAY]
 *
 * Print the cost of a switch, one line for each way of monitoring that this
 * kernel supports, or for the given one, with fields separated by tabs: its
 * name, the members of struct cost and, if it has a bound, those of struct
 * bound.
 */
#include <linux/kermon.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ways.h"

#define NR_ROUNDS	4000

/* Whether this kernel supports a way. */
static bool possible(const struct way *way)
{
	if (way->monitor == &bpf_samples && !has_bpf())
		return false;
	return sched_get_priority_max(SCHED_KERMON) == 0 ||
	       (way->policy != SCHED_KERMON && way->monitor != &kermon &&
		way->monitor != &kermon_energy);
}

static void show(const struct way *way)
{
	struct cost cost = measure(way, NR_ROUNDS);

	const struct bound *bound = way->bound;

	printf("%s\t%.1f\t%.0f\t%.3f\t%.3f\t%.1f\t%.2f\t%.2f\t%.2f\t%.3f", way->name,
	       cost.instructions, cost.median, cost.pairs, cost.preempted, cost.hooks,
	       cost.wrmsr, cost.rdmsr, cost.rdpmc, cost.energy);
	if (bound)
		printf("\t%g\t%g\t%g\t%g\t%g\t%g", bound->instructions,
		       bound->hooks, bound->wrmsr, bound->rdmsr, bound->rdpmc, bound->energy);
	putchar('\n');
	fflush(stdout);
}

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < nr_ways; i++) {
		if (argc > 1 && strcmp(argv[1], ways[i].name))
			continue;
		if (possible(&ways[i]))
			show(&ways[i]);
	}
	return 0;
}
