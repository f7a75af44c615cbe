// SPDX-License-Identifier: GPL-2.0
/* ITT: domains, string handles, threads, pause. */
#include <string.h>

#include <kermon/self.h>

#include "arena.h"
#include "collector.h"
#include "itt_names.h"
#include "process.h"

/* What a name refers to besides: made once, zeroed. */
static void *extra_of(struct region *region, size_t size)
{
	if (!region || !process_lock())
		return NULL;
	if (!region->extra)
		region->extra = arena_take(size);
	process_unlock();
	return region->extra;
}

struct itt_domain *__itt_domain_create(const char *name)
{
	struct region *region;
	struct itt_domain *domain;

	if (!name)
		return NULL;
	region = names_find(MARK_NAME_DOMAIN, NULL, name, RING_NAME_MAX);
	domain = extra_of(region, sizeof(*domain));
	/* Several threads may do this at once: all write the same. */
	if (domain && !domain->name) {
		domain->flags = 1;
		__atomic_store_n(&domain->extra2, region, __ATOMIC_RELEASE);
		__atomic_store_n(&domain->name, region->name, __ATOMIC_RELEASE);
	}
	return domain;
}

struct itt_string *__itt_string_handle_create(const char *text)
{
	struct itt_string *string;
	struct region *region;

	if (!text)
		return NULL;
	region = names_find(NAME_HANDLE, NULL, text, RING_NAME_MAX);
	string = extra_of(region, sizeof(*string));
	if (string)
		__atomic_store_n(&string->text, region->name, __ATOMIC_RELEASE);
	return string;
}

void __itt_pause(void)
{
	collector_pause();
}

void __itt_resume(void)
{
	collector_resume();
}

void __itt_pause_scoped(int scope)
{
	if (scope & ITT_SCOPE_HOST)
		collector_pause();
}

void __itt_resume_scoped(int scope)
{
	if (scope & ITT_SCOPE_HOST)
		collector_resume();
}

void __itt_detach(void)
{
	collector_pause();
}

void __itt_thread_set_name(const char *name)
{
	if (name)
		names_thread(name);
}

int __itt_thr_name_set(const char *name, int length)
{
	(void)length;
	__itt_thread_set_name(name);
	return 0;
}

/* Times of frames that are submitted later. */
uint64_t __itt_get_timestamp(void)
{
	return __kermon_rdtsc();
}
