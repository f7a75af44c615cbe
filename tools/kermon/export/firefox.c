// SPDX-License-Identifier: GPL-2.0
/*
 * Writes JSON for profiler.firefox.com: a symbolicated Gecko profile of version 24. Each
 * thread has its own tables of strings, frames, stacks and samples, whose elements are
 * arrays.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "groups.h"
#include "ui/json.h"

#define GECKO_VERSION	24
#define NSEC_PER_MSEC	1e6
#define BRANCH_MAX	4096

/* The type of the markers of regions. */
#define REGION_MARKER	"Region"

/* Phases of markers. */
enum { INSTANT, INTERVAL };

enum { CATEGORY_USER, CATEGORY_KERNEL };

/**
 * struct firefox - state while a profile is written
 * @nodes: nodes of the stacks, by thread
 * @samples: samples, by thread
 * @calls: calls of regions, by thread
 * @stack_of: index of each node in the stack table of its thread
 * @frame_of: index of each frame in the frame table of the current thread; STACKS_NONE:
 *	the table does not have it
 * @frames: the inverse of @frame_of
 * @name_of: index of the name of each node of regions among those of the current thread, in
 *	the table of strings behind those of frames; STACKS_NONE: the table does not have it
 * @named: the inverse of @name_of, @nr_named of them
 */
struct firefox {
	const struct export *export;
	struct json json;
	struct groups nodes;
	struct groups samples;
	struct groups calls;
	uint32_t *stack_of;
	uint32_t *frame_of;
	uint32_t *frames;
	uint32_t *name_of;
	uint32_t *named;
	uint32_t nr_named;
};

static uint32_t thread_of_node(const void *context, size_t node)
{
	const struct export *export = context;

	return export->stacks.nodes[node].root;
}

static uint32_t thread_of_sample(const void *context, size_t sample)
{
	const struct export *export = context;

	return thread_of_node(export, export->samples[sample].node);
}

static uint32_t thread_of_call(const void *context, size_t call)
{
	const struct export *export = context;

	return export->regions.calls[call].root;
}

static double milliseconds(const struct export *export, uint64_t time)
{
	/* A frame may have begun before the first mark. */
	return time > export->first ? (double)(time - export->first) / NSEC_PER_MSEC : 0;
}

static void write_schema(struct json *json, const char *const *fields)
{
	json_begin_object(json, "schema");
	for (unsigned int i = 0; fields[i]; i++)
		json_number(json, fields[i], i);
	json_end_object(json);
}

static void write_category(struct json *json, const char *name,
			   const char *color)
{
	json_begin_object(json, NULL);
	json_text(json, "name", name);
	json_text(json, "color", color);
	json_begin_array(json, "subcategories");
	json_text(json, NULL, "Other");
	json_end_array(json);
	json_end_object(json);
}

static void write_field(struct json *json, const char *key, const char *label,
			const char *format)
{
	json_begin_object(json, NULL);
	json_text(json, "key", key);
	json_text(json, "label", label);
	json_text(json, "format", format);
	json_bool(json, "searchable", true);
	json_end_object(json);
}

/* What the profiler shows of the data of markers. */
static void write_marker_schema(struct json *json, bool any)
{
	static const char *const places[] = {
		"marker-chart", "marker-table", "timeline-overview", NULL,
	};

	json_begin_array(json, "markerSchema");
	if (!any) {
		json_end_array(json);
		return;
	}
	json_begin_object(json, NULL);
	json_text(json, "name", REGION_MARKER);
	json_text(json, "chartLabel", "{marker.name}");
	json_text(json, "tooltipLabel", "{marker.name}");
	json_text(json, "tableLabel", "{marker.data.branch}");
	json_begin_array(json, "display");
	for (unsigned int i = 0; places[i]; i++)
		json_text(json, NULL, places[i]);
	json_end_array(json);
	json_begin_array(json, "data");
	write_field(json, "branch", "Branch", "string");
	write_field(json, "kind", "Kind", "string");
	json_end_array(json);
	json_end_object(json);
	json_end_array(json);
}

