// SPDX-License-Identifier: GPL-2.0
/*
 * Resolve the call chains of samples.
 *
 * The kernel writes a chain as addresses, separated by markers that state the CPU mode:
 * PERF_CONTEXT_KERNEL, ..., PERF_CONTEXT_USER, ... The part in user mode may be
 * recorded as the CPU's branch stack (LBR) or as a copy of the stack instead.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "callchain.h"
#include "unwind.h"
#include "util/array.h"

/**
 * struct callchain - the steps of the newest sample
 * @steps: @nr of them, with room for @room
 * @frames: the same, with room for @room_frames
 */
struct callchain {
	struct pipeline *pipeline;
	struct unwinder *unwinder;
	struct call_step *steps;
	size_t nr;
	size_t room;
	struct frame *frames;
	size_t room_frames;
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
	free(chain->steps);
	free(chain->frames);
	free(chain);
}

/* A step template for addresses in a mode, the same for all steps up to a marker. */
static struct call_step step_in(const struct callchain *chain,
				const struct pipeline_sample *sample,
				unsigned int mode)
{
	const struct process *space = processes_space(
		&chain->pipeline->processes, sample->thread, mode);

	return (struct call_step){
		.version = space ? space->version : 0,
		.mode = mode,
		.has_inlines = chain->pipeline->inlines == KERMON_INLINES_ALL,
	};
}

static void add_step(struct callchain *chain, struct call_step step,
		     uint64_t address)
{
	step.address = address;
	chain->steps[chain->nr++] = step;
}

unsigned int callchain_mode_behind(uint64_t marker)
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
 * The first address after a marker is not a return address: the CPU was interrupted or
 * called the kernel there. Return: false if user-mode frames were omitted because of
 * @skip_user.
 */
static bool add_recorded(struct callchain *chain,
			 const struct pipeline_sample *sample, bool skip_user)
{
	const struct sample *fields = sample->fields;
	struct call_step step = step_in(chain, sample, PERF_RECORD_MISC_USER);
	uint64_t address;

	for (uint64_t i = 0; i < fields->nr_callchain; i++) {
		address = sample_word(fields->callchain, i);
		if (callchain_is_marker(address)) {
			step = step_in(chain, sample, callchain_mode_behind(address));
			if (skip_user && step.mode == PERF_RECORD_MISC_USER)
				return false;
			continue;
		}
		add_step(chain, step, address);
		step.is_return = true;
	}
	return true;
}

static bool has_call_stack(const struct pipeline_sample *sample)
{
	return sample->event->attr.branch_sample_type &
	       PERF_SAMPLE_BRANCH_CALL_STACK && sample->fields->branches.nr;
}

/*
 * Use the branch stack as a call stack (LBR): the newest call leads to the current
 * function, and each call was made in the function around it.
 */
static void add_branches(struct callchain *chain,
			 const struct pipeline_sample *sample)
{
	const struct sample_branches *branches = &sample->fields->branches;
	const unsigned char *entry = branches->entries;
	struct call_step step = step_in(chain, sample, PERF_RECORD_MISC_USER);

	add_step(chain, step, sample_word(entry, 1));
	for (uint64_t i = 0; i < branches->nr; i++)
		add_step(chain, step,
			 sample_word(entry + i * SAMPLE_BRANCH_SIZE, 0));
}

/* Omit the outermost of the steps from @first on, if there are too many. */
static void limit_steps(struct callchain *chain, size_t first)
{
	unsigned int most = chain->pipeline->max_stack;

	if (most && chain->nr - first > most)
		chain->nr = first + most;
}

static int add_unwound(struct callchain *chain,
		       const struct pipeline_sample *sample)
{
	const uint64_t *addresses;
	size_t first = chain->nr;
	size_t nr = unwind(chain->unwinder, sample, &addresses);
	struct call_step step = step_in(chain, sample, PERF_RECORD_MISC_USER);

	if (array_room(chain->steps, chain->room, chain->nr + nr))
		return -ENOMEM;
	step.has_inlines = chain->pipeline->inlines != KERMON_INLINES_NONE;
	for (size_t i = 0; i < nr; i++)
		add_step(chain, step, addresses[i]);
	limit_steps(chain, first);
	return 0;
}

bool callchain_record(const struct callchain *chain,
		      const struct pipeline_sample *sample,
		      struct call_record *record)
{
	const struct sample *fields = sample->fields;

	*record = (struct call_record){
		.words = fields->callchain,
		.nr = fields->nr_callchain,
		.user = sample->thread->process->version,
		.kernel = chain->pipeline->processes.kernel.version,
	};
	return sample->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN &&
	       !fields->user_stack.size && !has_call_stack(sample);
}

static int add_steps(struct callchain *chain,
		     const struct pipeline_sample *sample)
{
	const struct sample *fields = sample->fields;
	bool by_branches = has_call_stack(sample);

	if (array_room(chain->steps, chain->room,
		       fields->nr_callchain + fields->branches.nr + 1))
		return -ENOMEM;
	if (!(sample->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN)) {
		add_step(chain, step_in(chain, sample,
					record_mode(sample->record)),
			 fields->ip);
		return 0;
	}
	if (!add_recorded(chain, sample, by_branches))
		add_branches(chain, sample);
	limit_steps(chain, 0);
	return add_unwound(chain, sample);
}

ssize_t callchain_steps(struct callchain *chain,
			const struct pipeline_sample *sample,
			const struct call_step **steps)
{
	int err;

	chain->nr = 0;
	err = add_steps(chain, sample);
	*steps = chain->steps;
	return err ? err : (ssize_t)chain->nr;
}

struct frame callchain_frame(const struct callchain *chain,
			     const struct pipeline_sample *sample,
			     const struct call_step *step)
{
	return (struct frame){
		.address = step->address,
		.mode = step->mode,
		.is_return = step->is_return,
		.has_inlines = step->has_inlines,
		.place = places_find(chain->pipeline->places, sample->thread,
					step->mode, step->address,
					step->is_return),
	};
}

ssize_t callchain_resolve(struct callchain *chain,
			  const struct pipeline_sample *sample,
			  const struct frame **frames)
{
	const struct call_step *steps;
	ssize_t nr = callchain_steps(chain, sample, &steps);

	if (nr < 0)
		return nr;
	if (array_room(chain->frames, chain->room_frames, (size_t)nr + 1))
		return -ENOMEM;
	for (ssize_t i = 0; i < nr; i++)
		chain->frames[i] = callchain_frame(chain, sample, &steps[i]);
	*frames = chain->frames;
	return nr;
}

const struct source *callchain_source(const struct callchain *chain,
				      const struct frame *frame)
{
	if (!frame->place.dso)
		return NULL;
	return dso_source(frame->place.dso, &chain->pipeline->sources,
			  frame->place.offset - frame->is_return);
}
