// SPDX-License-Identifier: GPL-2.0
/*
 * Sorts samples and stays by their ends: a slice of time, or a row of rotated sets, is only
 * complete when its thread runs again, which other threads may have done several times before.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "roofline_private.h"

/* The end of an element, and its index. */
struct place_in {
	uint64_t end;
	size_t index;
};

static int compare(const void *a, const void *b)
{
	const struct place_in *left = a, *right = b;

	if (left->end == right->end)
		return (left->index > right->index) - (left->index < right->index);
	return left->end < right->end ? -1 : 1;
}

static bool is_sorted(const struct place_in *order, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		if (order[i].end < order[i - 1].end)
			return false;
	return true;
}

/* Put @nr elements of @array in this order. Return: 0 or -ENOMEM. */
static int apply(const struct place_in *order, size_t nr, void *array, size_t size)
{
	const char *from = array;
	char *sorted = malloc(nr * size);

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		memcpy(sorted + i * size, from + order[i].index * size, size);
	memcpy(array, sorted, nr * size);
	free(sorted);
	return 0;
}

/* The order of @nr elements, whose ends are at an offset. Return: NULL if out of memory. */
static struct place_in *order_of(const void *array, size_t nr, size_t size, size_t end)
{
	struct place_in *order = calloc(nr + 1, sizeof(*order));

	for (size_t i = 0; order && i < nr; i++) {
		memcpy(&order[i].end, (const char *)array + i * size + end, sizeof(order->end));
		order[i].index = i;
	}
	return order;
}

static int sort_samples(struct kermon_roofline *roofline)
{
	const size_t nr = roofline->nr_samples, size = sizeof(*roofline->samples);
	struct place_in *order = order_of(roofline->samples, nr, size,
					  offsetof(struct kermon_roofline_sample, end));
	int err = order ? 0 : -ENOMEM;

	if (!err && !is_sorted(order, nr)) {
		qsort(order, nr, sizeof(*order), compare);
		err = apply(order, nr, roofline->samples, size);
		if (!err)
			err = apply(order, nr, roofline->function_of,
				    sizeof(*roofline->function_of));
	}
	free(order);
	return err;
}

static int sort_stays(struct kermon_roofline *roofline)
{
	const size_t nr = roofline->nr_stays, size = sizeof(*roofline->stays);
	struct place_in *order = order_of(roofline->stays, nr, size,
					  offsetof(struct stay, shown.end));
	int err = order ? 0 : -ENOMEM;

	if (!err && !is_sorted(order, nr)) {
		qsort(order, nr, sizeof(*order), compare);
		err = apply(order, nr, roofline->stays, size);
	}
	free(order);
	return err;
}

int roofline_sort(struct kermon_roofline *roofline)
{
	const int err = sort_samples(roofline);

	return err ? err : sort_stays(roofline);
}
