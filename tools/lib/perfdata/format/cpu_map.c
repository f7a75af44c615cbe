// SPDX-License-Identifier: GPL-2.0
/*
 * Read sets of CPUs as encoded in CPU_MAP and EVENT_UPDATE records, a list, a mask or a
 * range, into one ascending list of CPU numbers.
 */
#include <errno.h>
#include <stdlib.h>

#include "cpu_map.h"
#include "layout.h"

/* Make room for @nr more CPUs, so that they can be added without checks. */
static int make_room(struct cpu_map *map, size_t nr)
{
	map->cpus = nr ? malloc(nr * sizeof(*map->cpus)) : NULL;
	return nr && !map->cpus ? -ENOMEM : 0;
}

static void put(struct cpu_map *map, int32_t cpu)
{
	map->cpus[map->nr++] = cpu;
}

/* u16 nr, then nr times u16 */
static int read_list(struct cpu_map *map, struct cursor *c)
{
	uint16_t nr = cursor_u16(c), cpu;

	if (cursor_left(c) < nr * sizeof(cpu))
		return -EINVAL;
	if (make_room(map, nr))
		return -ENOMEM;
	while (nr--) {
		cpu = cursor_u16(c);
		put(map, cpu == UINT16_MAX ? -1 : cpu);
	}
	return 0;
}

/* A bit for each CPU: u16 nr, u16 bytes per word, padding if that is 8, then nr words. */
static int read_mask(struct cpu_map *map, struct cursor *c)
{
	uint16_t nr = cursor_u16(c);
	uint16_t size = cursor_u16(c);
	uint64_t word, first = 0;

	if (size == sizeof(uint64_t))
		cursor_take(c, 4);
	if ((size != sizeof(uint64_t) && size != sizeof(uint32_t)) ||
	    cursor_left(c) < (size_t)nr * size)
		return -EINVAL;
	if (make_room(map, 8UL * nr * size))
		return -ENOMEM;
	for (; nr--; first += 8 * size) {
		word = size == sizeof(word) ? cursor_u64(c) : cursor_u32(c);
		for (; word; word &= word - 1)
			put(map, first + __builtin_ctzll(word));
	}
	return 0;
}

/* u8 any, u8 padding, u16 first, u16 last */
static int read_range(struct cpu_map *map, struct cursor *c)
{
	const unsigned char *any = cursor_take(c, 2);
	int32_t first = cursor_u16(c);
	int32_t last = cursor_u16(c);

	if (c->failed || first > last)
		return -EINVAL;
	if (make_room(map, last - first + 2))
		return -ENOMEM;
	if (any[0])
		put(map, -1);
	while (first <= last)
		put(map, first++);
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const int32_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

static void sort(struct cpu_map *map)
{
	size_t nr = 0;

	qsort(map->cpus, map->nr, sizeof(*map->cpus), by_number);
	for (size_t i = 0; i < map->nr; i++)
		if (!i || map->cpus[i] != map->cpus[i - 1])
			map->cpus[nr++] = map->cpus[i];
	map->nr = nr;
}

int cpu_map_read(struct cpu_map *map, struct cursor *c)
{
	uint16_t type = cursor_u16(c);
	int err = -EOPNOTSUPP;

	*map = (struct cpu_map){ 0 };
	switch (type) {
	case PERFDATA_CPUS_LIST:
		err = read_list(map, c);
		break;
	case PERFDATA_CPUS_MASK:
		err = read_mask(map, c);
		break;
	case PERFDATA_CPUS_RANGE:
		err = read_range(map, c);
		break;
	}
	if (c->failed)
		err = -EINVAL;
	if (err || !map->nr)
		cpu_map_free(map);
	else
		sort(map);
	return err;
}

void cpu_map_free(struct cpu_map *map)
{
	free(map->cpus);
	*map = (struct cpu_map){ 0 };
}

ssize_t cpu_map_find(const struct cpu_map *map, int32_t cpu)
{
	const int32_t *found = map->nr ? bsearch(&cpu, map->cpus, map->nr,
						 sizeof(cpu), by_number) : NULL;

	return found ? found - map->cpus : -1;
}
