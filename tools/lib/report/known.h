/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The entries of a list of keys, as far as they are known: found by the keys of a sample,
 * or by its place alone if the list needs nothing else.
 */
#ifndef KERMON_KNOWN_H
#define KERMON_KNOWN_H

#include "report_private.h"

/**
 * struct known_keys - what determines the entries of a sample
 * @place: of its address; nowhere if there are chains
 * @number: of the function or DSO; with chains the node of its chain
 */
struct known_keys {
	const struct thread *thread;
	const struct place *place;
	uint32_t number;
	uint32_t cpu;
	uint32_t event;
};

/**
 * struct known - the entry of an origin; members that its list does not need are 0
 * @place: as the number in struct known_keys
 * @entry: plus one; 0: unknown
 */
struct known {
	const char *comm;
	uint64_t offset;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	uint32_t event;
	uint32_t place;
	uint32_t entry;
};

/**
 * struct known_list - the entries of a list of keys
 * @number: of the list
 * @needs: all bits of the members that the list needs
 * @all: a direct-mapped cache
 * @by_place: instead, if the list only needs the place: entry plus one by its number, 0:
 *	unknown; with room for @room of them
 * @chains: the place is the node of the chain
 * @of_threads: the list needs nothing but the thread and its name
 * @last: then that of the last sample, which is often the same
 */
struct known_list {
	uint32_t number;
	struct known needs;
	uintptr_t needs_comm;
	struct known *all;
	uint32_t *by_place;
	size_t room;
	bool chains;
	bool of_threads;
	struct known last;
};

/* For the list with this number, which is zeroed. Return: 0 or -ENOMEM. */
int known_make(struct known_list *list, const struct kermon_report *report, int number);
void known_free(struct known_list *list);

/* The entry of a sample plus one, if it is found without comparing all keys; else 0. */
static inline uint32_t known_quickly(const struct known_list *list,
				     const struct known_keys *keys)
{
	const struct known *last = &list->last;
	const struct thread *thread = keys->thread;

	if (!list->all)
		return keys->number < list->room ?
		       list->by_place[keys->number] : 0;
	if (list->of_threads && last->tid == thread->tid &&
	    last->pid == thread->pid && last->comm == thread->comm)
		return last->entry;
	return 0;
}

/* The same by comparing all keys, or a new entry. Return: 0 or -ENOMEM. */
int known_by_keys(struct kermon_report *report, struct known_list *list,
		  const struct known_keys *keys, uint32_t *entry);

/* Find the entry of a sample in a list. Return: 0 or -ENOMEM. */
static inline int known_find(struct kermon_report *report, struct known_list *list,
			     const struct known_keys *keys, uint32_t *entry)
{
	*entry = known_quickly(list, keys);
	if ((*entry)--)
		return 0;
	return known_by_keys(report, list, keys, entry);
}

#endif /* KERMON_KNOWN_H */
