// SPDX-License-Identifier: GPL-2.0
/*
 * A program with ITT, which loads the collector as ITT's static part does: by __itt_api_init(),
 * or, as old ones, each function by its name.
 *
 * usage: itt new|old CASE
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/itt.h"

#define ALL_GROUPS	0xffff
#define GROUP		2
#define OTHER_GROUP	0x10000

/* What the static part does without a collector. */
static void *of_static_part(void)
{
	return NULL;
}

#define EACH(f)										\
	f(domain_create) f(string_handle_create) f(task_begin) f(task_begin_fn)		\
	f(task_end) f(task_begin_overlapped) f(task_end_overlapped) f(region_begin)	\
	f(region_end) f(event_create) f(event_start) f(event_end) f(marker)		\
	f(frame_begin_v3) f(frame_end_v3) f(frame_submit_v3) f(counter_create)		\
	f(counter_create_typed) f(counter_inc) f(counter_dec_delta)			\
	f(counter_inc_delta_v3) f(counter_set_value) f(metadata_add) f(metadata_str_add) \
	f(pause) f(resume) f(thread_set_name) f(get_timestamp) f(mark_create) f(mark)

#define POINTER(name)	static __typeof__(&__itt_##name) itt_##name;
EACH(POINTER)

static void *stack_caller_create, *unknown, *other_group;

#define ENTRY(name)	{ "__itt_" #name, (void **)&itt_##name, NULL, NULL, GROUP },
static struct itt_api list[] = {
	EACH(ENTRY)
	{ "__itt_stack_caller_create", &stack_caller_create, NULL, of_static_part, GROUP },
	{ "__itt_of_the_future", &unknown, NULL, of_static_part, GROUP },
	{ "__itt_task_begin", &other_group, NULL, of_static_part, OTHER_GROUP },
	{}
};

static struct itt_global global = { .list = list };

/* Made by the static part before the collector came. */
static struct itt_domain early = { .flags = 1, .name = "early" };
static struct itt_string early_name = { .text = "Early" };

static struct itt_domain *domain;
static const struct itt_id none;

static struct itt_string *string(const char *text)
{
	return itt_string_handle_create(text);
}

static void task(struct itt_domain *of, const char *name)
{
	itt_task_begin(of, none, none, string(name));
	itt_task_end(of);
}

static void tasks(void)
{
	struct itt_domain *other = itt_domain_create("other");

	itt_task_begin(domain, none, none, string("Outer"));
	task(domain, "Inner");
	task(other, "Inner");
	itt_task_begin(&early, none, none, &early_name);
	itt_task_end(&early);
	itt_task_end(domain);
	/* An end that is not of the innermost domain, and one without a begin. */
	itt_task_begin(domain, none, none, string("Outer"));
	itt_task_begin(other, none, none, string("Inner"));
	itt_task_end(domain);
	itt_task_end(other);
	if (domain != itt_domain_create("test") || string("Outer") != string("Outer"))
		printf("handles differ\n");
}

static void disabled(void)
{
	domain->flags = 0;
	task(domain, "Off");
	domain->flags = 1;
	task(domain, "On");
}

static void function(void)
{
}

static void functions(void)
{
	itt_task_begin_fn(domain, none, none, (void *)getpid);
	itt_task_end(domain);
	itt_task_begin_fn(domain, none, none, (void *)function);
	itt_task_end(domain);
}

static void *end_elsewhere(void *id)
{
	itt_task_end_overlapped(domain, *(struct itt_id *)id);
	return NULL;
}

static void overlapped(void)
{
	struct itt_id a = { 1, 2, 3 }, b = { 1, 3, 3 };
	pthread_t other;

	itt_task_begin_overlapped(domain, a, none, string("A"));
	itt_task_begin_overlapped(domain, b, a, string("B"));
	itt_task_end_overlapped(domain, a);
	pthread_create(&other, NULL, end_elsewhere, &b);
	pthread_join(other, NULL);
	itt_region_begin(domain, b, none, NULL);
	itt_region_end(domain, b);
}

