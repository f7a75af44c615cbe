/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What records tell of the recording as a whole, and the statements that follow from
 * that and from what else is in the file.
 */
#ifndef KERMON_FACTS_H
#define KERMON_FACTS_H

#include <kermon/statements.h>
#include <stdint.h>

#include "perfdata/read/read.h"
#include "symbols/symbols.h"

/**
 * struct facts - collected while a file is read; at the end, losses are no less than the
 *	recorder noted
 * @lost_samples: LOST_SAMPLES of the kernel, and LOST of KerMon's log
 * @lost_records: other LOST, of records that are samples or not; once all is read, those
 *	of @lost_totals too
 * @lost_totals: LOST_SAMPLES of perf, which has asked each event at the end: of
 *	@lost_records, and those after which nothing came that could tell them
 * @throttled: how often the kernel stopped sampling for a while
 * @aux_info: there is an AUXTRACE_INFO, of a trace of @aux_type
 * @aux_size: bytes of all AUXTRACE records' payload
 * @aux_gaps: AUX records that say that data are missing
 * @cut_maps: processes whose mappings perf had no time to read to the end
 * @initialized: perf has described all that ran at the start
 * @invalid: intervals of KerMon's log whose counts were impossible
 * @intervals: of KerMon's log, all of them
 * @samples: samples (of KerMon's log: intervals) that were offered to the filter, if there is one
 * @passed: those that passed it
 * @has_samples: there are samples, be they damaged or filtered out
 * @has_counts: there is what perf stat has counted
 * @late: records that came too late to be put in order
 * @is_filtered: a filter says which samples are looked at; set before
 * @wants_branches: who reads wants branches; set before
 * @statements: made at the end
 */
struct facts {
	uint64_t lost_samples;
	uint64_t lost_records;
	uint64_t lost_totals;
	uint64_t throttled;
	bool aux_info;
	uint32_t aux_type;
	uint64_t aux_size;
	uint64_t aux_gaps;
	uint64_t cut_maps;
	bool initialized;
	uint64_t invalid;
	uint64_t intervals;
	uint64_t samples;
	uint64_t passed;
	bool has_samples;
	bool has_counts;
	uint64_t late;
	bool is_filtered;
	bool wants_branches;
	struct kermon_statements statements;
};

/* facts.c: any record but samples; @attr: of its event. */
void facts_take(struct facts *facts, const struct perf_event_attr *attr,
		const struct record *record);

/*
 * statements.c: once everything has been read. @symfs: the folder that symbols were looked
 * up below, or NULL.
 */
void facts_conclude(struct facts *facts, const struct reader *reader,
		    const struct damages *damages, const struct dsos *dsos,
		    const char *symfs);

#endif /* KERMON_FACTS_H */
