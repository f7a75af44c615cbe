// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel writes a chain as addresses, with markers between them that tell
 * in which mode the CPU was: PERF_CONTEXT_KERNEL, ..., PERF_CONTEXT_USER, ...
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "callchain.h"

#define FIRST_ROOM	128	/* the kernel's default limit is 127 */

/**
 * struct callchain - the frames of the newest sample
 * @frames: @nr of them, with room for @room
 */
struct callchain {
	struct pipeline *pipeline;
	struct frame *frames;
	size_t nr;
	size_t room;
};

struct callchain *callchain_new(struct pipeline *pipeline)
{
	struct callchain *chain = calloc(1, sizeof(*chain));

	if (chain)
		chain->pipeline = pipeline;
	return chain;
}

void callchain_free(struct callchain *chain)
{
	if (!chain)
		return;
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

/* Behind a marker the CPU was interrupted or called the kernel, not a function. */
static void add_recorded(struct callchain *chain,
			 const struct pipeline_sample *sample)
{
	const struct sample *fields = sample->fields;
	unsigned int mode = PERF_RECORD_MISC_USER;
	bool is_return = false;
	uint64_t address;

	for (uint64_t i = 0; i < fields->nr_callchain; i++) {
		memcpy(&address, fields->callchain + i * sizeof(address),
		       sizeof(address));
		if (is_marker(address)) {
			mode = mode_behind(address);
			is_return = false;
			continue;
		}
		add_frame(chain, sample->thread, address, mode, is_return);
		is_return = true;
	}
}

ssize_t callchain_resolve(struct callchain *chain,
			  const struct pipeline_sample *sample,
			  const struct frame **frames)
{
	const struct sample *fields = sample->fields;

	chain->nr = 0;
	if (make_room(chain, fields->nr_callchain + 1))
		return -ENOMEM;
	if (sample->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		add_recorded(chain, sample);
	else
		add_frame(chain, sample->thread, fields->ip,
			  record_mode(sample->record), false);
	*frames = chain->frames;
	return chain->nr;
}

const struct source *callchain_source(const struct callchain *chain,
				      const struct frame *frame)
{
	if (!frame->place.dso)
		return NULL;
	return dso_source(frame->place.dso, &chain->pipeline->sources,
			  frame->place.offset - frame->is_return);
}
