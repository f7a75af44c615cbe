/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing messages of protocol buffers:
 * https://protobuf.dev/programming-guides/encoding/
 */
#ifndef KERMON_PROTOBUF_H
#define KERMON_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct protobuf - a message; all 0: an empty one
 * @failed: there was no memory for all of it
 */
struct protobuf {
	unsigned char *bytes;
	size_t size;
	size_t room;
	bool failed;
};

/* A field with a number, which is left out if it is 0: that is the default. */
void protobuf_number(struct protobuf *message, unsigned int field,
		     uint64_t value);
/* A field with bytes, also if there are none: text, or a message. */
void protobuf_bytes(struct protobuf *message, unsigned int field,
		    const void *bytes, size_t size);
/* An element of a packed field: a number without a field. */
void protobuf_element(struct protobuf *message, uint64_t value);

/* Adds @part as a field of @message, and empties it. */
void protobuf_part(struct protobuf *message, unsigned int field,
		   struct protobuf *part);

void protobuf_free(struct protobuf *message);

#endif /* KERMON_PROTOBUF_H */
