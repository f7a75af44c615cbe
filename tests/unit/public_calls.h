/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls every public function of an object, with valid and invalid arguments, whether it
 * has read a file, failed, or was never asked to read. Results are read to the end, so
 * that a sanitizer detects invalid memory.
 */
#ifndef TESTS_UNIT_PUBLIC_CALLS_H
#define TESTS_UNIT_PUBLIC_CALLS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kermon/file.h>
#include <kermon/merge.h>
#include <kermon/profile.h>
#include <kermon/readperf.h>
#include <kermon/report.h>

/* This much of a long list is enough. */
#define PUBLIC_MOST	40

static const size_t public_indices[] = { 0, 1, 2, 63, 1000, SIZE_MAX };

#define NR_PUBLIC_INDICES						\
	(sizeof(public_indices) / sizeof(public_indices[0]))

/* Valid and invalid indexes. */
#define for_each_public_index(i)					\
	for (size_t i##_at = 0, i = 0;					\
	     i##_at < NR_PUBLIC_INDICES &&				\
	     (i = public_indices[i##_at], true);			\
	     i##_at++)

static volatile size_t public_read;

static inline void public_text(const char *text)
{
	if (text)
		public_read += strlen(text);
}

static inline void public_line(void *context, const char *name,
			       const char *value)
{
	(void)context;
	public_text(name);
	public_text(value);
}

static inline void public_statements(const struct kermon_statements *all)
{
	for (size_t i = 0; i < all->nr; i++) {
		public_text(all->all[i].id);
		public_text(all->all[i].text);
	}
}

static inline void public_damages(const struct kermon_damages *damages)
{
	const struct kermon_damage *damage;

	public_read += kermon_damages_count(damages);
	for_each_public_index(i) {
		damage = kermon_damages_get(damages, i);
		public_text(damage ? damage->text : NULL);
	}
}

static inline void public_graph(const struct kermon_call *call, int depth)
{
	public_text(call->sym);
	public_text(call->dso);
	for (size_t i = 0; depth && i < call->nr_calls && i < 3; i++)
		public_graph(&call->calls[i], depth - 1);
}

static inline void public_graphs(struct kermon_report *report,
				 const struct kermon_table *table, size_t row)
{
	struct kermon_graph_options options = { .size = sizeof(options) };
	struct kermon_call *graph = NULL;

	for (int direction = 0; direction < 2; direction++) {
		options.direction = direction;
		if (!kermon_report_graph(report, table, row, &options, &graph))
			public_graph(graph, 8);
		kermon_graph_free(graph);
		graph = NULL;
	}
	if (!kermon_report_graph(report, table, row, NULL, &graph))
		kermon_graph_free(graph);
}

static inline void public_row(const struct kermon_row *row)
{
	const struct kermon_key *key;
	size_t nr = 0;

	do {
		key = kermon_key_at(nr++);
		public_text(kermon_row_text(row, key));
		public_read += kermon_row_number(row, key);
		public_text(key ? key->help : NULL);
	} while (key);
}

static inline void public_derived(const struct kermon_report *report,
				  const uint64_t *values)
{
	struct kermon_derived derived;

	for (int precision = 0; precision <= KERMON_MIXED; precision++) {
		public_read += kermon_flop(report, values, precision);
		public_read += kermon_flop_took_turns(report, precision);
		public_read += !!kermon_flop_estimate(report, values, precision);
		public_read += kermon_counts_flop(report, precision);
	}
	public_read += !!kermon_ipc(report, values);
	public_read += !kermon_report_derive(report, values, &derived);
	for (size_t i = 0; i <= kermon_report_nr_columns(report); i++)
		public_read += !!kermon_watts(report, values, i) +
			       !!kermon_peak_watts(report, NULL, 0, i);
}

static inline void public_table(struct kermon_report *report,
				const struct kermon_table *table)
{
	for (size_t i = 0; i < table->nr_keys; i++)
		public_text(table->keys[i]->name);
	for (size_t i = 0; i < table->nr_rows && i < PUBLIC_MOST; i++) {
		public_row(&table->rows[i]);
		for (size_t j = 0; j <= kermon_report_nr_columns(report); j++)
			public_read += !!kermon_peak_watts(report, table, i, j);
		public_derived(report, table->rows[i].values);
		if (i < 3)
			public_graphs(report, table, i);
	}
	public_graphs(report, table, table->nr_rows);
	public_graphs(report, table, SIZE_MAX);
}

static inline void public_tables(struct kermon_report *report)
{
	static const char *const keys[] = {
		"comm,pid,tid,cpu", "dso,sym", "event", "srcline,srcfile",
		"sym,tid", "", "sym,sym", "nonsense",
	};
	const struct kermon_table *table;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		public_read += kermon_keys_valid(keys[i]);
		for_each_public_index(weight) {
			if (!kermon_report_table(report, keys[i], weight, &table))
				public_table(report, table);
			if (!kermon_report_callers(report, keys[i], weight, &table))
				public_table(report, table);
		}
	}
}

static inline void public_columns(const struct kermon_report *report)
{
	const struct kermon_column *column;
	struct kermon_estimate estimate;
	struct kermon_run run;

	public_read += kermon_report_nr_columns(report);
	for_each_public_index(i) {
		column = kermon_report_column(report, i);
		public_text(column ? column->name : NULL);
		public_text(column ? column->metric.heading : NULL);
		public_read += kermon_report_estimate(report, i, &estimate);
		public_read += !!kermon_column_estimate(report, i, 7);
		public_read += kermon_report_share(report, i) != NULL;
		for_each_public_index(part)
			public_read += !!kermon_report_coverage(report, i, part);
		if (kermon_report_run(report, i, &run))
			public_text(run.file);
	}
}

static inline void public_report(struct kermon_report *report)
{
	uint64_t *none = calloc(kermon_report_nr_columns(report) + 1,
				sizeof(*none));

	if (!none)
		abort();
	public_columns(report);
	public_derived(report, none);
	free(none);
	public_read += kermon_report_weight(report);
	public_read += kermon_report_is_estimate(report);
	public_read += kermon_report_has_calls(report);
	public_read += kermon_report_losses(report)->samples;
	public_read += kermon_report_unwinding(report)->stacks;
	public_statements(kermon_report_statements(report));
	kermon_report_header(report, public_line, NULL);
	public_text(kermon_report_note(report, "version"));
	public_tables(report);
	for_each_public_index(i)
		public_text(kermon_report_unresolved(report, i));
	public_read += !kermon_report_read(report, "/dev/null");
}

static inline void public_place(struct kermon_profile *profile,
				const struct kermon_place *place)
{
	const struct kermon_source_line *lines;
	ssize_t nr;

	public_text(place->name);
	public_text(place->path);
	public_read += kermon_place_offset(place);
	for (int form = KERMON_NAME_FULL; form <= KERMON_NAME_LINKED; form++)
		public_text(kermon_profile_symbol(profile, place, form));
	nr = kermon_profile_source(profile, place, true, KERMON_NAME_FULL, &lines);
	for (ssize_t i = 0; i < nr; i++) {
		public_text(lines[i].function);
		public_text(lines[i].file);
	}
}

/* A callback for samples; @context is where text goes, a FILE. */
static inline int public_sample(void *context,
				const struct kermon_profile_sample *sample)
{
	const struct kermon_frame *frames;
	struct kermon_place place;
	char size[KERMON_PAGE_SIZE_TEXT];
	const char *text = NULL;
	ssize_t nr;

	public_text(sample->comm);
	public_text(sample->event->name);
	kermon_profile_place(sample, sample->mode, sample->ip, &place);
	public_place(sample->profile, &place);
	kermon_profile_branch_end(sample, sample->addr, &place);
	public_place(sample->profile, &place);
	kermon_profile_data(sample, &place);
	public_place(sample->profile, &place);
	nr = kermon_profile_frames(sample, &frames);
	for (ssize_t i = 0; i < nr && i < PUBLIC_MOST; i++)
		public_place(sample->profile, &frames[i].place);
	nr = kermon_profile_trace(sample, &text);
	public_text(nr > 0 ? text : NULL);
	for (int part = 0; part <= KERMON_MEMORY_BLOCKED; part++)
		kermon_memory_print(context, part, sample->data_src);
	kermon_page_size_text(sample->data_page_size, size);
	public_text(size);
	return 0;
}

static inline int public_record(void *context,
				const struct kermon_profile_record *record)
{
	public_text(record->comm);
	public_read += kermon_profile_record_text(record, context);
	return 0;
}

static inline int public_count(void *context,
			       const struct kermon_profile_count *count)
{
	(void)context;
	public_text(count->unit);
	public_text(count->event->name);
	return 0;
}

static inline void public_profile(struct kermon_profile *profile)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT };
	const struct kermon_profile_event event = {
		.attr = &attr, .name = "event",
	};
	const struct kermon_profile_sample stale = {
		.profile = profile, .event = &event, .comm = "comm",
	};
	const struct kermon_profile_event *found;
	FILE *null = fopen("/dev/null", "we");
	uint64_t wall;

	if (!null)
		abort();
	public_sample(null, &stale);
	fclose(null);
	for_each_public_index(i) {
		found = kermon_profile_event(profile, i);
		public_text(found ? found->name : NULL);
	}
	public_text(kermon_profile_arch(profile));
	public_text(kermon_profile_wall(profile, 1, &wall));
	public_read += kermon_profile_unwinding(profile)->stacks;
	public_statements(kermon_profile_statements(profile));
	public_read += !kermon_profile_read(profile, "/dev/null");
}

