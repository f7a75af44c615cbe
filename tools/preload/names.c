// SPDX-License-Identifier: GPL-2.0
/*
 * The table of names, and the ring in which the tool gets to know them. A child of fork() has
 * the table of its parent, and a ring of its own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"
#include "collector.h"
#include "connection.h"
#include "filter.h"
#include "names.h"
#include "process.h"

#define BUCKETS		(1U << 12)

/* Numbers of names: blocks that are made as they are needed. */
#define BLOCK		(1U << 10)
#define BLOCKS		(1U << 12)

static struct region *buckets[BUCKETS];
static struct region **blocks[BLOCKS];
static uint32_t last_number;

/* The ring of this process; not that of its parent: see names_announce(). */
static struct memory ring;
static uint64_t ring_head;

static uint32_t hash_of(unsigned int kind, const struct region *domain, const char *text,
			size_t length)
{
	uint32_t hash = 2166136261U ^ kind ^ (uint32_t)((uintptr_t)domain >> 4);

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (uint8_t)text[i]) * 16777619U;
	return hash % BUCKETS;
}

/* Whether there was room; waits for it if nothing may be lost. */
static bool record_write(uint32_t id, unsigned int kind, const struct region *domain,
			 const char *text, size_t length, int thread)
{
	const size_t size = (sizeof(struct name_record) + length + 1 + 7) & ~(size_t)7;
	struct patience patience = {};
	struct name_record *record;

	while (memory_tail(&ring, ring_head) + ring.bytes - ring_head < size) {
		if (!settings.waits || !connection_wait(&patience))
			return false;
	}
	record = (void *)(ring.records + (ring_head & (ring.bytes - 1)));
	*record = (struct name_record){
		.size = size, .kind = kind, .id = id, .thread = thread,
		.domain = domain ? domain->id : 0,
	};
	memcpy(record->name, text, length);
	memset(record->name + length, 0, size - sizeof(*record) - length);
	ring_head += size;
	memory_publish(ring.head, ring_head);
	return true;
}

static void region_announce(struct region *region)
{
	uint32_t special = region->special & ~REGION_UNANNOUNCED;

	if (region->kind == NAME_HANDLE)
		return;
	if (!record_write(region->id, region->kind, region->domain, region->name,
			  strlen(region->name), 0))
		special |= REGION_UNANNOUNCED;
	__atomic_store_n(&region->special, special, __ATOMIC_RELAXED);
}

static uint32_t paused_flag(void)
{
	return __atomic_load_n(&process_paused, __ATOMIC_RELAXED) ? REGION_PAUSED : 0;
}

/* The number is there before the region, for names_number() without a lock. */
static bool region_number(struct region *region)
{
	const uint32_t number = last_number + 1;
	struct region ***block = &blocks[number / BLOCK];

	if (number >= BLOCK * BLOCKS)
		return false;
	if (!*block)
		*block = arena_take(BLOCK * sizeof(**block));
	if (!*block)
		return false;
	region->id = number;
	__atomic_store_n(&(*block)[number % BLOCK], region, __ATOMIC_RELEASE);
	last_number = number;
	return true;
}

static struct region *region_make(unsigned int kind, struct region *domain, const char *text,
				  size_t length, struct region **bucket)
{
	struct region *region = arena_take(sizeof(*region) + length + 1);

	if (!region)
		return NULL;
	region->public.begin = collector.begin;
	region->public.end = collector.end;
	region->public.collector = &collector;
	region->kind = kind;
	region->domain = domain;
	region->next = *bucket;
	memcpy(region->name, text, length);
	if (kind != NAME_HANDLE) {
		if (!region_number(region))
			return NULL;
		region->special = filter_of(region->name) | paused_flag();
		region_announce(region);
	}
	__atomic_store_n(bucket, region, __ATOMIC_RELEASE);
	return region;
}

static struct region *find_locked(unsigned int kind, struct region *domain, const char *text,
				  size_t length)
{
	struct region **bucket = &buckets[hash_of(kind, domain, text, length)];
	struct region *at;

	if (!process_open())
		return NULL;
	for (at = *bucket; at; at = at->next) {
		if (at->kind == kind && at->domain == domain &&
		    !strncmp(at->name, text, length) && !at->name[length])
			return at;
	}
	return region_make(kind, domain, text, length, bucket);
}

struct region *names_find(unsigned int kind, struct region *domain, const char *text,
			  size_t length)
{
	const int error = errno;
	struct region *region;

	if (length > RING_NAME_MAX)
		length = RING_NAME_MAX;
	length = strnlen(text, length);
	if (!process_lock())
		return NULL;
	region = find_locked(kind, domain, text, length);
	process_unlock();
	errno = error;
	return region;
}

struct region *names_number(uint32_t number)
{
	struct region **block;

	if (!number || number >= BLOCK * BLOCKS)
		return NULL;
	block = __atomic_load_n(&blocks[number / BLOCK], __ATOMIC_ACQUIRE);
	return block ? __atomic_load_n(&block[number % BLOCK], __ATOMIC_ACQUIRE) : NULL;
}

void names_thread(const char *text)
{
	const int error = errno;

	if (!process_lock())
		return;
	if (process_open() && last_number + 1 < BLOCK * BLOCKS)
		record_write(++last_number, MARK_NAME_THREAD, NULL, text,
			     strnlen(text, RING_NAME_MAX), gettid());
	process_unlock();
	errno = error;
}

void names_count_failure(void)
{
	if (!process_lock())
		return;
	if (process_open())
		__atomic_add_fetch(&ring.head->lost, 1, __ATOMIC_RELAXED);
	process_unlock();
}

bool names_announce_late(struct region *region)
{
	bool ok = false;

	if (!process_lock())
		return false;
	if (process_open()) {
		region_announce(region);
		ok = !(region->special & REGION_UNANNOUNCED);
	}
	process_unlock();
	return ok;
}

void names_announce(const struct memory *memory)
{
	struct region *region;

	ring = memory ? *memory : (struct memory){};
	ring_head = 0;
	for (uint32_t number = 1; memory && number <= last_number; number++) {
		region = names_number(number);
		if (region)
			region_announce(region);
	}
}

void names_pause(void)
{
	struct region *region;
	uint32_t special;

	if (!process_lock())
		return;
	for (uint32_t number = 1; number <= last_number; number++) {
		region = names_number(number);
		if (!region)
			continue;
		special = (region->special & ~REGION_PAUSED) | paused_flag();
		__atomic_store_n(&region->special, special, __ATOMIC_RELAXED);
	}
	process_unlock();
}

bool names_are_announced(void)
{
	return ring.head;
}
