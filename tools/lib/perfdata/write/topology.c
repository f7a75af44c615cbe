// SPDX-License-Identifier: GPL-2.0
/*
 * Read the topology of the machine from sysfs: CPUs, memory nodes and caches, as the
 * features CPU_TOPOLOGY, NUMA_TOPOLOGY, MEM_TOPOLOGY and CACHE.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "topology.h"
#include "util/sysfile.h"

#define CPUS	"/sys/devices/system/cpu"
#define NODES	"/sys/devices/system/node"
#define MEMORY	"/sys/devices/system/memory"

/* What perf writes for a CPU that is offline, and has no topology. */
#define UNKNOWN	UINT32_MAX

/* Of both features that have one. */
#define VERSION	1

/* The highest CPU in the list of this name, plus one. */
static unsigned int nr_cpus_of(const char *root, const char *name)
{
	char list[SYSFILE_LINE];
	size_t at;

	if (!sysfile_line(list, "%s" CPUS "/%s", root, name))
		return sysconf(_SC_NPROCESSORS_CONF);
	for (at = strlen(list); at; at--)
		if (!strchr("0123456789", list[at - 1]))
			break;
	return atoi(list + at) + 1;
}

unsigned int topology_nr_cpus(const char *root)
{
	return nr_cpus_of(root, "present");
}

unsigned int topology_nr_possible(const char *root)
{
	return nr_cpus_of(root, "possible");
}

/* Whether @cpu is the first one of a list: each list is added once. */
static bool is_first(const char *list, unsigned int cpu)
{
	char *end;

	return strtoul(list, &end, 10) == cpu && end != list;
}

/* A list for each package, die or core: the file @name, or @older in older kernels. */
static struct blob_list list_cpus(const char *root, const char *name,
				 const char *older)
{
	const unsigned int nr = topology_nr_cpus(root);
	struct blob_list lists = { 0 };
	char list[SYSFILE_LINE];

	for (unsigned int cpu = 0; cpu < nr; cpu++) {
		if (!sysfile_line(list, "%s" CPUS "/cpu%u/topology/%s", root,
				  cpu, name) &&
		    !(older && sysfile_line(list, "%s" CPUS "/cpu%u/topology/%s",
					    root, cpu, older)))
			continue;
		if (!is_first(list, cpu))
			continue;
		blob_string(&lists.data, list);
		lists.nr++;
	}
	return lists;
}

static void put_id(const char *root, unsigned int cpu, const char *name,
		   struct blob *blob)
{
	uint64_t id;

	blob_u32(blob, sysfile_number(&id, 10, "%s" CPUS "/cpu%u/topology/%s",
				      root, cpu, name) ? id : UNKNOWN);
}

void topology_cpus(const char *root, struct blob *blob)
{
	const unsigned int nr = topology_nr_cpus(root);
	struct blob_list packages = list_cpus(root, "package_cpus_list",
					     "core_siblings_list");
	struct blob_list cores = list_cpus(root, "core_cpus_list",
					  "thread_siblings_list");
	struct blob_list dies = list_cpus(root, "die_cpus_list", NULL);

	const bool has_dies = dies.nr;

	if (!packages.nr || !cores.nr) {
		free(packages.data.data);
		free(cores.data.data);
		free(dies.data.data);
		return;
	}
	blob_list(blob, &packages);
	blob_list(blob, &cores);
	for (unsigned int cpu = 0; cpu < nr; cpu++) {
		put_id(root, cpu, "core_id", blob);
		put_id(root, cpu, "physical_package_id", blob);
	}
	blob_list(blob, &dies);
	for (unsigned int cpu = 0; has_dies && cpu < nr; cpu++)
		put_id(root, cpu, "die_id", blob);
}

/* kB of "Node 0 MemTotal: 1234 kB"; 0 if there is no such line. */
static uint64_t read_memory(FILE *file, const char *name)
{
	char line[256], found[64];
	uint64_t size;

	rewind(file);
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "Node %*u %63[^:]: %" SCNu64, found, &size) == 2 &&
		    !strcmp(found, name))
			return size;
	return 0;
}

static void add_node(const char *root, unsigned int node, struct blob_list *nodes)
{
	char path[SYSFILE_LINE], cpus[SYSFILE_LINE];
	FILE *file;

	snprintf(path, sizeof(path), "%s" NODES "/node%u/meminfo", root, node);
	file = fopen(path, "re");
	if (!file)
		return;
	nodes->nr++;
	blob_u32(&nodes->data, node);
	blob_u64(&nodes->data, read_memory(file, "MemTotal"));
	blob_u64(&nodes->data, read_memory(file, "MemFree"));
	fclose(file);
	/* Empty for a node that has only memory. */
	sysfile_line(cpus, "%s" NODES "/node%u/cpulist", root, node);
	blob_string(&nodes->data, cpus);
}