static inline int public_readperf_record(void *context,
					 const struct kermon_readperf_record *record)
{
	(void)context;
	public_text(record->type);
	public_text(record->text);
	public_text(record->event);
	return 0;
}

static inline void public_readperf(struct kermon_readperf *readperf)
{
	const struct kermon_readperf_function *function;
	const struct kermon_readperf_process *process;
	struct kermon_metric metric;
	const char *type = NULL;

	public_read += kermon_readperf_is_estimate(readperf);
	public_statements(kermon_readperf_statements(readperf));
	for_each_public_index(i) {
		public_text(kermon_readperf_event(readperf, i, &metric));
		public_read += kermon_readperf_count(readperf, i, &type);
		public_text(type);
		process = kermon_readperf_process(readperf, i);
		public_text(process ? process->comm : NULL);
		function = kermon_readperf_function(readperf, i);
		public_text(function ? function->symbol : NULL);
		public_text(function ? function->binary : NULL);
		public_text(function ? function->source : NULL);
	}
	public_read += !kermon_readperf_read(readperf, "/dev/null");
}

static inline int public_file_record(void *context,
				     const struct kermon_file_record *record)
{
	(void)context;
	public_text(record->name);
	public_text(record->event);
	public_text(record->fields);
	return 0;
}

static inline void public_file_count(void *context,
				     const struct kermon_file_count *count)
{
	(void)context;
	public_text(count->name);
}

