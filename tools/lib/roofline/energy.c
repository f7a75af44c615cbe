// SPDX-License-Identifier: GPL-2.0
/*
 * Time and energy of the application: threads that run at the same time share both. The
 * energy of a package is in the samples of all threads that run on it: where they overlap,
 * the power is the mean of theirs, and counts once.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "roofline_private.h"

/* The begin or the end of a stay. */
struct edge {
	uint64_t time;
	uint32_t stay;
	bool is_end;
};

/**
 * struct package - while edges are passed
 * @open: number of stays that measure it
 * @watts: their sum
 */
struct package {
	uint32_t open;
	double watts;
};

static int compare_edges(const void *a, const void *b)
{
	const struct edge *left = a, *right = b;

	return (left->time > right->time) - (left->time < right->time);
}

static struct edge *make_edges(const struct kermon_roofline *roofline)
{
	struct edge *edges = calloc(2 * roofline->nr_stays + 1, sizeof(*edges));
	const struct kermon_roofline_interval *stay;

	for (size_t i = 0; edges && i < roofline->nr_stays; i++) {
		stay = &roofline->stays[i].shown;
		edges[2 * i] = (struct edge){ stay->begin, i, false };
		edges[2 * i + 1] = (struct edge){ stay->end, i, true };
	}
	if (edges)
		qsort(edges, 2 * roofline->nr_stays, sizeof(*edges), compare_edges);
	return edges;
}

/* Ends that have the time of a begin may come first: nothing lasts between them. */
static void sum_time(struct kermon_roofline *roofline, const struct edge *edges)
{
	struct kermon_roofline_sums *total = &roofline->total;
	uint64_t since = 0, ns = 0;
	int64_t open = 0;

	for (size_t i = 0; i < 2 * roofline->nr_stays; i++) {
		if (open > 0)
			ns += edges[i].time - since;
		since = edges[i].time;
		open += edges[i].is_end ? -1 : 1;
	}
	total->seconds = (double)ns / 1e9;
	if (total->busy > 0) {
		total->counted *= total->seconds / total->busy;
		total->placed *= total->seconds / total->busy;
	}
}

/* Pass an edge of a stay that lasts. */
static void pass(const struct kermon_roofline *roofline, const struct edge *edge,
		 size_t domain, struct package *packages)
{
	const struct stay *stay = &roofline->stays[edge->stay];
	struct package *package = &packages[kermon_roofline_package(roofline, stay->shown.cpu)];
	const double watts = stay->joules[domain] * 1e9 /
			     (double)(stay->shown.end - stay->shown.begin);

	package->open += edge->is_end ? -1 : 1;
	package->watts += edge->is_end ? -watts : watts;
	if (!package->open)
		package->watts = 0;
}

/* NaN: no stay measures any package. */
static double watts_of(const struct package *packages)
{
	double sum = NAN;

	for (size_t i = 0; i < PACKAGES; i++)
		if (packages[i].open)
			sum = (isnan(sum) ? 0 : sum) + packages[i].watts / packages[i].open;
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

static bool lasts(const struct stay *stay, size_t domain)
{
	return stay->shown.end > stay->shown.begin && !isnan(stay->joules[domain]);
}

/* Energy of a domain, of which that in stays that do not last is as measured. */
static double sum_energy(struct kermon_roofline *roofline, const struct edge *edges,
			 size_t domain)
{
	struct package packages[PACKAGES] = { 0 };
	double joules = NAN, watts = NAN;
	const struct stay *stay;
	uint64_t since = 0;

	for (size_t i = 0; i < 2 * roofline->nr_stays; i++) {
		stay = &roofline->stays[edges[i].stay];
		if (isnan(stay->joules[domain]))
			continue;
		if (isnan(joules))
			joules = 0;
		if (!lasts(stay, domain)) {
			joules += edges[i].is_end ? stay->joules[domain] : 0;
			continue;
		}
		if (!isnan(watts))
			joules += watts * (double)(edges[i].time - since) / 1e9;
		since = edges[i].time;
		pass(roofline, &edges[i], domain, packages);
		watts = watts_of(packages);
		add_power(roofline, domain, since, watts);
	}
	return joules;
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
	struct edge *edges = make_edges(roofline);
	int err = edges ? 0 : -ENOMEM;

	if (!err)
		sum_time(roofline, edges);
	for (size_t i = 0; i < roofline->nr_domains && !err; i++) {
		roofline->power[i] = calloc(2 * roofline->nr_stays + 1,
					    sizeof(*roofline->power[i]));
		if (roofline->power[i])
			roofline->total.joules[i] = sum_energy(roofline, edges, i);
		else
			err = -ENOMEM;
	}
	count_packages(roofline);
	free(edges);
	return err;
}
