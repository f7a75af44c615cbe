// SPDX-License-Identifier: GPL-2.0
/*
 * A growing buffer for sections of the file, with the number and string encodings of
 * perf.data.
 */
#include <stdlib.h>
#include <string.h>

#include "blob.h"
#include "perfdata/format/format.h"

static bool make_room(struct blob *blob, size_t size)
{
	size_t room = blob->room ? blob->room : 256;
	char *data;

	while (room - blob->size < size)
		room *= 2;
	if (room == blob->room)
		return true;
	data = realloc(blob->data, room);
	if (!data)
		return false;
	blob->data = data;
	blob->room = room;
	return true;
}

void blob_put(struct blob *blob, const void *data, size_t size)
{
	if (!size || blob->failed)
		return;
	if (!make_room(blob, size)) {
		blob->failed = true;
		return;
	}
	if (data)
		memcpy(blob->data + blob->size, data, size);
	else
		memset(blob->data + blob->size, 0, size);
	blob->size += size;
}

void blob_u32(struct blob *blob, uint32_t value)
{
	blob_put(blob, &value, sizeof(value));
}

void blob_u64(struct blob *blob, uint64_t value)
{
	blob_put(blob, &value, sizeof(value));
}

void blob_string(struct blob *blob, const char *text)
{
	size_t length = strlen(text);
	size_t size = (length / PERFDATA_STRING_ALIGN + 1) *
		      PERFDATA_STRING_ALIGN;

	blob_u32(blob, size);
	blob_put(blob, text, length);
	blob_put(blob, NULL, size - length);
}

void blob_list(struct blob *blob, struct blob_list *list)
{
	if (list->nr) {
		blob_u32(blob, list->nr);
		blob_put(blob, list->data.data, list->data.size);
	}
	blob->failed |= list->data.failed;
	free(list->data.data);
}
