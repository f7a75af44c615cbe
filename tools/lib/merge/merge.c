// SPDX-License-Identifier: GPL-2.0
/* Add runs one by one and align each to the first. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kermon/writer.h>

#include "merge_private.h"
#include "perfdata/format/format.h"
#include "util/cancel.h"
#include "util/cursor.h"
#include "util/sized.h"

struct kermon_merge *
kermon_merge_new(const struct kermon_merge_options *options)
{
	struct kermon_merge *merge = calloc(1, sizeof(*merge));
	int err;

	if (!merge)
		return NULL;
	err = sized_take(&merge->options, sizeof(merge->options), options);
	if (!err && (merge->options.compression < 0 ||
		     merge->options.compression > KERMON_COMPRESSION_MAX))
		err = -EINVAL;
	if (!err)
		return merge;
	free(merge);
	errno = -err;
	return NULL;
}

void kermon_merge_free(struct kermon_merge *merge)
{
	if (!merge)
		return;
	for (size_t i = 0; i < merge->nr_runs; i++)
		merge_forget(merge->runs[i]);
	free(merge);
}

int merge_refuse(struct kermon_merge *merge, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(merge->error, sizeof(merge->error), format, args);
	va_end(args);
	return -EINVAL;
}

const char *kermon_merge_error(const struct kermon_merge *merge)
{
	return merge->error;
}

bool kermon_merge_is_of_cpus(const struct kermon_merge *merge)
{
	return merge->nr_runs && merge->runs[0]->of_cpus;
}

const struct kermon_run *kermon_merge_run(const struct kermon_merge *merge,
					  size_t index)
{
	return index < merge->nr_runs ? &merge->runs[index]->told : NULL;
}

static const char *cpu_of(const struct run *run)
{
	const unsigned char *bytes;
	struct cursor c;
	size_t size;

	bytes = reader_feature(run->reader, PERFDATA_CPUID, &size);
	if (!bytes)
		return "";
	c = cursor_of(bytes, size);
	return cursor_string(&c);
}

static const char *kind_of(const struct run *run)
{
	return run->of_cpus ? "CPUs (kermon spy)" : "threads (kermon run)";
}

/* Whether both runs have the same events and are from the same machine. */
static int check_alike(struct kermon_merge *merge, const struct run *first,
		       const struct run *run)
{
	const char *cpus[2] = { cpu_of(first), cpu_of(run) };
	const char *names[2] = {
		reader_event(first->reader, first->instructions)->name,
		reader_event(run->reader, run->instructions)->name,
	};

	if (first->of_cpus != run->of_cpus)
		return merge_refuse(merge, "%s has counts of %s, but %s of %s", run->told.file,
				    kind_of(run), first->told.file, kind_of(first));
	if (strcmp(cpus[0], cpus[1]))
		return merge_refuse(merge, "%s was recorded on CPU %s, but %s on %s",
				    run->told.file, cpus[1], first->told.file,
				    cpus[0]);
	if (strcmp(names[0], names[1]))
		return merge_refuse(merge, "%s has %s, but %s has %s",
				    run->told.file, names[1], first->told.file,
				    names[0]);
	return run->of_cpus ? cpus_check_alike(merge, first, run) : 0;
}

/* Whether both count the same, regardless of their names. */
static bool same_event(const struct perf_event_attr *a,
		       const struct perf_event_attr *b)
{
	return a->config == b->config && a->config1 == b->config1 &&
	       a->exclude_user == b->exclude_user &&
	       a->exclude_kernel == b->exclude_kernel;
}

static bool is_known(const struct kermon_merge *merge,
		     const struct perf_event_attr *attr)
{
	const struct run *first = merge->runs[0];

	for (size_t i = 0; i < first->nr_programmed; i++)
		if (same_event(attr, &reader_event(first->reader,
						   first->programmed[i])->attr))
			return true;
	for (size_t i = 0; i < merge->nr_extra; i++)
		if (same_event(attr, &merge->extra[i].attr))
			return true;
	return false;
}

/* Add the events that no earlier run has; kermon_merge_write() assigns their ids. */
static int take_events(struct kermon_merge *merge, struct run *run)
{
	const struct reader_event *event;

	for (size_t i = 0; i < run->nr_programmed; i++) {
		event = reader_event(run->reader, run->programmed[i]);
		if (is_known(merge, &event->attr)) {
			run->told.dropped++;
			continue;
		}
		if (merge->runs[0]->nr_programmed + merge->nr_extra ==
		    KERMON_MAX_SELECTED)
			return -E2BIG;
		merge->extra[merge->nr_extra++] = *event;
		run->taken |= 1ULL << i;
		run->told.events++;
	}
	return 0;
}

