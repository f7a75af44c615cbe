// SPDX-License-Identifier: GPL-2.0
/* A binary heap of numbers ordered by time. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "array.h"
#include "heap.h"

static bool before(const struct heap_item *a, const struct heap_item *b)
{
	return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static void exchange(struct heap_item *a, struct heap_item *b)
{
	struct heap_item item = *a;

	*a = *b;
	*b = item;
}

static void sift_up(struct heap_item *items, size_t at)
{
	size_t parent;

	for (; at; at = parent) {
		parent = (at - 1) / 2;
		if (!before(&items[at], &items[parent]))
			return;
		exchange(&items[at], &items[parent]);
	}
}

static void sift_down(struct heap *heap)
{
	struct heap_item *items = heap->items;
	size_t at = 0, child;

	while ((child = 2 * at + 1) < heap->nr) {
		if (child + 1 < heap->nr &&
		    before(&items[child + 1], &items[child]))
			child++;
		if (!before(&items[child], &items[at]))
			return;
		exchange(&items[at], &items[child]);
		at = child;
	}
}

int heap_add(struct heap *heap, uint64_t time, size_t number)
{
	if (array_room(heap->items, heap->room, heap->nr + 1))
		return -ENOMEM;
	heap->items[heap->nr] = (struct heap_item){ time, number };
	sift_up(heap->items, heap->nr++);
	return 0;
}

void heap_move_first(struct heap *heap, uint64_t time)
{
	heap->items[0].time = time;
	sift_down(heap);
}

void heap_remove_first(struct heap *heap)
{
	heap->items[0] = heap->items[--heap->nr];
	sift_down(heap);
}

void heap_free(struct heap *heap)
{
	free(heap->items);
	*heap = (struct heap){};
}
