// SPDX-License-Identifier: GPL-2.0
/*
 * Time and energy of the application: threads that run at the same time share both. The
 * energy of a package is in the samples of all threads that run on it: where they overlap,
 * the power is the mean of theirs, and counts once.
 *
 * Of a coalesced interval, and of a slice of time, only the sum of the times on the CPU is
 * known: at each instant of it, the thread is there with a share of 1, as large as that sum is
 * of the whole. Threads on one CPU are there one after the other, those on others
 * independently.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "roofline_private.h"

/* More than this share of an instant is all of it. */
#define ALWAYS	(1 - 1e-12)

/* The begin or the end of a stay. */
struct edge {
	uint64_t time;
	uint32_t stay;
	bool is_end;
};

/* Stays on a CPU of which it is not known when they are there: number and sum of shares. */
struct cpu {
	uint32_t open;
	double share;
};

/**
 * struct crowd - stays on some CPUs, while edges are passed
 * @open: their number
 * @whole: of these, how many are on the CPU all the time
 * @share: sum of their shares
 * @watts: sum of their powers, times their shares
 * @away: sum of the logarithms of the shares in which none of the others is on a CPU
 */
struct crowd {
	uint32_t open;
	uint32_t whole;
	double share;
	double watts;
	double away;
};

/**
 * struct walk - through all stays that last, by time
 * @edges: of these, @nr of them
 * @cpus: by number
 * @all_counted: the operations of all stays are known
 */
struct walk {
	struct kermon_roofline *roofline;
	struct edge *edges;
	size_t nr;
	struct cpu *cpus;
	bool all_counted;
};

static int compare_edges(const void *a, const void *b)
{
	const struct edge *left = a, *right = b;

	return (left->time > right->time) - (left->time < right->time);
}

static double length_of(const struct stay *stay)
{
	return (double)(stay->shown.end - stay->shown.begin);
}

static bool lasts(const struct stay *stay)
{
	return stay->shown.end > stay->shown.begin;
}

static int walk_begin(struct walk *walk, struct kermon_roofline *roofline)
{
	const struct kermon_roofline_interval *stay;

	*walk = (struct walk){
		.roofline = roofline,
		.edges = calloc(2 * roofline->nr_stays + 1, sizeof(*walk->edges)),
		.cpus = calloc(roofline->nr_stays + 1, sizeof(*walk->cpus)),
		.all_counted = true,
	};
	if (!walk->edges || !walk->cpus)
		return -ENOMEM;
	for (size_t i = 0; i < roofline->nr_stays; i++) {
		walk->all_counted &= roofline->stays[i].counted;
		if (!lasts(&roofline->stays[i]))
			continue;
		stay = &roofline->stays[i].shown;
		walk->edges[walk->nr++] = (struct edge){ stay->begin, i, false };
		walk->edges[walk->nr++] = (struct edge){ stay->end, i, true };
	}
	qsort(walk->edges, walk->nr, sizeof(*walk->edges), compare_edges);
	return 0;
}

static void walk_end(struct walk *walk)
{
	free(walk->edges);
	free(walk->cpus);
}

static double share_of(const struct stay *stay)
{
	const double share = (double)stay->shown.oncpu / length_of(stay);

	return share < ALWAYS ? share : 1;
}

/* The logarithm of the share in which the CPU has none of its stays. */
static double away_of(const struct cpu *cpu)
{
	return log1p(-fmin(cpu->share, ALWAYS));
}

/* A stay that is not on the CPU all the time comes or goes: what rounding leaves does not stay. */
static void pass_part(struct crowd *crowd, struct cpu *cpu, double share, int step)
{
	const double before = away_of(cpu);

	cpu->open += step;
	cpu->share = cpu->open ? fmax(cpu->share + step * share, 0) : 0;
	crowd->away += away_of(cpu) - before;
}

static void pass(const struct walk *walk, const struct edge *edge, double joules,
		 struct crowd *crowd)
{
	const struct stay *stay = &walk->roofline->stays[edge->stay];
	const double share = share_of(stay);
	const int step = edge->is_end ? -1 : 1;

	if (share < 1)
		pass_part(crowd, &walk->cpus[stay->cpu_number], share, step);
	else
		crowd->whole += step;
	crowd->open += step;
	crowd->share += step * share;
	crowd->watts += step * joules * 1e9 / length_of(stay);
	if (!crowd->open)
		*crowd = (struct crowd){ 0 };
}

/* The share of an instant in which any of them is on a CPU. */
static double presence(const struct crowd *crowd)
{
	return crowd->whole ? 1 : -expm1(crowd->away);
}

