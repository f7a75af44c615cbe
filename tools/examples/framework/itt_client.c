// SPDX-License-Identifier: GPL-2.0
/*
 * Loads an ITT collector. One that exports __itt_api_init() gets a list of functions, whose
 * pointers it sets; of others, functions are looked up by name. Layouts are those of
 * ittnotify_config.h in github.com/intel/ittapi, commit 0a7d028cf9ef.
 */
#define _GNU_SOURCE
#include "itt_client.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

/* Groups of functions: all. */
#define ITT_GROUP_ALL	(-1)

struct itt_api {
	const char *name;
	void **function;
	void *init;		/* called instead, before the collector is loaded */
	void *null;		/* what the function is without a collector */
	int group;
};

/* What the static part shares with the collector. Later versions have more at the end. */
struct itt_global {
	unsigned char magic[8];
	unsigned long version_major, version_minor, version_build;
	volatile long api_initialized, mutex_initialized, atomic_counter;
	pthread_mutex_t mutex;
	void *library;
	void *error_handler;
	const char **path;
	struct itt_api *apis;
	struct itt_global *next;
	void *threads, *domains, *strings;
	int state;
	void *counters;
	unsigned int trace_events;
	void *histograms;
};

static struct itt_functions functions;

#define API(name, member) { "__itt_" #name, (void **)&functions.member, NULL, NULL, ITT_GROUP_ALL }

static struct itt_api apis[] = {
	API(domain_create, domain),
	API(string_handle_create, string),
	API(task_begin, task_begin),
	API(task_end, task_end),
	API(event_create, event_create),
	API(event_start, event_start),
	API(event_end, event_end),
	API(pause, pause),
	API(resume, resume),
	API(thread_set_name, thread_name),
	{}
};

static struct itt_global global = {
	.magic = { 0xED, 0xAB, 0xAB, 0xEC, 0x0D, 0xEE, 0xDA, 0x30 },
	.version_major = 3,
	.version_minor = 25,
	.mutex_initialized = 1,
	.apis = apis,
};

/* Stand in for functions that the collector does not have. */
static struct itt_domain *no_domain(const char *name)
{
	(void)name;
	return NULL;
}

static struct itt_string *no_string(const char *name)
{
	(void)name;
	return NULL;
}

static void no_task_begin(const struct itt_domain *domain, struct itt_id task,
			  struct itt_id parent, struct itt_string *name)
{
	(void)domain, (void)task, (void)parent, (void)name;
}

static void no_task_end(const struct itt_domain *domain)
{
	(void)domain;
}

static int no_event_create(const char *name, int length)
{
	(void)name, (void)length;
	return 0;
}

static int no_event(int event)
{
	return event;
}

static void no_control(void)
{
}

static void no_thread_name(const char *name)
{
	(void)name;
}

static const struct itt_functions none = {
	no_domain, no_string, no_task_begin, no_task_end, no_event_create, no_event, no_event,
	no_control, no_control, no_thread_name,
};

static void init_mutex(void)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&global.mutex, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

static void find_functions(void)
{
	void (*init)(struct itt_global *, int);
	struct itt_api *api;

	*(void **)&init = dlsym(global.library, "__itt_api_init");
	if (init) {
		init_mutex();
		pthread_mutex_lock(&global.mutex);
		init(&global, ITT_GROUP_ALL);
		global.api_initialized = 1;
		pthread_mutex_unlock(&global.mutex);
	} else {
		for (api = apis; api->name; api++)
			*api->function = dlsym(global.library, api->name);
	}
	for (api = apis; api->name; api++) {
		if (!*api->function)
			*api->function = api->null;
	}
}

const struct itt_functions *itt_load(const char **why)
{
	const char *file = secure_getenv(ITT_COLLECTOR);
	size_t i;

	*why = NULL;
	if (global.library)
		return &functions;
	if (!file || !*file)
		return NULL;
	functions = none;
	for (i = 0; apis[i].name; i++)
		apis[i].null = *apis[i].function;
	global.library = dlopen(file, RTLD_LAZY);
	if (!global.library) {
		*why = dlerror();
		return NULL;
	}
	find_functions();
	return &functions;
}
