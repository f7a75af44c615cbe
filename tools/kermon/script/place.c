// SPDX-License-Identifier: GPL-2.0
/*
 * Prints places in code. Since most frames are at few places, the text of each place is
 * cached in a table of fixed size.
 */
#include <errno.h>
#include <inttypes.h>
#include <kermon/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"

#define SLOTS	(1U << 14)

/* Key of a cached text, which follows the address. */
struct key {
	const void *dso;
	const void *symbol;
	uint64_t offset;
	uint64_t mask;
};

/**
 * struct script_place_text - a cached text
 * @key: its key
 * @text: @size bytes; NULL: the slot is free
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
	uint64_t hash = (uintptr_t)key->dso ^ key->offset ^ key->mask << 24;

	hash *= 0x9e3779b97f4a7c15ULL;	/* 2^64 / golden ratio */
	return hash >> 32 & (SLOTS - 1);
}

static const char *file_of(const struct kermon_place *place)
{
	if (!place->dso)
		return "[unknown]";
	return place->is_kernel ? place->name : place->path;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* More bits of a mask of fields. Of a frame with inlines, the outermost function's line */
#define OUTERMOST_LINE	(1ULL << 63)
/* A frame of a call chain, which is a line of its own */
#define WHOLE_LINE	(1ULL << 62)
/* An end of a branch, without blanks */
#define BRANCH_END	(1ULL << 61)
_Static_assert(FIELD_COUNT < 61, "bits of fields and flags overlap");

/* Write the source line, "file.c:12", or file and offset if it is unknown. */
static void write_line(FILE *out, const struct kermon_place *place,
		       const struct kermon_source_line *line)
{
	bool is_known = line && line->file && line->line;

	fputs("\n  ", out);
	kermon_text_print(out, is_known ? base_name(line->file) : place->name);
	if (is_known)
		fprintf(out, ":%u", line->line);
	else
		fprintf(out, "[%" PRIx64 "]", place->offset);
}

/*
 * Write " function+0x1f (file)", and the source line below if @mask has it. Returns 0 or
 * -ENOMEM.
 */
static int write_text(FILE *out, const struct script *script,
		       struct kermon_profile *profile,
		       const struct kermon_place *place, uint64_t mask)
{
	const struct kermon_source_line *lines;
	const char *blank = mask & BRANCH_END ? "" : " ";
	const char *name;
	ssize_t nr;

	if (mask & FIELD_BIT(SYM)) {
		name = kermon_profile_symbol(profile, place, script->names);
		fputs(blank, out);
		kermon_text_print(out, name ? name : "[unknown]");
		if (name && mask & FIELD_BIT(SYMOFF))
			fprintf(out, "+0x%" PRIx64, kermon_place_offset(place));
	}
	if (mask & FIELD_BIT(DSO)) {
		fprintf(out, "%s(", blank);
		kermon_text_print(out, file_of(place));
		fputc(')', out);
	}
	if (!(mask & FIELD_BIT(SRCLINE)) || !place->dso)
		return 0;
	nr = kermon_profile_source(profile, place, false, script->names, &lines);
	if (nr < 0)
		return nr;
	if (nr && mask & OUTERMOST_LINE)
		lines += nr - 1;
	write_line(out, place, nr ? lines : NULL);
	return 0;
}

/* For a frame, perf prints the offset in its file, if it is in one. */
static uint64_t shown_address(const struct kermon_frame *frame)
{
	return frame->place.dso ? frame->place.offset : frame->address;
}

/* Like perf, look up a return address itself, not the byte before it. */
static int write_place(FILE *out, const struct script *script,
		       const struct kermon_profile_sample *sample,
		       const struct kermon_frame *frame, uint64_t mask)
{
	struct kermon_place place = frame->place;
	int err;

	if (frame->is_return)
		kermon_profile_place(sample, frame->mode, frame->address,
				     &place);
	if (mask & WHOLE_LINE)
		fprintf(out, "\t%16" PRIx64, shown_address(frame));
	err = write_text(out, script, sample->profile, &place, mask);
	if (mask & WHOLE_LINE)
		fputc('\n', out);
	return err;
}

static int make_text(struct script_place_text *slot,
		     const struct script *script,
		     const struct kermon_profile_sample *sample,
		     const struct kermon_frame *frame, uint64_t mask)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	bool failed;

	if (!out)
		return -ENOMEM;
	failed = write_place(out, script, sample, frame, mask) || ferror(out);
	if (fclose(out) || failed) {
		free(text);
		return -ENOMEM;
	}
	free(slot->text);
	slot->text = text;
	slot->size = size;
	return 0;
}

