// SPDX-License-Identifier: GPL-2.0
/*
 * Durations of calls, counted in buckets that are wider the longer they are: numbers below
 * 16 have one each, and each power of two above has 16. So a percentile is known to a
 * thirty-second of it, however many calls there are.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "regions.h"

#define WIDTH_BITS	4
#define PER_OCTAVE	(1U << WIDTH_BITS)

static unsigned int bucket_of(uint64_t ns)
{
	unsigned int octave;

	if (ns < PER_OCTAVE)
		return ns;
	octave = 63 - __builtin_clzll(ns) - WIDTH_BITS;
	return (octave + 1) * PER_OCTAVE + (ns >> octave & (PER_OCTAVE - 1));
}

static uint64_t begin_of(unsigned int bucket)
{
	unsigned int octave = bucket / PER_OCTAVE;

	if (!octave)
		return bucket;
	return (uint64_t)(PER_OCTAVE + bucket % PER_OCTAVE) << (octave - 1);
}

/* 0 for the last of all, whose end is 2^64. */
static uint64_t end_of(unsigned int bucket)
{
	unsigned int octave = bucket / PER_OCTAVE;

	return begin_of(bucket) + (octave ? 1ULL << (octave - 1) : 1);
}

/* Make room for a bucket, by whole octaves. Return: 0 or -ENOMEM. */
static int include(struct durations *durations, unsigned int bucket)
{
	unsigned int first = bucket / PER_OCTAVE * PER_OCTAVE, end = first + PER_OCTAVE;
	uint64_t *buckets;

	if (durations->nr_buckets) {
		if (durations->first < first)
			first = durations->first;
		if (durations->first + durations->nr_buckets > end)
			end = durations->first + durations->nr_buckets;
	}
	if (end - first == durations->nr_buckets)
		return 0;
	buckets = calloc(end - first, sizeof(*buckets));
	if (!buckets)
		return -ENOMEM;
	if (durations->nr_buckets)
		memcpy(buckets + durations->first - first, durations->buckets,
		       durations->nr_buckets * sizeof(*buckets));
	free(durations->buckets);
	durations->buckets = buckets;
	durations->first = first;
	durations->nr_buckets = end - first;
	return 0;
}

static void count(struct durations *durations, uint64_t nr, uint64_t sum, uint64_t least,
		  uint64_t most)
{
	if (!durations->nr || least < durations->least)
		durations->least = least;
	if (most > durations->most)
		durations->most = most;
	durations->nr += nr;
	durations->sum += sum;
}

int durations_add(struct durations *durations, uint64_t ns)
{
	unsigned int bucket = bucket_of(ns);

	if (include(durations, bucket))
		return -ENOMEM;
	durations->buckets[bucket - durations->first]++;
	count(durations, 1, ns, ns, ns);
	return 0;
}

int durations_join(struct durations *to, const struct durations *from)
{
	if (!from->nr)
		return 0;
	if (include(to, from->first) || include(to, from->first + from->nr_buckets - 1))
		return -ENOMEM;
	for (unsigned int i = 0; i < from->nr_buckets; i++)
		to->buckets[from->first + i - to->first] += from->buckets[i];
	count(to, from->nr, from->sum, from->least, from->most);
	return 0;
}

void durations_free(struct durations *durations)
{
	free(durations->buckets);
	*durations = (struct durations){ .nr = 0 };
}

static uint64_t within(const struct durations *durations, uint64_t ns)
{
	if (ns < durations->least)
		return durations->least;
	return ns > durations->most ? durations->most : ns;
}

uint64_t durations_percentile(const struct durations *durations, double share)
{
	double wanted = share * (double)durations->nr;
	uint64_t seen = 0, begin;

	for (unsigned int i = 0; i < durations->nr_buckets && share < 1; i++) {
		seen += durations->buckets[i];
		if (!durations->buckets[i] || (double)seen < wanted)
			continue;
		begin = begin_of(durations->first + i);
		return within(durations, begin +
			      (end_of(durations->first + i) - begin) / 2);
	}
	return durations->most;
}

uint64_t durations_bucket(const struct durations *durations, size_t index, uint64_t *from,
			  uint64_t *to)
{
	if (index >= durations->nr_buckets)
		return 0;
	*from = begin_of(durations->first + index);
	*to = end_of(durations->first + index);
	return durations->buckets[index];
}
