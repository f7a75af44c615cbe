// SPDX-License-Identifier: GPL-2.0
/* The pipeline for programs outside the library: a consumer with callbacks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/format/format.h"
#include "perfdata/text/text.h"
#include "profile_private.h"
#include "util/cursor.h"
#include "util/sized.h"

static int make_events(struct kermon_profile *profile)
{
	const struct reader *reader = profile->pipeline.reader;
	size_t nr = reader_nr_events(reader);
	const struct reader_event *event;

	profile->events = calloc(nr + 1, sizeof(*profile->events));
	if (!profile->events)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		event = reader_event(reader, i);
		profile->events[i] = (struct kermon_profile_event){
			.index = i,
			.name = event->name,
			.attr = &event->attr,
			.is_interval = perfdata_is_interval(&event->attr),
		};
	}
	profile->nr_events = nr;
	return 0;
}

static int begin(void *context)
{
	struct kermon_profile *profile = context;
	int err = make_events(profile);

	if (!err && profile->regions)
		err = regions_open(profile->regions, profile->pipeline.reader);
	if (err || !profile->callbacks.begin)
		return err;
	return profile->callbacks.begin(profile->context, profile);
}

static struct kermon_registers public_registers(const struct sample_regs *regs)
{
	return (struct kermon_registers){
		.abi = regs->abi,
		.mask = regs->mask,
		.values = regs->values,
	};
}

static void fill(struct kermon_profile_sample *sample,
		 const struct pipeline_sample *from)
{
	const struct sample *fields = from->fields;

	*sample = (struct kermon_profile_sample){
		.comm = from->thread->comm,
		.fields = from->event->attr.sample_type,
		.pid = fields->pid,
		.tid = fields->tid,
		.cpu = fields->cpu,
		.mode = record_mode(from->record),
		.misc = from->record->misc,
		.time = fields->time,
		.ip = fields->ip,
		.addr = fields->addr,
		.id = fields->id,
		.stream_id = fields->stream_id,
		.period = fields->period,
		.raw = fields->raw,
		.raw_size = fields->raw_size,
		.branches = fields->branches.entries,
		.nr_branches = fields->branches.nr,
		.weight = fields->weight,
		.weight2 = { fields->weight2[0], fields->weight2[1] },
		.data_src = fields->data_src,
		.transaction = fields->transaction,
		.phys_addr = fields->phys_addr,
		.cgroup = fields->cgroup,
		.data_page_size = fields->data_page_size,
		.code_page_size = fields->code_page_size,
		.user_registers = public_registers(&fields->user_regs),
		.registers = public_registers(&fields->intr_regs),
	};
}

static int tell(struct kermon_profile *profile, const struct pipeline_sample *from, bool passes,
		int (*callback)(void *context, const struct kermon_profile_sample *sample))
{
	struct kermon_profile_sample sample;
	int err;

	if (!callback)
		return 0;
	fill(&sample, from);
	sample.profile = profile;
	sample.passes = passes;
	sample.event = &profile->events[from->record->event];
	profile->now = from;
	err = callback(profile->context, &sample);
	profile->now = NULL;
	return err;
}

static int tell_sample(void *context, const struct pipeline_sample *from)
{
	struct kermon_profile *profile = context;

	return tell(profile, from, true, profile->callbacks.sample);
}

/* Return: 0 or -ENOMEM. */
static int follow_mark(struct kermon_profile *profile, const struct pipeline_sample *mark)
{
	const struct regions_sample sample = regions_sample_of(mark);

	return profile->regions ? regions_mark(profile->regions, &sample) : 0;
}

static int tell_mark(void *context, const struct pipeline_sample *from)
{
	struct kermon_profile *profile = context;
	struct pipeline *pipeline = &profile->pipeline;
	int passes;

	if (!profile->callbacks.mark)
		return 0;
	passes = filter_passes(&pipeline->filter, pipeline->places, from);
	if (passes < 0)
		return passes;
	passes = tell(profile, from, passes, profile->callbacks.mark);
	return passes ? passes : follow_mark(profile, from);
}

