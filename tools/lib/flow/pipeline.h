/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A perf.data file on its way to whoever analyses it:
 *
 *	reader -> order -> processes -> filter -> consumer
 *
 * Reports, scripts and exports are consumers. They see records in the order of
 * time; what a thread was called and had mapped is as of the record that they see.
 */
#ifndef KERMON_PIPELINE_H
#define KERMON_PIPELINE_H

#include <kermon/report.h>

#include "facts.h"
#include "filter.h"
#include "order.h"
#include "perfdata/format/format.h"
#include "perfdata/read/read.h"
#include "place.h"
#include "process.h"
#include "readings.h"
#include "symbols/symbols.h"

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

/**
 * struct pipeline - one file
 * @sources: where symbols are looked up
 * @filter: which samples are looked at; its @wanted is set before the file is read
 * @progress: told now and then how many of @total bytes have been read; NULL: nobody
 * @progress_context: handed to it
 * @any_order: the consumer, which may say so when it begins, needs samples in no
 *	order, so long as each comes between the other records before and behind it
 * @of_intervals: the file is one of KerMon's: reader_has_intervals()
 * @rounds: how they are read if so; and, in any case, how many records came too late
 *	to be put in order, and the time of the newest one that was given out
 * @takes_counts: the consumer, which says so before the file is read, is content with
 *	what perf stat has counted
 * @has_counts: there is such a thing
 * @has_samples: there are samples, be they damaged or filtered out
 * @nr_samples: how many were read that the consumer was not told to know already
 * @unwinding: what became of copies of stacks, of the chains that were asked for
 * @tells_known: the consumer is asked whether it knows samples
 * @next_progress: bytes of the file at which progress is told again
 */
struct pipeline {
	const struct pipeline_consumer *consumer;
	void *context;
	struct symbol_sources sources;
	enum kermon_inlines inlines;
	struct filter filter;
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *progress_context;
	struct reader *reader;
	struct order *order;
	struct damages damages;
	struct dsos dsos;
	struct processes processes;
	struct places *places;
	struct readings readings;
	struct facts facts;
	bool any_order;
	bool of_intervals;
	struct reader_rounds rounds;
	bool takes_counts;
	bool has_counts;
	bool has_samples;
	uint64_t nr_samples;
	struct kermon_unwinding unwinding;
	bool tells_known;
	uint64_t next_progress;
};

/*
 * 0 or -ENOMEM; to be ended by pipeline_end() in both cases. @options says how to read,
 * and is whole: see sized_take(). NULL: as without options.
 */
int pipeline_init(struct pipeline *pipeline,
		  const struct pipeline_consumer *consumer, void *context,
		  const struct kermon_report_options *options);
void pipeline_end(struct pipeline *pipeline);

/*
 * Once. Return: as kermon_report_read(), -ENOMSG too unless the consumer takes counts, or
 * what the consumer returned.
 */
int pipeline_read(struct pipeline *pipeline, const char *path);

/*
 * Where an address of a thread is, in a CPU mode (record_mode()), as of now.
 * @back: see places_find()
 */
struct place pipeline_place(struct pipeline *pipeline, struct thread *thread,
			    unsigned int mode, uint64_t address,
			    unsigned int back);

/*
 * The same of an end of a branch, and of data that were accessed, which may be on the
 * other side than where the sample was taken: in user space or in the kernel. Of data
 * more is known if the processes' @wants_data was set before the file was read.
 */
struct place pipeline_branch_end(struct pipeline *pipeline,
				 struct thread *thread, unsigned int mode,
				 uint64_t address);
struct place pipeline_data(struct pipeline *pipeline, struct thread *thread,
			   unsigned int mode, uint64_t address);

#endif /* KERMON_PIPELINE_H */
