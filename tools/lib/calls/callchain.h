/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The call chain of a sample: one frame for each active function.
 *
 *	struct callchain *chain = callchain_new(pipeline);
 *
 *	nr = callchain_resolve(chain, sample, &frames);
 *	for (size_t i = 0; i < nr; i++)
 *		... frames[i].place.symbol ...
 *
 * If most addresses have been seen before, use the steps and resolve only new ones:
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
 * struct frame - an active function
 * @address: as recorded: for the innermost frame of each mode the instruction pointer,
 *	for others the return address; with branches, the address of the call; if stacks
 *	are unwound, the last byte of the call, as in perf
 * @mode: CPU mode, PERF_RECORD_MISC_KERNEL and so on
 * @is_return: @address is a return address
 * @has_inlines: functions inlined at @place are part of the chain, too
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
 * struct call_step - an active function, not resolved yet
 * @address: as in struct frame; likewise @mode, @is_return, @has_inlines
 * @version: of the address space of @address; 0: unknown address space.
 *	Steps with the same address, version and @is_return are at the same place
 */
struct call_step {
	uint64_t address;
	uint64_t version;
	uint16_t mode;
	bool is_return;
	bool has_inlines;
};

struct callchain;

/* For the samples of one file; @pipeline must outlive it. Return: NULL if out of memory. */
struct callchain *callchain_new(struct pipeline *pipeline);
void callchain_free(struct callchain *chain);

/**
 * callchain_resolve - find the frames of a sample
 * @chain: where they are stored
 * @sample: the current sample of the pipeline
 * @frames: set to the frames, the innermost first; valid until the next call
 *
 * A sample without a call chain has one frame, for its instruction pointer; a sample with
 * an empty chain has none.
 *
 * Return: number of frames, or -ENOMEM.
 */
ssize_t callchain_resolve(struct callchain *chain,
			  const struct pipeline_sample *sample,
			  const struct frame **frames);

/* The same for the steps. callchain_frame() converts a step to a frame. */
ssize_t callchain_steps(struct callchain *chain,
			const struct pipeline_sample *sample,
			const struct call_step **steps);
struct frame callchain_frame(const struct callchain *chain,
			     const struct pipeline_sample *sample,
			     const struct call_step *step);

/**
 * struct call_record - everything that determines the steps of a sample
 * @words: @nr of 64 bits, as the kernel wrote the chain
 * @user: version of the user-mode address space
 * @kernel: version of the kernel's address space
 */
struct call_record {
	const unsigned char *words;
	uint64_t nr;
	uint64_t user;
	uint64_t kernel;
};

/* Return: false if the steps depend on more, such as a copy of the stack. */
bool callchain_record(const struct callchain *chain,
		      const struct pipeline_sample *sample,
		      struct call_record *record);

/*
 * Whether an element of a recorded chain is not an address, but states the mode of those
 * that follow; and that mode. An unknown marker makes them unknown.
 */
static inline bool callchain_is_marker(uint64_t address)
{
	return address >= (uint64_t)PERF_CONTEXT_MAX;
}

unsigned int callchain_mode_behind(uint64_t marker);

/* The source of a frame: see dso_source(). NULL if unknown. */
const struct source *callchain_source(const struct callchain *chain,
				      const struct frame *frame);

#endif /* KERMON_CALLCHAIN_H */
