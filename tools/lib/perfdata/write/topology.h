/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The topology of the machine as the contents of features: CPUs, memory nodes and caches.
 * Nothing is added to the blob of what the machine does not report.
 *
 * @root: precedes the names of all files: "", or a folder in tests.
 */
#ifndef KERMON_PERFDATA_TOPOLOGY_H
#define KERMON_PERFDATA_TOPOLOGY_H

#include "blob.h"

/* CPUs for which there are lines below: the highest one that is present, plus one. */
unsigned int topology_nr_cpus(const char *root);
/* CPUs that a sample may be from: the highest one that may ever be present, plus one. */
unsigned int topology_nr_possible(const char *root);

/* CPU_TOPOLOGY: which CPUs are in a package, die and core. */
void topology_cpus(const char *root, struct blob *blob);

/* NUMA_TOPOLOGY: memory and CPUs of each node. */
void topology_nodes(const char *root, struct blob *blob);

/* MEM_TOPOLOGY: which blocks of the physical memory are in each node. */
void topology_memory(const char *root, struct blob *blob);

/* CACHE: each cache, and the CPUs that share it. */
void topology_caches(const char *root, struct blob *blob);

#endif /* KERMON_PERFDATA_TOPOLOGY_H */
