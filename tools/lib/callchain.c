// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel writes a chain as addresses, with markers between them that tell
 * in which mode the CPU was: PERF_CONTEXT_KERNEL, ..., PERF_CONTEXT_USER, ...
 * What was in user mode may be told by the CPU's branch stack instead, or by a
 * copy of the stack.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "callchain.h"
#include "unwind.h"

#define FIRST_ROOM	128	/* the kernel's default limit is 127 */

/**
 * struct callchain - the frames of the newest sample
 * @frames: @nr of them, with room for @room
 */
struct callchain {
	struct pipeline *pipeline;
	struct unwinder *unwinder;
	struct frame *frames;
	size_t nr;
	size_t room;
};

struct callchain *callchain_new(struct pipeline *pipeline)
{
	struct callchain *chain = calloc(1, sizeof(*chain));

	if (!chain)
		return NULL;
	chain->pipeline = pipeline;
	chain->unwinder = unwinder_new(pipeline);
	if (chain->unwinder)
		return chain;
	free(chain);
	return NULL;
}

void callchain_free(struct callchain *chain)
{
	if (!chain)
		return;
	unwinder_free(chain->unwinder);
	free(chain->frames);
	free(chain);
}

static int make_room(struct callchain *chain, size_t nr)
{
	size_t room = chain->room ? chain->room : FIRST_ROOM;
	struct frame *frames;

	while (room < nr)
		room *= 2;
	if (room == chain->room)
		return 0;
	frames = realloc(chain->frames, room * sizeof(*frames));
	if (!frames)
		return -ENOMEM;
	chain->frames = frames;
	chain->room = room;
	return 0;
}

static void add_frame(struct callchain *chain, struct thread *thread,
		      uint64_t address, unsigned int mode, bool is_return)
{
	chain->frames[chain->nr++] = (struct frame){
		.address = address,
		.mode = mode,
		.is_return = is_return,
		.place = pipeline_place(chain->pipeline, thread, mode, address,
					is_return),
	};
}

static uint64_t word_at(const unsigned char *words, uint64_t index)
{
	uint64_t word;

	memcpy(&word, words + index * sizeof(word), sizeof(word));
	return word;
}

static bool is_marker(uint64_t address)
{
	return address >= (uint64_t)PERF_CONTEXT_MAX;
}

/* What follows a marker; of one that is not known, addresses that nobody knows. */
static unsigned int mode_behind(uint64_t marker)
{
	switch (marker) {
	case (uint64_t)PERF_CONTEXT_HV:
		return PERF_RECORD_MISC_HYPERVISOR;
	case (uint64_t)PERF_CONTEXT_KERNEL:
		return PERF_RECORD_MISC_KERNEL;
	case (uint64_t)PERF_CONTEXT_USER:
		return PERF_RECORD_MISC_USER;
	case (uint64_t)PERF_CONTEXT_GUEST_KERNEL:
		return PERF_RECORD_MISC_GUEST_KERNEL;
	case (uint64_t)PERF_CONTEXT_GUEST_USER:
		return PERF_RECORD_MISC_GUEST_USER;
	default:
		return PERF_RECORD_MISC_CPUMODE_UNKNOWN;
	}
}

/*
 * Behind a marker the CPU was interrupted or called the kernel, not a function.
 * Return: false if there were frames of user mode, and @skip_user left them out.
 */
static bool add_recorded(struct callchain *chain,
			 const struct pipeline_sample *sample, bool skip_user)
{
	const struct sample *fields = sample->fields;
	unsigned int mode = PERF_RECORD_MISC_USER;
	bool is_return = false;
	uint64_t address;

	for (uint64_t i = 0; i < fields->nr_callchain; i++) {
		address = word_at(fields->callchain, i);
		if (is_marker(address)) {
			mode = mode_behind(address);
			is_return = false;
			if (skip_user && mode == PERF_RECORD_MISC_USER)
				return false;
			continue;
		}
		add_frame(chain, sample->thread, address, mode, is_return);
		is_return = true;
	}
	return true;
}

static bool has_call_stack(const struct pipeline_sample *sample)
{
	return sample->event->attr.branch_sample_type &
	       PERF_SAMPLE_BRANCH_CALL_STACK && sample->fields->branches.nr;
}

/*
 * The last branch stack as a stack of calls (LBR): the newest call leads to the
 * function that is active, each one comes from the function around it.
 */
static void add_branches(struct callchain *chain,
			 const struct pipeline_sample *sample)
{
	const struct sample_branches *branches = &sample->fields->branches;
	const unsigned char *entry = branches->entries;

	add_frame(chain, sample->thread, word_at(entry, 1),
		  PERF_RECORD_MISC_USER, false);
	for (uint64_t i = 0; i < branches->nr; i++)
		add_frame(chain, sample->thread,
			  word_at(entry + i * SAMPLE_BRANCH_SIZE, 0),
			  PERF_RECORD_MISC_USER, false);
}

static int add_unwound(struct callchain *chain,
		       const struct pipeline_sample *sample)
{
	const uint64_t *addresses;
	size_t nr = unwind(chain->unwinder, sample, &addresses);

	if (make_room(chain, chain->nr + nr))
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		add_frame(chain, sample->thread, addresses[i],
			  PERF_RECORD_MISC_USER, false);
	return 0;
}

static int add_frames(struct callchain *chain,
		      const struct pipeline_sample *sample)
{
	const struct sample *fields = sample->fields;
	bool by_branches = has_call_stack(sample);

	if (make_room(chain, fields->nr_callchain + fields->branches.nr + 1))
		return -ENOMEM;
	if (!(sample->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN)) {
		add_frame(chain, sample->thread, fields->ip,
			  record_mode(sample->record), false);
		return 0;
	}
	if (!add_recorded(chain, sample, by_branches))
		add_branches(chain, sample);
	return add_unwound(chain, sample);
}

ssize_t callchain_resolve(struct callchain *chain,
			  const struct pipeline_sample *sample,
			  const struct frame **frames)
{
	int err;

	chain->nr = 0;
	err = add_frames(chain, sample);
	*frames = chain->frames;
	return err ? err : (ssize_t)chain->nr;
}

const struct source *callchain_source(const struct callchain *chain,
				      const struct frame *frame)
{
	if (!frame->place.dso)
		return NULL;
	return dso_source(frame->place.dso, &chain->pipeline->sources,
			  frame->place.offset - frame->is_return);
}
