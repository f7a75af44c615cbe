/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The nodes of many chains, looked up together: what the next step needs is on its way
 * from memory while others are processed.
 *
 *	callbatch_clear(batch);
 *	for each sample
 *		callbatch_add(batch, thread, words);
 *	callbatch_prefetch(batch);
 *	for each sample
 *		node = callbatch_next(batch);
 *
 * Only for chains as the kernel records them, without inlined functions. Nothing may be
 * mapped in between.
 */
#ifndef KERMON_CALLBATCH_H
#define KERMON_CALLBATCH_H

#include "calltree.h"

struct callbatch;

/* For chains in @tree, of samples of @pipeline. Return: NULL if out of memory. */
struct callbatch *callbatch_new(struct calltree *tree, struct pipeline *pipeline);
void callbatch_free(struct callbatch *batch);

void callbatch_clear(struct callbatch *batch);
/* Whether it holds so many frames that further chains would displace them from the cache. */
bool callbatch_is_full(const struct callbatch *batch);

/*
 * Add the chain of a sample of @thread: the number of its @words, followed by them.
 * Return: 0 or -ENOMEM.
 */
int callbatch_add(struct callbatch *batch, struct thread *thread,
		  const unsigned char *words);
void callbatch_prefetch(const struct callbatch *batch);

/* The node of the next chain, in the order of addition; NUMBERING_FULL: out of memory. */
uint32_t callbatch_next(struct callbatch *batch);

#endif /* KERMON_CALLBATCH_H */
