/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What comes out of the pipeline, and who takes it: reports, scripts and exports are
 * consumers.
 */
#ifndef KERMON_CONSUMER_H
#define KERMON_CONSUMER_H

#include "perfdata/read/read.h"
#include "process.h"

/**
 * struct pipeline_sample - a sample, and whose it is
 * @record: as in the file
 * @event: that it belongs to; its index is @record->event
 * @fields: of the record
 * @thread: as of now
 */
struct pipeline_sample {
	const struct record *record;
	const struct reader_event *event;
	const struct sample *fields;
	struct thread *thread;
};

/**
 * struct pipeline_consumer - what is done with what comes out; any may be NULL
 * @begin: the file is open, its events are known, no record has been read
 * @known: if everything passes the filter: whether a sample, which its bytes alone
 *	told all of, has been dealt with
 * @known_batch: the same for several: how many bytes of them; has to be there if
 *	@known is
 * @sample: a sample that the filter passes
 * @other: any other record, after processes have learnt from it
 * @end: there is nothing more
 *
 * Records, and all that a sample points to, are there during the call only.
 *
 * Return: 0 to go on, -errno to stop.
 */
struct pipeline_consumer {
	int (*begin)(void *context);
	bool (*known)(void *context, const struct record *record);
	uint64_t (*known_batch)(void *context, struct reader_batch *batch);
	int (*sample)(void *context, const struct pipeline_sample *sample);
	int (*other)(void *context, const struct record *record);
	int (*end)(void *context);
};

#endif /* KERMON_CONSUMER_H */
