// SPDX-License-Identifier: GPL-2.0
/* Direct-mapped caches of call chains and calls. */
#include <stdlib.h>
#include <string.h>

#include "callmemo.h"
#include "perfdata/format/format.h"
#include "util/hash.h"

/* 1 MB for calls; 128 KB for chains, plus at most 2 MB for their contents. */
#define CALLS		(1U << 15)
#define CHAINS		(1U << 12)
#define LONGEST		64

/* A call: the relevant part of the step, the node of its caller, and its own node. */
struct known_call {
	uint64_t version;
	uint64_t address;
	uint32_t caller;
	bool is_return;
	bool has_inlines;
	uint32_t node;
};

/**
 * struct known_chain - a chain
 * @words: a copy of the record's, with room for @room
 */
struct known_chain {
	unsigned char *words;
	uint64_t user;
	uint64_t kernel;
	uint32_t nr;
	uint32_t room;
	uint32_t node;
};

struct callmemo {
	struct known_call calls[CALLS];
	struct known_chain chains[CHAINS];
};

struct callmemo *callmemo_new(void)
{
	struct callmemo *memo = calloc(1, sizeof(*memo));

	if (!memo)
		return NULL;
	for (size_t i = 0; i < CALLS; i++)
		memo->calls[i].node = CALLMEMO_UNKNOWN;
	for (size_t i = 0; i < CHAINS; i++)
		memo->chains[i].node = CALLMEMO_UNKNOWN;
	return memo;
}

void callmemo_free(struct callmemo *memo)
{
	if (!memo)
		return;
	for (size_t i = 0; i < CHAINS; i++)
		free(memo->chains[i].words);
	free(memo);
}

static size_t size_of(uint64_t nr)
{
	return nr * sizeof(uint64_t);
}

static bool is_chain(const struct known_chain *known,
		     const struct call_record *record)
{
	return known->nr == record->nr && known->user == record->user &&
	       known->kernel == record->kernel &&
	       !memcmp(known->words, record->words, size_of(record->nr));
}

static bool make_room(struct known_chain *known, uint32_t nr)
{
	unsigned char *words;

	if (nr <= known->room)
		return true;
	words = realloc(known->words, size_of(nr));
	if (!words)
		return false;
	known->words = words;
	known->room = nr;
	return true;
}

/* Fast rather than good: it only selects a slot. */
static uint64_t hash_of(const struct call_record *record)
{
	uint64_t hash = record->user ^ record->kernel << 32;

	for (uint64_t i = 0; i < record->nr; i++) {
		hash = (hash << 5 | hash >> 59) ^ sample_word(record->words, i);
		hash *= 0x9e3779b97f4a7c15ULL;
	}
	return hash_mix(hash);
}

uint32_t *callmemo_chain(struct callmemo *memo,
			 const struct call_record *record)
{
	struct known_chain *known;

	if (!record->nr || record->nr > LONGEST)
		return NULL;
	known = &memo->chains[hash_of(record) % CHAINS];
	if (known->nr && is_chain(known, record))
		return &known->node;
	known->node = CALLMEMO_UNKNOWN;
	if (!make_room(known, record->nr)) {
		known->nr = 0;
		return NULL;
	}
	memcpy(known->words, record->words, size_of(record->nr));
	known->nr = record->nr;
	known->user = record->user;
	known->kernel = record->kernel;
	return &known->node;
}

uint32_t *callmemo_call(struct callmemo *memo, uint32_t caller,
			const struct call_step *step)
{
	uint64_t hash = hash_mix(step->address ^ (uint64_t)caller << 40 ^
				 caller ^ step->version << 32);
	struct known_call *known = &memo->calls[hash % CALLS];

	if (known->address == step->address &&
	    known->version == step->version && known->caller == caller &&
	    known->is_return == step->is_return &&
	    known->has_inlines == step->has_inlines)
		return &known->node;
	*known = (struct known_call){
		.version = step->version,
		.address = step->address,
		.caller = caller,
		.is_return = step->is_return,
		.has_inlines = step->has_inlines,
		.node = CALLMEMO_UNKNOWN,
	};
	return &known->node;
}