static int find_nodes(const char *root, struct dirent ***entries)
{
	char path[SYSFILE_LINE];

	snprintf(path, sizeof(path), "%s" NODES, root);
	return sysfile_numbered(entries, path, "node");
}

void topology_nodes(const char *root, struct blob *blob)
{
	struct blob_list nodes = { 0 };
	struct dirent **entries;
	int nr = find_nodes(root, &entries);

	for (int i = 0; i < nr; i++)
		add_node(root, sysfile_number_of(entries[i], "node"), &nodes);
	sysfile_free(entries, nr);
	blob_list(blob, &nodes);
}

/* One bit for each block, set if it is among @entries. */
static void put_bitmap(struct dirent **entries, int nr, struct blob *blob)
{
	const uint64_t bits = nr ? sysfile_number_of(entries[nr - 1], "memory") +
				   1ULL : 1;
	unsigned int block;
	uint64_t word;
	int next = 0;

	blob_u64(blob, bits);		/* of the node, and of its bitmap */
	blob_u64(blob, bits);
	for (uint64_t first = 0; first < bits && !blob->failed; first += 64) {
		for (word = 0; next < nr; next++) {
			block = sysfile_number_of(entries[next], "memory");
			if (block >= first + 64)
				break;
			word |= 1ULL << block % 64;
		}
		blob_u64(blob, word);
	}
}

static void add_blocks(const char *root, unsigned int node,
		       struct blob_list *nodes)
{
	char path[SYSFILE_LINE];
	struct dirent **entries;
	int nr;

	snprintf(path, sizeof(path), "%s" NODES "/node%u", root, node);
	nr = sysfile_numbered(&entries, path, "memory");
	nodes->nr++;
	blob_u64(&nodes->data, node);
	put_bitmap(entries, nr, &nodes->data);
	sysfile_free(entries, nr);
}

void topology_memory(const char *root, struct blob *blob)
{
	struct blob_list nodes = { 0 };
	struct dirent **entries;
	uint64_t block_size;
	int nr;

	if (!sysfile_number(&block_size, 16, "%s" MEMORY "/block_size_bytes",
			    root))
		return;
	nr = find_nodes(root, &entries);
	for (int i = 0; i < nr; i++)
		add_blocks(root, sysfile_number_of(entries[i], "node"), &nodes);
	sysfile_free(entries, nr);
	if (!nodes.nr)
		return;
	blob_u64(blob, VERSION);
	blob_u64(blob, block_size);
	blob_u64(blob, nodes.nr);
	blob_put(blob, nodes.data.data, nodes.data.size);
	blob->failed |= nodes.data.failed;
	free(nodes.data.data);
}

/* Return: whether the CPU has a cache of this index. */
static bool add_cache(const char *root, unsigned int cpu, unsigned int index,
		      struct blob_list *caches)
{
	static const char *const numbers[] = {
		"level", "coherency_line_size", "number_of_sets",
		"ways_of_associativity",
	};
	static const char *const texts[] = { "type", "size", "shared_cpu_list" };
	char text[3][SYSFILE_LINE];
	uint64_t number[4];
	char path[SYSFILE_LINE / 2];

	snprintf(path, sizeof(path), "%s" CPUS "/cpu%u/cache/index%u", root, cpu,
		 index);
	if (access(path, F_OK))
		return false;
	for (int i = 0; i < 4; i++)
		if (!sysfile_number(&number[i], 10, "%s/%s", path, numbers[i]))
			return true;
	for (int i = 0; i < 3; i++)
		if (!sysfile_line(text[i], "%s/%s", path, texts[i]))
			return true;
	if (!is_first(text[2], cpu))
		return true;
	caches->nr++;
	for (int i = 0; i < 4; i++)
		blob_u32(&caches->data, number[i]);
	for (int i = 0; i < 3; i++)
		blob_string(&caches->data, text[i]);
	return true;
}

/* By index, which orders them by level. */
void topology_caches(const char *root, struct blob *blob)
{
	const unsigned int nr = topology_nr_cpus(root);
	struct blob_list caches = { 0 };
	bool is_there = true;

	for (unsigned int index = 0; is_there; index++) {
		is_there = false;
		for (unsigned int cpu = 0; cpu < nr; cpu++)
			is_there |= add_cache(root, cpu, index, &caches);
	}
	if (!caches.nr)
		return;
	blob_u32(blob, VERSION);
	blob_list(blob, &caches);
}
