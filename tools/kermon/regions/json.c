// SPDX-License-Identifier: GPL-2.0
/* Prints a report on regions as JSON. */
#include "input/statements.h"
#include "regions.h"
#include "ui/json.h"

#define NAME	4096

static void put_counts(const struct regions_view *view, struct json *json, const char *name,
		       const uint64_t *counts)
{
	const size_t nr = regions_counted(view->file.regions);

	if (!counts)
		return;
	json_begin_array(json, name);
	for (size_t i = 0; i < nr; i++)
		json_number(json, NULL, counts[i]);
	json_end_array(json);
}

static void put_buckets(struct json *json, const struct durations *durations)
{
	uint64_t from, to, nr;

	json_begin_array(json, "histogram");
	for (size_t i = 0; i < durations->nr_buckets; i++) {
		nr = durations_bucket(durations, i, &from, &to);
		if (!nr)
			continue;
		json_begin_array(json, NULL);
		json_number(json, NULL, from);
		json_number(json, NULL, to);
		json_number(json, NULL, nr);
		json_end_array(json);
	}
	json_end_array(json);
}

static void put_durations(struct json *json, const struct durations *durations)
{
	if (!durations->nr)
		return;
	json_begin_object(json, "durations");
	json_real(json, "mean_ns", (double)durations->sum / (double)durations->nr);
	json_number(json, "min_ns", durations->least);
	json_number(json, "max_ns", durations->most);
	json_number(json, "p50_ns", durations_percentile(durations, 0.5));
	json_number(json, "p90_ns", durations_percentile(durations, 0.9));
	json_number(json, "p99_ns", durations_percentile(durations, 0.99));
	put_buckets(json, durations);
	json_end_object(json);
}

static void put_values(struct json *json, const struct region_value *value)
{
	if (!value)
		return;
	json_begin_array(json, "values");
	for (; value; value = value->next) {
		json_begin_object(json, NULL);
		json_text(json, "name", value->name);
		json_number(json, "values", value->nr);
		json_exact(json, "sum", value->sum);
		json_exact(json, "mean", value->sum / (double)value->nr);
		json_exact(json, "min", value->least);
		json_exact(json, "max", value->most);
		json_end_object(json);
	}
	json_end_array(json);
}

static void put_thread(struct json *json, const struct region_thread *thread)
{
	if (!thread)
		return;
	json_number(json, "pid", thread->pid);
	json_number(json, "tid", thread->tid);
	json_text(json, "thread", thread->name ? thread->name : thread->comm);
}

static void put_row(const struct regions_view *view, struct json *json,
		    const struct region_row *row)
{
	const struct region_node *node = regions_node(view->file.regions, row->node);
	const struct region_sum *sum = &row->sum;
	char name[NAME];

	json_begin_object(json, NULL);
	put_thread(json, row->thread);
	json_text(json, "region", regions_row_name(view, row, name, sizeof(name)));
	json_text(json, "name", node->name);
	json_text(json, "kind", regions_kind(node));
	json_number(json, "depth", row->depth);
	json_number(json, "calls", sum->calls);
	json_number(json, "total_ns", sum->total);
	json_number(json, "self_ns", sum->self);
	json_real(json, "percent", regions_share(view, row, view->whole));
	if (view->file.clock != SIZE_MAX) {
		json_number(json, "sampled_ns", sum->sampled_total);
		json_number(json, "self_sampled_ns", sum->sampled);
	}
	put_counts(view, json, "counts", sum->total_counts);
	put_counts(view, json, "self_counts", sum->self_counts);
	put_durations(json, &sum->durations);
	put_values(json, sum->values);
	json_number(json, "missing_ends", sum->missing);
	json_number(json, "unended", sum->unended);
	json_number(json, "lost_marks", sum->lost);
	json_number(json, "mixed", sum->mixed);
	json_end_object(json);
}

static void put_events(const struct regions_view *view, struct json *json)
{
	const size_t nr = regions_counted(view->file.regions);

	json_begin_array(json, "counts");
	for (size_t i = 0; i < nr; i++)
		json_text(json, NULL, i ? regions_event(view, i) : "oncpu_ns");
	json_end_array(json);
}

static void put_iterations(const struct regions_view *view, struct json *json)
{
	const struct region_call *call;
	char name[NAME];

	json_begin_array(json, "iterations");
	for (size_t i = 0; i < view->nr_iterations; i++) {
		call = &view->iterations[i].call;
		json_begin_object(json, NULL);
		put_thread(json, call->thread);
		json_text(json, "region", regions_branch(view->file.regions, call->node, name,
							 sizeof(name)));
		json_number(json, "call", call->number);
		json_number(json, "begin_ns", call->begin);
		json_number(json, "duration_ns", call->duration);
		json_bool(json, "cut", call->cut);
		put_counts(view, json, "counts", view->iterations[i].counts);
		json_end_object(json);
	}
	json_end_array(json);
}

static void put_limits(const struct regions_view *view, struct json *json)
{
	char text[REGIONS_LIMIT];

	json_begin_array(json, "limits");
	for (size_t i = 0; regions_limit(view, i, text); i++)
		json_text(json, NULL, text);
	json_end_array(json);
}

int regions_print_json(const struct regions_view *view)
{
	struct json json = { .out = stdout };

	json_begin_object(&json, NULL);
	json_text(&json, "file", view->input.path);
	json_number(&json, "whole_ns", view->whole);
	json_number(&json, "inside_ns", view->inside);
	json_bool(&json, "estimate", regions_rotated(view->file.regions));
	put_events(view, &json);
	if (view->wanted) {
		put_iterations(view, &json);
	} else {
		json_begin_array(&json, "regions");
		for (size_t i = 0; i < view->nr_rows; i++)
			put_row(view, &json, &view->rows[i]);
		json_end_array(&json);
	}
	put_limits(view, &json);
	statements_json(&json, &view->file.pipeline.facts.statements);
	json_end_object(&json);
	return 0;
}