static inline int public_file_moment(void *context,
				     const struct kermon_file_moment *moment)
{
	(void)context;
	public_read += moment->time <= moment->upper;
	return 0;
}

static inline void public_file(struct kermon_file *file)
{
	const struct kermon_file_order *order;
	uint64_t late;

	kermon_file_header(file, public_line, NULL);
	public_read += !kermon_file_records(file, public_file_record, NULL);
	public_read += !kermon_file_check(file, public_file_count, NULL, &late);
	public_read += !kermon_file_order(file, public_file_moment, NULL, &order);
	public_read += order->timed;
	public_read += !kermon_file_open(file, "/dev/null");
}

/* @path: of a file that is added again. */
static inline void public_merge(struct kermon_merge *merge, const char *path)
{
	FILE *file = tmpfile();
	const struct kermon_run *run;

	if (!file)
		abort();
	public_text(kermon_merge_error(merge));
	public_read += kermon_merge_is_of_cpus(merge);
	for_each_public_index(i) {
		run = kermon_merge_run(merge, i);
		public_text(run ? run->file : NULL);
	}
	public_read += !kermon_merge_write(merge, fileno(file));
	public_read += !kermon_merge_add(merge, path);
	public_read += !kermon_merge_write(merge, fileno(file));
	fclose(file);
}

#endif /* TESTS_UNIT_PUBLIC_CALLS_H */