static void write_meta(struct firefox *firefox)
{
	const struct export *export = firefox->export;
	struct json *json = &firefox->json;

	json_begin_object(json, "meta");
	json_number(json, "version", GECKO_VERSION);
	json_number(json, "interval", 1);
	json_number(json, "processType", 0);
	json_text(json, "product", export->source.input.path);
	json_number(json, "stackwalk", 1);
	json_number(json, "debug", 0);
	json_number(json, "gcpoison", 0);
	json_number(json, "asyncstack", 1);
	json_number(json, "startTime", 0);
	json_real(json, "shutdownTime", milliseconds(export, export->last));
	json_bool(json, "presymbolicated", true);
	json_begin_array(json, "categories");
	write_category(json, "User", "yellow");
	write_category(json, "Kernel", "orange");
	json_end_array(json);
	write_marker_schema(json, export->regions.nr);
	json_end_object(json);
}

/* Collect the frames in the stacks of a thread in order of occurrence; returns how many. */
static size_t collect_frames(struct firefox *firefox, uint32_t thread)
{
	const struct stacks *stacks = &firefox->export->stacks;
	size_t nr = 0;
	uint32_t frame;

	for (size_t i = firefox->nodes.begin[thread];
	     i < firefox->nodes.begin[thread + 1]; i++) {
		frame = stacks->nodes[firefox->nodes.elements[i]].frame;
		if (firefox->frame_of[frame] != STACKS_NONE)
			continue;
		firefox->frame_of[frame] = nr;
		firefox->frames[nr++] = frame;
	}
	return nr;
}

static void write_frames(struct firefox *firefox, size_t nr)
{
	static const char *const fields[] = {
		"location", "relevantForJS", "innerWindowID", "implementation",
		"optimizations", "line", "column", "category", "subcategory",
		NULL,
	};
	const struct stacks *stacks = &firefox->export->stacks;
	struct json *json = &firefox->json;

	json_begin_object(json, "frameTable");
	write_schema(json, fields);
	json_begin_array(json, "data");
	for (size_t i = 0; i < nr; i++) {
		json_begin_array(json, NULL);
		json_number(json, NULL, i);
		json_bool(json, NULL, false);
		json_number(json, NULL, 0);
		for (int nothing = 0; nothing < 4; nothing++)
			json_text(json, NULL, NULL);
		json_number(json, NULL, stacks->frames[firefox->frames[i]].place.is_kernel ?
					CATEGORY_KERNEL : CATEGORY_USER);
		json_text(json, NULL, NULL);
		json_end_array(json);
	}
	json_end_array(json);
	json_end_object(json);
}

/* "function (in file)" */
static void write_strings(struct firefox *firefox, size_t nr)
{
	const struct stack_frame *frame;
	char name[EXPORT_NAME_MAX];
	size_t size;

	json_begin_array(&firefox->json, "stringTable");
	for (size_t i = 0; i < nr; i++) {
		frame = &firefox->export->stacks.frames[firefox->frames[i]];
		export_frame_name(frame, name, sizeof(name));
		size = strlen(name);
		if (frame->place.name && frame->function)
			snprintf(name + size, sizeof(name) - size, " (in %s)",
				 frame->place.name);
		json_text(&firefox->json, NULL, name);
	}
	for (uint32_t i = 0; i < firefox->nr_named; i++)
		json_text(&firefox->json, NULL,
			  regions_node(firefox->export->regions.all, firefox->named[i])->name);
	json_end_array(&firefox->json);
}

