// SPDX-License-Identifier: GPL-2.0
/*
 * Places in code as text. Most frames are of few places: each text is made once
 * and kept in a table of fixed size.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"

#define SLOTS	(1U << 14)

/* What decides the text behind the address. */
struct key {
	const void *dso;
	const void *symbol;
	uint64_t offset;
	uint64_t mask;
};

/**
 * struct script_place_text - a text that is kept
 * @key: of what; all 0: of nothing
 * @text: @size bytes; NULL: none
 */
struct script_place_text {
	struct key key;
	char *text;
	size_t size;
};

struct script_place_text *script_places_new(void)
{
	return calloc(SLOTS, sizeof(struct script_place_text));
}

void script_places_free(struct script_place_text *places)
{
	if (!places)
		return;
	for (size_t i = 0; i < SLOTS; i++)
		free(places[i].text);
	free(places);
}

static size_t slot_of(const struct key *key)
{
	uint64_t hash = (uintptr_t)key->dso ^ key->offset ^ key->mask << 32;

	hash *= 0x9e3779b97f4a7c15ULL;	/* 2^64 / golden ratio */
	return hash >> 32 & (SLOTS - 1);
}

static const char *file_of(const struct kermon_place *place)
{
	if (!place->dso)
		return "[unknown]";
	return place->is_kernel ? place->name : place->path;
}

/* " function+0x1f (file)" */
static void write_text(FILE *out, const struct script *script,
		       struct kermon_profile *profile,
		       const struct kermon_place *place, uint32_t mask)
{
	const char *name;

	if (mask & FIELD_BIT(SYM)) {
		name = kermon_profile_symbol(profile, place, script->names);
		fprintf(out, " %s", name ? name : "[unknown]");
		if (name && mask & FIELD_BIT(SYMOFF))
			fprintf(out, "+0x%" PRIx64, kermon_place_offset(place));
	}
	if (mask & FIELD_BIT(DSO))
		fprintf(out, " (%s)", file_of(place));
}

/* perf takes the function that an address is in, also of one behind a call. */
static int make_text(struct script_place_text *slot,
		     const struct script *script,
		     const struct kermon_profile_sample *sample,
		     const struct kermon_frame *frame, uint32_t mask)
{
	struct kermon_place place = frame->place;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	bool failed;

	if (!out)
		return -ENOMEM;
	if (frame->is_return)
		kermon_profile_place(sample, frame->mode, frame->address,
				     &place);
	write_text(out, script, sample->profile, &place, mask);
	failed = ferror(out);
	if (fclose(out) || failed) {
		free(text);
		return -ENOMEM;
	}
	free(slot->text);
	slot->text = text;
	slot->size = size;
	return 0;
}

int script_place(struct script *script,
		 const struct kermon_profile_sample *sample,
		 const struct kermon_frame *frame, uint32_t mask, bool in_file)
{
	const struct kermon_place *place = &frame->place;
	const struct key key = {
		.dso = place->dso,
		.symbol = place->symbol,
		.offset = place->offset,
		.mask = mask,
	};
	struct script_place_text *slot = &script->places[slot_of(&key)];
	int err;

	if (!slot->text || memcmp(&slot->key, &key, sizeof(key))) {
		err = make_text(slot, script, sample, frame, mask);
		if (err)
			return err;
		slot->key = key;
	}
	line_hex(&script->line,
		 in_file && place->dso ? place->offset : frame->address, 16);
	line_bytes(&script->line, slot->text, slot->size);
	return 0;
}

/* A function that was inlined: perf gives it no file, and the start of the whole. */
static void print_inlined(struct script *script,
			  const struct kermon_place *place,
			  const char *function, uint32_t mask)
{
	struct line *line = &script->line;

	line_hex(line, place->offset, 16);
	if (mask & FIELD_BIT(SYM)) {
		line_char(line, ' ');
		line_text(line, function);
	}
	if (mask & FIELD_BIT(SYM) && mask & FIELD_BIT(SYMOFF)) {
		line_text(line, "+0x");
		line_hex(line, kermon_place_offset(place), 0);
	}
	line_text(line, " (inlined)");
}

int script_frame(struct script *script,
		 const struct kermon_profile_sample *sample,
		 const struct kermon_frame *frame, uint32_t mask)
{
	const struct kermon_place *place = &frame->place;
	const struct kermon_source_line *lines;
	const char *whole = NULL;
	ssize_t nr = 0, i = 0;
	int err = 0;

	if (sample->fields & PERF_SAMPLE_STACK_USER &&
	    frame->mode == PERF_RECORD_MISC_USER)
		nr = kermon_profile_source(sample->profile, place,
					   frame->is_return, script->names,
					   &lines);
	if (nr > 0)
		whole = kermon_profile_symbol(sample->profile, place,
					      script->names);
	do {
		line_char(&script->line, '\t');
		if (i < nr && lines[i].function &&
		    (!whole || strcmp(lines[i].function, whole)))
			print_inlined(script, place, lines[i].function, mask);
		else
			err = script_place(script, sample, frame, mask, true);
		line_char(&script->line, '\n');
	} while (++i < nr && !err);
	return nr < 0 ? nr : err;
}
