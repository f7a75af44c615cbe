/* SPDX-License-Identifier: GPL-2.0 */
/* Ranges of addresses, and what is in them: added, sorted once, searched. */
#ifndef KERMON_SPANS_H
#define KERMON_SPANS_H

#include <stddef.h>
#include <stdint.h>

struct span {
	uint64_t start;
	uint64_t end;	/* first address behind */
	uint64_t what;
};

struct spans {
	struct span *all;
	size_t nr;
	size_t room;
};

/* 0 or -ENOMEM. An empty one is left out. */
int spans_add(struct spans *spans, uint64_t start, uint64_t end, uint64_t what);
void spans_sort(struct spans *spans);
/* The one that starts nearest before @address and covers it; NULL: none. */
const struct span *spans_find(const struct spans *spans, uint64_t address);
void spans_free(struct spans *spans);

#endif /* KERMON_SPANS_H */
