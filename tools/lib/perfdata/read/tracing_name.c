// SPDX-License-Identifier: GPL-2.0
/*
 * Find names of tracepoints in the file's copy of the kernel's event formats, which
 * contains a text for each, grouped by system.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/format/format.h"
#include "tracing_name.h"

/* { u64 size, bytes } */
static const char *take_text(struct cursor *c, uint64_t *size)
{
	*size = cursor_u64(c);
	return (const char *)cursor_take(c, *size);
}

static void skip_texts(struct cursor *c)
{
	uint64_t size;

	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--)
		take_text(c, &size);
}

/* Skip to the number of systems. Return: false: unknown format, or truncated. */
static bool skip_head(struct cursor *c)
{
	static const char magic[10] = "\x17\x08\x44tracing";
	const unsigned char *at = cursor_take(c, sizeof(magic));
	uint64_t size;

	if (!at || memcmp(at, magic, sizeof(magic)))
		return false;
	cursor_text(c);				/* version */
	cursor_take(c, 2);			/* byte order, size of a long */
	cursor_u32(c);				/* size of a page */
	for (unsigned int i = 0; i < 2; i++) {	/* header_page, header_event */
		cursor_text(c);
		take_text(c, &size);
	}
	skip_texts(c);				/* ftrace's own events */
	return !c->failed;
}

/* The rest of the line that begins with @key, in @size bytes. Return: its length, or 0. */
static size_t find_line(const char *text, size_t size, const char *key,
			const char **value)
{
	size_t length = strlen(key);
	const char *end;

	for (; size > length; size -= end + 1 - text, text = end + 1) {
		end = memchr(text, '\n', size);
		if (!end)
			return 0;
		if ((size_t)(end - text) > length && !memcmp(text, key, length)) {
			*value = text + length;
			return end - text - length;
		}
	}
	return 0;
}

static bool has_id(const char *text, size_t size, uint64_t id)
{
	const char *value;
	char digits[24];
	size_t length = find_line(text, size, "ID: ", &value);

	if (!length || length >= sizeof(digits))
		return false;
	memcpy(digits, value, length);
	digits[length] = '\0';
	return strtoull(digits, NULL, 10) == id;
}

static bool find_in_system(struct cursor *c, const char *system, uint64_t id,
			   char name[EVENT_NAME_MAX])
{
	const char *text, *value;
	uint64_t size;
	size_t length;

	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--) {
		text = take_text(c, &size);
		if (!text || !has_id(text, size, id))
			continue;
		length = find_line(text, size, "name: ", &value);
		if (length)
			snprintf(name, EVENT_NAME_MAX, "%s:%.*s", system,
				 (int)length, value);
		return length;
	}
	return false;
}

bool tracing_name(struct cursor tracing_data, uint64_t id,
		  char name[EVENT_NAME_MAX])
{
	struct cursor *c = &tracing_data;
	const char *system;

	if (!skip_head(c))
		return false;
	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--) {
		system = cursor_text(c);
		if (!c->failed && find_in_system(c, system, id, name))
			return true;
	}
	return false;
}
