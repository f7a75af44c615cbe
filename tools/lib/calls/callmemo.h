/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What has been found lately: to which node of the tree of calls a chain led, and a
 * call from a node. Tables of fixed size, in which the newest takes the place of an
 * older one; what is found there holds, for what it depends on is compared in full.
 */
#ifndef KERMON_CALLMEMO_H
#define KERMON_CALLMEMO_H

#include "callchain.h"

/* The node is not known, and to be set by whoever finds it. */
#define CALLMEMO_UNKNOWN	UINT32_MAX

struct callmemo;

/* NULL: no memory. */
struct callmemo *callmemo_new(void);
void callmemo_free(struct callmemo *memo);

/* Where the node of a chain is kept, until the next call; NULL: it is not. */
uint32_t *callmemo_chain(struct callmemo *memo,
			 const struct call_record *record);

/* Where the node of a step is kept that @caller has called, until the next call. */
uint32_t *callmemo_call(struct callmemo *memo, uint32_t caller,
			const struct call_step *step);

#endif /* KERMON_CALLMEMO_H */
