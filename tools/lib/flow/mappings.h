/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The mappings of an address space: non-overlapping and sorted by address. Programs
 * with a JIT compiler may have a hundred thousand, added in any order.
 */
#ifndef KERMON_MAPPINGS_H
#define KERMON_MAPPINGS_H

#include <stddef.h>
#include <stdint.h>

struct dso;

/**
 * struct mapping - part of an address space
 * @start: first address
 * @end: end address, exclusive
 * @offset: of @start in @dso; for the kernel and its modules the address itself
 */
struct mapping {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	struct dso *dso;
};

/* Maximum number of mappings moved for an insertion. */
#define MAPPINGS_BLOCK	128

/**
 * struct mapping_block - consecutive mappings
 * @users: number of address spaces that share it; if there are several, it is immutable
 * @nr: number of mappings, from 1 to MAPPINGS_BLOCK
 * @room: number allocated
 */
struct mapping_block {
	size_t users;
	size_t nr;
	size_t room;
	struct mapping all[];
};

/**
 * struct mappings - an address space; all zero: empty
 * @blocks: @nr_blocks of them, in order
 * @last: the mapping that was found last; NULL: none, or it may no longer exist
 */
struct mappings {
	struct mapping_block **blocks;
	size_t nr_blocks;
	size_t room;
	const struct mapping *last;
};

/* Add @new, which is not empty, and replace what it overlaps. Return: 0 or -ENOMEM. */
int mappings_put(struct mappings *mappings, const struct mapping *new);
/* Remove the mapping that starts at @start, if any. Return: 0 or -ENOMEM. */
int mappings_remove(struct mappings *mappings, uint64_t start);
/*
 * Copy @from to @to, which is empty. Blocks are shared until one of them changes,
 * because a process with many mappings may have many children. Return: 0 or -ENOMEM.
 */
int mappings_copy(struct mappings *to, const struct mappings *from);
void mappings_free(struct mappings *mappings);

/*
 * The mapping at @address, the first one that ends after it, and the last one that ends
 * at or before it; NULL: none. Valid until a mapping is added or removed.
 */
const struct mapping *mappings_find(struct mappings *mappings, uint64_t address);
const struct mapping *mappings_from(const struct mappings *mappings,
				    uint64_t address);
const struct mapping *mappings_below(const struct mappings *mappings,
				     uint64_t address);

#endif /* KERMON_MAPPINGS_H */
