/* SPDX-License-Identifier: GPL-2.0 */
/* Segments of a file: map offsets in the file to addresses assigned by the linker. */
#ifndef KERMON_SEGMENTS_H
#define KERMON_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct segment - a part of the file and its address
 * @offset: in the file; for modules, the address that the kernel gave it
 * @size: bytes of it in the file
 * @bss_size: zeros behind these that are mapped as part of the last page; the next part of
 *	the file has the same offsets
 * @address: assigned by the linker
 * @is_code: it is executable
 */
struct segment {
	uint64_t offset;
	uint64_t size;
	uint64_t bss_size;
	uint64_t address;
	bool is_code;
};

struct segments {
	struct segment *all;
	size_t nr;
};

/* Convert @offset to @address. Return: false if it is in no segment. */
bool segments_find(const struct segments *segments, uint64_t offset,
		   uint64_t *address);

/* The largest segment of code, unless a segment before it also has some of its offsets. */
const struct segment *segments_code(const struct segments *segments);

#endif /* KERMON_SEGMENTS_H */
