/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory for records that cannot be used directly from the file: those from a pipe,
 * compressed ones, or in the other byte order.
 *
 * It is divided into chunks. A chunk exists as long as it has users: the window that
 * fills it, and every delivered record in it. Chunks beyond CHUNKS_IN_MEMORY are kept
 * in a temporary file, so that memory is bounded even if no record can be released
 * before the last one has been read.
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
 * @spilled: part of the temporary file rather than memory
 * @next: next unused chunk, plus one
 */
struct chunk {
	unsigned char *bytes;
	size_t users;
	int spilled;
	uint32_t next;
};

/**
 * struct chunks - all chunks; zero it before use
 * @all: @nr of them
 * @unused: first unused chunk, plus one
 * @in_memory: number of chunks that are not in the file
 * @spare: bytes of the last chunk in memory that was freed, for the next one
 * @file: descriptor of the temporary file, plus one
 */
struct chunks {
	struct chunk *all;
	size_t nr;
	uint32_t unused;
	size_t in_memory;
	unsigned char *spare;
	int file;
};

void chunks_free(struct chunks *chunks);

/*
 * Allocate a chunk with one user. Other chunks do not move. Return: its number, from 1
 * on, or 0 if out of memory.
 */
uint32_t chunks_new(struct chunks *chunks);

static inline unsigned char *chunks_bytes(const struct chunks *chunks,
					  uint32_t number)
{
	return chunks->all[number - 1].bytes;
}

/* Add or remove a user; the chunk is freed with its last user. No-op for 0. */
void chunks_hold(struct chunks *chunks, uint32_t number);
void chunks_release(struct chunks *chunks, uint32_t number);

/* Release the memory of chunks that are in the file; they can still be read. */
void chunks_forget(struct chunks *chunks);

#endif /* KERMON_PERFDATA_CHUNKS_H */
