// SPDX-License-Identifier: GPL-2.0
/*
 * pprof: https://github.com/google/pprof/blob/main/proto/profile.proto, compressed
 * by gzip. A sample has how many there were and the sums of all events; its thread
 * is the label "thread".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "array.h"
#include "export.h"
#include "protobuf.h"

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
 * struct pprof - a profile in the making
 * @profile: so far
 * @part: a field of it, and @inner one of that
 * @texts: strings that are in it: @nr_texts, the first one empty
 * @owners: files and functions that are in it
 * @inlined: numbers of the names of inlined functions that are in it
 */
struct pprof {
	const struct export *export;
	struct protobuf profile;
	struct protobuf part;
	struct protobuf inner;
	const char **texts;
	size_t nr_texts;
	size_t room_texts;
	struct index text_index;
	struct index owners;
	struct index inlined;
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

/* The number of a string, which lives as long as the profile. */
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

static const char *unit_of(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE &&
	       (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
		attr->config == PERF_COUNT_SW_TASK_CLOCK) ?
	       "nanoseconds" : "count";
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
		event = kermon_profile_event(export->source.profile, i);
		put_type(pprof, PROFILE_SAMPLE_TYPE, event->name,
			 unit_of(event->attr));
	}
	event = kermon_profile_event(export->source.profile, export->event);
	protobuf_number(&pprof->profile, PROFILE_DEFAULT_SAMPLE_TYPE,
			text(pprof, event->name));
	protobuf_number(&pprof->profile, PROFILE_DURATION,
			export->last - export->first);
	if (event->attr->freq || !event->attr->sample_period)
		return;
	put_type(pprof, PROFILE_PERIOD_TYPE, event->name, unit_of(event->attr));
	protobuf_number(&pprof->profile, PROFILE_PERIOD,
			event->attr->sample_period);
}

/* What a frame is of: a file, or a function. */
struct owner_key {
	const struct stacks *stacks;
	const void *owner;
};

static bool is_of(const void *context, uint32_t number)
{
	const struct owner_key *key = context;
	const struct kermon_place *place = &key->stacks->frames[number].place;

	return place->dso == key->owner || place->symbol == key->owner;
}

/*
 * Files and functions are numbered after the first frame that is of them, from 1 on.
 * 0: no owner.
 */
static uint32_t number_of(struct pprof *pprof, const void *owner, uint32_t frame)
{
	struct owner_key key = { &pprof->export->stacks, owner };
	struct index_slot *slot;

	if (!owner)
		return 0;
	slot = index_slot(&pprof->owners, index_mix(0, (uintptr_t)owner), is_of,
			  &key);
	if (!slot) {
		pprof->profile.failed = true;
		return 0;
	}
	if (slot->number == INDEX_FREE)
		slot->number = frame;
	return slot->number + 1;
}

/* That all is known keeps pprof from looking for what nobody knows. */
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

static void put_function(struct pprof *pprof, uint32_t id, const char *name,
			 const char *linked, const char *file)
{
	protobuf_number(&pprof->part, FUNCTION_ID, id);
	protobuf_number(&pprof->part, FUNCTION_NAME, text(pprof, name));
	protobuf_number(&pprof->part, FUNCTION_LINKED_NAME,
			text(pprof, linked ? linked : name));
	if (file)
		protobuf_number(&pprof->part, FUNCTION_FILE, text(pprof, file));
	protobuf_part(&pprof->profile, PROFILE_FUNCTION, &pprof->part);
}

/**
 * struct location - a frame on its way into a profile
 * @frame: what it is
 * @id: of it, and of what it is the first one of
 * @mapping: the id of its file; 0: none
 * @function: that of its function; 0: none
 * @outermost: which function of the source at the place that is, the innermost first
 * @nr_inlined: how many of those before it are wanted
 */
struct location {
	const struct stack_frame *frame;
	uint32_t id;
	uint32_t mapping;
	uint32_t function;
	size_t outermost;
	size_t nr_inlined;
};

/* Function @i of the source at a place; nothing is known of what there is none of. */
static struct kermon_source_line source_line(const struct pprof *pprof,
					     const struct location *location,
					     size_t i, enum kermon_name form)
{
	const struct kermon_source_line *lines;
	ssize_t nr = kermon_profile_source(pprof->export->source.profile,
					   &location->frame->place, false, form,
					   &lines);

	return nr > 0 && i < (size_t)nr ? lines[i] :
					  (struct kermon_source_line){ 0 };
}

static bool is_number(const void *context, uint32_t number)
{
	return *(const uint32_t *)context == number;
}

/* Functions of equal names are one, whose id is behind those of all frames. */
static uint32_t inlined_id(const struct pprof *pprof, uint32_t name)
{
	return pprof->export->stacks.nr_frames + 1 + name;
}

