/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Details: the values of keys that have no member in rows, on branches, memory accesses
 * or time slices of a sample. They are only computed if a table has such keys.
 */
#ifndef KERMON_REPORT_DETAILS_H
#define KERMON_REPORT_DETAILS_H

#include <kermon/report.h>
#include <linux/perf_event.h>

#include "flow/pipeline.h"
#include "keys.h"
#include "symbols/symbols.h"

struct details;

/* Set @details of a report if any of its keys is one. Return: 0 or -ENOMEM. */
int details_new(struct kermon_report *report);
void details_free(struct details *details);

/**
 * details_take - get the details of a sample
 * @report: whose keys are used
 * @sample: the sample
 * @branch: one of its branches, with keys of branches; else NULL
 *
 * Return: an array that ends with a NULL key, valid as long as @report. Equal arrays have
 * the same address. NULL if out of memory.
 */
const struct kermon_detail *
details_take(struct kermon_report *report, const struct pipeline_sample *sample,
	     const struct perf_branch_entry *branch);

/* The subset of @all that is among @keys, likewise unique. */
const struct kermon_detail *details_among(struct kermon_report *report,
					  const struct kermon_detail *all,
					  const struct report_keys *keys);

/* The place of one end of a branch. */
struct place details_branch_end(struct kermon_report *report,
				const struct pipeline_sample *sample,
				uint64_t address);

/**
 * struct raw_detail - the value of a key for a sample, compared as bytes
 * @value: a number, or the offset or address of a place
 * @dso: of a place
 * @symbol: of a place
 */
struct raw_detail {
	uint64_t value;
	struct dso *dso;
	const struct symbol *symbol;
};

/* Source of the values; @branch is NULL without keys of branches. */
struct detail_source {
	const struct pipeline_sample *sample;
	const struct perf_branch_entry *branch;
};

#endif /* KERMON_REPORT_DETAILS_H */
