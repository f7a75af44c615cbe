// SPDX-License-Identifier: GPL-2.0
/* Connect the stages of the pipeline, each of which passes its output to the next one. */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build_ids.h"
#include "delivery.h"
#include "pipeline.h"
#include "util/cancel.h"

int pipeline_init(struct pipeline *pipeline,
		  const struct pipeline_consumer *consumer, void *context,
		  const struct kermon_report_options *options)
{
	static const struct kermon_report_options none;

	if (!options)
		options = &none;
	*pipeline = (struct pipeline){
		.consumer = consumer,
		.context = context,
		.sources = {
			.symfs = options->symfs,
			.kallsyms = options->kallsyms,
			.vmlinux = options->vmlinux,
			.cancel = options->cancel,
		},
		.inlines = options->inlines,
		.max_stack = options->max_stack,
		.filter.wanted = options->filter,
		.progress = options->progress,
		.progress_context = options->context,
		.order = order_new(deliver_in_order, pipeline),
		.places = places_new(&pipeline->processes, &pipeline->sources),
	};
	pipeline->rounds = (struct reader_rounds){
		.fn = deliver_in_rounds,
		.batch = deliver_batch,
		.context = pipeline,
		.rest = order_record,
		.rest_context = pipeline->order,
	};
	damages_collect(&pipeline->damages, options->damages);
	processes_init(&pipeline->processes, &pipeline->dsos,
		       &pipeline->sources);
	return pipeline->order && pipeline->places ? 0 : -ENOMEM;
}

void pipeline_end(struct pipeline *pipeline)
{
	order_free(pipeline->order);
	places_free(pipeline->places);
	readings_free(&pipeline->readings);
	filter_end(&pipeline->filter);
	processes_free(&pipeline->processes);
	dsos_free(&pipeline->dsos);
	reader_close(pipeline->reader);
}

/* Whether times are those of CLOCK_MONOTONIC, which programs can read, too. */
static bool is_monotonic(struct reader *reader)
{
	const struct reader_event *event = reader_nr_events(reader) ?
					   reader_event(reader, 0) : NULL;

	return event && event->attr.use_clockid &&
	       event->attr.clockid == CLOCK_MONOTONIC;
}

/* A file that the user has named must be readable. */
static int check_symbols(struct pipeline *pipeline, const char *path)
{
	struct stat status;

	if (!path)
		return 0;
	if (!access(path, R_OK) && !stat(path, &status)) {
		if (!S_ISDIR(status.st_mode))
			return 0;
		errno = EISDIR;
	}
	damage_add(&pipeline->damages, KERMON_NO_OFFSET,
		   "cannot read the kernel's symbols from %s: %s", path,
		   strerror(errno));
	return -EINVAL;
}

/* Open the file, read its header, and notify the consumer before records are read. */
static int begin(struct pipeline *pipeline, const char *path)
{
	const struct pipeline_consumer *consumer = pipeline->consumer;
	int err = check_symbols(pipeline, pipeline->sources.kallsyms);

	if (!err)
		err = check_symbols(pipeline, pipeline->sources.vmlinux);
	if (!err)
		err = reader_open_cancellable(path, pipeline->sources.cancel,
					      &pipeline->reader,
					      &pipeline->damages);
	if (err)
		return err;
	reader_tell_progress(pipeline->reader, pipeline->progress,
			     pipeline->progress_context);
	pipeline->processes.monotonic = is_monotonic(pipeline->reader);
	pipeline->of_intervals = reader_has_intervals(pipeline->reader);
	err = readings_make(&pipeline->readings, pipeline->reader);
	if (err)
		return err;
	err = filter_begin(&pipeline->filter, pipeline->reader,
			   &pipeline->damages);
	if (!err && consumer->begin)
		err = consumer->begin(pipeline->context);
	pipeline->facts.is_filtered = pipeline->filter.wanted;
	pipeline->tells_known = consumer->known && !pipeline->filter.wanted;
	return err ? err : build_ids_read(&pipeline->dsos, pipeline->reader,
					  &pipeline->damages);
}

int pipeline_read(struct pipeline *pipeline, const char *path)
{
	const struct pipeline_consumer *consumer = pipeline->consumer;
	struct facts *facts = &pipeline->facts;
	int err = pipeline->was_read ? -EALREADY : 0;

	if (err)
		return err;
	pipeline->was_read = true;
	err = begin(pipeline, path);
	if (!err)
		err = pipeline->any_order ?
		      reader_walk_rounds(pipeline->reader,
					 &pipeline->rounds) :
		      reader_walk(pipeline->reader, order_record,
				  pipeline->order);
	if (!err)
		err = order_flush(pipeline->order);
	/* Batches do not check: the symbols that they found may be incomplete. */
	if (!err)
		err = cancel_check(pipeline->sources.cancel);
	if (!err && facts->has_counts && !facts->has_samples &&
	    !pipeline->takes_counts)
		err = -ENOMSG;
	facts->late = pipeline->rounds.late;
	if (pipeline->reader)
		facts_conclude(facts, pipeline->reader, &pipeline->damages,
			       &pipeline->dsos, pipeline->sources.symfs);
	if (!err && consumer->end)
		err = consumer->end(pipeline->context);
	return err;
}
