// SPDX-License-Identifier: GPL-2.0
/* Sum up the records of a file for the tables of readperf. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kermon/readperf.h>

#include "flow/pipeline.h"
#include "lines/lines.h"
#include "perfdata/format/format.h"
#include "util/cancel.h"
#include "util/cursor.h"
#include "util/sized.h"

#define NOBODY	UINT32_MAX

/* Number of records of a type. */
struct type_count {
	uint32_t type;
	const char *name;
	uint64_t nr;
};

struct process_sums {
	struct kermon_readperf_process shown;
	struct kermon_readperf_sum sums[];
};

/**
 * struct function_sums - samples of a function
 * @dso: NULL: unknown
 * @symbol: NULL: unknown
 * @offset: in @dso, of the first sample
 */
struct function_sums {
	const struct symbol *symbol;
	struct dso *dso;
	uint64_t offset;
	struct kermon_readperf_function shown;
	struct kermon_readperf_sum sums[];
};

/* Pointers in order of insertion. */
struct list {
	void **all;
	size_t nr;
	size_t room;
};

/**
 * struct kermon_readperf - a file on its way into tables
 * @by_pid: the newest process with each pid
 * @by_place: functions
 */
struct kermon_readperf {
	struct pipeline pipeline;
	int (*record)(void *context,
		      const struct kermon_readperf_record *record);
	void *context;
	struct list types;
	struct list processes;
	struct list functions;
	struct hash by_type;
	struct hash by_pid;
	struct hash by_place;
	struct interned strings;
};

/* Append @item and take ownership of it, even if out of memory. Return: 0 or -ENOMEM. */
static int list_add(struct list *list, void *item)
{
	size_t room = list->room ? 2 * list->room : 64;
	void **all;

	if (item && list->nr == list->room) {
		all = realloc(list->all, room * sizeof(*all));
		if (!all) {
			free(item);
			return -ENOMEM;
		}
		list->all = all;
		list->room = room;
	}
	if (!item)
		return -ENOMEM;
	list->all[list->nr++] = item;
	return 0;
}

static void list_free(struct list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->all[i]);
	free(list->all);
}

static size_t sums_size(const struct kermon_readperf *readperf)
{
	return reader_nr_events(readperf->pipeline.reader) *
	       sizeof(struct kermon_readperf_sum);
}

static const char *type_name(struct kermon_readperf *readperf,
			     const struct record *record)
{
	const struct record_type *known = record_type_of(record);
	char number[16];

	if (known)
		return known->name;
	snprintf(number, sizeof(number), "%u", record->type);
	return intern(&readperf->strings, number);
}

static bool has_type(const void *item, const void *key)
{
	const struct type_count *count = item;

	return count->type == *(const uint32_t *)key;
}

static int count_type(struct kermon_readperf *readperf,
		      const struct record *record)
{
	uint64_t hash = hash_mix(record->type);
	void **found = hash_find(&readperf->by_type, hash, has_type, &record->type);
	struct type_count *count;

	if (found) {
		count = *found;
		count->nr++;
		return 0;
	}
	count = malloc(sizeof(*count));
	if (list_add(&readperf->types, count) ||
	    hash_add(&readperf->by_type, hash, count))
		return -ENOMEM;
	*count = (struct type_count){
		.type = record->type,
		.name = type_name(readperf, record),
		.nr = 1,
	};
	return count->name ? 0 : -ENOMEM;
}

static bool has_pid(const void *item, const void *key)
{
	const struct process_sums *process = item;

	return process->shown.pid == *(const uint32_t *)key;
}

/* If the pid was used by another process before, that process keeps its row. */
static struct process_sums *new_process(struct kermon_readperf *readperf,
					uint32_t pid)
{
	struct process_sums *process;
	void **place = hash_find(&readperf->by_pid, hash_mix(pid), has_pid,
				 &pid);

	process = calloc(1, sizeof(*process) + sums_size(readperf));
	if (list_add(&readperf->processes, process))
		return NULL;
	process->shown.pid = pid;
	process->shown.sums = process->sums;
	if (place)
		*place = process;
	else if (hash_add(&readperf->by_pid, hash_mix(pid), process))
		return NULL;
	return process;
}