/* The task in the record itself, if it has one. */
static bool own_task(const struct record *record, uint32_t *pid, uint32_t *tid)
{
	struct cursor c = cursor_of(record->data, record->size);

	cursor_take(&c, sizeof(struct perf_event_header));
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_NAMESPACES:
		*pid = cursor_u32(&c);
		*tid = cursor_u32(&c);
		return !c.failed;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		*pid = cursor_u32(&c);
		cursor_u32(&c);		/* of the parent */
		*tid = cursor_u32(&c);
		return !c.failed;
	default:
		return false;
	}
}

/*
 * Set task, time and CPU of the sender, and in @pid and @tid the task that the record
 * is about.
 */
static void identify(struct kermon_profile_record *to,
		     const struct perf_event_attr *attr,
		     const struct record *record, uint32_t *pid, uint32_t *tid)
{
	struct sample sample = { 0 };
	bool identified = sample_trailer(attr, record, &sample);

	*pid = sample.pid;
	*tid = sample.tid;
	own_task(record, pid, tid);
	to->pid = identified ? sample.pid : *pid;
	to->tid = identified ? sample.tid : *tid;
	to->cpu = sample.cpu;
	to->time = record->time;
	to->size = record->size;
	if (identified)
		to->size -= sample_trailer_size(attr);
}

/* The name of a thread, including perf's -1 for the kernel; NULL if out of memory. */
static const char *comm_of(struct kermon_profile *profile, uint32_t pid,
			   uint32_t tid)
{
	struct thread *thread;

	if (tid == UINT32_MAX)
		return ":-1";
	thread = processes_thread(&profile->pipeline.processes, pid, tid);
	return thread ? thread->comm : NULL;
}

static int tell_count(void *context, size_t event,
		      struct kermon_profile_count *count)
{
	struct kermon_profile *profile = context;

	count->profile = profile;
	count->event = &profile->events[event];
	return profile->callbacks.count(profile->context, count);
}

/* A record added by perf itself, which may be about counts. */
static int take_counts(struct kermon_profile *profile,
		       const struct record *record)
{
	struct pipeline *pipeline = &profile->pipeline;

	if (!profile->callbacks.count)
		return 0;
	if (!profile->counts)
		profile->counts = counts_new(pipeline->reader,
					     &pipeline->damages);
	if (!profile->counts)
		return -ENOMEM;
	return counts_record(profile->counts, record, tell_count, profile);
}

static int tell_record(void *context, const struct record *from)
{
	struct kermon_profile *profile = context;
	struct kermon_profile_record record = {
		.profile = profile,
		.bytes = from->data,
		.type = from->type,
		.misc = from->misc,
	};
	uint32_t pid, tid;

	if (from->type >= PERFDATA_RECORD_FIRST)
		return take_counts(profile, from);
	if (profile->regions && regions_record(profile->regions, from))
		return -ENOMEM;
	if (!profile->callbacks.record || !profile->nr_events)
		return 0;
	record.event = &profile->events[from->event];
	identify(&record, record.event->attr, from, &pid, &tid);
	if (!filter_passes_cpu(&profile->pipeline.filter, record.cpu))
		return 0;
	record.comm = comm_of(profile, pid, tid);
	if (!record.comm)
		return -ENOMEM;
	return profile->callbacks.record(profile->context, &record);
}

bool kermon_profile_record_text(const struct kermon_profile_record *record,
				FILE *out)
{
	const struct record known = {
		.data = record->bytes,
		.size = record->size,
		.type = record->type,
		.misc = record->misc,
	};

	return record_line(out, &known);
}

/* The descriptions in the file, read on first use; NULL if out of memory. */
static struct tracepoints *tracepoints_of(struct kermon_profile *profile)
{
	const unsigned char *bytes;
	size_t size = 0;

	if (profile->tracepoints)
		return profile->tracepoints;
	bytes = reader_feature(profile->pipeline.reader, PERFDATA_TRACING_DATA,
			       &size);
	profile->tracepoints = tracepoints_new(bytes, bytes ? size : 0);
	if (bytes && profile->tracepoints &&
	    !tracepoints_are_known(profile->tracepoints))
		damage_add(&profile->pipeline.damages,
			   reader_feature_offset(profile->pipeline.reader,
						 PERFDATA_TRACING_DATA),
			   "cannot parse any tracepoint description: the contents of tracepoints are not shown");
	return profile->tracepoints;
}

