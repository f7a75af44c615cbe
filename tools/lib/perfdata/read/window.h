/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A stream of bytes that comes piece by piece, of which whole records are taken:
 *
 *	while (!(found = window_record(window, &record)))
 *		window_fill(window, read(fd, window_room(window, &room), room));
 *
 * The bytes are in chunks; each record is a user of the chunk that it is in.
 */
#ifndef KERMON_PERFDATA_WINDOW_H
#define KERMON_PERFDATA_WINDOW_H

#include <stdbool.h>

#include "chunks.h"
#include "perfdata/format/format.h"

/**
 * struct window - zero all but @chunks and @swapped before use
 * @swapped: records are of the other byte order; their headers are turned
 * @chunk: number of the one that is being filled; 0: none so far
 * @begin: in it, of what has not been taken
 * @end: in it, of what has come
 * @skip: bytes still to come that nobody wants
 */
struct window {
	struct chunks *chunks;
	bool swapped;
	uint32_t chunk;
	size_t begin;
	size_t end;
	uint64_t skip;
};

void window_close(struct window *window);

/*
 * Where the next @room bytes are to be put; there is room for a record at least,
 * if window_record() found none. NULL: no memory.
 */
unsigned char *window_room(struct window *window, size_t *room);
/* They are there, @size of them. */
void window_fill(struct window *window, size_t size);

/**
 * window_record - take the next record
 * @record: filled but for its offset
 *
 * Return: 1; 0 if its end has not come yet; -EINVAL if none can begin here.
 */
int window_record(struct window *window, struct record *record);

/* Passes over what comes next; it need not have come. */
void window_skip(struct window *window, uint64_t size);

/* Bytes that have come and were not taken. */
static inline size_t window_left(const struct window *window)
{
	return window->end - window->begin;
}

static inline const unsigned char *window_bytes(const struct window *window)
{
	return chunks_bytes(window->chunks, window->chunk) + window->begin;
}

/* Drops them. */
static inline void window_drop(struct window *window)
{
	window->begin = window->end;
}

#endif /* KERMON_PERFDATA_WINDOW_H */
