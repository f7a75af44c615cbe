/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Number 64-bit keys in order of their first occurrence: 0, 1, 2... Small and fast, for
 * millions of keys.
 */
#ifndef KERMON_NUMBERING_H
#define KERMON_NUMBERING_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct numbering - keys and their numbers
 * @keys: by number, @nr of them
 * @slots: open addressing: number plus one, or 0 if free; twice as many as keys. NULL
 *	once the numbering is settled
 * @room: for keys; a power of two, or 0
 */
struct numbering {
	uint64_t *keys;
	uint32_t *slots;
	uint32_t nr;
	uint32_t room;
};

/* Never a valid number: out of memory. */
#define NUMBERING_FULL	UINT32_MAX

/* The number of @key; assigns the next one to a new key. */
uint32_t numbering_get(struct numbering *numbering, uint64_t key);
/* The same, but NUMBERING_FULL for a key without one. Not once the numbering is settled. */
uint32_t numbering_find(const struct numbering *numbering, uint64_t key);
/* No more keys will be added: free the memory that is only needed for that. */
void numbering_settle(struct numbering *numbering);
void numbering_free(struct numbering *numbering);

#endif /* KERMON_NUMBERING_H */