static ssize_t trace_mark(struct kermon_profile *profile, const char **text)
{
	const struct regions_sample mark = regions_sample_of(profile->now);

	*text = profile->mark;
	return regions_text(profile->regions, &mark, profile->mark, sizeof(profile->mark));
}

ssize_t kermon_profile_trace(const struct kermon_profile_sample *sample,
			     const char **text)
{
	const struct perf_event_attr *attr = sample->event->attr;
	struct tracepoints *tracepoints;

	if (attr->type != PERF_TYPE_TRACEPOINT || !sample->profile->now)
		return 0;
	if (perfdata_is_mark(attr) && sample->profile->regions)
		return trace_mark(sample->profile, text);
	tracepoints = tracepoints_of(sample->profile);
	if (!tracepoints)
		return -ENOMEM;
	return tracepoints_text(tracepoints, attr->config,
				sample->profile->now->fields, text);
}

static int end(void *context)
{
	struct kermon_profile *profile = context;

	if (!profile->callbacks.end)
		return 0;
	return profile->callbacks.end(profile->context, profile);
}

static const struct pipeline_consumer profile_consumer = {
	.begin = begin,
	.sample = tell_sample,
	.mark = tell_mark,
	.other = tell_record,
	.end = end,
};

/* Copy the members that are known in this version. */
static int take_options(struct kermon_profile *profile,
			struct kermon_report_options *known,
			const struct kermon_report_options *options,
			const struct kermon_profile_callbacks *callbacks)
{
	int err = sized_take(known, sizeof(*known), options);

	return err ? err : sized_take(&profile->callbacks,
				      sizeof(profile->callbacks), callbacks);
}

struct kermon_profile *
kermon_profile_new(const struct kermon_report_options *options,
		   const struct kermon_profile_callbacks *callbacks,
		   void *context)
{
	struct kermon_profile *profile = calloc(1, sizeof(*profile));
	struct kermon_report_options known;
	int err;

	if (!profile)
		return NULL;
	err = take_options(profile, &known, options, callbacks);
	if (err) {
		free(profile);
		errno = -err;
		return NULL;
	}
	profile->context = context;
	profile->chain = callchain_new(&profile->pipeline);
	if (profile->callbacks.mark)
		profile->regions = regions_new(NULL);
	if (pipeline_init(&profile->pipeline, &profile_consumer, profile,
			  &known) || !profile->chain) {
		kermon_profile_free(profile);
		return NULL;
	}
	profile->pipeline.processes.wants_data = known.data;
	profile->pipeline.takes_counts = profile->callbacks.count;
	return profile;
}

void kermon_profile_free(struct kermon_profile *profile)
{
	if (!profile)
		return;
	profile_free_names(profile);
	tracepoints_free(profile->tracepoints);
	counts_free(profile->counts);
	regions_free(profile->regions);
	callchain_free(profile->chain);
	free(profile->frames);
	free(profile->lines);
	free(profile->events);
	pipeline_end(&profile->pipeline);
	free(profile);
}

int kermon_profile_read(struct kermon_profile *profile, const char *path)
{
	return pipeline_read(&profile->pipeline, path);
}

const struct kermon_unwinding *
kermon_profile_unwinding(const struct kermon_profile *profile)
{
	return &profile->pipeline.unwinding;
}

const struct kermon_statements *
kermon_profile_statements(const struct kermon_profile *profile)
{
	return &profile->pipeline.facts.statements;
}

const struct kermon_profile_event *
kermon_profile_event(const struct kermon_profile *profile, size_t index)
{
	return index < profile->nr_events ? &profile->events[index] : NULL;
}

const char *kermon_profile_arch(const struct kermon_profile *profile)
{
	const unsigned char *bytes;
	struct cursor c;
	const char *arch;
	size_t size;

	bytes = reader_feature(profile->pipeline.reader, PERFDATA_ARCH, &size);
	if (!bytes)
		return NULL;
	c = cursor_of(bytes, size);
	arch = cursor_string(&c);
	return *arch ? arch : NULL;
}

const char *kermon_profile_wall(const struct kermon_profile *profile,
				uint64_t time, uint64_t *wall)
{
	struct wall clock;
	const char *why;

	*wall = 0;
	if (!profile->pipeline.reader)
		return "it has not been read";
	why = wall_read(&clock, profile->pipeline.reader);
	if (!why)
		*wall = wall_of(&clock, time);
	return why;
}
