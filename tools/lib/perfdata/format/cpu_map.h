/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of CPUs as encoded in CPU_MAP and EVENT_UPDATE records, read into one ascending
 * list of CPU numbers.
 */
#ifndef KERMON_PERFDATA_CPU_MAP_H
#define KERMON_PERFDATA_CPU_MAP_H

#include <sys/types.h>

#include "util/cursor.h"

/**
 * struct cpu_map - CPUs, ascending, each once
 * @cpus: @nr of them; -1: any CPU
 */
struct cpu_map {
	int32_t *cpus;
	size_t nr;
};

/*
 * Read a struct perf_record_cpu_map_data of perf. Return: 0; -EINVAL: it is too short
 * for its contents; -EOPNOTSUPP: unknown encoding; -ENOMEM.
 */
int cpu_map_read(struct cpu_map *map, struct cursor *c);
void cpu_map_free(struct cpu_map *map);

/* Index of a CPU in the map, or -1. */
ssize_t cpu_map_find(const struct cpu_map *map, int32_t cpu);

#endif /* KERMON_PERFDATA_CPU_MAP_H */
