// SPDX-License-Identifier: GPL-2.0
/*
 * Encodes protocol buffers messages into memory.
 */
#include <stdlib.h>
#include <string.h>

#include "protobuf.h"
#include "util/array.h"

/* Wire types. */
#define VARINT	0
#define LENGTH	2

static bool make_room(struct protobuf *message, size_t size)
{
	if (array_room(message->bytes, message->room, message->size + size))
		message->failed = true;
	return !message->failed;
}

/* Varint: seven bits per byte, lowest first; the top bit marks all but the last byte. */
void protobuf_element(struct protobuf *message, uint64_t value)
{
	if (!make_room(message, 10))
		return;
	for (; value >= 0x80; value >>= 7)
		message->bytes[message->size++] = (value & 0x7f) | 0x80;
	message->bytes[message->size++] = value;
}

void protobuf_number(struct protobuf *message, unsigned int field,
		     uint64_t value)
{
	if (!value)
		return;
	protobuf_element(message, field << 3 | VARINT);
	protobuf_element(message, value);
}

void protobuf_bytes(struct protobuf *message, unsigned int field,
		    const void *bytes, size_t size)
{
	protobuf_element(message, field << 3 | LENGTH);
	protobuf_element(message, size);
	if (!size || !make_room(message, size))
		return;
	memcpy(message->bytes + message->size, bytes, size);
	message->size += size;
}

void protobuf_part(struct protobuf *message, unsigned int field,
		   struct protobuf *part)
{
	protobuf_bytes(message, field, part->bytes, part->size);
	message->failed |= part->failed;
	part->size = 0;
}

void protobuf_free(struct protobuf *message)
{
	free(message->bytes);
}
