/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to placement.c: the CPUs that this process may use, in the order in which they
 * get threads, and their caches.
 */
#ifndef KERMON_PLACEMENT_H
#define KERMON_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPULIST_SIZE	256

enum level {
	LEVEL_L1,
	LEVEL_L2,
	LEVEL_L3,
	LEVEL_DRAM,
	NR_LEVELS,
};

#define NR_CACHES	LEVEL_DRAM

/**
 * struct place - a CPU
 * @cpu: its number
 * @core: index of its core
 * @sibling: 0: the first CPU of that core that may be used, 1: the second one
 * @node: index of its NUMA node
 * @cache: index of its cache, by level
 */
struct place {
	unsigned int cpu;
	unsigned int core;
	unsigned int sibling;
	unsigned int node;
	unsigned int cache[NR_CACHES];
};

/**
 * struct placement - CPUs and caches
 * @places: the CPUs: each core of the first NUMA node, of the other nodes, then second
 *	hardware threads, and so on
 * @nr: number of CPUs
 * @nr_cores: number of cores, of the first CPUs
 * @nr_local: number of cores of the first NUMA node
 * @cache: sizes of the first CPU's caches, as the kernel reports them; 0: there is none
 */
struct placement {
	struct place *places;
	unsigned int nr;
	unsigned int nr_cores;
	unsigned int nr_local;
	uint64_t cache[NR_CACHES];
};

/* Ask the kernel. Return: 0 or -errno. */
int placement_find(struct placement *placement);
void placement_free(struct placement *placement);

/* What @threads threads are in a file of ceilings: "one", "numa", "cores", "threads". */
const char *placement_name(const struct placement *placement, unsigned int threads);

/* Most threads of the first @threads that share a cache; how many caches these have. */
unsigned int placement_sharing(const struct placement *placement, unsigned int threads,
			       enum level level);
unsigned int placement_caches(const struct placement *placement, unsigned int threads,
			      enum level level);

/* The CPUs of @threads threads: "0,2,4". A list that is too long ends with "...". */
void placement_list(const struct placement *placement, unsigned int threads,
		    char text[CPULIST_SIZE]);

#endif /* KERMON_PLACEMENT_H */
