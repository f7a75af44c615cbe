/* SPDX-License-Identifier: GPL-2.0 */
/* Names of regions and all else: one copy of each, with a number. */
#ifndef KERMON_PRELOAD_NAMES_H
#define KERMON_PRELOAD_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kermon/region.h>

#include "marks/ring.h"
#include "memory.h"

/* The tool does not know the name yet: there was no room. Beside FILTER_*. */
#define REGION_UNANNOUNCED	(1U << 3)

/* Nothing is collected just now. Likewise. */
#define REGION_PAUSED		(1U << 4)

/* The text of a string handle of ITT; the tool does not get to know these. */
#define NAME_HANDLE		1000

/**
 * struct region - a name
 * @public: what the application sees
 * @id: number of the name
 * @special: FILTER_*, REGION_*; 0: begins need no look at it
 * @kind: enum mark_name, or NAME_HANDLE
 * @domain: name of its domain, or NULL
 * @extra: of the interface by which it is marked
 * @next: another one with the same hash
 * @name: the text
 */
struct region {
	struct kermon_region public;
	uint32_t id;
	uint32_t special;
	uint32_t kind;
	struct region *domain;
	void *extra;
	struct region *next;
	char name[];
};

/**
 * names_find() - the name with this text
 * @kind: enum mark_name or NAME_HANDLE
 * @domain: of the name, or NULL
 * @text: copied; at most RING_NAME_MAX bytes count
 * @length: of it
 *
 * Takes process_lock(). The first name of a process finds the tool.
 *
 * Return: the same for the same arguments; NULL if there is no tool or no memory, or if this
 * thread is in here already, by an allocator that marks what it does.
 */
struct region *names_find(unsigned int kind, struct region *domain, const char *text,
			  size_t length);

/* The name with this number, in this process or in one before fork(); or NULL. */
struct region *names_number(uint32_t number);

/* Names the calling thread. */
void names_thread(const char *text);

/* The calling thread has no ring, and is not collected: the tool gets to know that. */
void names_count_failure(void);

/**
 * names_announce_late() - tell the tool what it does not know yet
 * @region: with REGION_UNANNOUNCED
 *
 * Takes process_lock().
 *
 * Return: whether it knows the name now.
 */
bool names_announce_late(struct region *region);

/**
 * names_announce() - tell the tool all names; the caller holds process_lock()
 * @memory: the ring of this process, which is kept; NULL: there is none
 */
void names_announce(const struct memory *memory);

/* Let begins of all regions, also of those to come, notice that process_paused has changed. */
void names_pause(void);

/* Whether there is a ring; the caller holds process_lock(). */
bool names_are_announced(void);

#endif /* KERMON_PRELOAD_NAMES_H */
