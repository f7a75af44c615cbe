/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A made-up machine as sysfs describes it, with what no machine of the tests has: two
 * kinds of cores, a CPU that is offline, nodes without CPUs or memory, PMUs with
 * capabilities.
 */
#ifndef TESTS_UNIT_MADE_MACHINE_H
#define TESTS_UNIT_MADE_MACHINE_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MADE_CPU(cpu, core, thread_list, die, die_list)				\
	{ CPU_DIR #cpu "/topology/core_id", #core },				\
	{ CPU_DIR #cpu "/topology/physical_package_id", "0" },			\
	{ CPU_DIR #cpu "/topology/die_id", #die },				\
	{ CPU_DIR #cpu "/topology/package_cpus_list", "0-4" },			\
	{ CPU_DIR #cpu "/topology/core_cpus_list", thread_list },		\
	{ CPU_DIR #cpu "/topology/die_cpus_list", die_list }

#define MADE_CACHE(cpu, index, level_, type_, size_, ways_, list)		\
	{ CPU_DIR #cpu "/cache/index" #index "/level", #level_ },		\
	{ CPU_DIR #cpu "/cache/index" #index "/type", type_ },			\
	{ CPU_DIR #cpu "/cache/index" #index "/size", size_ },			\
	{ CPU_DIR #cpu "/cache/index" #index "/coherency_line_size", "64" },	\
	{ CPU_DIR #cpu "/cache/index" #index "/number_of_sets", "128" },	\
	{ CPU_DIR #cpu "/cache/index" #index "/ways_of_associativity", ways_ },	\
	{ CPU_DIR #cpu "/cache/index" #index "/shared_cpu_list", list }

#define CPU_DIR		"devices/system/cpu/cpu"
#define NODE_DIR	"devices/system/node/node"
#define PMU_DIR		"bus/event_source/devices/"

/* CPUs 0 to 3 are two large cores, CPU 4 is a small one, CPU 5 is offline. */
static const struct { const char *name, *text; } made_files[] = {
	{ "devices/system/cpu/present", "0-5" },
	MADE_CPU(0, 0, "0-1", 0, "0-3"),
	MADE_CPU(1, 0, "0-1", 0, "0-3"),
	MADE_CPU(2, 8, "2-3", 0, "0-3"),
	MADE_CPU(3, 8, "2-3", 0, "0-3"),
	MADE_CPU(4, 9, "4", 1, "4"),
	{ CPU_DIR "5/online", "0" },
	MADE_CACHE(0, 0, 1, "Data", "48K", "12", "0-1"),
	MADE_CACHE(1, 0, 1, "Data", "48K", "12", "0-1"),
	MADE_CACHE(2, 0, 1, "Data", "48K", "12", "2-3"),
	MADE_CACHE(3, 0, 1, "Data", "48K", "12", "2-3"),
	MADE_CACHE(4, 0, 1, "Data", "32K", "8", "4"),
	/* Not all of a cache is known: it is left out. */
	MADE_CACHE(4, 1, 1, "Instruction", "64K", "", "4"),
	MADE_CACHE(0, 2, 2, "Unified", "2M", "16", "0-4"),
	{ NODE_DIR "0/meminfo", "Node 0 MemTotal:  2048 kB\nNode 0 MemFree: 1000 kB\n" },
	{ NODE_DIR "0/cpulist", "0-4" },
	{ NODE_DIR "0/memory0/state", "online" },
	{ NODE_DIR "0/memory63/state", "online" },
	/* Memory alone; beyond node 2 by number, not by name. */
	{ NODE_DIR "10/meminfo", "Node 10 MemTotal: 4096 kB\nNode 10 MemFree: 3000 kB\n" },
	{ NODE_DIR "10/cpulist", "" },
	{ NODE_DIR "10/memory64/state", "online" },
	{ NODE_DIR "10/memory127/state", "online" },
	{ NODE_DIR "10/memory_side_cache/size", "1" },
	/* Neither. */
	{ NODE_DIR "2/meminfo", "Node 2 MemTotal: 0 kB\nNode 2 MemFree: 0 kB\n" },
	{ NODE_DIR "2/cpulist", "" },
	{ "devices/system/memory/block_size_bytes", "8000000" },
	{ PMU_DIR "cpu/caps/max_precise", "3" },
	{ PMU_DIR "cpu/caps/branches", "32" },
	{ PMU_DIR "cpu_core/cpus", "0-3" },
	{ PMU_DIR "cpu_core/caps/pmu_name", "alderlake_hybrid" },
	{ PMU_DIR "cpu_atom/cpus", "4" },
	{ PMU_DIR "cpu_atom/caps/pmu_name", "alderlake_hybrid" },
	/* Not a PMU of cores; sorted before them. */
	{ PMU_DIR "arch_ibs/caps/zen4_ibs_extensions", "1" },
	{ PMU_DIR "software/type", "1" },
};

/* Create the file and all folders above it. Return: 0 or -1. */
static inline int made_file(const char *root, const char *name, const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/sys/%s", root, name);
	for (char *at = path + 1; (at = strchr(at, '/')); *at++ = '/') {
		*at = '\0';
		if (mkdir(path, 0700) && errno != EEXIST)
			return -1;
	}
	file = fopen(path, "w");
	if (!file)
		return -1;
	fprintf(file, "%s%s", text, *text ? "\n" : "");
	return fclose(file);
}

/* Create a folder from a name for mkdtemp(3). Return: 0 or -1. */
static inline int made_machine(char *root)
{
	int err = mkdtemp(root) ? 0 : -1;

	for (size_t i = 0; i < sizeof(made_files) / sizeof(made_files[0]) && !err; i++)
		err = made_file(root, made_files[i].name, made_files[i].text);
	return err;
}

static inline void made_machine_end(const char *root)
{
	char command[256];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	if (system(command))
		perror(root);
}

#endif /* TESTS_UNIT_MADE_MACHINE_H */
