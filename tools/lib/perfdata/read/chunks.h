/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory for records that are not in the file as they are: those that came
 * through a pipe, were compressed, or are of the other byte order.
 *
 * It comes in chunks. A chunk lives as long as somebody uses it: the window
 * that fills it, and every record in it that was given out. What is more than
 * CHUNKS_IN_MEMORY is kept in a temporary file, so that memory is bounded even
 * if no record can be let go before the last one is read.
 */
#ifndef KERMON_PERFDATA_CHUNKS_H
#define KERMON_PERFDATA_CHUNKS_H

#include <stddef.h>
#include <stdint.h>

#define CHUNK_SIZE	(1UL << 20)
#define CHUNKS_IN_MEMORY	64

/**
 * struct chunk - CHUNK_SIZE bytes
 * @bytes: NULL: not in use
 * @users: the window that fills it, and records
 * @spilled: is a part of the temporary file, not of memory
 * @next: of those that are not in use, plus one
 */
struct chunk {
	unsigned char *bytes;
	size_t users;
	int spilled;
	uint32_t next;
};

/**
 * struct chunks - all of them; zero it before use
 * @all: @nr of them
 * @unused: first one that is not in use, plus one
 * @in_memory: how many are no part of the file
 * @file: descriptor of the temporary file, plus one
 */
struct chunks {
	struct chunk *all;
	size_t nr;
	uint32_t unused;
	size_t in_memory;
	int file;
};

void chunks_free(struct chunks *chunks);

/*
 * A chunk with one user: its number, from 1 on, or 0 if there is no memory. What
 * is in other chunks does not move.
 */
uint32_t chunks_new(struct chunks *chunks);

static inline unsigned char *chunks_bytes(const struct chunks *chunks,
					  uint32_t number)
{
	return chunks->all[number - 1].bytes;
}

/* One user more, or less: with the last one the chunk goes. 0: nothing to do. */
void chunks_hold(struct chunks *chunks, uint32_t number);
void chunks_release(struct chunks *chunks, uint32_t number);

/* Gives back the memory of what the file has too; it can still be read. */
void chunks_forget(struct chunks *chunks);

#endif /* KERMON_PERFDATA_CHUNKS_H */
