// SPDX-License-Identifier: GPL-2.0
/*
 * Writes pprof profiles, https://github.com/google/pprof/blob/main/proto/profile.proto,
 * compressed by gzip. A sample has the number of samples of its stack and the sums of all
 * events; its thread is the label "thread".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "export.h"
#include "protobuf.h"
#include "util/array.h"

/* Fields of Profile. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_DURATION = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_DEFAULT_SAMPLE_TYPE = 14,
};

enum { VALUE_TYPE = 1, VALUE_UNIT = 2 };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3 };
enum { LABEL_KEY = 1, LABEL_TEXT = 2 };
enum {
	MAPPING_ID = 1,
	MAPPING_FILE = 5,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILES = 8,
	MAPPING_HAS_LINES = 9,
	MAPPING_HAS_INLINED = 10,
};
enum {
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_ADDRESS = 3,
	LOCATION_LINE = 4,
};
enum { LINE_FUNCTION = 1, LINE_NUMBER = 2 };
enum {
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_LINKED_NAME = 3,
	FUNCTION_FILE = 4,
};

/**
 * struct function - key of a function
 * @symbol: symbol in the file; NULL if it was inlined
 * @name: index of its name in the strings; 0: unknown
 * @file: index of its source file in the strings; 0: unknown
 */
struct function {
	const void *symbol;
	uint32_t name;
	uint32_t file;
};

/**
 * struct pprof - state while a profile is written
 * @profile: the message so far
 * @part: the current field of @profile
 * @inner: the current field of @part
 * @other: another field of @profile while @part is incomplete
 * @texts: the @nr_texts strings of the profile, of which the first one is empty
 * @functions: the @nr_functions functions of the profile
 * @lines: source lines of the current place
 * @mappings: files of the profile
 */
struct pprof {
	const struct export *export;
	struct protobuf profile;
	struct protobuf part;
	struct protobuf inner;
	struct protobuf other;
	const char **texts;
	size_t nr_texts;
	size_t room_texts;
	struct index text_index;
	struct function *functions;
	size_t nr_functions;
	size_t room_functions;
	struct index function_index;
	struct kermon_source_line *lines;
	size_t room_lines;
	struct index mappings;
};

struct function_key {
	const struct pprof *pprof;
	struct function function;
};

struct mapping_key {
	const struct stacks *stacks;
	const void *dso;
};

struct text_key {
	const struct pprof *pprof;
	const char *text;
};

static bool is_text(const void *context, uint32_t number)
{
	const struct text_key *key = context;

	return !strcmp(key->pprof->texts[number], key->text);
}

static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0;

	for (; *text; text++)
		hash = index_mix(hash, (unsigned char)*text);
	return hash;
}

/* Index of string @text, which has to stay valid until the profile is written. */
static uint32_t text(struct pprof *pprof, const char *text)
{
	struct text_key key = { pprof, text };
	struct index_slot *slot;

	slot = index_slot(&pprof->text_index, hash_of(text), is_text, &key);
	if (!slot) {
		pprof->profile.failed = true;
		return 0;
	}
	if (slot->number != INDEX_FREE)
		return slot->number;
	slot->number = 0;
	if (array_room(pprof->texts, pprof->room_texts, pprof->nr_texts + 1)) {
		pprof->profile.failed = true;
		return 0;
	}
	slot->number = pprof->nr_texts++;
	pprof->texts[slot->number] = text;
	protobuf_bytes(&pprof->profile, PROFILE_STRING, text, strlen(text));
	return slot->number;
}

static const char *unit_of(const struct export *export, size_t event)
{
	switch (export->kinds[event]) {
	case KERMON_METRIC_TIME:
		return "nanoseconds";
	case KERMON_METRIC_ENERGY:
		return "microjoules";
	default:
		return "count";
	}
}

/* Round to the unit, since values are integers. */
static uint64_t in_unit(const struct export *export, size_t event, uint64_t sum)
{
	if (export->kinds[event] == KERMON_METRIC_ENERGY)
		return kermon_joules(sum) * 1e6 + 0.5;
	return sum;
}

