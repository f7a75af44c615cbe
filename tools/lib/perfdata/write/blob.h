/* SPDX-License-Identifier: GPL-2.0 */
/* A growing buffer for sections of the file whose size is not known yet. */
#ifndef KERMON_PERFDATA_BLOB_H
#define KERMON_PERFDATA_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct blob - zero it before use, free @data after it
 * @data: the bytes
 * @size: number of bytes
 * @room: number of bytes allocated
 * @failed: out of memory; nothing is added any more
 */
struct blob {
	char *data;
	size_t size;
	size_t room;
	bool failed;
};

/* Append @size bytes, zeros if @data is NULL. */
void blob_put(struct blob *blob, const void *data, size_t size);
void blob_u32(struct blob *blob, uint32_t value);
void blob_u64(struct blob *blob, uint64_t value);

/* A string as encoded in features: length, text, NUL, padding. */
void blob_string(struct blob *blob, const char *text);

/* Elements that are counted while they are added, because their number precedes them. */
struct blob_list {
	uint32_t nr;
	struct blob data;
};

/* Append the number and the elements, or nothing if there are none. Frees the list. */
void blob_list(struct blob *blob, struct blob_list *list);

#endif /* KERMON_PERFDATA_BLOB_H */
