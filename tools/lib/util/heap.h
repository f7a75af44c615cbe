/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A heap of numbers that each wait for a time: the oldest comes first, of the same
 * time the lowest number.
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

/* 0 or -ENOMEM, and then nothing has changed. */
int heap_add(struct heap *heap, uint64_t time, size_t number);

/* The first one waits for @time now; or it is gone. There has to be one. */
void heap_move_first(struct heap *heap, uint64_t time);
void heap_remove_first(struct heap *heap);

void heap_free(struct heap *heap);

#endif /* KERMON_PERFDATA_HEAP_H */
