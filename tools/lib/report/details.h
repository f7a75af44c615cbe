/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rarer keys of tables: branches, accesses to memory, slices of time. What such
 * keys are of a sample is looked at only if a table was asked for them.
 */
#ifndef KERMON_REPORT_DETAILS_H
#define KERMON_REPORT_DETAILS_H

#include <kermon/report.h>
#include <linux/perf_event.h>

#include "flow/pipeline.h"
#include "symbols/symbols.h"

/* Keys that need them come last. */
#define FIRST_DETAIL	KERMON_KEY_SYMBOL_FROM

struct details;
struct report_keys;

/* Sets @details and @of_branches of a report, if its keys are such. 0 or -ENOMEM. */
int details_new(struct kermon_report *report);
void details_free(struct details *details);

/**
 * details_take - what the keys are of a sample
 * @branch: of the sample, with keys that are of branches; else NULL
 *
 * Return: up to one with KERMON_KEY_NONE for a key. Equal ones are the same memory,
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

/* detail_take.c: what one key is of a sample; @raw is all 0 before. */
void detail_take(struct kermon_report *report, enum kermon_key key,
		 const struct detail_source *from, struct raw_detail *raw);
bool detail_is_of_branches(enum kermon_key key);

/* detail_show.c: how that is shown; @to is all 0 but its key. 0 or -ENOMEM. */
int detail_show(struct kermon_report *report, const struct raw_detail *raw,
		struct kermon_detail *to);
bool detail_is_number(enum kermon_key key);

#endif /* KERMON_REPORT_DETAILS_H */