static struct process_sums *get_process(struct kermon_readperf *readperf,
					uint32_t pid)
{
	void **place = hash_find(&readperf->by_pid, hash_mix(pid), has_pid,
				 &pid);

	return place ? *place : new_process(readperf, pid);
}

static int name_process(struct kermon_readperf *readperf,
			struct process_sums *process, const char *comm)
{
	process->shown.comm = intern(&readperf->strings, comm);
	return process->shown.comm ? 0 : -ENOMEM;
}

static int take_mmap(struct kermon_readperf *readperf,
		     const struct record *record,
		     struct kermon_readperf_record *shown)
{
	struct process_sums *process;
	struct mmap_record mmap;

	if (!mmap_parse(record, &mmap))
		return 0;
	shown->info = KERMON_INFO_MMAP;
	shown->pid = mmap.pid;
	shown->tid = mmap.tid;
	shown->text = mmap.path;
	shown->address = mmap.address;
	shown->length = mmap.length;
	shown->offset = mmap.offset;
	process = get_process(readperf, mmap.pid);
	if (!process)
		return -ENOMEM;
	process->shown.mmaps++;
	if (mmap.pid == NOBODY && !process->shown.comm)
		return name_process(readperf, process, "[kernel]");
	return 0;
}

static int take_comm(struct kermon_readperf *readperf,
		     const struct record *record,
		     struct kermon_readperf_record *shown)
{
	struct cursor c = cursor_of(record->data, record->size);
	struct process_sums *process;
	uint32_t pid, tid;
	const char *comm;

	cursor_take(&c, sizeof(struct perf_event_header));
	pid = cursor_u32(&c);
	tid = cursor_u32(&c);
	comm = cursor_chars(&c, cursor_left(&c));
	if (c.failed)
		return 0;
	shown->info = KERMON_INFO_COMM;
	shown->pid = pid;
	shown->tid = tid;
	shown->text = comm;
	process = get_process(readperf, pid);
	if (!process)
		return -ENOMEM;
	return pid == tid || !process->shown.comm ?
	       name_process(readperf, process, comm) : 0;
}

/* A process begins with the name of its parent. */
static int begin_process(struct kermon_readperf *readperf,
			 const struct kermon_readperf_record *shown)
{
	struct process_sums *parent = get_process(readperf, shown->parent);
	struct process_sums *process = new_process(readperf, shown->pid);

	if (!process || !parent)
		return -ENOMEM;
	process->shown.comm = parent->shown.comm;
	process->shown.forked = shown->time;
	return 0;
}

/* FORK and EXIT: { pid, parent's pid, tid, parent's tid }. */
static int take_task(struct kermon_readperf *readperf,
		     const struct record *record,
		     struct kermon_readperf_record *shown)
{
	struct cursor c = cursor_of(record->data, record->size);
	struct process_sums *process;

	cursor_take(&c, sizeof(struct perf_event_header));
	shown->pid = cursor_u32(&c);
	shown->parent = cursor_u32(&c);
	shown->tid = cursor_u32(&c);
	if (c.failed) {
		shown->pid = shown->tid = NOBODY;
		return 0;
	}
	if (record->type == PERF_RECORD_FORK) {
		shown->info = KERMON_INFO_FORK;
		return shown->pid == shown->parent ? 0 :
		       begin_process(readperf, shown);
	}
	if (shown->pid != shown->tid)
		return 0;
	process = get_process(readperf, shown->pid);
	if (process)
		process->shown.exited = shown->time;
	return process ? 0 : -ENOMEM;
}

/* Other records have the task in the trailer behind their own fields, if at all. */
static int take_trailer(struct kermon_readperf *readperf,
			const struct record *record,
			struct kermon_readperf_record *shown)
{
	const struct reader *reader = readperf->pipeline.reader;
	const struct reader_event *event;
	struct sample trailer;

	if (record->type >= PERFDATA_RECORD_FIRST)
		return 0;
	event = reader_event(reader, record->event);
	if (event->attr.sample_type & PERF_SAMPLE_TID &&
	    sample_trailer(&event->attr, record, &trailer)) {
		shown->pid = trailer.pid;
		shown->tid = trailer.tid;
	}
	return 0;
}

