/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to protobuf.c: an encoder for protocol buffers,
 * https://protobuf.dev/programming-guides/encoding/
 */
#ifndef KERMON_PROTOBUF_H
#define KERMON_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct protobuf - a message; zero it for an empty one
 * @bytes: the encoded message
 * @size: number of @bytes
 * @room: allocated size of @bytes
 * @failed: out of memory: the message is incomplete
 */
struct protobuf {
	unsigned char *bytes;
	size_t size;
	size_t room;
	bool failed;
};

/* Add a field with a number, unless it is 0, which is the default. */
void protobuf_number(struct protobuf *message, unsigned int field,
		     uint64_t value);
/* Add a field with bytes, which may be none: a string or a message. */
void protobuf_bytes(struct protobuf *message, unsigned int field,
		    const void *bytes, size_t size);
/* Add an element of a packed field: a number without a tag. */
void protobuf_element(struct protobuf *message, uint64_t value);

/* Add @part as a field of @message, and empty @part. */
void protobuf_part(struct protobuf *message, unsigned int field,
		   struct protobuf *part);

void protobuf_free(struct protobuf *message);

#endif /* KERMON_PROTOBUF_H */
