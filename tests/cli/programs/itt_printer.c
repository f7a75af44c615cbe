// SPDX-License-Identifier: GPL-2.0
/*
 * An ITT collector that writes each call to the file in the environment ITT_PRINTER: number of
 * the thread, in the order of their first calls, and call. Functions are found by name, or with
 * -DBY_INIT by __itt_api_init(), as VTune's and ours: see struct ___itt_global in
 * ittnotify_config.h of github.com/intel/ittapi.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef BY_INIT
#define EXPORT	static
#else
#define EXPORT	__attribute__((visibility("default")))
#endif

struct name {
	volatile int flags;	/* of a domain: it is on */
	char *text;
	struct name *next;
};

struct id {
	unsigned long long d[3];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *out;
static struct name *names;	/* so that leaks are not reported */
static char *events[1000];
static int nr_events, nr_threads;
static __thread int thread;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
	va_list values;

	pthread_mutex_lock(&lock);
	if (!thread)
		thread = ++nr_threads;
	if (!out)
		out = fopen(getenv("ITT_PRINTER"), "w");
	if (!out)
		abort();
	fprintf(out, "%d ", thread);
	va_start(values, format);
	vfprintf(out, format, values);
	va_end(values);
	fputc('\n', out);
	fflush(out);
	pthread_mutex_unlock(&lock);
}

static struct name *made(const char *text)
{
	struct name *name = malloc(sizeof(*name));

	if (!name)
		abort();
	pthread_mutex_lock(&lock);
	*name = (struct name){ .flags = 1, .text = strdup(text), .next = names };
	names = name;
	pthread_mutex_unlock(&lock);
	return name;
}

EXPORT struct name *__itt_domain_create(const char *name)
{
	say("domain %s", name);
	return made(name);
}

EXPORT struct name *__itt_string_handle_create(const char *name)
{
	say("string %s", name);
	return made(name);
}

EXPORT void __itt_task_begin(const struct name *domain, struct id task, struct id parent,
			     struct name *name)
{
	if (task.d[0] || task.d[1] || task.d[2] || parent.d[0] || parent.d[1] || parent.d[2])
		say("identity");
	say("begin %s %s", domain->text, name->text);
}

EXPORT void __itt_task_end(const struct name *domain)
{
	say("end %s", domain->text);
}

EXPORT int __itt_event_create(const char *name, int length)
{
	say("event %.*s", length, name);
	pthread_mutex_lock(&lock);
	if (++nr_events == sizeof(events) / sizeof(events[0]))
		abort();
	events[nr_events] = strndup(name, length);
	pthread_mutex_unlock(&lock);
	return nr_events;
}

EXPORT int __itt_event_start(int event)
{
	say("start %s", events[event]);
	return 0;
}

EXPORT int __itt_event_end(int event)
{
	say("stop %s", events[event]);
	return 0;
}

EXPORT void __itt_pause(void)
{
	say("pause");
}

EXPORT void __itt_resume(void)
{
	say("resume");
}

/* Without __itt_thread_set_name(): collectors need not have all functions. */

#ifdef BY_INIT
#define OURS(name) { #name, name }

static const struct {
	const char *name;
	void *function;
} ours[] = {
	OURS(__itt_domain_create), OURS(__itt_string_handle_create), OURS(__itt_task_begin),
	OURS(__itt_task_end), OURS(__itt_event_create), OURS(__itt_event_start),
	OURS(__itt_event_end), OURS(__itt_pause), OURS(__itt_resume),
};

struct api {
	const char *name;
	void **function;
	void *init, *null;
	int group;
};

struct global {
	unsigned char magic[8];
	unsigned long version[3];
	volatile long initialized, mutex_initialized, counter;
	pthread_mutex_t mutex;
	void *library, *error_handler;
	const char **path;
	struct api *apis;
};

__attribute__((visibility("default"))) void __itt_api_init(struct global *global, int groups)
{
	static const unsigned char magic[8] = { 0xED, 0xAB, 0xAB, 0xEC, 0x0D, 0xEE, 0xDA, 0x30 };
	struct api *api;
	size_t i;

	say("init %s %lu", memcmp(global->magic, magic, sizeof(magic)) ? "wrong" : "right",
	    global->version[0]);
	for (api = global->apis; api->name; api++) {
		*api->function = api->null;
		for (i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
			if (!strcmp(ours[i].name, api->name) && api->group & groups)
				*api->function = ours[i].function;
		}
	}
}
#endif
