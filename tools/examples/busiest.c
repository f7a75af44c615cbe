// SPDX-License-Identifier: GPL-2.0
/*
 * Which function each thread was in most of the time: an example for
 * <kermon/profile.h>.
 *
 *	cc -o busiest busiest.c -lkermon
 *	busiest perf.data
 *
 * It prints a line for each thread: pid, tid, name, share of the samples of the
 * file's first event, function.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kermon/profile.h>

/* A function that a thread was seen in. */
struct function {
	const void *symbol;
	const char *name;
	unsigned long samples;
	struct function *next;
};

struct thread {
	uint32_t pid;
	uint32_t tid;
	const char *comm;
	unsigned long samples;
	struct function *functions;
	struct thread *next;
};

static struct thread *get_thread(struct thread **threads, uint32_t pid,
				 uint32_t tid)
{
	struct thread *thread;

	for (thread = *threads; thread; thread = thread->next)
		if (thread->pid == pid && thread->tid == tid)
			return thread;
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return NULL;
	thread->pid = pid;
	thread->tid = tid;
	thread->next = *threads;
	return *threads = thread;
}

static struct function *get_function(struct thread *thread,
				     const struct kermon_place *place,
				     struct kermon_profile *profile)
{
	const char *name;
	struct function *function;

	for (function = thread->functions; function; function = function->next)
		if (function->symbol == place->symbol)
			return function;
	function = calloc(1, sizeof(*function));
	if (!function)
		return NULL;
	name = kermon_profile_symbol(profile, place, KERMON_NAME_FULL);
	function->symbol = place->symbol;
	function->name = name ? name : "[unknown]";
	function->next = thread->functions;
	return thread->functions = function;
}

/* Called for each sample, in the order of time. */
static int count(void *context, const struct kermon_profile_sample *sample)
{
	struct thread *thread;
	struct function *function;
	struct kermon_place place;

	if (sample->event->index)
		return 0;
	thread = get_thread(context, sample->pid, sample->tid);
	if (!thread)
		return -ENOMEM;
	kermon_profile_place(sample, sample->mode, sample->ip, &place);
	function = get_function(thread, &place, sample->profile);
	if (!function)
		return -ENOMEM;
	thread->comm = sample->comm;
	thread->samples++;
	function->samples++;
	return 0;
}

static void print_thread(const struct thread *thread)
{
	const struct function *busiest = thread->functions, *function;

	for (function = busiest; function; function = function->next)
		if (function->samples > busiest->samples)
			busiest = function;
	printf("%u %u %s %.1f%% %s\n", thread->pid, thread->tid, thread->comm,
	       100.0 * (double)busiest->samples / (double)thread->samples,
	       busiest->name);
}

static void free_thread(struct thread *thread)
{
	struct function *function, *next;

	for (function = thread->functions; function; function = next) {
		next = function->next;
		free(function);
	}
	free(thread);
}

/* Damage is not the end: what was intact has been counted. */
static void print_damage(const struct kermon_damages *damages)
{
	const struct kermon_damage *damage;

	for (size_t i = 0; (damage = kermon_damages_get(damages, i)); i++) {
		if (damage->offset != KERMON_NO_OFFSET)
			fprintf(stderr, "at offset %llu: ",
				(unsigned long long)damage->offset);
		fprintf(stderr, "%s\n", damage->text);
	}
}

int main(int argc, char **argv)
{
	static const struct kermon_profile_callbacks callbacks = {
		.size = sizeof(callbacks),
		.sample = count,
	};
	struct kermon_report_options options = {
		.size = sizeof(options),
		.damages = kermon_damages_new(NULL, NULL),
	};
	struct thread *threads = NULL, *thread, *next;
	struct kermon_profile *profile;
	int err;

	if (!options.damages)
		return 1;
	profile = kermon_profile_new(&options, &callbacks, &threads);
	if (!profile)
		return 1;
	err = kermon_profile_read(profile, argc > 1 ? argv[1] : "perf.data");
	if (err)
		fprintf(stderr, "cannot read it: %s\n", strerror(-err));
	print_damage(options.damages);
	for (thread = threads; thread; thread = next) {
		next = thread->next;
		print_thread(thread);
		free_thread(thread);
	}
	err = err || kermon_damages_count(options.damages);
	kermon_profile_free(profile);
	kermon_damages_free(options.damages);
	return err;
}
