// SPDX-License-Identifier: GPL-2.0
/* What tables show of a CPU. */
#include <math.h>

#include "figures.h"

#define NS_PER_S	1e9

double figure_elapsed_ns(const struct sums_cpu *cpu)
{
	return cpu->end_ns - cpu->begin_ns - cpu->gap_ns;
}

/* What an event has counted on a CPU. */
static double value_of(const struct sums *sums, const struct sums_cpu *cpu,
		       const char *event)
{
	int index = sums_find_event(sums, event);

	return index >= 0 && cpu->counts[index].time_ns ? cpu->counts[index].value : NAN;
}

/* Reference cycles run at the rate of the TSC while the CPU is not idle. */
double figure_busy(const struct sums *sums, const struct sums_cpu *cpu)
{
	double idle = value_of(sums, cpu, "idle-time");

	if (!isnan(idle))
		return fmax(0, 1 - idle / figure_elapsed_ns(cpu));
	return cpu->tsc ? value_of(sums, cpu, "ref-cycles") / cpu->tsc : NAN;
}

bool figure_has_ipc(const struct sums *sums)
{
	return sums_find_event(sums, "cycles") >= 0 &&
	       sums_find_event(sums, "instructions") >= 0;
}

double figure_ipc(const struct sums *sums, const struct sums_cpu *cpu)
{
	return value_of(sums, cpu, "instructions") / value_of(sums, cpu, "cycles");
}

double figure_rate(const struct sums *sums, const struct sums_cpu *cpu, unsigned int event)
{
	const struct sums_count *count = &cpu->counts[event];
	const double unit = sums->events[event].unit == KERMON_SPY_NS ? 100 : NS_PER_S;

	return count->time_ns ? count->value * unit / count->time_ns : NAN;
}

double figure_cost(const struct sums_cpu *cpu)
{
	return cpu->samples ? cpu->cost_ns / figure_elapsed_ns(cpu) : NAN;
}
