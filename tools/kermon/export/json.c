// SPDX-License-Identifier: GPL-2.0
/*
 * Writes JSON for scripts: frames, and stacks with the sums of all events.
 */
#include <errno.h>
#include <stdlib.h>

#include "export.h"
#include "ui/fields.h"
#include "ui/json.h"

/* Write the sum of an event in its unit. */
static void write_sum(const struct export *export, struct json *json,
		      const char *name, size_t event, uint64_t sum)
{
	if (export->kinds[event] == KERMON_METRIC_ENERGY)
		json_exact(json, name, kermon_joules(sum));
	else
		json_number(json, name, sum);
}

static void write_events(const struct export *export, struct json *json)
{
	const struct kermon_profile_event *event;
	struct fields fields = { .nr = 0 };
	char field[FIELD_NAME];
	const char *unit;

	json_begin_array(json, "events");
	for (size_t i = 0; i < export->stacks.nr_events; i++) {
		if (export->kinds[i] == KERMON_METRIC_SIDEBAND)
			continue;
		event = kermon_profile_event(export->source.profile, i);
		field_of_event(event->name, export->kinds[i], field);
		unit = field_unit(export->kinds[i]);
		json_begin_object(json, NULL);
		json_text(json, "name", event->name);
		json_text(json, "field", fields_add(&fields, field));
		json_text(json, "unit", unit ? unit : "count");
		write_sum(export, json, "total", i, export->totals[i]);
		json_end_object(json);
	}
	json_end_array(json);
	fields_free(&fields);
}

static void write_frames(const struct stacks *stacks, struct json *json)
{
	const struct stack_frame *frame;

	json_begin_array(json, "frames");
	for (size_t i = 0; i < stacks->nr_frames; i++) {
		frame = &stacks->frames[i];
		json_begin_object(json, NULL);
		json_text(json, "function", frame->function);
		json_text(json, "file", frame->place.path);
		if (frame->is_inlined)
			json_bool(json, "inlined", true);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_stack(const struct export *export, size_t node,
			uint32_t *path, struct json *json)
{
	const struct stacks *stacks = &export->stacks;
	size_t nr = stacks_path(stacks, node, path);

	json_begin_object(json, NULL);
	json_text(json, "comm", stacks->roots[stacks->nodes[node].root].comm);
	json_number(json, "samples", stacks->nodes[node].samples);
	json_begin_array(json, "values");
	for (size_t i = 0; i < stacks->nr_events; i++)
		if (export->kinds[i] != KERMON_METRIC_SIDEBAND)
			write_sum(export, json, NULL, i,
				  stacks_values(stacks, node)[i]);
	json_end_array(json);
	json_begin_array(json, "frames");
	for (size_t i = 0; i < nr; i++)
		json_number(json, NULL, stacks->nodes[path[i]].frame);
	json_end_array(json);
	json_end_object(json);
}

static int write_json(const struct export *export, FILE *out)
{
	const struct stacks *stacks = &export->stacks;
	uint32_t *path = calloc(stacks->max_depth + 1, sizeof(*path));
	struct json json = { .out = out, .compact = true };

	if (!path)
		return -ENOMEM;
	json_begin_object(&json, NULL);
	json_text(&json, "file", export->source.input.path);
	json_bool(&json, "estimate", stacks->of_intervals);
	write_events(export, &json);
	write_frames(stacks, &json);
	json_begin_array(&json, "stacks");
	for (size_t i = 0; i < stacks->nr_nodes; i++)
		if (stacks->nodes[i].records)
			write_stack(export, i, path, &json);
	json_end_array(&json);
	json_end_object(&json);
	free(path);
	return 0;
}

const struct export_format json_format = {
	.name = "json",
	.write = write_json,
};
