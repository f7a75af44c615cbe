/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The call chain of a sample: one frame for each function that was active.
 *
 *	struct callchain *chain = callchain_new(pipeline);
 *
 *	nr = callchain_resolve(chain, sample, &frames);
 *	for (size_t i = 0; i < nr; i++)
 *		... frames[i].place.symbol ...
 *
 * Who has seen most addresses before takes the steps, and looks up the others only:
 *
 *	nr = callchain_steps(chain, sample, &steps);
 *	...
 *		frame = callchain_frame(chain, sample, &steps[i]);
 */
#ifndef KERMON_CALLCHAIN_H
#define KERMON_CALLCHAIN_H

#include <sys/types.h>

#include "flow/pipeline.h"
#include "lines/lines.h"

/**
 * struct frame - a function that was active
 * @address: as recorded: of the innermost frame of each mode where it was, of
 *	the others where the call returns to; of branches where it was called
 *	from; where stacks are unwound, the last byte of the call, as perf does
 * @mode: CPU mode, PERF_RECORD_MISC_KERNEL and so on
 * @is_return: @address is behind the call that was active
 * @has_inlines: what was inlined at @place is of the chain, too
 * @place: of @address; its symbol is that of the call if @is_return
 */
struct frame {
	uint64_t address;
	uint16_t mode;
	bool is_return;
	bool has_inlines;
	struct place place;
};

/**
 * struct call_step - a function that was active, before anybody looks which one
 * @address: as in struct frame; likewise @mode, @is_return, @has_inlines
 * @version: of the address space that @address is of; 0: it is of none that is known.
 *	Steps of equal address, version and @is_return are in the same place
 */
struct call_step {
	uint64_t address;
	uint64_t version;
	uint16_t mode;
	bool is_return;
	bool has_inlines;
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

/* Likewise the steps, of each of which callchain_frame() makes a frame. */
ssize_t callchain_steps(struct callchain *chain,
			const struct pipeline_sample *sample,
			const struct call_step **steps);
struct frame callchain_frame(const struct callchain *chain,
			     const struct pipeline_sample *sample,
			     const struct call_step *step);

/**
 * struct call_record - all that the steps of a sample depend on
 * @words: @nr of 64 bits, as the kernel wrote the chain
 * @user: version of the address space of user mode
 * @kernel: and of the kernel's
 */
struct call_record {
	const unsigned char *words;
	uint64_t nr;
	uint64_t user;
	uint64_t kernel;
};

/* Return: false if they depend on more, such as a copy of the stack. */
bool callchain_record(const struct callchain *chain,
		      const struct pipeline_sample *sample,
		      struct call_record *record);

/* The source of a frame: see dso_source(). NULL if nobody knows. */
const struct source *callchain_source(const struct callchain *chain,
				      const struct frame *frame);

#endif /* KERMON_CALLCHAIN_H */