static void write_stacks(struct firefox *firefox, uint32_t thread)
{
	static const char *const fields[] = { "prefix", "frame", NULL };
	const struct stack_node *node;
	struct json *json = &firefox->json;
	uint32_t nr = 0;

	json_begin_object(json, "stackTable");
	write_schema(json, fields);
	json_begin_array(json, "data");
	for (size_t i = firefox->nodes.begin[thread];
	     i < firefox->nodes.begin[thread + 1]; i++) {
		node = &firefox->export->stacks.nodes[firefox->nodes.elements[i]];
		firefox->stack_of[firefox->nodes.elements[i]] = nr++;
		json_begin_array(json, NULL);
		if (node->parent == STACKS_NONE)
			json_text(json, NULL, NULL);
		else
			json_number(json, NULL,
				    firefox->stack_of[node->parent]);
		json_number(json, NULL, firefox->frame_of[node->frame]);
		json_end_array(json);
	}
	json_end_array(json);
	json_end_object(json);
}

static void write_samples(struct firefox *firefox, uint32_t thread)
{
	static const char *const fields[] = {
		"stack", "time", "responsiveness", NULL,
	};
	const struct export_sample *sample;
	struct json *json = &firefox->json;

	json_begin_object(json, "samples");
	write_schema(json, fields);
	json_begin_array(json, "data");
	for (size_t i = firefox->samples.begin[thread];
	     i < firefox->samples.begin[thread + 1]; i++) {
		sample = &firefox->export->samples[firefox->samples.elements[i]];
		json_begin_array(json, NULL);
		json_number(json, NULL, firefox->stack_of[sample->node]);
		json_real(json, NULL,
			  milliseconds(firefox->export, sample->time));
		json_number(json, NULL, 0);
		json_end_array(json);
	}
	json_end_array(json);
	json_end_object(json);
}

/* Index of the name of a node among those of the current thread. */
static uint32_t name_of(struct firefox *firefox, uint32_t node)
{
	if (firefox->name_of[node] == STACKS_NONE) {
		firefox->name_of[node] = firefox->nr_named;
		firefox->named[firefox->nr_named++] = node;
	}
	return firefox->name_of[node];
}

/* An element of the table of markers. The table of strings has @nr_frames before the names. */
static void write_marker(struct firefox *firefox, const struct region_call *call,
			 size_t nr_frames)
{
	const struct export *export = firefox->export;
	const struct region_node *node = regions_node(export->regions.all, call->node);
	const bool is_event = node->kind == REGION_EVENT;
	struct json *json = &firefox->json;
	char branch[BRANCH_MAX];

	json_begin_array(json, NULL);
	json_number(json, NULL, nr_frames + name_of(firefox, call->node));
	json_real(json, NULL, milliseconds(export, call->begin));
	if (is_event)
		json_text(json, NULL, NULL);
	else
		json_real(json, NULL, milliseconds(export, call->end));
	json_number(json, NULL, is_event ? INSTANT : INTERVAL);
	json_number(json, NULL, CATEGORY_USER);
	json_begin_object(json, NULL);
	json_text(json, "type", REGION_MARKER);
	json_text(json, "branch", regions_branch(export->regions.all, call->node, branch,
						 sizeof(branch)));
	json_text(json, "kind", is_event ? "event" : node->kind == REGION_TASK ? "task" :
				node->kind == REGION_FRAME ? "frame" : "region");
	json_end_object(json);
	json_end_array(json);
}

static void write_markers(struct firefox *firefox, uint32_t thread, size_t nr_frames)
{
	struct json *json = &firefox->json;
	static const char *const fields[] = {
		"name", "startTime", "endTime", "phase", "category", "data",
		NULL,
	};

	json_begin_object(json, "markers");
	write_schema(json, fields);
	json_begin_array(json, "data");
	for (size_t i = firefox->calls.begin[thread]; i < firefox->calls.begin[thread + 1]; i++)
		write_marker(firefox,
			     &firefox->export->regions.calls[firefox->calls.elements[i]].call,
			     nr_frames);
	json_end_array(json);
	json_end_object(json);
}