static void put_type(struct pprof *pprof, unsigned int field, const char *name,
		     const char *unit)
{
	protobuf_number(&pprof->part, VALUE_TYPE, text(pprof, name));
	protobuf_number(&pprof->part, VALUE_UNIT, text(pprof, unit));
	protobuf_part(&pprof->profile, field, &pprof->part);
}

static void put_types(struct pprof *pprof)
{
	const struct export *export = pprof->export;
	const struct kermon_profile_event *event;

	put_type(pprof, PROFILE_SAMPLE_TYPE, "samples", "count");
	for (size_t i = 0; i < export->stacks.nr_events; i++) {
		if (export->kinds[i] == KERMON_METRIC_SIDEBAND)
			continue;
		event = kermon_profile_event(export->source.profile, i);
		put_type(pprof, PROFILE_SAMPLE_TYPE, event->name,
			 unit_of(export, i));
	}
	event = kermon_profile_event(export->source.profile, export->event);
	protobuf_number(&pprof->profile, PROFILE_DEFAULT_SAMPLE_TYPE,
			text(pprof, event->name));
	protobuf_number(&pprof->profile, PROFILE_DURATION,
			export->last - export->first);
	if (event->attr->freq || !event->attr->sample_period)
		return;
	put_type(pprof, PROFILE_PERIOD_TYPE, event->name, unit_of(export, export->event));
	protobuf_number(&pprof->profile, PROFILE_PERIOD,
			event->attr->sample_period);
}

static bool is_of(const void *context, uint32_t number)
{
	const struct mapping_key *key = context;

	return key->stacks->frames[number].place.dso == key->dso;
}

/* Id of a file: index of its first frame plus 1. 0 without a file. */
static uint32_t mapping_id(struct pprof *pprof, const void *dso, uint32_t frame)
{
	struct mapping_key key = { &pprof->export->stacks, dso };
	struct index_slot *slot;

	if (!dso)
		return 0;
	slot = index_slot(&pprof->mappings, index_mix(0, (uintptr_t)dso), is_of,
			  &key);
	if (!slot) {
		pprof->profile.failed = true;
		return 0;
	}
	if (slot->number == INDEX_FREE)
		slot->number = frame;
	return slot->number + 1;
}

/* Declare all symbols resolved, or pprof would search for the missing ones. */
static void put_mapping(struct pprof *pprof, const struct kermon_place *place,
			uint32_t id)
{
	protobuf_number(&pprof->part, MAPPING_ID, id);
	protobuf_number(&pprof->part, MAPPING_FILE, text(pprof, place->path));
	for (unsigned int field = MAPPING_HAS_FUNCTIONS;
	     field <= MAPPING_HAS_INLINED; field++)
		protobuf_number(&pprof->part, field, 1);
	protobuf_part(&pprof->profile, PROFILE_MAPPING, &pprof->part);
}

static bool is_function(const void *context, uint32_t number)
{
	const struct function_key *key = context;
	const struct function *known = &key->pprof->functions[number];

	return known->symbol == key->function.symbol &&
	       known->name == key->function.name &&
	       known->file == key->function.file;
}

/*
 * Id of a function, at least 1; 0 if out of memory. Functions with the same name but
 * different files have different ids: inlined ones may be unrelated, and the lines of one
 * function may come from several files.
 */
static uint32_t function_id(struct pprof *pprof, const struct function *function,
			    bool *is_new)
{
	struct function_key key = { pprof, *function };
	uint64_t hash = index_mix(index_mix(0, (uintptr_t)function->symbol),
				  function->name);
	struct index_slot *slot = index_slot(&pprof->function_index,
					     index_mix(hash, function->file),
					     is_function, &key);

	if (!slot || array_room(pprof->functions, pprof->room_functions,
				pprof->nr_functions + 1)) {
		pprof->profile.failed = true;
		return 0;
	}
	*is_new = slot->number == INDEX_FREE;
	if (*is_new) {
		slot->number = pprof->nr_functions++;
		pprof->functions[slot->number] = *function;
	}
	return slot->number + 1;
}

