/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers for keys of 64 bits, in the order in which they first come: 0, 1, 2...
 * Small and fast, for what there are millions of.
 */
#ifndef KERMON_NUMBERING_H
#define KERMON_NUMBERING_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct numbering - keys and their numbers
 * @keys: by number, @nr of them
 * @slots: open addressing: number plus one, 0 is free; twice as many as keys. NULL
 *	once the numbering is settled
 * @room: for keys; a power of two, or 0
 */
struct numbering {
	uint64_t *keys;
	uint32_t *slots;
	uint32_t nr;
	uint32_t room;
};

/* None has this number: it says that there is no memory. */
#define NUMBERING_FULL	UINT32_MAX

/* The number of @key, a new one if need be. */
uint32_t numbering_get(struct numbering *numbering, uint64_t key);
/* No more keys will come: memory that was only for those is given back. */
void numbering_settle(struct numbering *numbering);
void numbering_free(struct numbering *numbering);

#endif /* KERMON_NUMBERING_H */
