// SPDX-License-Identifier: GPL-2.0
/*
 * Events that perf_event samples: their place among the events of the file, and what their
 * records say.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/sized.h"
#include "writer_private.h"

/* Start the list of events and ids anew: there is no log. */
static void leave_out_log(struct attrs *attrs)
{
	attrs->events[0] = attrs->events[attrs->sideband];
	attrs->nr_fixed = 0;
	attrs->nr_sets = 0;
	attrs->logged = 0;
	attrs->sideband = 0;
	attrs->nr = 1;
}

static int add_event(struct kermon_writer *writer,
		     const struct kermon_sampled_event *from)
{
	struct attrs *attrs = &writer->attrs;
	struct described_event *event = &attrs->events[attrs->sideband];

	attrs->events[attrs->nr++] = *event;
	event->attr = *from->attr;
	memcpy(event->name, from->name,
	       strnlen(from->name, sizeof(event->name) - 1) + 1);
	event->name[sizeof(event->name) - 1] = '\0';
	if (!from->attr->exclude_kernel)
		writer->has_kernel = true;
	return writer_add_ids(writer, attrs->sideband++, from->ids, from->nr_ids);
}

/* Put the ids into the order of the events, without those that no event has any more. */
static int gather_ids(struct kermon_writer *writer)
{
	struct attrs *attrs = &writer->attrs;
	uint64_t *old = writer->ids;
	int err = 0;

	writer->ids = NULL;
	writer->nr_ids = 0;
	for (unsigned int i = 0; i < attrs->nr && !err; i++)
		err = writer_add_ids(writer, i, old + attrs->events[i].first_id,
				     attrs->events[i].nr_ids);
	free(old);
	return err;
}

int kermon_writer_sampled(struct kermon_writer *writer,
			  const struct kermon_sampled_options *options)
{
	struct kermon_sampled_options known;
	int err = sized_take(&known, sizeof(known), options);

	if (err || writer->headed)
		return err ? err : -EINVAL;
	if (known.nr_events > KERMON_MAX_SAMPLED ||
	    writer->attrs.nr + known.nr_events > ATTRS_MAX)
		return -E2BIG;
	if (known.alone)
		leave_out_log(&writer->attrs);
	for (size_t i = 0; i < known.nr_events && !err; i++)
		err = add_event(writer, &known.events[i]);
	if (known.sideband)
		writer->attrs.events[writer->attrs.sideband].attr =
			*known.sideband;
	if (!err)
		err = gather_ids(writer);
	return err ? err : writer->pipe ? pipe_check(writer) : 0;
}

/* How a sample begins: see PERFDATA_SAMPLE_TYPE. */
static void note_sample(struct kermon_writer *writer,
			const struct perfdata_sample *sample)
{
	writer->sampled.samples++;
	if (sample->time < writer->first_time)
		writer->first_time = sample->time;
	if (sample->time > writer->last_time)
		writer->last_time = sample->time;
}

void sampled_note(struct kermon_writer *writer,
		  const struct perf_event_header *record)
{
	const uint64_t *words = (const void *)(record + 1);
	struct kermon_sampled_totals *totals = &writer->sampled;

	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		if (record->size >= offsetof(struct perfdata_sample, cpu))
			note_sample(writer, (const void *)record);
		break;
	case PERF_RECORD_LOST:
		totals->lost += words[1];
		break;
	case PERF_RECORD_LOST_SAMPLES:
		writer->lost_totals += words[0];
		break;
	case PERF_RECORD_THROTTLE:
		totals->throttled++;
		break;
	}
}

/* What the events say at the end includes what was lost after the last record. */
void kermon_writer_sampled_totals(const struct kermon_writer *writer,
				  struct kermon_sampled_totals *totals)
{
	*totals = writer->sampled;
	if (totals->lost < writer->lost_totals)
		totals->lost = writer->lost_totals;
}