static void put_function(struct pprof *pprof, uint32_t id,
			 const struct function *function, const char *linked)
{
	protobuf_number(&pprof->other, FUNCTION_ID, id);
	protobuf_number(&pprof->other, FUNCTION_NAME, function->name);
	protobuf_number(&pprof->other, FUNCTION_LINKED_NAME,
			linked ? text(pprof, linked) : function->name);
	protobuf_number(&pprof->other, FUNCTION_FILE, function->file);
	protobuf_part(&pprof->profile, PROFILE_FUNCTION, &pprof->other);
}

/* Add a function to the location; the innermost one comes first. */
static void put_line(struct pprof *pprof, uint32_t function, unsigned int line)
{
	protobuf_number(&pprof->inner, LINE_FUNCTION, function);
	protobuf_number(&pprof->inner, LINE_NUMBER, line);
	protobuf_part(&pprof->part, LOCATION_LINE, &pprof->inner);
}

static uint32_t file_of(struct pprof *pprof,
			const struct kermon_source_line *line)
{
	return line->file ? text(pprof, line->file) : 0;
}

/* Copy the source lines of a frame to @pprof->lines; returns the number of functions. */
static size_t find_source(struct pprof *pprof, const struct stack_frame *frame)
{
	const struct kermon_source_line *lines;
	ssize_t nr = kermon_profile_source(pprof->export->source.profile,
					   &frame->place, false,
					   KERMON_NAME_SHORT, &lines);

	if (nr < 0 || (nr && array_room(pprof->lines, pprof->room_lines,
					(size_t)nr))) {
		pprof->profile.failed = true;
		return 0;
	}
	if (nr)
		memcpy(pprof->lines, lines, nr * sizeof(*lines));
	return nr;
}

/* Linker name of inlined function @i of a frame; NULL if unknown. */
static const char *linked_name(struct pprof *pprof,
			       const struct stack_frame *frame, size_t i)
{
	const struct kermon_source_line *lines;
	ssize_t nr = kermon_profile_source(pprof->export->source.profile,
					   &frame->place, false,
					   KERMON_NAME_LINKED, &lines);

	return (ssize_t)i < nr ? lines[i].function : NULL;
}

static void put_inlined(struct pprof *pprof, const struct stack_frame *frame,
			size_t i)
{
	const struct kermon_source_line *line = &pprof->lines[i];
	struct function function = { 0 };
	bool is_new = false;
	uint32_t id;

	if (!line->function)
		return;
	function.name = text(pprof, line->function);
	function.file = file_of(pprof, line);
	id = function_id(pprof, &function, &is_new);
	if (is_new)
		put_function(pprof, id, &function, linked_name(pprof, frame, i));
	put_line(pprof, id, line->line);
}

/* Add the function of the symbol, with the line that is executed or makes the call. */
static void put_outermost(struct pprof *pprof, const struct stack_frame *frame,
			  const struct kermon_source_line *line)
{
	struct function function = {
		.symbol = frame->place.symbol,
		.name = text(pprof, frame->function),
		.file = file_of(pprof, line),
	};
	bool is_new = false;
	uint32_t id = function_id(pprof, &function, &is_new);

	if (is_new)
		put_function(pprof, id, &function,
			     kermon_profile_symbol(pprof->export->source.profile,
						   &frame->place,
						   KERMON_NAME_LINKED));
	put_line(pprof, id, line->line);
}

/* Write frame @number as a location, after its file if it is the first frame of it. */
static void put_location(struct pprof *pprof, uint32_t number)
{
	const struct stack_frame *frame = &pprof->export->stacks.frames[number];
	size_t nr = find_source(pprof, frame);
	struct kermon_source_line outermost = { 0 };
	uint32_t mapping = mapping_id(pprof, frame->place.dso, number);

	if (nr)
		outermost = pprof->lines[nr - 1];
	if (mapping == number + 1)
		put_mapping(pprof, &frame->place, mapping);
	protobuf_number(&pprof->part, LOCATION_ID, number + 1);
	protobuf_number(&pprof->part, LOCATION_MAPPING, mapping);
	protobuf_number(&pprof->part, LOCATION_ADDRESS, frame->place.offset);
	for (size_t i = 0; frame->has_inlines && i + 1 < nr; i++)
		put_inlined(pprof, frame, i);
	if (frame->function)
		put_outermost(pprof, frame, &outermost);
	protobuf_part(&pprof->profile, PROFILE_LOCATION, &pprof->part);
}

