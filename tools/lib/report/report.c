// SPDX-License-Identifier: GPL-2.0
/* The report as a whole: open a file, read it, and return information other than tables. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "details.h"
#include "report_private.h"
#include "util/sized.h"

#define TIME_QUANTUM	100000000	/* ns, as of perf report */

struct kermon_report *
kermon_report_new(const struct kermon_report_options *options)
{
	struct kermon_report *report = calloc(1, sizeof(*report));

	int err;

	if (!report)
		return NULL;
	err = sized_take(&report->options, sizeof(report->options), options);
	if (err) {
		free(report);
		errno = -err;
		return NULL;
	}
	report->nr_lists = report_parse_lists(report->lists, &report->keys,
					      report->options.keys);
	if (report->nr_lists < 0) {
		free(report);
		errno = EINVAL;
		return NULL;
	}
	if (!report->options.time_quantum)
		report->options.time_quantum = TIME_QUANTUM;
	if (details_new(report)) {
		free(report);
		return NULL;
	}
	if (pipeline_init(&report->pipeline, &report_consumer, report,
			  &report->options)) {
		details_free(report->details);
		pipeline_end(&report->pipeline);
		free(report);
		return NULL;
	}
	report->pipeline.processes.wants_data =
		report->keys.flags & OF_DATA;
	report->pipeline.facts.wants_branches =
		report->keys.flags & BY_BRANCH;
	return report;
}

void kermon_report_free(struct kermon_report *report)
{
	if (!report)
		return;
	report_free_tables(report);
	report_free_turns(report);
	report_free_peaks(report);
	report_free_regions(report);
	report_free_cgroups(report);
	report_free_memos(report);
	details_free(report->details);
	report_free_selection(report);
	if (report->index)
		callindex_free(report->index);
	free(report->index);
	free(report->names);
	free(report->unresolved.all);
	for (size_t i = 0; i < report->nr_origins; i++)
		free(report->origins[i]);
	free(report->origins);
	hash_free(&report->by_origin);
	numbering_free(&report->entries);
	free(report->sums);
	callchain_free(report->calls);
	calltree_free(&report->tree);
	free(report->columns);
	free(report->operations);
	free(report->column_of);
	pipeline_end(&report->pipeline);
	intern_free(&report->strings);
	free(report);
}

int kermon_report_read(struct kermon_report *report, const char *path)
{
	int err = pipeline_read(&report->pipeline, path);

	report->is_read = !err || (report->is_read && err == -EALREADY);
	return err;
}

const struct kermon_losses *
kermon_report_losses(const struct kermon_report *report)
{
	return &report->losses;
}

const struct kermon_unwinding *
kermon_report_unwinding(const struct kermon_report *report)
{
	return &report->pipeline.unwinding;
}

const struct kermon_statements *
kermon_report_statements(const struct kermon_report *report)
{
	return &report->pipeline.facts.statements;
}

static const char *reason_of(const struct dso *dso)
{
	switch (dso->symbols->state) {
	case SYMBOLS_NO_FILE:
		if (dso->kind == DSO_JIT)
			return "JIT code, but there is no such map";
		return dso->kind == DSO_VDSO ? "its build id was not recorded" :
		       "there is no such file here (see --symfs)";
	case SYMBOLS_OTHER_FILE:
		return "the file here has another build id than the one that ran";
	case SYMBOLS_OTHER_KERNEL:
		return "another kernel is running here (see --kallsyms)";
	case SYMBOLS_ANY_KERNEL:
		return "the recorded kernel is unknown (see --kallsyms)";
	case SYMBOLS_OTHER_CLOCK:
		return "its timestamps are from another clock (use perf record -k mono)";
	case SYMBOLS_HIDDEN:
		return "the kernel hides its addresses (sysctl kernel.kptr_restrict)";
	case SYMBOLS_UNLISTED:
		return "the file of --kallsyms has none, or hides their addresses";
	case SYMBOLS_CUT_OFF:
		return "it was truncated while it was read";
	case SYMBOLS_FORBIDDEN:
		return "this user may not read it";
	default:
		return "it has none";
	}
}

/* Data files need no names; for files that are not trusted there is a statement. */
static bool lacks_names(const struct dso *dso)
{
	return dso->symbols && dso->symbols->state != SYMBOLS_FOUND &&
	       dso->symbols->state != SYMBOLS_UNTRUSTED &&
	       dso->symbols->state != SYMBOLS_IRREGULAR &&
	       dso->kind != DSO_ANONYMOUS && !dso_is_data(dso);
}

const char *kermon_report_unresolved(struct kermon_report *report,
				     size_t index)
{
	struct report_unresolved *unresolved = &report->unresolved;
	const struct dso *dso;
	char text[512];

	if (!index) {	/* more symbols may have been read since */
		free(unresolved->all);
		unresolved->all = NULL;
	}
	if (!unresolved->all)
		unresolved->all = dsos_sorted(&report->pipeline.dsos, lacks_names,
					      &unresolved->nr);
	if (!unresolved->all || index >= unresolved->nr)
		return NULL;
	dso = unresolved->all[index];
	snprintf(text, sizeof(text), "%s: %s",
		 dso->kind == DSO_KERNEL ? dso->name : dso->path, reason_of(dso));
	return intern(&report->strings, text);
}

bool kermon_report_has_calls(const struct kermon_report *report)
{
	return report->calls;
}