/* Make room for the events of all runs, whose number is known only now. */
static int grow_extra(const struct kermon_merge *merge, struct run *first,
		      size_t before)
{
	uint64_t *extra;

	for (size_t i = 0; i < first->nr_lives; i++) {
		struct life *life = &first->lives[i];

		extra = calloc(life->nr * merge->nr_extra + 1, sizeof(*extra));
		if (!extra)
			return -ENOMEM;
		for (size_t row = 0; row < life->nr && before; row++)
			memcpy(extra + row * merge->nr_extra,
			       life->extra + row * before,
			       before * sizeof(*extra));
		free(life->extra);
		life->extra = extra;
	}
	return 0;
}

static const struct life *life_of(const struct run *run, size_t number)
{
	static const struct life none;

	return number < run->nr_lives ? &run->lives[number] : &none;
}

static void note_difference(const struct run *first, const struct life *to,
			    struct run *run, const struct life *from)
{
	double a = life_total(first, to, ROW_INSTRUCTIONS);
	double b = life_total(run, from, ROW_INSTRUCTIONS);
	double apart = (a > b ? a - b : b - a) / (a ? a : 1);

	if (apart > run->told.apart)
		run->told.apart = apart;
}

static int compare_threads(struct kermon_merge *merge, const struct life *to, struct run *run,
			   const struct life *from)
{
	const struct run *first = merge->runs[0];

	if (!to->nr)
		return merge_refuse(merge, "a thread of %s that ran on a CPU "
				    "did not run in %s", run->told.file,
				    first->told.file);
	note_difference(first, to, run, from);
	return 0;
}

/* Align what life @number of @run counted to the intervals of its counterpart. */
static int align_life(struct kermon_merge *merge, size_t twin, struct run *run, size_t number,
		      size_t before)
{
	const struct run *first = merge->runs[0];
	const struct life *to = life_of(first, twin), *from = life_of(run, number);
	size_t extra = before;
	int err;

	if (!from->nr)
		return 0;
	err = run->of_cpus ? cpus_compare(merge, first, run, twin, number) :
			     compare_threads(merge, to, run, from);
	if (err)
		return err;
	for (size_t i = 0; i < run->nr_programmed; i++)
		if (run->taken & 1ULL << i)
			merge_align(first, to, run, from, ROW_EVENTS + i,
				    to->extra + extra++, merge->nr_extra);
	return 0;
}

static int align(struct kermon_merge *merge, struct run *run,
		 const size_t *twins, size_t before)
{
	const size_t nr = run->of_cpus ? run->nr_lanes : run->processes.nr_threads;
	int err = grow_extra(merge, merge->runs[0], before);

	for (size_t i = 0; i < nr && !err; i++) {
		err = cancel_check(merge->options.cancel);
		if (!err)
			err = align_life(merge, twins[i], run, i, before);
	}
	return err;
}

static int put_to_first(struct kermon_merge *merge, struct run *run)
{
	size_t before = merge->nr_extra;
	size_t *twins = NULL;
	int err = check_alike(merge, merge->runs[0], run);

	if (!err)
		err = run->of_cpus ? cpus_match(merge, merge->runs[0], run, &twins) :
				     merge_match(merge, merge->runs[0], run, &twins);
	if (!err)
		err = take_events(merge, run);
	if (!err)
		err = align(merge, run, twins, before);
	free(twins);
	return err;
}

static struct run *new_run(struct kermon_merge *merge, const char *path)
{
	struct run *run = calloc(1, sizeof(*run));

	if (!run)
		return NULL;
	run->told.file = strdup(path);
	if (!run->told.file) {
		free(run);
		return NULL;
	}
	merge->runs[merge->nr_runs++] = run;
	return run;
}

static int take_in(struct kermon_merge *merge, struct run *run)
{
	int err = merge_read(merge, run);

	if (err)
		return err;
	if (merge->nr_runs > 1)
		return put_to_first(merge, run);
	run->told.events = run->nr_programmed;
	return 0;
}

int kermon_merge_add(struct kermon_merge *merge, const char *path)
{
	struct run *run;
	int err;

	if (merge->failed)
		return -EINVAL;
	if (merge->nr_runs == KERMON_MAX_RUNS)
		return -E2BIG;
	run = new_run(merge, path);
	err = run ? take_in(merge, run) : -ENOMEM;
	merge->failed = err;
	return err;
}
