// SPDX-License-Identifier: GPL-2.0
/* Which CPUs this process may use, and how they are related (by hwloc). */
#define _GNU_SOURCE
#include <errno.h>
#include <hwloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "placement.h"
#include "util/cpulist.h"

/* The CPUs of sched_getaffinity(2), of machines of any size. */
static cpu_set_t *allowed_cpus(size_t *size)
{
	cpu_set_t *set = CPU_ALLOC(CPULIST_MOST);

	*size = CPU_ALLOC_SIZE(CPULIST_MOST);
	if (set && sched_getaffinity(0, *size, set)) {
		CPU_FREE(set);
		set = NULL;
	}
	return set;
}

/*
 * Index of the object of @type that @unit is in; @otherwise if the kernel does not report
 * them, as in some containers and virtual machines.
 */
static unsigned int index_of(hwloc_topology_t topology, hwloc_obj_t unit,
			     hwloc_obj_type_t type, unsigned int otherwise)
{
	hwloc_obj_t found;

	if (type == HWLOC_OBJ_NUMANODE) {
		found = hwloc_get_obj_by_type(topology, type, 0);
		for (; found; found = found->next_cousin)
			if (hwloc_bitmap_isset(found->cpuset, unit->os_index))
				return found->logical_index;
		return otherwise;
	}
	found = hwloc_get_ancestor_obj_by_type(topology, type, unit);
	return found ? found->logical_index : otherwise;
}

static const hwloc_obj_type_t cache_types[NR_CACHES] = {
	[LEVEL_L1] = HWLOC_OBJ_L1CACHE,
	[LEVEL_L2] = HWLOC_OBJ_L2CACHE,
	[LEVEL_L3] = HWLOC_OBJ_L3CACHE,
};

static void find_caches(struct placement *placement, hwloc_topology_t topology,
			hwloc_obj_t unit)
{
	hwloc_obj_t cache;

	for (int level = 0; unit && level < NR_CACHES; level++) {
		cache = hwloc_get_ancestor_obj_by_type(topology, cache_types[level], unit);
		placement->cache[level] = cache ? cache->attr->cache.size : 0;
	}
}

static int by_order(const void *one, const void *other)
{
	const struct place *a = one, *b = other;

	if (a->sibling != b->sibling)
		return a->sibling < b->sibling ? -1 : 1;
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

/* Number of CPUs of the same core that were added before. */
static unsigned int siblings_of(const struct placement *placement, unsigned int core)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < placement->nr; i++)
		nr += placement->places[i].core == core;
	return nr;
}

static void add_cpu(struct placement *placement, hwloc_topology_t topology,
		    unsigned int cpu)
{
	hwloc_obj_t unit = hwloc_get_pu_obj_by_os_index(topology, cpu);
	struct place place = { .cpu = cpu, .core = cpu };

	if (unit) {
		place.core = index_of(topology, unit, HWLOC_OBJ_CORE, cpu);
		place.node = index_of(topology, unit, HWLOC_OBJ_NUMANODE, 0);
		for (int level = 0; level < NR_CACHES; level++)
			place.cache[level] = index_of(topology, unit, cache_types[level],
						      place.core);
	}
	place.sibling = siblings_of(placement, place.core);
	placement->places[placement->nr++] = place;
}

static void count_cores(struct placement *placement)
{
	const struct place *place = placement->places;

	for (; place < placement->places + placement->nr && !place->sibling; place++) {
		placement->nr_cores++;
		placement->nr_local += place->node == placement->places->node;
	}
}

static int find_places(struct placement *placement, hwloc_topology_t topology)
{
	cpu_set_t *set;
	size_t size;

	set = allowed_cpus(&size);
	if (!set)
		return -errno;
	placement->places = calloc(CPU_COUNT_S(size, set), sizeof(*placement->places));
	for (unsigned int cpu = 0; placement->places && cpu < CPULIST_MOST; cpu++)
		if (CPU_ISSET_S(cpu, size, set))
			add_cpu(placement, topology, cpu);
	CPU_FREE(set);
	if (!placement->places)
		return -ENOMEM;
	qsort(placement->places, placement->nr, sizeof(*placement->places), by_order);
	count_cores(placement);
	find_caches(placement, topology,
		    hwloc_get_pu_obj_by_os_index(topology, placement->places->cpu));
	return 0;
}

int placement_find(struct placement *placement)
{
	hwloc_topology_t topology;
	int err;

	*placement = (struct placement){ 0 };
	if (hwloc_topology_init(&topology))
		return -ENOMEM;
	err = hwloc_topology_load(topology) ? -errno : find_places(placement, topology);
	hwloc_topology_destroy(topology);
	return err;
}

void placement_free(struct placement *placement)
{
	free(placement->places);
}

const char *placement_name(const struct placement *placement, unsigned int threads)
{
	if (threads == 1)
		return "one";
	if (threads > placement->nr_cores)
		return "threads";
	return threads <= placement->nr_local && placement->nr_local < placement->nr_cores ?
	       "numa" : "cores";
}

/* Number of threads before and including @index that share its cache. */
static unsigned int sharing_at(const struct placement *placement, unsigned int index,
			       enum level level)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i <= index; i++)
		nr += placement->places[i].cache[level] ==
		      placement->places[index].cache[level];
	return nr;
}

unsigned int placement_sharing(const struct placement *placement, unsigned int threads,
			       enum level level)
{
	unsigned int most = 1, nr;

	for (unsigned int i = 0; i < threads; i++) {
		nr = sharing_at(placement, i, level);
		most = nr > most ? nr : most;
	}
	return most;
}

unsigned int placement_caches(const struct placement *placement, unsigned int threads,
			      enum level level)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < threads; i++)
		nr += sharing_at(placement, i, level) == 1;
	return nr;
}

static int by_number(const void *one, const void *other)
{
	const unsigned int a = *(const unsigned int *)one, b = *(const unsigned int *)other;

	return a < b ? -1 : a > b;
}

/* The end of the range that begins at cpus[i]. */
static unsigned int range_end(const unsigned int *cpus, unsigned int nr, unsigned int i)
{
	while (i + 1 < nr && cpus[i + 1] == cpus[i] + 1)
		i++;
	return i;
}

void placement_list(const struct placement *placement, unsigned int threads,
		    char text[CPULIST_SIZE])
{
	unsigned int *cpus = calloc(threads, sizeof(*cpus)), last;
	int length = 0;

	*text = '\0';
	for (unsigned int i = 0; cpus && i < threads; i++)
		cpus[i] = placement->places[i].cpu;
	if (cpus)
		qsort(cpus, threads, sizeof(*cpus), by_number);
	for (unsigned int i = 0; cpus && i < threads; i = last + 1) {
		last = range_end(cpus, threads, i);
		if (length > CPULIST_SIZE - 32) {
			snprintf(text + length, CPULIST_SIZE - length, ",...");
			break;
		}
		length += snprintf(text + length, CPULIST_SIZE - length,
				   last > i ? "%s%u-%u" : "%s%u", i ? "," : "", cpus[i],
				   cpus[last]);
	}
	free(cpus);
}