static void write_thread(struct firefox *firefox, uint32_t thread)
{
	const struct stack_root *root = &firefox->export->stacks.roots[thread];
	size_t nr = collect_frames(firefox, thread);
	struct json *json = &firefox->json;

	json_begin_object(json, NULL);
	json_text(json, "name", root->comm);
	json_text(json, "processType", "default");
	json_number(json, "pid", root->pid);
	json_number(json, "tid", root->tid);
	json_number(json, "registerTime", 0);
	json_text(json, "unregisterTime", NULL);
	write_markers(firefox, thread, nr);
	write_frames(firefox, nr);
	write_stacks(firefox, thread);
	write_samples(firefox, thread);
	write_strings(firefox, nr);
	json_end_object(json);
	while (nr)
		firefox->frame_of[firefox->frames[--nr]] = STACKS_NONE;
	while (firefox->nr_named)
		firefox->name_of[firefox->named[--firefox->nr_named]] = STACKS_NONE;
}

static int prepare_regions(struct firefox *firefox)
{
	const struct export *export = firefox->export;
	uint32_t nr = 0;

	while (regions_node(export->regions.all, nr))
		nr++;
	firefox->name_of = calloc(nr + 1, sizeof(*firefox->name_of));
	firefox->named = calloc(nr + 1, sizeof(*firefox->named));
	if (!firefox->name_of || !firefox->named)
		return -ENOMEM;
	memset(firefox->name_of, 0xff, nr * sizeof(*firefox->name_of));
	return groups_make(&firefox->calls, export->regions.nr, export->stacks.nr_roots,
			   thread_of_call, export);
}

static int prepare(struct firefox *firefox)
{
	const struct export *export = firefox->export;
	const struct stacks *stacks = &export->stacks;
	size_t nr_frames = stacks->nr_frames + 1;
	int err;

	firefox->stack_of = calloc(stacks->nr_nodes + 1,
				   sizeof(*firefox->stack_of));
	firefox->frame_of = calloc(nr_frames, sizeof(*firefox->frame_of));
	firefox->frames = calloc(nr_frames, sizeof(*firefox->frames));
	if (!firefox->stack_of || !firefox->frame_of || !firefox->frames)
		return -ENOMEM;
	memset(firefox->frame_of, 0xff, nr_frames * sizeof(*firefox->frame_of));
	err = groups_make(&firefox->nodes, stacks->nr_nodes, stacks->nr_roots,
			  thread_of_node, export);
	if (err)
		return err;
	return groups_make(&firefox->samples, export->nr_samples,
			   stacks->nr_roots, thread_of_sample, export);
}

static void write_all(struct firefox *firefox)
{
	struct json *json = &firefox->json;

	json_begin_object(json, NULL);
	write_meta(firefox);
	json_begin_array(json, "libs");
	json_end_array(json);
	json_begin_array(json, "threads");
	for (size_t i = 0; i < firefox->export->stacks.nr_roots; i++)
		write_thread(firefox, i);
	json_end_array(json);
	json_begin_array(json, "processes");
	json_end_array(json);
	json_begin_array(json, "pausedRanges");
	json_end_array(json);
	json_end_object(json);
}

static int write_firefox(const struct export *export, FILE *out)
{
	struct firefox firefox = {
		.export = export,
		.json = { .out = out, .compact = true },
	};
	int err = prepare(&firefox);

	if (!err)
		err = prepare_regions(&firefox);
	if (!err)
		write_all(&firefox);
	groups_free(&firefox.nodes);
	groups_free(&firefox.samples);
	groups_free(&firefox.calls);
	free(firefox.name_of);
	free(firefox.named);
	free(firefox.stack_of);
	free(firefox.frame_of);
	free(firefox.frames);
	return err;
}

const struct export_format firefox_format = {
	.name = "firefox",
	.by_thread = true,
	.timeline = true,
	.of_regions = true,
	.write = write_firefox,
};
