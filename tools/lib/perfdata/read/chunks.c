// SPDX-License-Identifier: GPL-2.0
/*
 * Memory in chunks of equal size for records that cannot be read from the mapped file;
 * what exceeds a limit is kept in a temporary file instead.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "chunks.h"
#include "util/fileio.h"

void chunks_free(struct chunks *chunks)
{
	for (size_t i = 0; i < chunks->nr; i++)
		if (chunks->all[i].bytes)
			munmap(chunks->all[i].bytes, CHUNK_SIZE);
	if (chunks->spare)
		munmap(chunks->spare, CHUNK_SIZE);
	free(chunks->all);
	if (chunks->file)
		close(chunks->file - 1);
}

static int open_file(struct chunks *chunks)
{
	int fd;

	if (chunks->file)
		return 0;
	fd = temporary_file();
	if (fd < 0)
		return fd;
	chunks->file = fd + 1;
	return 0;
}

/* Chunk number i is the i-th part of the file, which is sparse. */
static unsigned char *map_spilled(struct chunks *chunks, size_t index)
{
	off_t offset = index * CHUNK_SIZE;

	if (open_file(chunks) ||
	    allocate_part(chunks->file - 1, offset, CHUNK_SIZE))
		return MAP_FAILED;
	return mmap(NULL, CHUNK_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
		    chunks->file - 1, offset);
}

/* Decompressing takes one chunk after the other: the kernel need not clear each. */
static unsigned char *map_memory(struct chunks *chunks)
{
	unsigned char *spare = chunks->spare;

	chunks->spare = NULL;
	return spare ? spare : mmap(NULL, CHUNK_SIZE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static int map_chunk(struct chunks *chunks, size_t index)
{
	struct chunk *chunk = &chunks->all[index];
	unsigned char *bytes;

	chunk->spilled = chunks->in_memory >= CHUNKS_IN_MEMORY;
	if (chunk->spilled)
		bytes = map_spilled(chunks, index);
	else
		bytes = map_memory(chunks);
	if (bytes == MAP_FAILED)
		return -1;
	chunk->bytes = bytes;
	chunks->in_memory += !chunk->spilled;
	chunk->users = 1;
	return 0;
}

/* All added chunks are unused; the one with the lowest number is used first. */
static int grow(struct chunks *chunks)
{
	size_t room = chunks->nr ? 2 * chunks->nr : 16;
	struct chunk *all = realloc(chunks->all, room * sizeof(*all));

	if (!all)
		return -1;
	chunks->all = all;
	for (size_t i = room; i-- > chunks->nr;) {
		all[i] = (struct chunk){ .next = chunks->unused };
		chunks->unused = i + 1;
	}
	chunks->nr = room;
	return 0;
}

uint32_t chunks_new(struct chunks *chunks)
{
	uint32_t number;

	if (!chunks->unused && grow(chunks))
		return 0;
	number = chunks->unused;
	if (map_chunk(chunks, number - 1))
		return 0;
	chunks->unused = chunks->all[number - 1].next;
	return number;
}

static void unmap_chunk(struct chunks *chunks, uint32_t number)
{
	struct chunk *chunk = &chunks->all[number - 1];

	if (chunk->spilled || chunks->spare)
		munmap(chunk->bytes, CHUNK_SIZE);
	else
		chunks->spare = chunk->bytes;
	if (chunk->spilled)
		fallocate(chunks->file - 1,
			  FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			  (number - 1) * CHUNK_SIZE, CHUNK_SIZE);
	else
		chunks->in_memory--;
	chunk->bytes = NULL;
	chunk->next = chunks->unused;
	chunks->unused = number;
}

void chunks_hold(struct chunks *chunks, uint32_t number)
{
	if (number)
		chunks->all[number - 1].users++;
}

void chunks_release(struct chunks *chunks, uint32_t number)
{
	if (number && !--chunks->all[number - 1].users)
		unmap_chunk(chunks, number);
}

void chunks_forget(struct chunks *chunks)
{
	for (size_t i = 0; i < chunks->nr; i++)
		if (chunks->all[i].bytes && chunks->all[i].spilled)
			madvise(chunks->all[i].bytes, CHUNK_SIZE, MADV_DONTNEED);
}
