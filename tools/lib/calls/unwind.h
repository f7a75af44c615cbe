/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call chains out of a copy of the user stack ("perf record --call-graph dwarf"):
 * libdwfl walks it by the call frame information of what the process has mapped.
 */
#ifndef KERMON_UNWIND_H
#define KERMON_UNWIND_H

#include "flow/pipeline.h"

struct unwinder;

/* For the samples of one file; @pipeline has to live longer. NULL: no memory. */
struct unwinder *unwinder_new(struct pipeline *pipeline);
void unwinder_free(struct unwinder *unwinder);

/**
 * unwind - the addresses at which functions were active
 * @sample: as it comes out of the pipeline, now
 * @addresses: set to them, the innermost first: where it was, and of each call
 *	behind it the last byte; valid until the next call
 *
 * Registers of x86-64 are understood. Of others, and where information is missing
 * or the copy ends, the chain ends.
 *
 * Return: how many there are; 0 if the sample has no copy of the user stack.
 */
size_t unwind(struct unwinder *unwinder, const struct pipeline_sample *sample,
	      const uint64_t **addresses);

#endif /* KERMON_UNWIND_H */