static void sum_time(const struct walk *walk)
{
	struct kermon_roofline_sums *total = &walk->roofline->total;
	struct crowd crowd = { 0 };
	uint64_t since = 0;
	double ns = 0;

	for (size_t i = 0; i < walk->nr; i++) {
		ns += presence(&crowd) * (double)(walk->edges[i].time - since);
		since = walk->edges[i].time;
		pass(walk, &walk->edges[i], 0, &crowd);
	}
	total->seconds = ns / 1e9;
	if (total->busy > 0) {
		total->counted *= total->seconds / total->busy;
		total->placed *= total->seconds / total->busy;
	}
}

/* NaN: no stay measures any package. */
static double watts_of(const struct crowd *packages)
{
	double sum = NAN;

	for (size_t i = 0; i < PACKAGES; i++)
		if (packages[i].open)
			sum = (isnan(sum) ? 0 : sum) +
			      presence(&packages[i]) * packages[i].watts / packages[i].share;
	return sum;
}

/* The power from now on, unless it stays the same. */
static void add_power(struct kermon_roofline *roofline, size_t domain, uint64_t time,
		      double watts)
{
	struct kermon_roofline_power *all = roofline->power[domain];
	size_t *nr = &roofline->nr_power[domain];

	if (*nr && all[*nr - 1].begin == time)
		--*nr;
	if (*nr && (all[*nr - 1].watts == watts || (isnan(all[*nr - 1].watts) && isnan(watts))))
		return;
	all[(*nr)++] = (struct kermon_roofline_power){ time, watts };
}

/* Whether a stay has energy of the domain, and, if @counted, its operations were counted. */
static bool is_summed(const struct stay *stay, size_t domain, bool counted)
{
	return !isnan(stay->joules[domain]) && (stay->counted || !counted);
}

/* Energy in stays that do not last is as measured; NaN: there is no stay to sum up. */
static double sum_instants(const struct kermon_roofline *roofline, size_t domain, bool counted)
{
	const struct stay *stay;
	double joules = NAN;

	for (size_t i = 0; i < roofline->nr_stays; i++) {
		stay = &roofline->stays[i];
		if (is_summed(stay, domain, counted))
			joules = (isnan(joules) ? 0 : joules) +
				 (lasts(stay) ? 0 : stay->joules[domain]);
	}
	return joules;
}

/* Energy of a domain; of all stays, this is also its power over time. */
static double sum_energy(const struct walk *walk, size_t domain, bool counted)
{
	double joules = sum_instants(walk->roofline, domain, counted), watts = NAN;
	struct crowd packages[PACKAGES] = { 0 };
	const struct stay *stay;
	uint64_t since = 0;

	for (size_t i = 0; i < walk->nr; i++) {
		stay = &walk->roofline->stays[walk->edges[i].stay];
		if (!is_summed(stay, domain, counted))
			continue;
		if (!isnan(watts))
			joules += watts * (double)(walk->edges[i].time - since) / 1e9;
		since = walk->edges[i].time;
		pass(walk, &walk->edges[i], stay->joules[domain],
		     &packages[kermon_roofline_package(walk->roofline, stay->shown.cpu)]);
		watts = watts_of(packages);
		if (!counted)
			add_power(walk->roofline, domain, since, watts);
	}
	return joules;
}

static int sum_domain(const struct walk *walk, size_t domain)
{
	struct kermon_roofline *roofline = walk->roofline;

	roofline->power[domain] = calloc(walk->nr + 1, sizeof(*roofline->power[domain]));
	if (!roofline->power[domain])
		return -ENOMEM;
	roofline->total.joules[domain] = sum_energy(walk, domain, false);
	roofline->total.counted_joules[domain] = walk->all_counted ?
						 roofline->total.joules[domain] :
						 sum_energy(walk, domain, true);
	return 0;
}

static void count_packages(struct kermon_roofline *roofline)
{
	uint64_t seen = 0;

	for (size_t i = 0; i < roofline->nr_stays; i++)
		for (size_t j = 0; j < roofline->nr_domains; j++)
			if (!isnan(roofline->stays[i].joules[j]))
				seen |= 1ULL << kermon_roofline_package(roofline,
						roofline->stays[i].shown.cpu);
	if (roofline->nr_sockets)
		roofline->basis.packages = __builtin_popcountll(seen);
}

int roofline_sum_over_time(struct kermon_roofline *roofline)
{
	struct walk walk;
	int err = walk_begin(&walk, roofline);

	if (!err)
		sum_time(&walk);
	for (size_t i = 0; i < roofline->nr_domains && !err; i++)
		err = sum_domain(&walk, i);
	count_packages(roofline);
	walk_end(&walk);
	return err;
}
