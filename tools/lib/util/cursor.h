/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bounds-checked reading of bytes that may be damaged.
 *
 * A cursor never leaves [at, end). The first read that does not fit sets @failed,
 * returns zeros and does not advance; so does every later read. A caller therefore
 * reads everything it needs and checks @failed once. Values are copied out byte by byte
 * because a damaged file guarantees no alignment.
 */
#ifndef KERMON_PERFDATA_CURSOR_H
#define KERMON_PERFDATA_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const unsigned char *at;
	const unsigned char *end;
	bool failed;
	bool swapped;		/* numbers are in the other byte order */
};

/* Adding even 0 to NULL is undefined in C, so an empty cursor points to "" instead. */
static inline struct cursor cursor_of(const void *data, size_t size)
{
	const unsigned char *at = data ? data : (const unsigned char *)"";

	return (struct cursor){ .at = at, .end = at + size };
}

static inline size_t cursor_left(const struct cursor *c)
{
	return c->failed ? 0 : (size_t)(c->end - c->at);
}

/* The next @size bytes, or NULL. */
static inline const unsigned char *cursor_take(struct cursor *c, uint64_t size)
{
	const unsigned char *taken = c->at;

	if (c->failed || size > (uint64_t)(c->end - c->at)) {
		c->failed = true;
		return NULL;
	}
	c->at += size;
	return taken;
}

/* Array of @nr elements of @size bytes each, or NULL. */
static inline const unsigned char *cursor_array(struct cursor *c, uint64_t nr,
						size_t size)
{
	if (nr > cursor_left(c) / size) {
		c->failed = true;
		return NULL;
	}
	return cursor_take(c, nr * size);
}

static inline uint8_t cursor_u8(struct cursor *c)
{
	const unsigned char *p = cursor_take(c, 1);

	return p ? *p : 0;
}

static inline uint16_t cursor_u16(struct cursor *c)
{
	const unsigned char *p = cursor_take(c, sizeof(uint16_t));
	uint16_t value = 0;

	if (p)
		memcpy(&value, p, sizeof(value));
	return c->swapped ? __builtin_bswap16(value) : value;
}

static inline uint32_t cursor_u32(struct cursor *c)
{
	const unsigned char *p = cursor_take(c, sizeof(uint32_t));
	uint32_t value = 0;

	if (p)
		memcpy(&value, p, sizeof(value));
	return c->swapped ? __builtin_bswap32(value) : value;
}

static inline uint64_t cursor_u64(struct cursor *c)
{
	const unsigned char *p = cursor_take(c, sizeof(uint64_t));
	uint64_t value = 0;

	if (p)
		memcpy(&value, p, sizeof(value));
	return c->swapped ? __builtin_bswap64(value) : value;
}

/* A zero-terminated string in the next @size bytes; "" if there is none. */
static inline const char *cursor_chars(struct cursor *c, uint64_t size)
{
	const unsigned char *p = cursor_take(c, size);

	if (!p)
		return "";
	if (!memchr(p, '\0', size)) {
		c->failed = true;
		return "";
	}
	return (const char *)p;
}

/* All remaining bytes, up to the first NUL if any; sets @length. */
static inline const char *cursor_name(struct cursor *c, size_t *length)
{
	size_t left = cursor_left(c);

	*length = strnlen((const char *)c->at, left);
	return (const char *)cursor_take(c, left);
}

/* A zero-terminated string, without padding; "" if there is none. */
static inline const char *cursor_text(struct cursor *c)
{
	const unsigned char *end = memchr(c->at, '\0', cursor_left(c));

	if (!end)
		c->failed = true;
	return end ? cursor_chars(c, end + 1 - c->at) : "";
}

/* perf's header string: a 32-bit length, then that many bytes with padding. */
static inline const char *cursor_string(struct cursor *c)
{
	return cursor_chars(c, cursor_u32(c));
}

#endif /* KERMON_PERFDATA_CURSOR_H */
