/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call chains from copies of the user stack ("perf record --call-graph dwarf"),
 * unwound with the call frame information of the mapped files.
 */
#ifndef KERMON_UNWIND_H
#define KERMON_UNWIND_H

#include "flow/pipeline.h"

struct unwinder;

/* For the samples of one file; @pipeline must outlive it. Return: NULL if out of memory. */
struct unwinder *unwinder_new(struct pipeline *pipeline);
void unwinder_free(struct unwinder *unwinder);

/* Take every step with libdwfl, for comparisons: the chains are the same. */
void unwinder_use_libdwfl(struct unwinder *unwinder);

/**
 * unwind - find the addresses of the active functions
 * @unwinder: from unwinder_new()
 * @sample: the current sample of the pipeline
 * @addresses: set to them, the innermost first: the instruction pointer, then the last
 *	byte of each call; valid until the next call
 *
 * Supports the registers of x86-64. On other machines, and where information is missing
 * or the copy ends, the chain ends.
 *
 * Return: number of addresses; 0 if the sample has no copy of the user stack.
 */
size_t unwind(struct unwinder *unwinder, const struct pipeline_sample *sample,
	      const uint64_t **addresses);

#endif /* KERMON_UNWIND_H */
