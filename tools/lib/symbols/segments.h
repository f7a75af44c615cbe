/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Segments of a file: they lead from the offset of a place to the address that the
 * linker gave it.
 */
#ifndef KERMON_SEGMENTS_H
#define KERMON_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct segment - a part of the file and where the linker put it
 * @offset: in the file; of a module the address that the kernel gave it
 * @size: bytes of it in the file
 * @bss_size: zeroes behind these that are mapped as if they were there: what comes next in
 *	the file has the same offsets
 */
struct segment {
	uint64_t offset;
	uint64_t size;
	uint64_t bss_size;
	uint64_t address;
};

struct segments {
	struct segment *all;
	size_t nr;
};

/* From @offset to @address. Return: false if it is in none of them. */
bool segments_find(const struct segments *segments, uint64_t offset,
		   uint64_t *address);

#endif /* KERMON_SEGMENTS_H */
