// SPDX-License-Identifier: GPL-2.0
/*
 * Sorts elements by group with a stable counting sort.
 */
#include <errno.h>
#include <stdlib.h>

#include "groups.h"

int groups_make(struct groups *groups, size_t nr, size_t nr_groups,
		uint32_t (*group_of)(const void *context, size_t element),
		const void *context)
{
	/* begin[g + 2] counts group g; then begin[g + 1] is the position of its next element */
	groups->begin = calloc(nr_groups + 2, sizeof(*groups->begin));
	groups->elements = calloc(nr + 1, sizeof(*groups->elements));
	if (!groups->begin || !groups->elements)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		groups->begin[group_of(context, i) + 2]++;
	for (size_t g = 2; g < nr_groups + 2; g++)
		groups->begin[g] += groups->begin[g - 1];
	for (size_t i = 0; i < nr; i++)
		groups->elements[groups->begin[group_of(context, i) + 1]++] = i;
	return 0;
}

void groups_free(struct groups *groups)
{
	free(groups->begin);
	free(groups->elements);
}
