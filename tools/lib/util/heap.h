/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A heap of numbers ordered by time: the oldest comes first, and the lowest number
 * among those of equal time.
 */
#ifndef KERMON_PERFDATA_HEAP_H
#define KERMON_PERFDATA_HEAP_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct heap - zero it before use
 * @items: @nr of them, with room for @room; the first one is the oldest
 */
struct heap {
	struct heap_item {
		uint64_t time;
		size_t number;
	} *items;
	size_t nr;
	size_t room;
};

/* Return: 0, or -ENOMEM and the heap is unchanged. */
int heap_add(struct heap *heap, uint64_t time, size_t number);

/* Change the time of the first item, or remove it. The heap must not be empty. */
void heap_move_first(struct heap *heap, uint64_t time);
void heap_remove_first(struct heap *heap);

void heap_free(struct heap *heap);

#endif /* KERMON_PERFDATA_HEAP_H */
