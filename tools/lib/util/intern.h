/* SPDX-License-Identifier: GPL-2.0 */
/* One copy of each string: equal strings have the same address. */
#ifndef KERMON_INTERN_H
#define KERMON_INTERN_H

#include "hash.h"

struct interned {
	struct hash table;
};

/* The unique copy of @text, owned by @strings; NULL if out of memory. */
const char *intern(struct interned *strings, const char *text);
void intern_free(struct interned *strings);

#endif /* KERMON_INTERN_H */
