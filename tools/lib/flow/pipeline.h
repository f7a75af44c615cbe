/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A perf.data file on its way to whoever analyses it:
 *
 *	reader -> order -> delivery (processes, facts, readings) -> filter -> consumer
 *
 * A consumer sees records in the order of time; what a thread was called and had mapped is
 * as of the record that it sees. This is the one header of this folder for others.
 */
#ifndef KERMON_PIPELINE_H
#define KERMON_PIPELINE_H

#include <kermon/reading.h>

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
 * @nr_samples: how many were read that the consumer was not told to know already
 * @unwinding: what became of copies of stacks, of the chains that were asked for
 * @tells_known: the consumer is asked whether it knows samples
 * @was_read: reading has begun, and perhaps failed
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
	uint64_t nr_samples;
	struct kermon_unwinding unwinding;
	bool tells_known;
	bool was_read;
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
 * Once, -EALREADY the next time. Return: as kermon_report_read(), -ENOMSG too unless the consumer takes counts, or
 * what the consumer returned.
 */
int pipeline_read(struct pipeline *pipeline, const char *path);

#endif /* KERMON_PIPELINE_H */
