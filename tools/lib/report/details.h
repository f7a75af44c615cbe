/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Details: what the keys behind the first ten are of a sample, its branches, accesses to
 * memory or slice of time. They are looked at only if a table was asked for them.
 */
#ifndef KERMON_REPORT_DETAILS_H
#define KERMON_REPORT_DETAILS_H

#include <kermon/report.h>
#include <linux/perf_event.h>

#include "flow/pipeline.h"
#include "keys.h"
#include "symbols/symbols.h"

struct details;

/* Sets @details of a report, if any of its keys is one. 0 or -ENOMEM. */
int details_new(struct kermon_report *report);
void details_free(struct details *details);

/**
 * details_take - what the keys are of a sample
 * @branch: of the sample, with keys that are of branches; else NULL
 *
 * Return: up to one without a key. Equal ones are the same memory,
 * which lives as long as @report. NULL: no memory.
 */
const struct kermon_detail *
details_take(struct kermon_report *report, const struct pipeline_sample *sample,
	     const struct perf_branch_entry *branch);

/* Those of @all that are among @keys, in the same way. */
const struct kermon_detail *details_among(struct kermon_report *report,
					  const struct kermon_detail *all,
					  const struct report_keys *keys);

/* Where an end of a branch is. */
struct place details_branch_end(struct kermon_report *report,
				const struct pipeline_sample *sample,
				uint64_t address);

/**
 * struct raw_detail - what a key is of a sample, to be compared as bytes
 * @value: a number, or the offset or address of a place
 * @dso: of a place
 * @symbol: of a place
 */
struct raw_detail {
	uint64_t value;
	struct dso *dso;
	const struct symbol *symbol;
};

/* Where it is taken from; @branch is NULL without keys that are of branches. */
struct detail_source {
	const struct pipeline_sample *sample;
	const struct perf_branch_entry *branch;
};

#endif /* KERMON_REPORT_DETAILS_H */