/* Inlined function @i of a place, if it is the first one of its name. */
static void put_inlined(struct pprof *pprof, const struct location *location,
			size_t i)
{
	struct kermon_source_line line = source_line(pprof, location, i,
						     KERMON_NAME_SHORT);
	struct index_slot *slot;
	uint32_t number;

	if (!line.function)
		return;
	number = text(pprof, line.function);
	slot = index_slot(&pprof->inlined, index_mix(0, number), is_number,
			  &number);
	if (!slot) {
		pprof->profile.failed = true;
		return;
	}
	if (slot->number != INDEX_FREE)
		return;
	slot->number = number;
	put_function(pprof, inlined_id(pprof, number), line.function,
		     source_line(pprof, location, i,
				 KERMON_NAME_LINKED).function, line.file);
}

/* File and functions of a place, if it is the first one of them. */
static void put_owners(struct pprof *pprof, const struct location *location)
{
	const struct stack_frame *frame = location->frame;

	if (location->mapping == location->id)
		put_mapping(pprof, &frame->place, location->id);
	if (location->function == location->id && frame->function)
		put_function(pprof, location->id, frame->function,
			     kermon_profile_symbol(pprof->export->source.profile,
						   &frame->place,
						   KERMON_NAME_LINKED),
			     source_line(pprof, location, location->outermost,
					 KERMON_NAME_SHORT).file);
	for (size_t i = 0; i < location->nr_inlined; i++)
		put_inlined(pprof, location, i);
}

/* Into a location: a function that is there, the innermost one first. */
static void put_line(struct pprof *pprof, uint32_t function, unsigned int line)
{
	protobuf_number(&pprof->inner, LINE_FUNCTION, function);
	protobuf_number(&pprof->inner, LINE_NUMBER, line);
	protobuf_part(&pprof->part, LOCATION_LINE, &pprof->inner);
}

static void put_lines(struct pprof *pprof, const struct location *location)
{
	struct kermon_source_line line;

	for (size_t i = 0; i < location->nr_inlined; i++) {
		line = source_line(pprof, location, i, KERMON_NAME_SHORT);
		if (line.function)
			put_line(pprof, inlined_id(pprof,
						   text(pprof, line.function)),
				 line.line);
	}
	line = source_line(pprof, location, location->outermost,
			   KERMON_NAME_SHORT);
	if (location->frame->function)
		put_line(pprof, location->function, line.line);
}

static void find_source(const struct pprof *pprof, struct location *location)
{
	const struct kermon_source_line *lines;
	ssize_t nr = kermon_profile_source(pprof->export->source.profile,
					   &location->frame->place, false,
					   KERMON_NAME_SHORT, &lines);

	if (nr > 0)
		location->outermost = nr - 1;
	if (location->frame->has_inlines)
		location->nr_inlined = location->outermost;
}

static void put_location(struct pprof *pprof, uint32_t number)
{
	const struct stack_frame *frame = &pprof->export->stacks.frames[number];
	struct location location = {
		.frame = frame,
		.id = number + 1,
		.mapping = number_of(pprof, frame->place.dso, number),
		.function = number_of(pprof, frame->place.symbol, number),
	};

	find_source(pprof, &location);
	put_owners(pprof, &location);
	protobuf_number(&pprof->part, LOCATION_ID, location.id);
	protobuf_number(&pprof->part, LOCATION_MAPPING, location.mapping);
	protobuf_number(&pprof->part, LOCATION_ADDRESS, frame->place.offset);
	put_lines(pprof, &location);
	protobuf_part(&pprof->profile, PROFILE_LOCATION, &pprof->part);
}

static void put_sample(struct pprof *pprof, uint32_t number, uint32_t *path)
{
	const struct stacks *stacks = &pprof->export->stacks;
	const struct stack_node *node = &stacks->nodes[number];
	size_t nr = stacks_path(stacks, number, path);

	for (size_t i = 0; i < nr; i++)
		protobuf_element(&pprof->inner,
				 stacks->nodes[path[i]].frame + 1);
	protobuf_part(&pprof->part, SAMPLE_LOCATIONS, &pprof->inner);
	protobuf_element(&pprof->inner, node->samples);
	for (size_t i = 0; i < stacks->nr_events; i++)
		protobuf_element(&pprof->inner,
				 stacks_values(stacks, number)[i]);
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
		if (stacks->nodes[i].samples)
			put_sample(pprof, i, path);
	free(path);
	return pprof->profile.failed ? -ENOMEM : 0;
}

/* Compressed, behind what @out has been given. */
static int write_compressed(const struct protobuf *profile, FILE *out)
{
	size_t left = profile->size, part;
	gzFile file;
	int fd;

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
	while (left) {
		part = left < 1U << 30 ? left : 1U << 30;
		if (!gzwrite(file, profile->bytes + profile->size - left, part))
			break;
		left -= part;
	}
	return gzclose(file) != Z_OK || left ? -EIO : 0;
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
	free(pprof.texts);
	index_free(&pprof.text_index);
	index_free(&pprof.owners);
	index_free(&pprof.inlined);
	return err;
}

const struct export_format pprof_format = {
	.name = "pprof",
	.exact = true,
	.binary = true,
	.write = write_pprof,
};
