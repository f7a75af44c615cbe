/* SPDX-License-Identifier: GPL-2.0 */
/* Elements put into groups: those of a group stand together, in their order. */
#ifndef KERMON_GROUPS_H
#define KERMON_GROUPS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct groups - numbers of elements, by group
 * @begin: of group g in @elements; its end is @begin of the next one
 */
struct groups {
	size_t *begin;
	uint32_t *elements;
};

/*
 * Groups @nr elements into @nr_groups, by what @group_of says of each. 0 or
 * -ENOMEM; to be freed in both cases.
 */
int groups_make(struct groups *groups, size_t nr, size_t nr_groups,
		uint32_t (*group_of)(const void *context, size_t element),
		const void *context);
void groups_free(struct groups *groups);

#endif /* KERMON_GROUPS_H */
