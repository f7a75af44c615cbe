// SPDX-License-Identifier: GPL-2.0
/* A cache of entries by the keys of a list, of which there are few. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "known.h"
#include "util/array.h"

#define SLOTS	(1UL << 13)

static uint32_t all_bits(bool needed)
{
	return needed ? UINT32_MAX : 0;
}

int known_make(struct known_list *list, const struct kermon_report *report, int number)
{
	const struct report_keys *keys = report_summed(report, number);
	uint64_t others = keys->mask & ~(1ULL << KEY_DSO | 1ULL << KEY_SYM);

	list->number = number;
	list->chains = report_has_chains(report, keys);
	list->needs = (struct known){
		.offset = keys->flags & BY_LINE ? UINT64_MAX : 0,
		.pid = all_bits(report_has_key(keys, KEY_PID)),
		.tid = all_bits(report_has_key(keys, KEY_TID)),
		.cpu = all_bits(report_has_key(keys, KEY_CPU)),
		.event = all_bits(report_has_key(keys, KEY_EVENT)),
		.place = all_bits(list->chains || keys->flags & (BY_PLACE | BY_LINE)),
	};
	list->of_threads = !(list->needs.offset | list->needs.cpu |
			     list->needs.event | list->needs.place);
	list->needs_comm = report_has_key(keys, KEY_COMM) ? UINTPTR_MAX : 0;
	if (!others && list->needs.place)
		return 0;
	list->all = calloc(SLOTS, sizeof(*list->all));
	return list->all ? 0 : -ENOMEM;
}

void known_free(struct known_list *list)
{
	free(list->all);
	free(list->by_place);
}

static struct known *slot_of(const struct known_list *list, const struct known *wanted)
{
	uint64_t who = (uint64_t)wanted->tid << 32 ^ wanted->pid ^
		       (uintptr_t)wanted->comm << 8;
	uint64_t where = (uint64_t)wanted->place << 32 ^ wanted->offset ^
			 (uint64_t)wanted->cpu << 16 ^ wanted->event;

	return &list->all[hash_mix(hash_mix(who) ^ where) % SLOTS];
}

static bool same_keys(const struct known *a, const struct known *b)
{
	return a->comm == b->comm && a->offset == b->offset &&
	       a->pid == b->pid && a->tid == b->tid && a->cpu == b->cpu &&
	       a->event == b->event && a->place == b->place;
}

/* Return: 0 or -ENOMEM. */
static int remember_place(struct known_list *list, uint32_t place, uint32_t entry)
{
	size_t old = list->room;

	if (array_room(list->by_place, list->room, (size_t)place + 1))
		return -ENOMEM;
	memset(list->by_place + old, 0,
	       (list->room - old) * sizeof(*list->by_place));
	list->by_place[place] = entry + 1;
	return 0;
}

static struct known pick(const struct known_list *list, const struct known_keys *keys)
{
	const struct known *needs = &list->needs;
	const struct thread *thread = keys->thread;

	return (struct known){
		.comm = list->needs_comm ? thread->comm : NULL,
		.offset = keys->place->offset & needs->offset,
		.pid = thread->pid & needs->pid,
		.tid = thread->tid & needs->tid,
		.cpu = keys->cpu & needs->cpu,
		.event = keys->event & needs->event,
		.place = keys->number & needs->place,
	};
}

/* Find or create the entry of an origin that is not known. Return: 0 or -ENOMEM. */
static int find_unknown(struct kermon_report *report, struct known_list *list,
			const struct known *wanted, const struct place *place,
			uint32_t *entry)
{
	struct origin origin = {
		.comm = wanted->comm,
		.offset = wanted->offset,
		.pid = wanted->pid,
		.tid = wanted->tid,
		.cpu = wanted->cpu,
		.event = wanted->event,
		.list = list->number,
	};
	uint32_t chain = CALLTREE_ROOT;

	if (list->chains) {
		chain = wanted->place;
		if (chain != CALLTREE_ROOT)
			origin.place = *calltree_function(&report->tree, chain);
	} else if (list->needs.place) {
		origin.place.dso = place->dso;
		origin.place.symbol = place->symbol;
	} else {
		chain = CALLTREE_NONE;
	}
	return report_find_entry(report, &origin, chain, entry);
}

/* Find an entry in the cache, or put it there. Return: 0 or -ENOMEM. */
static int find_cached(struct kermon_report *report, struct known_list *list,
		       const struct known_keys *keys, uint32_t *entry)
{
	struct known wanted = pick(list, keys);
	struct known *slot = slot_of(list, &wanted);

	if (!slot->entry || !same_keys(slot, &wanted)) {
		if (find_unknown(report, list, &wanted, keys->place, entry))
			return -ENOMEM;
		*slot = wanted;
		slot->entry = *entry + 1;
	}
	*entry = slot->entry - 1;
	return 0;
}

int known_by_keys(struct kermon_report *report, struct known_list *list,
		  const struct known_keys *keys, uint32_t *entry)
{
	struct known wanted;

	if (!list->all) {
		wanted = pick(list, keys);
		return find_unknown(report, list, &wanted, keys->place, entry) ||
		       remember_place(list, wanted.place, *entry) ? -ENOMEM : 0;
	}
	if (find_cached(report, list, keys, entry))
		return -ENOMEM;
	list->last = (struct known){
		.comm = keys->thread->comm,
		.pid = keys->thread->pid,
		.tid = keys->thread->tid,
		.entry = *entry + 1,
	};
	return 0;
}