/* The fields of each type, apart from task and time. */
static const struct {
	uint32_t type;
	int (*take)(struct kermon_readperf *readperf,
		    const struct record *record,
		    struct kermon_readperf_record *shown);
} takers[] = {
	{ PERF_RECORD_MMAP, take_mmap },
	{ PERF_RECORD_MMAP2, take_mmap },
	{ PERF_RECORD_COMM, take_comm },
	{ PERF_RECORD_FORK, take_task },
	{ PERF_RECORD_EXIT, take_task },
};

static int take_other(void *context, const struct record *record)
{
	struct kermon_readperf *readperf = context;
	struct kermon_readperf_record shown = {
		.number = record->number,
		.type = type_name(readperf, record),
		.pid = NOBODY,
		.tid = NOBODY,
		.time = record->time,
	};
	size_t i, nr = sizeof(takers) / sizeof(takers[0]);
	int err = count_type(readperf, record);

	for (i = 0; i < nr && takers[i].type != record->type; i++)
		;
	if (!err)
		err = (i < nr ? takers[i].take : take_trailer)(readperf, record,
								&shown);
	return err ? err : readperf->record(readperf->context, &shown);
}

static bool same_function(const void *item, const void *key)
{
	const struct function_sums *function = item;
	const struct place *place = key;

	return function->dso == place->dso &&
	       function->symbol == place->symbol;
}

static struct function_sums *get_function(struct kermon_readperf *readperf,
					  const struct place *place)
{
	uint64_t hash = hash_mix((uintptr_t)place->dso ^
				 hash_mix((uintptr_t)place->symbol));
	void **found = hash_find(&readperf->by_place, hash, same_function,
				 place);
	struct function_sums *function;

	if (found)
		return *found;
	function = calloc(1, sizeof(*function) + sums_size(readperf));
	if (list_add(&readperf->functions, function))
		return NULL;
	function->dso = place->dso;
	function->symbol = place->symbol;
	function->offset = place->offset;
	function->shown.sums = function->sums;
	return hash_add(&readperf->by_place, hash, function) ? NULL : function;
}

static void add_sample(struct kermon_readperf_sum *sums,
		       const struct pipeline_sample *sample)
{
	sums[sample->record->event].records++;
	sums[sample->record->event].period += sample->fields->period;
}

static int take_sample(void *context, const struct pipeline_sample *sample)
{
	struct kermon_readperf *readperf = context;
	const struct sample *fields = sample->fields;
	struct place place = places_find(readperf->pipeline.places, sample->thread,
					    record_mode(sample->record),
					    fields->ip, 0);
	struct process_sums *process = get_process(readperf, fields->pid);
	struct function_sums *function = get_function(readperf, &place);
	struct kermon_readperf_record shown = {
		.number = sample->record->number,
		.type = "SAMPLE",
		.info = KERMON_INFO_SAMPLE,
		.pid = fields->pid,
		.tid = fields->tid,
		.time = fields->time,
		.address = fields->ip,
		.event = sample->event->name,
		.period = fields->period,
	};

	if (!process || !function || count_type(readperf, sample->record))
		return -ENOMEM;
	add_sample(process->sums, sample);
	add_sample(function->sums, sample);
	return readperf->record(readperf->context, &shown);
}

static int name_function(struct kermon_readperf *readperf,
			 struct function_sums *function)
{
	const struct source *source;
	const char *name;
	char *demangled;

	if (!function->dso)
		return 0;
	function->shown.binary = function->dso->path;
	source = dso_source(function->dso, &readperf->pipeline.sources,
			    function->offset);
	if (source && source->nr)	/* the last one contains the others */
		function->shown.source = source->lines[source->nr - 1].file;
	if (!function->symbol)
		return 0;
	name = symbol_name(function->dso, function->symbol);
	demangled = symbol_demangle(name);
	function->shown.symbol = intern(&readperf->strings,
					demangled ? demangled : name);
	free(demangled);
	return function->shown.symbol ? 0 : -ENOMEM;
}

