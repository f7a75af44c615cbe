/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is mapped in an address space: parts that do not overlap, in the order of their
 * addresses. Of programs that compile at run time there are a hundred thousand, and they
 * come in any order.
 */
#ifndef KERMON_MAPPINGS_H
#define KERMON_MAPPINGS_H

#include <stddef.h>
#include <stdint.h>

struct dso;

/**
 * struct mapping - part of an address space
 * @start: first address
 * @end: first address behind
 * @offset: in @dso of @start; of kernel and modules: the address itself
 */
struct mapping {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	struct dso *dso;
};

/* So many at most are moved for one that is put in. */
#define MAPPINGS_BLOCK	128

/**
 * struct mapping_block - some that follow each other
 * @users: address spaces that have it; with several, it does not change
 * @nr: how many, 1 at least and MAPPINGS_BLOCK at most
 * @room: for so many
 */
struct mapping_block {
	size_t users;
	size_t nr;
	size_t room;
	struct mapping all[];
};

/**
 * struct mappings - what is mapped; all zero: nothing
 * @blocks: @nr_blocks of them, in order
 * @last: the one that was found last; NULL: it may not be there any more
 */
struct mappings {
	struct mapping_block **blocks;
	size_t nr_blocks;
	size_t room;
	const struct mapping *last;
};

/* Maps @new, which is not empty, over whatever was there. Return: 0 or -ENOMEM. */
int mappings_put(struct mappings *mappings, const struct mapping *new);
/* What starts at @start, if anything does, is no longer there. Return: 0 or -ENOMEM. */
int mappings_remove(struct mappings *mappings, uint64_t start);
/*
 * Maps in @to, which is empty, what @from has. They share it until one of them changes:
 * who has much mapped may have many children. Return: 0 or -ENOMEM.
 */
int mappings_copy(struct mappings *to, const struct mappings *from);
void mappings_free(struct mappings *mappings);

/*
 * The one at @address, the first that ends behind it, and the last that ends there or
 * before; NULL: there is none. They stay until something is put or removed.
 */
const struct mapping *mappings_find(struct mappings *mappings, uint64_t address);
const struct mapping *mappings_from(const struct mappings *mappings,
				    uint64_t address);
const struct mapping *mappings_below(const struct mappings *mappings,
				     uint64_t address);

#endif /* KERMON_MAPPINGS_H */
