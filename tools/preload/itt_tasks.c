// SPDX-License-Identifier: GPL-2.0
/* ITT: tasks, regions, events, markers. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#include "collector.h"
#include "itt_names.h"
#include "thread.h"

/* ITT's __itt_err. */
#define ITT_ERROR	(-1)

/* Longest name of a function, if it has no symbol. */
#define FUNCTION_MAX	256

void __itt_task_begin(const struct itt_domain *domain, struct itt_id id, struct itt_id parent,
		      struct itt_string *name)
{
	struct region *region;

	(void)id;
	(void)parent;
	if (!itt_is_on(domain))
		return;
	region = itt_name(MARK_NAME_TASK, domain, name);
	if (region)
		collector_begin(region);
}

/* The symbol, or the file and the offset in it. */
static struct region *function_name(const struct itt_domain *domain, void *function)
{
	char text[FUNCTION_MAX];
	Dl_info info = {};

	if (dladdr(function, &info) && info.dli_sname && info.dli_saddr == function)
		return names_find(MARK_NAME_TASK, itt_domain_name(domain), info.dli_sname,
				  RING_NAME_MAX);
	if (info.dli_fname)
		snprintf(text, sizeof(text), "%s+%#tx", info.dli_fname,
			 (char *)function - (char *)info.dli_fbase);
	else
		snprintf(text, sizeof(text), "%p", function);
	return names_find(MARK_NAME_TASK, itt_domain_name(domain), text, sizeof(text));
}

void __itt_task_begin_fn(const struct itt_domain *domain, struct itt_id id,
			 struct itt_id parent, void *function)
{
	struct region *region;

	(void)id;
	(void)parent;
	if (!itt_is_on(domain))
		return;
	region = function_name(domain, function);
	if (region)
		collector_begin(region);
}

void __itt_task_end(const struct itt_domain *domain)
{
	if (itt_is_on(domain))
		thread_end_kind(MARK_NAME_TASK, itt_domain_name(domain));
}

/* One number for both; 0 for no identity. */
static uint64_t identity(struct itt_id id)
{
	uint64_t number = id.d1 * 0x9e3779b97f4a7c15ULL;

	number ^= (number >> 29) ^ (id.d2 * 0xbf58476d1ce4e5b9ULL);
	return number || !(id.d1 | id.d2) ? number : 1;
}

static void overlapped_begin(unsigned int kind, const struct itt_domain *domain,
			     struct itt_id id, struct itt_id parent, struct itt_string *name)
{
	struct plain_mark mark = {
		.kind = MARK_OPEN, .nr = 2, .values = { identity(id), identity(parent) },
	};

	if (!itt_is_on(domain))
		return;
	mark.name = itt_name(kind, domain, name);
	if (mark.name)
		thread_mark(&mark);
}

static void overlapped_end(const struct itt_domain *domain, struct itt_id id)
{
	const struct plain_mark mark = {
		.kind = MARK_CLOSE, .nr = 1, .values = { identity(id) }, .always = true,
	};

	if (itt_is_on(domain))
		thread_mark(&mark);
}

void __itt_task_begin_overlapped(const struct itt_domain *domain, struct itt_id id,
				 struct itt_id parent, struct itt_string *name)
{
	overlapped_begin(MARK_NAME_TASK, domain, id, parent, name);
}

void __itt_task_end_overlapped(const struct itt_domain *domain, struct itt_id id)
{
	overlapped_end(domain, id);
}

void __itt_region_begin(const struct itt_domain *domain, struct itt_id id,
			struct itt_id parent, struct itt_string *name)
{
	overlapped_begin(MARK_NAME_REGION, domain, id, parent, name);
}

void __itt_region_end(const struct itt_domain *domain, struct itt_id id)
{
	overlapped_end(domain, id);
}

static int number_of(const char *name, size_t length)
{
	struct region *region = NULL;

	if (name)
		region = names_find(MARK_NAME_EVENT, NULL, name, length);
	return region ? (int)region->id : ITT_ERROR;
}

static struct region *event_of(int number)
{
	struct region *region = number > 0 ? names_number(number) : NULL;

	return region && region->kind == MARK_NAME_EVENT ? region : NULL;
}

int __itt_event_create(const char *name, int length)
{
	return number_of(name, length > 0 ? length : RING_NAME_MAX);
}

/* They have a duration, and nest as regions do. */
int __itt_event_start(int event)
{
	struct region *region = event_of(event);

	if (!region)
		return ITT_ERROR;
	collector_begin(region);
	return 0;
}

int __itt_event_end(int event)
{
	struct region *region = event_of(event);

	if (!region)
		return ITT_ERROR;
	collector_end(region);
	return 0;
}

void __itt_marker(const struct itt_domain *domain, struct itt_id id, struct itt_string *name,
		  int scope)
{
	struct plain_mark mark = { .kind = MARK_EVENT };

	(void)id;
	(void)scope;
	if (!itt_is_on(domain))
		return;
	mark.name = itt_name(MARK_NAME_EVENT, domain, name);
	if (mark.name)
		thread_mark(&mark);
}

int __itt_mark_create(const char *name)
{
	return number_of(name, RING_NAME_MAX);
}

int __itt_mark(int number, const char *parameter)
{
	const struct plain_mark mark = { .kind = MARK_EVENT, .name = event_of(number) };

	(void)parameter;
	if (!mark.name)
		return ITT_ERROR;
	thread_mark(&mark);
	return 0;
}

int __itt_mark_global(int number, const char *parameter)
{
	return __itt_mark(number, parameter);
}