/* Sort by the first event that differs; equal functions stay in order of occurrence. */
static int compare_functions(const void *a, const void *b, void *context)
{
	const struct function_sums *left = *(struct function_sums *const *)a;
	const struct function_sums *right = *(struct function_sums *const *)b;
	const struct kermon_readperf *readperf = context;

	for (size_t i = 0; i < reader_nr_events(readperf->pipeline.reader); i++)
		if (left->sums[i].period != right->sums[i].period)
			return left->sums[i].period > right->sums[i].period ?
			       -1 : 1;
	return 0;
}

static int finish(void *context)
{
	struct kermon_readperf *readperf = context;
	struct list *functions = &readperf->functions;
	int err = 0;

	for (size_t i = 0; i < functions->nr && !err; i++) {
		err = name_function(readperf, functions->all[i]);
		if (!err)
			err = cancel_check(readperf->pipeline.sources.cancel);
	}
	if (functions->nr)
		qsort_r(functions->all, functions->nr,
			sizeof(*functions->all), compare_functions, readperf);
	return err;
}

static const struct pipeline_consumer consumer = {
	.sample = take_sample,
	.other = take_other,
	.end = finish,
};

struct kermon_readperf *
kermon_readperf_new(const struct kermon_report_options *options,
		    int (*record)(void *context,
				  const struct kermon_readperf_record *record),
		    void *context)
{
	struct kermon_readperf *readperf = calloc(1, sizeof(*readperf));
	struct kermon_report_options known;
	int err;

	if (!readperf)
		return NULL;
	err = sized_take(&known, sizeof(known), options);
	if (err) {
		free(readperf);
		errno = -err;
		return NULL;
	}
	known.filter = NULL;	/* everything is counted */
	readperf->record = record;
	readperf->context = context;
	if (pipeline_init(&readperf->pipeline, &consumer, readperf, &known)) {
		kermon_readperf_free(readperf);
		return NULL;
	}
	return readperf;
}

void kermon_readperf_free(struct kermon_readperf *readperf)
{
	if (!readperf)
		return;
	list_free(&readperf->types);
	list_free(&readperf->processes);
	list_free(&readperf->functions);
	hash_free(&readperf->by_type);
	hash_free(&readperf->by_pid);
	hash_free(&readperf->by_place);
	pipeline_end(&readperf->pipeline);
	intern_free(&readperf->strings);
	free(readperf);
}

int kermon_readperf_read(struct kermon_readperf *readperf, const char *path)
{
	return pipeline_read(&readperf->pipeline, path);
}

const struct kermon_statements *
kermon_readperf_statements(const struct kermon_readperf *readperf)
{
	return &readperf->pipeline.facts.statements;
}

bool kermon_readperf_is_estimate(const struct kermon_readperf *readperf)
{
	return reader_has_intervals(readperf->pipeline.reader);
}

const char *kermon_readperf_event(const struct kermon_readperf *readperf,
				  size_t index, struct kermon_metric *metric)
{
	const struct reader *reader = readperf->pipeline.reader;
	const struct reader_event *event;

	if (index >= reader_nr_events(reader))
		return NULL;
	event = reader_event(reader, index);
	kermon_metric_of(event->name, &event->attr, metric);
	return event->name;
}

uint64_t kermon_readperf_count(const struct kermon_readperf *readperf,
			       size_t index, const char **type)
{
	const struct type_count *count;

	if (index >= readperf->types.nr)
		return 0;
	count = readperf->types.all[index];
	*type = count->name;
	return count->nr;
}

const struct kermon_readperf_process *
kermon_readperf_process(const struct kermon_readperf *readperf, size_t index)
{
	const struct process_sums *process;

	if (index >= readperf->processes.nr)
		return NULL;
	process = readperf->processes.all[index];
	return &process->shown;
}

const struct kermon_readperf_function *
kermon_readperf_function(const struct kermon_readperf *readperf, size_t index)
{
	const struct function_sums *function;

	if (index >= readperf->functions.nr)
		return NULL;
	function = readperf->functions.all[index];
	return &function->shown;
}
