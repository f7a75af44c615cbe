/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The call chain of a sample: one frame for each function that was active.
 *
 *	struct callchain *chain = callchain_new(pipeline);
 *
 *	nr = callchain_resolve(chain, sample, &frames);
 *	for (size_t i = 0; i < nr; i++)
 *		... frames[i].place.symbol ...
 */
#ifndef KERMON_CALLCHAIN_H
#define KERMON_CALLCHAIN_H

#include <sys/types.h>

#include "lines.h"
#include "pipeline.h"

/**
 * struct frame - a function that was active
 * @address: as recorded: of the innermost frame of each mode where it was, of
 *	the others where the call returns to; of branches where it was called
 *	from; where stacks are unwound, the last byte of the call, as perf does
 * @mode: CPU mode, PERF_RECORD_MISC_KERNEL and so on
 * @is_return: @address is behind the call that was active
 * @place: of @address; its symbol is that of the call if @is_return
 */
struct frame {
	uint64_t address;
	uint16_t mode;
	bool is_return;
	struct place place;
};

struct callchain;

/* For the samples of one file; @pipeline has to live longer. NULL: no memory. */
struct callchain *callchain_new(struct pipeline *pipeline);
void callchain_free(struct callchain *chain);

/**
 * callchain_resolve - the frames of a sample
 * @chain: where they are kept
 * @sample: as it comes out of the pipeline, now
 * @frames: set to the frames, the innermost first; valid until the next call
 *
 * Of a sample without a call chain it is one frame, for its instruction pointer;
 * of one with an empty chain none.
 *
 * Return: how many frames there are, or -ENOMEM.
 */
ssize_t callchain_resolve(struct callchain *chain,
			  const struct pipeline_sample *sample,
			  const struct frame **frames);

/* The source of a frame: see dso_source(). NULL if nobody knows. */
const struct source *callchain_source(const struct callchain *chain,
				      const struct frame *frame);

#endif /* KERMON_CALLCHAIN_H */
