/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers in DWARF's encodings. */
#ifndef KERMON_CURSOR_LEB_H
#define KERMON_CURSOR_LEB_H

#include "util/cursor.h"

/* LEB128; bits beyond 64 are dropped. */
static inline uint64_t cursor_uleb(struct cursor *c)
{
	uint8_t byte = cursor_u8(c);
	uint64_t value = byte & 0x7f;

	for (unsigned int shift = 7; byte & 0x80; shift += 7) {
		byte = cursor_u8(c);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
	}
	return value;
}

static inline int64_t cursor_sleb(struct cursor *c)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = cursor_u8(c);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && byte & 0x40)
		value |= ~0ULL << shift;
	return value;
}

/* An offset of 8 bytes, or else of 4. */
static inline uint64_t cursor_offset(struct cursor *c, unsigned int size)
{
	return size == 8 ? cursor_u64(c) : cursor_u32(c);
}

#endif /* KERMON_CURSOR_LEB_H */
