// SPDX-License-Identifier: GPL-2.0
/* Compare build ids, and format them as paths in file caches. */
#include <stdio.h>
#include <string.h>

#include "build_id.h"

bool build_id_equal(const struct build_id *a, const struct build_id *b)
{
	return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

bool build_id_path(const struct build_id *id, char path[BUILD_ID_PATH])
{
	size_t used = 0;

	if (id->size < 2)
		return false;
	for (size_t i = 0; i < id->size; i++)
		used += sprintf(path + used, i == 1 ? "/%02x" : "%02x",
				id->bytes[i]);
	return true;
}
