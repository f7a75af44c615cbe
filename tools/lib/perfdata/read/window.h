/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A stream of bytes that arrives in pieces, from which whole records are taken:
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
 * @swapped: records are in the other byte order; only headers are converted
 * @chunk: number of the chunk that is being filled; 0: none yet
 * @begin: offset in it of the bytes not consumed yet
 * @end: offset in it of the end of the data
 * @skip: number of bytes to skip that have not arrived yet
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
 * Where to put the next @room bytes; there is room for at least a record if
 * window_record() found none. Return: NULL if out of memory.
 */
unsigned char *window_room(struct window *window, size_t *room);
/*
 * Make sure that there is room for the next @size bytes in one piece, if a chunk is large
 * enough. Return: 0 or -ENOMEM.
 */
int window_reserve(struct window *window, uint64_t size);
/* Add @size bytes that were put there. */
void window_fill(struct window *window, size_t size);

/**
 * window_record - take the next record
 * @window: to take it from
 * @record: filled in except for its offset
 *
 * Return: 1; 0 if its end has not arrived yet; -EINVAL if no record can begin here.
 */
int window_record(struct window *window, struct record *record);

/* Whether window_record() would not return 0. */
bool window_has_record(const struct window *window);

/* Skip the next bytes, which need not have arrived. */
void window_skip(struct window *window, uint64_t size);

/* Number of bytes that have arrived and were not consumed. */
static inline size_t window_left(const struct window *window)
{
	return window->end - window->begin;
}

static inline const unsigned char *window_bytes(const struct window *window)
{
	return chunks_bytes(window->chunks, window->chunk) + window->begin;
}

/* Drop these bytes. */
static inline void window_drop(struct window *window)
{
	window->begin = window->end;
}

#endif /* KERMON_PERFDATA_WINDOW_H */