/* Print the text of a frame from the cache. Returns 0 or -ENOMEM. */
static int put_place(struct script *script,
		     const struct kermon_profile_sample *sample,
		     const struct kermon_frame *frame, uint64_t mask)
{
	const struct key key = {
		.dso = frame->place.dso,
		.symbol = frame->place.symbol,
		.offset = mask & WHOLE_LINE ? shown_address(frame) :
					      frame->place.offset,
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
	line_bytes(&script->line, slot->text, slot->size);
	return 0;
}

int script_data(struct script *script,
		const struct kermon_profile_sample *sample, uint64_t mask)
{
	struct kermon_frame data = { .address = sample->addr };

	kermon_profile_data(sample, &data.place);
	return put_place(script, sample, &data,
			 mask & (FIELD_BIT(SYM) | FIELD_BIT(SYMOFF) |
				 FIELD_BIT(DSO)));
}

int script_place(struct script *script,
		 const struct kermon_profile_sample *sample,
		 const struct kermon_frame *frame, uint64_t mask)
{
	line_hex(&script->line, frame->address, 16);
	return put_place(script, sample, frame, mask);
}

int script_branch_end(struct script *script,
		      const struct kermon_profile_sample *sample,
		      const struct kermon_frame *frame, uint64_t mask)
{
	uint64_t wanted = BRANCH_END | (mask & FIELD_BIT(DSO));

	if (mask & FIELD_BIT(BRSTACK)) {
		line_bytes(&script->line, "0x", 2);
		line_hex(&script->line, frame->address, 0);
	} else {
		wanted |= FIELD_BIT(SYM) | FIELD_BIT(SYMOFF);
	}
	return put_place(script, sample, frame, wanted);
}

/* Print an inlined function as perf does: without a file, at the offset of the frame. */
static void print_inlined(struct script *script,
			  const struct kermon_place *place,
			  const struct kermon_source_line *source, uint64_t mask)
{
	struct line *line = &script->line;

	line_char(line, '\t');
	line_hex(line, place->offset, 16);
	if (mask & FIELD_BIT(SYM)) {
		line_char(line, ' ');
		line_name(line, source->function, 0);
	}
	if (mask & FIELD_BIT(SYM) && mask & FIELD_BIT(SYMOFF)) {
		line_text(line, "+0x");
		line_hex(line, kermon_place_offset(place), 0);
	}
	if (mask & FIELD_BIT(SRCLINE) && source->file) {
		line_text(line, "\n  ");
		line_name(line, base_name(source->file), 0);
		line_char(line, ':');
		line_decimal(line, source->line, 0, ' ');
	}
	line_text(line, " (inlined)\n");
}

/* Whether perf considers the function inlined: its name differs from the symbol. */
static bool is_inlined(const struct script *script,
		       struct kermon_profile *profile,
		       const struct kermon_place *place,
		       const struct kermon_source_line *line)
{
	const char *whole = kermon_profile_symbol(profile, place, script->names);

	return line->function && (!whole || strcmp(line->function, whole));
}

int script_frame(struct script *script,
		 const struct kermon_profile_sample *sample,
		 const struct kermon_frame *frame, uint64_t mask)
{
	const struct kermon_source_line *lines;
	ssize_t nr = 0;

	if (frame->has_inlines)
		nr = kermon_profile_source(sample->profile, &frame->place,
					   frame->is_return, script->names,
					   &lines);
	for (ssize_t i = 0; i < nr; i++) {
		if (i + 1 == nr && !is_inlined(script, sample->profile,
					       &frame->place, &lines[i]))
			break;
		if (lines[i].function)
			print_inlined(script, &frame->place, &lines[i], mask);
		if (i + 1 == nr)
			return 0;
	}
	if (nr < 0)
		return nr;
	if (nr)
		mask |= OUTERMOST_LINE;
	return put_place(script, sample, frame, mask | WHOLE_LINE);
}