static void put_sample(struct pprof *pprof, uint32_t number, uint32_t *path)
{
	const struct export *export = pprof->export;
	const struct stacks *stacks = &export->stacks;
	const struct stack_node *node = &stacks->nodes[number];
	size_t nr = stacks_path(stacks, number, path);

	for (size_t i = 0; i < nr; i++)
		protobuf_element(&pprof->inner,
				 stacks->nodes[path[i]].frame + 1);
	protobuf_part(&pprof->part, SAMPLE_LOCATIONS, &pprof->inner);
	protobuf_element(&pprof->inner, node->samples);
	for (size_t i = 0; i < stacks->nr_events; i++)
		if (export->kinds[i] != KERMON_METRIC_SIDEBAND)
			protobuf_element(&pprof->inner, in_unit(export, i,
					 stacks_values(stacks, number)[i]));
	protobuf_part(&pprof->part, SAMPLE_VALUES, &pprof->inner);
	protobuf_number(&pprof->inner, LABEL_KEY, text(pprof, "thread"));
	protobuf_number(&pprof->inner, LABEL_TEXT,
			text(pprof, stacks->roots[node->root].comm));
	protobuf_part(&pprof->part, SAMPLE_LABEL, &pprof->inner);
	protobuf_part(&pprof->profile, PROFILE_SAMPLE, &pprof->part);
}

static int put_samples(struct pprof *pprof)
{
	const struct stacks *stacks = &pprof->export->stacks;
	uint32_t *path = calloc(stacks->max_depth + 1, sizeof(*path));

	if (!path)
		return -ENOMEM;
	for (uint32_t i = 0; i < stacks->nr_nodes; i++)
		if (stacks->nodes[i].records)
			put_sample(pprof, i, path);
	free(path);
	return pprof->profile.failed ? -ENOMEM : 0;
}

/* The error of the file, if zlib failed because of that. */
static int write_error(void)
{
	return errno ? -errno : -EIO;
}

/* Write @profile compressed, after flushing @out. */
static int write_compressed(const struct protobuf *profile, FILE *out)
{
	size_t left = profile->size, part;
	gzFile file;
	int fd, err = 0;

	if (fflush(out))
		return -errno;
	fd = dup(fileno(out));
	if (fd < 0)
		return -errno;
	file = gzdopen(fd, "wb");
	if (!file) {
		close(fd);
		return -ENOMEM;
	}
	errno = 0;
	while (left && !err) {
		part = left < 1U << 30 ? left : 1U << 30;
		if (!gzwrite(file, profile->bytes + profile->size - left, part))
			err = write_error();
		left -= part;
	}
	if (gzclose(file) != Z_OK && !err)
		err = write_error();
	return err;
}

static int write_pprof(const struct export *export, FILE *out)
{
	struct pprof pprof = { .export = export };
	int err;

	text(&pprof, "");
	put_types(&pprof);
	for (uint32_t i = 0; i < export->stacks.nr_frames; i++)
		put_location(&pprof, i);
	err = put_samples(&pprof);
	if (!err)
		err = write_compressed(&pprof.profile, out);
	protobuf_free(&pprof.profile);
	protobuf_free(&pprof.part);
	protobuf_free(&pprof.inner);
	protobuf_free(&pprof.other);
	free(pprof.texts);
	free(pprof.functions);
	free(pprof.lines);
	index_free(&pprof.text_index);
	index_free(&pprof.function_index);
	index_free(&pprof.mappings);
	return err;
}

const struct export_format pprof_format = {
	.name = "pprof",
	.exact = true,
	.binary = true,
	.write = write_pprof,
};
