// SPDX-License-Identifier: GPL-2.0
/* The regions of a file, without anything else in it: a consumer of the pipeline. */
#include <errno.h>

#include "events/tables.h"
#include "private.h"

/* The first event that is sampled by time. */
static size_t find_clock(const struct reader *reader)
{
	const struct reader_event *event;
	struct kermon_metric metric;

	for (size_t i = 0; i < reader_nr_events(reader); i++) {
		event = reader_event(reader, i);
		kermon_metric_of(event->name, &event->attr, &metric);
		if (metric.kind == KERMON_METRIC_TIME && !perfdata_is_interval(&event->attr))
			return i;
	}
	return SIZE_MAX;
}

static int begin(void *context)
{
	struct regions_file *file = context;

	if (!file->pipeline.of_intervals)
		file->clock = find_clock(file->pipeline.reader);
	return regions_open(file->regions, file->pipeline.reader);
}

static int take_sample(void *context, const struct pipeline_sample *sample)
{
	struct regions_file *file = context;
	const struct regions_sample taken = regions_sample_of(sample);
	const size_t event = sample->record->event;

	if (event == file->clock)
		return regions_clock(file->regions, &taken, sample->fields->period);
	return file->pipeline.of_intervals ?
	       regions_count(file->regions, &taken, event, sample->fields->period) : 0;
}

static int take_mark(void *context, const struct pipeline_sample *mark)
{
	struct regions_file *file = context;
	const struct regions_sample taken = regions_sample_of(mark);

	return regions_mark(file->regions, &taken);
}

static int take_other(void *context, const struct record *record)
{
	struct regions_file *file = context;

	return regions_record(file->regions, record);
}

static int end(void *context)
{
	struct regions_file *file = context;

	return regions_end(file->regions);
}

static const struct pipeline_consumer consumer = {
	.begin = begin,
	.sample = take_sample,
	.mark = take_mark,
	.other = take_other,
	.end = end,
};

int regions_file_read(struct regions_file *file, const char *path,
		      const struct regions_options *options,
		      const struct kermon_report_options *reading)
{
	int err;

	*file = (struct regions_file){
		.regions = regions_new(options), .clock = SIZE_MAX,
	};
	err = pipeline_init(&file->pipeline, &consumer, file, reading);
	if (err || !file->regions)
		return -ENOMEM;
	file->pipeline.facts.wants_marks = true;
	return pipeline_read(&file->pipeline, path);
}

void regions_file_end(struct regions_file *file)
{
	regions_free(file->regions);
	pipeline_end(&file->pipeline);
}
