// SPDX-License-Identifier: GPL-2.0
/*
 * Look up many call chains together. Each process of a build has its own addresses, so
 * that few chains and few of their frames recur: symbols are found faster than results of
 * earlier look-ups. Of consecutive chains, the common outermost frames are looked up once.
 */
#include <errno.h>
#include <stdlib.h>

#include "callbatch.h"
#include "perfdata/format/format.h"
#include "util/array.h"

/* 80 KB */
#define FULL	1024

/**
 * struct batch_frame - a frame that is being looked up
 * @space: of the address; NULL: unknown
 * @is_return: @address is a return address
 */
struct batch_frame {
	uint64_t address;
	struct process *space;
	bool is_return;
	struct place_search search;
};

/**
 * struct batch_chain - a chain
 * @first: its innermost frame
 * @nr: number of frames
 * @common: number of outermost ones that it shares with the preceding chain
 */
struct batch_chain {
	size_t first;
	size_t nr;
	size_t common;
};

/**
 * struct callbatch - chains that are being looked up
 * @frames: of all chains, @nr_frames of them, with room for @room_frames
 * @chains: @nr_chains of them, with room for @room_chains
 * @next: index of the next chain to be asked for
 * @path: the nodes of the preceding chain, from the outermost on
 */
struct callbatch {
	struct calltree *tree;
	struct pipeline *pipeline;
	struct batch_frame *frames;
	size_t nr_frames;
	size_t room_frames;
	struct batch_chain *chains;
	size_t nr_chains;
	size_t room_chains;
	size_t next;
	uint32_t *path;
	size_t room_path;
};

struct callbatch *callbatch_new(struct calltree *tree, struct pipeline *pipeline)
{
	struct callbatch *batch = calloc(1, sizeof(*batch));

	if (!batch || calltree_begin(tree)) {
		free(batch);
		return NULL;
	}
	batch->tree = tree;
	batch->pipeline = pipeline;
	return batch;
}

void callbatch_free(struct callbatch *batch)
{
	if (!batch)
		return;
	free(batch->frames);
	free(batch->chains);
	free(batch->path);
	free(batch);
}

void callbatch_clear(struct callbatch *batch)
{
	batch->nr_frames = 0;
	batch->nr_chains = 0;
	batch->next = 0;
}

bool callbatch_is_full(const struct callbatch *batch)
{
	return batch->nr_frames >= FULL;
}

/* As add_recorded() of callchain.c. */
static void add_frames(struct callbatch *batch, struct thread *thread,
		       const unsigned char *words, uint64_t nr)
{
	struct batch_frame *frame = &batch->frames[batch->nr_frames];
	struct process *space = thread->process;
	bool is_return = false;
	uint64_t word;

	for (uint64_t i = 0; i < nr; i++) {
		word = sample_word(words, i);
		if (callchain_is_marker(word)) {
			space = processes_space(&batch->pipeline->processes, thread,
						callchain_mode_behind(word));
			is_return = false;
			continue;
		}
		frame->address = word;
		frame->space = space;
		frame->is_return = is_return;
		frame++;
		is_return = true;
	}
	batch->nr_frames = frame - batch->frames;
}

/* Number of outermost frames that equal those of the preceding chain. */
static size_t common_frames(const struct callbatch *batch,
			    const struct batch_chain *chain)
{
	const struct batch_chain *last = chain - 1;
	const struct batch_frame *new = &batch->frames[batch->nr_frames], *old;
	size_t common = 0;

	if (!batch->nr_chains)
		return 0;
	old = &batch->frames[last->first + last->nr];
	while (common < chain->nr && common < last->nr) {
		new--;
		old--;
		if (old->address != new->address || old->space != new->space ||
		    old->is_return != new->is_return)
			break;
		common++;
	}
	return common;
}

static void begin_frame(struct callbatch *batch, struct batch_frame *frame)
{
	places_begin(batch->pipeline->places, frame->space, frame->address,
		     frame->is_return, &frame->search);
}

int callbatch_add(struct callbatch *batch, struct thread *thread,
		  const unsigned char *words)
{
	uint64_t nr = sample_word(words, 0);
	struct batch_chain *chain;

	if (array_room(batch->frames, batch->room_frames, batch->nr_frames + nr + 1) ||
	    array_room(batch->chains, batch->room_chains, batch->nr_chains + 1) ||
	    array_room(batch->path, batch->room_path, nr + 1))
		return -ENOMEM;
	chain = &batch->chains[batch->nr_chains];
	chain->first = batch->nr_frames;
	add_frames(batch, thread, words + sizeof(uint64_t), nr);
	chain->nr = batch->nr_frames - chain->first;
	chain->common = common_frames(batch, chain);
	for (size_t i = 0; i < chain->nr - chain->common; i++)
		begin_frame(batch, &batch->frames[chain->first + i]);
	batch->nr_chains++;
	return 0;
}

void callbatch_prefetch(const struct callbatch *batch)
{
	const struct batch_chain *chain;

	for (size_t i = 0; i < batch->nr_chains; i++) {
		chain = &batch->chains[i];
		for (size_t j = 0; j < chain->nr - chain->common; j++)
			places_prefetch(&batch->frames[chain->first + j].search);
	}
}

uint32_t callbatch_next(struct callbatch *batch)
{
	const struct batch_chain *chain = &batch->chains[batch->next++];
	size_t depth = chain->common;
	uint32_t node = depth ? batch->path[depth - 1] : CALLTREE_ROOT;
	const struct place *place;

	while (depth < chain->nr && node != NUMBERING_FULL) {
		place = places_end(&batch->frames[chain->first + chain->nr - depth - 1].search);
		node = calltree_step(batch->tree, node, &(struct callee){
			.dso = place->dso,
			.symbol = place->symbol,
		});
		batch->path[depth++] = node;
	}
	return node;
}