/* As the auditor of Gaudi does: the parent's event ends when that of a child starts. */
static void events(void)
{
	const int top = itt_event_create(" Top", 4), child = itt_event_create(" Top Child", 10);

	itt_event_start(top);
	itt_event_end(top);
	itt_event_start(child);
	itt_event_end(child);
	itt_event_start(top);
	itt_event_end(top);
	if (top == child || top != itt_event_create(" Top", 4) || itt_event_start(12345) != -1)
		printf("numbers of events are wrong\n");
}

static void frames(void)
{
	struct itt_id id = { 1, 2, 3 };
	uint64_t begin = itt_get_timestamp();

	itt_frame_begin_v3(domain, NULL);
	itt_frame_begin_v3(domain, &id);
	itt_frame_end_v3(domain, &id);
	itt_frame_end_v3(domain, NULL);
	itt_frame_end_v3(domain, NULL);
	itt_frame_submit_v3(domain, NULL, begin, itt_get_timestamp());
	itt_frame_submit_v3(domain, NULL, begin, UINT64_MAX);
}

static void counters(void)
{
	void *count = itt_counter_create("count", "test");
	void *typed = itt_counter_create_typed("typed", "test", ITT_DOUBLE);
	double number = 0.25;

	itt_counter_inc(count);
	itt_counter_inc_delta_v3(domain, string("count"), 10);
	itt_counter_dec_delta(count, 1);
	itt_counter_set_value(typed, &number);
}

static void metadata(void)
{
	uint64_t large[2] = { 1ULL << 63, 7 };
	int16_t small = -3;

	itt_task_begin(domain, none, none, string("Task"));
	itt_metadata_add(domain, none, string("large"), ITT_U64, 2, large);
	itt_metadata_add(domain, none, string("small"), ITT_S16, 1, &small);
	itt_metadata_str_add(domain, none, string("text"), "hello", 0);
	itt_task_end(domain);
}

static void others(void)
{
	itt_thread_set_name("main");
	itt_marker(domain, none, string("Here"), 1);
	itt_mark(itt_mark_create("There"), "");
	itt_pause();
	task(domain, "Paused");
	itt_resume();
	task(domain, "Resumed");
}

static void pointers(void)
{
	if (stack_caller_create != of_static_part || unknown != of_static_part)
		printf("what is not supported is not the static part's\n");
	if (other_group != of_static_part)
		printf("a group is filled that was not asked for\n");
}

static void cost(void)
{
	struct itt_string *name = string("Task");
	uint64_t best = UINT64_MAX, begin;

	for (int round = 0; round < 50; round++) {
		begin = itt_get_timestamp();
		for (int i = 0; i < 1000; i++) {
			itt_task_begin(domain, none, none, name);
			itt_task_end(domain);
		}
		begin = itt_get_timestamp() - begin;
		best = begin < best ? begin : best;
		usleep(3000);
	}
	printf("%.1f cycles per mark\n", best / 2000.0);
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "tasks", tasks }, { "disabled", disabled }, { "functions", functions },
	{ "overlapped", overlapped }, { "events", events }, { "frames", frames },
	{ "counters", counters }, { "metadata", metadata }, { "others", others },
	{ "pointers", pointers }, { "cost", cost },
};

static void load(bool old)
{
	void *library = dlopen(getenv("INTEL_LIBITTNOTIFY64"), RTLD_LAZY);
	__typeof__(&__itt_api_init) init;

	if (!library)
		exit(2);
	for (struct itt_api *api = list; old && api->name; api++)
		*api->function = dlsym(library, api->name);
	init = (__typeof__(init))dlsym(library, "__itt_api_init");
	if (!init || !dlsym(library, "__itt_api_version"))
		exit(2);
	if (!old)
		init(&global, ALL_GROUPS);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	load(!strcmp(argv[1], "old"));
	if (!itt_task_begin) {
		printf("nothing is collected\n");
		return 0;
	}
	domain = itt_domain_create("test");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (!strcmp(cases[i].name, argv[2])) {
			cases[i].run();
			return 0;
		}
	}
	return 2;
}
