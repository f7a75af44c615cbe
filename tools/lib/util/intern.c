// SPDX-License-Identifier: GPL-2.0
/* One copy of each string: equal strings have the same address. */
#include <stdlib.h>
#include <string.h>

#include "intern.h"

static bool same_text(const void *item, const void *key)
{
	return !strcmp(item, key);
}

const char *intern(struct interned *strings, const char *text)
{
	uint64_t hash = hash_bytes(text, strlen(text));
	void **found = hash_find(&strings->table, hash, same_text, text);
	char *copy;

	if (found)
		return *found;
	copy = strdup(text);
	if (copy && hash_add(&strings->table, hash, copy)) {
		free(copy);
		return NULL;
	}
	return copy;
}

void intern_free(struct interned *strings)
{
	for (size_t i = 0; i < strings->table.room; i++)
		free(strings->table.slots[i].item);
	hash_free(&strings->table);
}
