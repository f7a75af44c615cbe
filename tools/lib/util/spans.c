// SPDX-License-Identifier: GPL-2.0
/* Sorted ranges of addresses, searched by address. */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "bisect.h"
#include "spans.h"

/* How far a search goes back to find an enclosing span. */
#define NESTING_MAX	16

int spans_add(struct spans *spans, uint64_t start, uint64_t end, uint64_t what)
{
	if (start >= end)
		return 0;
	if (array_room(spans->all, spans->room, spans->nr + 1))
		return -ENOMEM;
	spans->all[spans->nr++] = (struct span){ start, end, what };
	return 0;
}

static int compare_spans(const void *a, const void *b)
{
	const struct span *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	/* the inner span sorts last so that the search finds it first */
	return left->end > right->end ? -1 : left->end < right->end;
}

void spans_sort(struct spans *spans)
{
	if (spans->nr)
		qsort(spans->all, spans->nr, sizeof(*spans->all),
		      compare_spans);
}

const struct span *spans_find(const struct spans *spans, uint64_t address)
{
	size_t at = count_while(spans->nr, i, spans->all[i].start <= address);

	for (size_t i = 0; i < NESTING_MAX && at; i++)
		if (address < spans->all[--at].end)
			return &spans->all[at];
	return NULL;
}

void spans_free(struct spans *spans)
{
	free(spans->all);
	*spans = (struct spans){ .nr = 0 };
}
