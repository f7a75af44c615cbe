/* SPDX-License-Identifier: GPL-2.0 */
/* Ranges of addresses with a value each: added, sorted once, then searched. */
#ifndef KERMON_SPANS_H
#define KERMON_SPANS_H

#include <stddef.h>
#include <stdint.h>

struct span {
	uint64_t start;
	uint64_t end;	/* exclusive */
	uint64_t what;
};

struct spans {
	struct span *all;
	size_t nr;
	size_t room;
};

/* Return: 0 or -ENOMEM. Empty ranges are ignored. */
int spans_add(struct spans *spans, uint64_t start, uint64_t end, uint64_t what);
void spans_sort(struct spans *spans);
/* The innermost span that covers @address, or NULL. */
const struct span *spans_find(const struct spans *spans, uint64_t address);
void spans_free(struct spans *spans);

#endif /* KERMON_SPANS_H */
