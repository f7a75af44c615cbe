// SPDX-License-Identifier: GPL-2.0
/* The pipeline for programs outside of the library: a consumer that calls back. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/cursor.h"
#include "perfdata/format.h"
#include "profile_private.h"

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
		};
	}
	profile->nr_events = nr;
	return 0;
}

static int begin(void *context)
{
	struct kermon_profile *profile = context;
	int err = make_events(profile);

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

static int tell_sample(void *context, const struct pipeline_sample *from)
{
	struct kermon_profile *profile = context;
	struct kermon_profile_sample sample;

	if (!profile->callbacks.sample)
		return 0;
	fill(&sample, from);
	sample.profile = profile;
	sample.event = &profile->events[from->record->event];
	profile->now = from;
	return profile->callbacks.sample(profile->context, &sample);
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
	.end = end,
};

/* What a program of another version does not know of is 0. */
static void copy_known(void *to, size_t size, const void *from,
		       size_t from_size)
{
	memcpy(to, from, from_size < size ? from_size : size);
}

struct kermon_profile *
kermon_profile_new(const struct kermon_report_options *options,
		   const struct kermon_profile_callbacks *callbacks,
		   void *context)
{
	struct kermon_profile *profile = calloc(1, sizeof(*profile));
	struct kermon_report_options known = { 0 };

	if (!profile)
		return NULL;
	if (options)
		copy_known(&known, sizeof(known), options, options->size);
	copy_known(&profile->callbacks, sizeof(profile->callbacks), callbacks,
		   callbacks->size);
	profile->context = context;
	profile->chain = callchain_new(&profile->pipeline);
	if (pipeline_init(&profile->pipeline, &profile_consumer, profile) ||
	    !profile->chain) {
		kermon_profile_free(profile);
		return NULL;
	}
	profile->pipeline.sources = (struct symbol_sources){
		.symfs = known.symfs,
		.kallsyms = known.kallsyms,
	};
	profile->pipeline.filter.wanted = known.filter;
	profile->pipeline.progress = known.progress;
	profile->pipeline.progress_context = known.context;
	return profile;
}

void kermon_profile_free(struct kermon_profile *profile)
{
	if (!profile)
		return;
	profile_free_names(profile);
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

uint64_t kermon_profile_nr_damages(const struct kermon_profile *profile)
{
	return profile->pipeline.damages.nr;
}

const struct kermon_damage *
kermon_profile_damage(const struct kermon_profile *profile, size_t index)
{
	return damage_at(&profile->pipeline.damages, index);
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
