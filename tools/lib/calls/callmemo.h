/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Caches of recent results: the node of the tree of calls that a chain leads to, and
 * that of a call from a node. The tables have a fixed size, and new entries replace old
 * ones. Entries are always valid because everything that they depend on is compared.
 */
#ifndef KERMON_CALLMEMO_H
#define KERMON_CALLMEMO_H

#include "callchain.h"

/* The node is unknown; the caller has to store it. */
#define CALLMEMO_UNKNOWN	UINT32_MAX

struct callmemo;

/* Return: NULL if out of memory. */
struct callmemo *callmemo_new(void);
void callmemo_free(struct callmemo *memo);

/* The slot for the node of a chain, valid until the next call; NULL: not cached. */
uint32_t *callmemo_chain(struct callmemo *memo,
			 const struct call_record *record);

/* The slot for the node of a call from @caller, valid until the next call. */
uint32_t *callmemo_call(struct callmemo *memo, uint32_t caller,
			const struct call_step *step);

#endif /* KERMON_CALLMEMO_H */
