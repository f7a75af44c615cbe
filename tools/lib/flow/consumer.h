/* SPDX-License-Identifier: GPL-2.0 */
/* The interface between the pipeline and its consumers: reports, scripts and exports. */
#ifndef KERMON_CONSUMER_H
#define KERMON_CONSUMER_H

#include "perfdata/read/read.h"
#include "process.h"

/**
 * struct pipeline_sample - a sample with its event and thread
 * @record: as in the file
 * @event: its event; the index is @record->event
 * @fields: parsed from the record
 * @thread: state at the time of the sample
 */
struct pipeline_sample {
	const struct record *record;
	const struct reader_event *event;
	const struct sample *fields;
	struct thread *thread;
};

/**
 * struct pipeline_consumer - callbacks of a consumer; any may be NULL
 * @begin: the file is open and its events are known; no record has been read
 * @known: only called if everything passes the filter: whether the consumer has handled a
 *	sample based on its raw bytes alone
 * @known_batch: the same for several samples; returns the number of bytes handled.
 *	Required if @known is set
 * @sample: a sample that passes the filter
 * @mark: a mark of a region, or a name of one, see perfdata_is_mark(); whether or not it
 *	passes the filter. These are no samples, and @sample does not get them
 * @other: any other record, after the state of processes has been updated
 * @end: no more records follow
 *
 * Records, and all that a sample points to, are valid only during the call.
 *
 * Return: 0 to continue, -errno to stop.
 */
struct pipeline_consumer {
	int (*begin)(void *context);
	bool (*known)(void *context, const struct record *record);
	uint64_t (*known_batch)(void *context, struct reader_batch *batch);
	int (*sample)(void *context, const struct pipeline_sample *sample);
	int (*mark)(void *context, const struct pipeline_sample *mark);
	int (*other)(void *context, const struct record *record);
	int (*end)(void *context);
};

#endif /* KERMON_CONSUMER_H */
