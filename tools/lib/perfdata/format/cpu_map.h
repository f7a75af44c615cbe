/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of CPUs as CPU_MAP and EVENT_UPDATE records encode them, read into one ascending
 * list of CPU numbers whatever the encoding.
 */
#ifndef KERMON_PERFDATA_CPU_MAP_H
#define KERMON_PERFDATA_CPU_MAP_H

#include <sys/types.h>

#include "util/cursor.h"

/**
 * struct cpu_map - CPUs, ascending, each once
 * @cpus: @nr of them; -1: whichever a task is on
 */
struct cpu_map {
	int32_t *cpus;
	size_t nr;
};

/*
 * From a struct perf_record_cpu_map_data of perf. 0; -EINVAL: it is too short for what it
 * says; -EOPNOTSUPP: nobody has heard of the encoding; -ENOMEM.
 */
int cpu_map_read(struct cpu_map *map, struct cursor *c);
void cpu_map_free(struct cpu_map *map);

/* Place of a CPU in the map, or -1. */
ssize_t cpu_map_find(const struct cpu_map *map, int32_t cpu);

#endif /* KERMON_PERFDATA_CPU_MAP_H */
