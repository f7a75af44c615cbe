/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A perf.data file on its way to its consumer:
 *
 *	reader -> order -> delivery (processes, facts, readings) -> filter -> consumer
 *
 * A consumer sees records ordered by time; names and mappings of threads are those at the
 * time of the record. This is the header of this folder for other folders.
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
#include "sets.h"
#include "symbols/symbols.h"

/**
 * struct pipeline - one file
 * @sources: where symbols are looked up; its @cancel cancels reading, too
 * @filter: selects samples; its @wanted is set before the file is read
 * @progress: called from time to time with the number of bytes read and @total; may be NULL
 * @progress_context: passed to it
 * @any_order: the consumer accepts samples in any order, as long as each stays between the
 *	other records before and after it; may be set when it begins
 * @of_intervals: the file was recorded by KerMon: reader_has_intervals()
 * @rounds: how such a file is read; in any case, the number of records that arrived too
 *	late to be sorted, and the time of the newest one delivered
 * @takes_counts: the consumer accepts counts of perf stat; set before the file is read
 * @nr_samples: number of samples read that the consumer has not handled as known
 * @unwinding: statistics of unwinding copies of stacks for the chains that were requested
 * @tells_known: ask the consumer whether it knows samples
 * @was_read: reading has been started, and may have failed
 */
struct pipeline {
	const struct pipeline_consumer *consumer;
	void *context;
	struct symbol_sources sources;
	enum kermon_inlines inlines;
	unsigned int max_stack;
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
 * Call pipeline_end() in any case. @options: complete options, see sized_take(); NULL:
 * defaults. Return: 0 or -ENOMEM.
 */
int pipeline_init(struct pipeline *pipeline,
		  const struct pipeline_consumer *consumer, void *context,
		  const struct kermon_report_options *options);
void pipeline_end(struct pipeline *pipeline);

/*
 * Call once; -EALREADY after that. Return: as kermon_report_read(), also -ENOMSG unless
 * the consumer takes counts, or the result of the consumer.
 */
int pipeline_read(struct pipeline *pipeline, const char *path);

#endif /* KERMON_PIPELINE_H */
