/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to groups.c: elements sorted by group, in their order within a group.
 */
#ifndef KERMON_GROUPS_H
#define KERMON_GROUPS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct groups - indices of elements, by group
 * @begin: by group, its first position in @elements; its end is that of the next group
 * @elements: indices, sorted by group
 */
struct groups {
	size_t *begin;
	uint32_t *elements;
};

/*
 * Sort elements 0 to @nr - 1 into @nr_groups groups, by the group that @group_of returns.
 * Returns 0 or -ENOMEM. Call groups_free() in both cases.
 */
int groups_make(struct groups *groups, size_t nr, size_t nr_groups,
		uint32_t (*group_of)(const void *context, size_t element),
		const void *context);
void groups_free(struct groups *groups);

#endif /* KERMON_GROUPS_H */
