// SPDX-License-Identifier: GPL-2.0
/* Sums by node, of a thread or of all. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "private.h"

void regions_free_sum(struct region_sum *sum)
{
	struct region_value *value, *next;

	for (value = sum->values; value; value = next) {
		next = value->next;
		free(value);
	}
	durations_free(&sum->durations);
	free(sum->self_counts);
	free(sum->total_counts);
}

void regions_free_sums(const struct regions *regions, struct region_sum *sums)
{
	for (uint32_t i = 0; sums && i < regions->nr_nodes; i++)
		regions_free_sum(&sums[i]);
	free(sums);
}

static int add_counts(const struct regions *regions, struct region_sum *sum,
		      const struct stat_of *stat)
{
	const size_t nr = regions->positions.nr;

	if (!stat->counts)
		return 0;
	if (!sum->self_counts)
		sum->self_counts = calloc(nr, sizeof(*sum->self_counts));
	if (!sum->self_counts)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		sum->self_counts[i] += stat->counts[i];
	return 0;
}

/* Copies are joined later: a node may have many names. */
static int add_value(struct region_sum *sum, const struct region_value *value)
{
	struct region_value *copy = malloc(sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	*copy = *value;
	copy->next = sum->values;
	sum->values = copy;
	return 0;
}

static int compare_values(const void *a, const void *b)
{
	const struct region_value *left = *(struct region_value *const *)a;
	const struct region_value *right = *(struct region_value *const *)b;

	return strcmp(left->name, right->name);
}

static void join_value(struct region_value *to, const struct region_value *from)
{
	to->nr += from->nr;
	to->sum += from->sum;
	to->least = from->least < to->least ? from->least : to->least;
	to->most = from->most > to->most ? from->most : to->most;
	to->is_real |= from->is_real;
}

int region_values_join(struct region_value **list)
{
	struct region_value **all, *value, **end = list;
	size_t nr = 0;

	for (value = *list; value; value = value->next)
		nr++;
	if (nr < 2)
		return 0;
	all = calloc(nr, sizeof(*all));
	if (!all)
		return -ENOMEM;
	nr = 0;
	for (value = *list; value; value = value->next)
		all[nr++] = value;
	qsort(all, nr, sizeof(*all), compare_values);
	value = NULL;
	for (size_t i = 0; i < nr; i++) {
		if (value && value->name == all[i]->name) {
			join_value(value, all[i]);
			free(all[i]);
			continue;
		}
		value = all[i];
		*end = value;
		end = &value->next;
	}
	*end = NULL;
	free(all);
	return 0;
}

static int add_stat(const struct regions *regions, struct region_sum *sum,
		    const struct stat_of *stat)
{
	int err = add_counts(regions, sum, stat);

	sum->calls += stat->calls;
	sum->self += stat->self;
	sum->missing += stat->missing;
	sum->unended += stat->unended;
	sum->lost += stat->lost;
	sum->mixed += stat->mixed;
	sum->sampled += stat->sampled;
	for (const struct region_value *value = stat->values; value && !err; value = value->next)
		err = add_value(sum, value);
	return err ? err : durations_join(&sum->durations, &stat->durations);
}

/* Whether what the node has is part of what the node around it has. */
static bool is_part(const struct region_node *node)
{
	return node->kind != REGION_TASK && node->kind != REGION_FRAME &&
	       node->parent != REGIONS_NONE;
}

static int add_totals(const struct regions *regions, struct region_sum *sums, uint32_t node)
{
	const size_t size = regions->positions.nr * sizeof(uint64_t);
	struct region_sum *sum = &sums[node];
	struct region_sum *around = &sums[regions->nodes[node].parent];

	if (!is_part(&regions->nodes[node]))
		return 0;
	around->total += sum->total;
	around->sampled_total += sum->sampled_total;
	if (!sum->total_counts)
		return 0;
	if (!around->total_counts)
		around->total_counts = calloc(1, size);
	if (!around->total_counts)
		return -ENOMEM;
	for (size_t i = 0; i < regions->positions.nr; i++)
		around->total_counts[i] += sum->total_counts[i];
	return 0;
}

/* Nodes follow those around them: the last first. */
static int make_totals(const struct regions *regions, struct region_sum *sums)
{
	struct region_sum *sum;
	int err = 0;

	for (uint32_t i = regions->nr_nodes; i-- && !err;) {
		sum = &sums[i];
		sum->total += is_part(&regions->nodes[i]) || !i ? sum->self : sum->durations.sum;
		sum->sampled_total += sum->sampled;
		if (region_values_join(&sum->values))
			return -ENOMEM;
		if (sum->self_counts && !sum->total_counts)
			sum->total_counts = calloc(regions->positions.nr, sizeof(uint64_t));
		if (sum->self_counts && !sum->total_counts)
			return -ENOMEM;
		for (size_t j = 0; sum->self_counts && j < regions->positions.nr; j++)
			sum->total_counts[j] += sum->self_counts[j];
		err = add_totals(regions, sums, i);
	}
	return err;
}

/* Of all threads if @thread is NULL. */
static int add_threads(const struct regions *regions, const struct region_thread *thread,
		       struct region_sum *sums)
{
	const struct track *track;
	int err = 0;

	for (size_t i = 0; i < regions->nr_threads && !err; i++) {
		track = regions->threads[i];
		if (thread && thread != &track->shown)
			continue;
		for (const struct stat_of *stat = track->stats; stat && !err; stat = stat->next)
			err = add_stat(regions, &sums[stat->node], stat);
	}
	return err;
}

int regions_sum(const struct regions *regions, const struct region_thread *thread,
		struct region_sum **sums)
{
	int err;

	*sums = calloc(regions->nr_nodes, sizeof(**sums));
	if (!*sums)
		return -ENOMEM;
	err = add_threads(regions, thread, *sums);
	if (!err)
		err = make_totals(regions, *sums);
	if (!err)
		return 0;
	regions_free_sums(regions, *sums);
	*sums = NULL;
	return err;
}
