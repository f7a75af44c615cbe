// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the header of the file: the position of attrs, records and features, and
 * whether the recording was finished or the file truncated.
 */
#include <errno.h>
#include <inttypes.h>
#include <kermon/text.h>
#include <stdio.h>
#include <string.h>

#include "reader_private.h"
#include "util/cursor.h"

/* If an attr seems to be longer than this, it is in the other byte order. */
#define ATTR_SIZE_MAX		4096

/* The part of @section that is in the file. */
static struct perfdata_section clip(const struct reader *reader,
				    struct perfdata_section section)
{
	uint64_t size = reader->size;

	if (section.offset > size)
		return (struct perfdata_section){ .offset = size };
	if (section.size > size - section.offset)
		section.size = size - section.offset;
	return section;
}

struct perfdata_section reader_clip(struct reader *reader,
				    struct perfdata_section section,
				    const char *what)
{
	struct perfdata_section clipped = clip(reader, section);
	uint64_t size = reader->size, missing = section.size - clipped.size;

	if (section.offset > size)
		damage_add(reader->damages, size,
			   "the file ends before offset %" PRIu64 ", where its %s should begin",
			   section.offset, what);
	else if (missing)
		damage_add(reader->damages, size,
			   "the file ends %" PRIu64 " byte%s before the end of its %s",
			   missing, kermon_plural(missing), what);
	return clipped;
}

static struct perfdata_section take_section(struct cursor *c)
{
	struct perfdata_section section;

	section.offset = cursor_u64(c);
	section.size = cursor_u64(c);
	return section;
}

int reader_check_magic(struct reader *reader, uint64_t magic)
{
	if (magic == PERFDATA_MAGIC || magic == PERFDATA_MAGIC_1 ||
	    magic == __builtin_bswap64(PERFDATA_MAGIC))
		return 0;
	damage_add(reader->damages, 0,
		   "not a perf.data file: it does not start with PERFILE2");
	return -EINVAL;
}

/* Whether the file is in the other byte order; @c is behind the magic number. */
static bool is_swapped(uint64_t magic, struct cursor c)
{
	if (magic != PERFDATA_MAGIC_1)
		return magic != PERFDATA_MAGIC;
	cursor_u64(&c);
	return cursor_u64(&c) > ATTR_SIZE_MAX + sizeof(struct perfdata_section);
}

/* The file was written to a pipe: everything is in its records. */
static int parse_piped(struct reader *reader)
{
	struct record_stream *stream = &reader->stream;

	stream->map = reader->map;
	stream->begin = PERFDATA_PIPE_HEADER_SIZE;
	stream->end = reader->size;
	reader->ending = READER_OPEN;
	stream_rewind(stream);
	return reader_read_descriptions(reader);
}

/*
 * During a recording there are no features, and data.size is 0 or outdated: the records
 * extend to the end of the file.
 */
static void find_data(struct reader *reader, struct perfdata_section data,
		      bool finished, bool early)
{
	struct record_stream *stream = &reader->stream;
	struct perfdata_section clipped;

	if (!finished && data.offset < reader->size) {
		damage_add(reader->damages, offsetof(struct perfdata_header, data),
			   "the recording was not finished: counts are lower bounds, %sbuild ids are missing (it is running, was killed, or ran out of disk space)",
			   early ? "" : "names and ");
		reader->ending = READER_UNFINISHED;
		data.size = reader->size - data.offset;
	}
	clipped = reader_clip(reader, data, "records");
	if (clipped.size < data.size)
		reader->ending = READER_CUT_OFF;
	data = clipped;
	stream->map = reader->map;
	stream->begin = data.offset;
	stream->end = data.offset + data.size;
	stream_rewind(stream);
}

/*
 * Files of 32-bit machines in the other byte order have their words swapped. The
 * feature of the host name, which is in every file, shows that.
 */
static void mend_features(uint64_t bits[4])
{
	uint64_t word = bits[0] >> 32 | bits[0] << 32;

	if (bits[0] >> PERFDATA_HOSTNAME & 1 || !(word >> PERFDATA_HOSTNAME & 1))
		return;
	for (size_t i = 0; i < 4; i++)
		bits[i] = bits[i] >> 32 | bits[i] << 32;
}

/* A table of features: one section for each bit that is set in @bits. */
struct feature_table {
	const uint64_t *bits;
	uint64_t offset;
};

static bool has_feature(const struct feature_table *table, unsigned int bit)
{
	return table->bits[bit / 64] >> bit % 64 & 1;
}

static unsigned int nr_features(const struct feature_table *table)
{
	unsigned int nr = 0;

	for (unsigned int bit = 0; bit < PERFDATA_FEATURES; bit++)
		nr += has_feature(table, bit);
	return nr;
}

static struct cursor cursor_at(const struct reader *reader, uint64_t offset)
{
	struct cursor c = cursor_of(reader->map, reader->size);

	c.swapped = reader->stream.swapped;
	cursor_take(&c, offset);
	return c;
}

/* A truncated feature does not replace that of an earlier table. */
static void set_feature(struct reader *reader, unsigned int bit,
			struct perfdata_section section)
{
	struct perfdata_section clipped = clip(reader, section);
	struct feature *feature = &reader->features[bit];

	feature->is_cut = clipped.size < section.size;
	if (feature->is_cut && feature->bytes)
		return;
	feature->bytes = reader->map + clipped.offset;
	feature->size = clipped.size;
	feature->offset = clipped.offset;
}

static void find_features(struct reader *reader, const struct feature_table *table)
{
	struct cursor c = cursor_at(reader, table->offset);
	struct perfdata_section section;

	for (unsigned int bit = 0; bit < PERFDATA_FEATURES; bit++) {
		if (!has_feature(table, bit))
			continue;
		section = take_section(&c);
		if (c.failed)
			reader->features[bit].is_cut = true;
		else
			set_feature(reader, bit, section);
	}
}

static void tell_features(struct reader *reader, const struct feature_table *table)
{
	struct cursor c = cursor_at(reader, table->offset);
	struct perfdata_section section;
	char what[16];

	for (unsigned int bit = 0; bit < PERFDATA_FEATURES; bit++) {
		if (!has_feature(table, bit))
			continue;
		section = take_section(&c);
		if (c.failed) {
			damage_add(reader->damages, table->offset,
				   "the file ends inside the table of features");
			return;
		}
		snprintf(what, sizeof(what), "feature %u", bit);
		reader_clip(reader, section, what);
	}
}

/*
 * Whether this is a table, rather than something that a damaged header points to: its
 * first section begins at the end of the table, or slightly later, because perf leaves
 * room for features that turn out to be empty.
 */
static bool is_table(const struct reader *reader, const struct feature_table *table)
{
	struct cursor c = cursor_at(reader, table->offset);
	uint64_t size = cursor_u64(&c) - table->offset;
	const uint64_t entry = sizeof(struct perfdata_section);

	return !c.failed && size >= nr_features(table) * entry &&
	       size <= PERFDATA_FEATURES * entry && !(size % entry);
}

/*
 * Number of sections that are incomplete because the end of the file is missing. 0 also
 * if that is not the reason, because a complete section follows an incomplete one.
 */
static unsigned int nr_behind_end(const struct reader *reader,
				  const struct feature_table *table)
{
	const struct feature *feature;
	unsigned int nr = 0;

	/* If the file ends here, assume that this is a table. */
	if (table->offset + sizeof(uint64_t) <= reader->size &&
	    !is_table(reader, table))
		return 0;
	for (unsigned int bit = 0; bit < PERFDATA_FEATURES; bit++) {
		feature = &reader->features[bit];
		if (!has_feature(table, bit))
			continue;
		if (feature->is_cut)
			nr++;
		else if (nr && feature->size)
			return 0;
	}
	return nr;
}

/*
 * Find the features behind the records, which are the first to be lost if a file is
 * truncated.
 */
static void find_last_features(struct reader *reader, const struct feature_table *table)
{
	unsigned int nr;

	find_features(reader, table);
	nr = nr_behind_end(reader, table);
	if (!nr) {
		tell_features(reader, table);
		return;
	}
	reader->nr_features = nr_features(table);
	reader->nr_cut = nr;
	damage_add(reader->damages, reader->size,
		   "the file ends behind its records, but before the end of %u of its %u header sections",
		   nr, reader->nr_features);
}

/* The position of each part of the file. */
struct file_layout {
	uint64_t attr_size;
	struct perfdata_section attrs;
	struct perfdata_section data;
	struct perfdata_section event_types;
	uint64_t features[4];
	bool has_features;
};

/* Return: false if the file ends inside the header. */
static bool take_layout(struct cursor *c, uint64_t size, struct file_layout *layout)
{
	layout->attr_size = cursor_u64(c);
	layout->attrs = take_section(c);
	layout->data = take_section(c);
	layout->event_types = take_section(c);
	layout->has_features = size != offsetof(struct perfdata_header,
						features);
	for (size_t i = 0; i < 4 && layout->has_features; i++)
		layout->features[i] = cursor_u64(c);
	if (c->swapped)
		mend_features(layout->features);
	return !c->failed;
}

/*
 * perf sets the bits of features when it starts, and data.size when it ends. If
 * data.size is 0, the file is only finished, without any records, if there is a table
 * in their place.
 */
static bool is_finished(const struct reader *reader,
			const struct file_layout *layout)
{
	const struct feature_table table = {
		.bits = layout->features,
		.offset = layout->data.offset,
	};

	if (!layout->has_features)
		return layout->data.size;
	return nr_features(&table) &&
	       (layout->data.size || is_table(reader, &table));
}

static void take_event_types(struct reader *reader,
			     struct perfdata_section section)
{
	struct perfdata_event_type type;
	struct cursor c;
	const char *name;

	section = reader_clip(reader, section, "event types");
	c = cursor_of(reader->map + section.offset, section.size);
	c.swapped = reader->stream.swapped;
	while (cursor_left(&c)) {
		type.config = cursor_u64(&c);
		name = cursor_chars(&c, sizeof(type.name));
		if (!c.failed)
			reader_name_by_config(reader, type.config, name);
	}
}

/* Return: false if the end of @section cannot be in the file. */
static bool find_end(const struct reader *reader,
		     struct perfdata_section section, uint64_t *end)
{
	return !__builtin_add_overflow(section.offset, section.size, end) &&
	       *end <= reader->size;
}

/*
 * Find the features that KerMon writes before the data; false: there are none. Those
 * behind the data are more complete, but missing if the file is unfinished or
 * truncated.
 */
static bool find_early(struct reader *reader, const struct file_layout *layout)
{
	struct perfdata_early early;
	struct feature_table table = { .bits = early.features };
	uint64_t start;

	if (!find_end(reader, layout->attrs, &start) ||
	    layout->data.offset < start ||
	    layout->data.offset - start < sizeof(early) ||
	    layout->data.offset > reader->size)
		return false;
	memcpy(&early, reader->map + start, sizeof(early));
	if (early.magic != PERFDATA_EARLY_MAGIC)
		return false;
	table.offset = start + sizeof(early);
	find_features(reader, &table);
	tell_features(reader, &table);
	return true;
}

/*
 * The last record may be the notes, which are more complete than those before the data. In
 * files of earlier versions they are a feature.
 */
static void find_notes(struct reader *reader)
{
	const struct record_stream *stream = &reader->stream;
	const uint64_t fixed = sizeof(struct perfdata_event_update);
	struct feature *feature = &reader->features[PERFDATA_KERMON];
	struct perfdata_notes_end end;
	struct cursor c;

	if (stream->end - stream->begin < fixed + sizeof(end))
		return;
	c = cursor_at(reader, stream->end - sizeof(end));
	end.size = cursor_u64(&c);
	end.magic = cursor_u64(&c);
	if (end.magic != PERFDATA_NOTES_MAGIC ||
	    end.size < fixed + sizeof(end) ||
	    end.size > stream->end - stream->begin)
		return;
	feature->offset = stream->end - end.size + fixed;
	feature->size = end.size - fixed - sizeof(end);
	feature->bytes = reader->map + feature->offset;
	feature->is_cut = false;
}

static int parse_sections(struct reader *reader, const struct file_layout *layout)
{
	struct feature_table table = { .bits = layout->features };
	bool finished = is_finished(reader, layout);
	bool early = find_early(reader, layout);
	int err;

	find_data(reader, layout->data, finished, early);
	if (finished && find_end(reader, layout->data, &table.offset))
		find_last_features(reader, &table);
	find_notes(reader);
	err = reader_parse_events(reader, &layout->attrs, layout->attr_size);
	if (err)
		return err;
	take_event_types(reader, layout->event_types);
	return reader_finish_events(reader);
}

int reader_parse_header(struct reader *reader)
{
	struct cursor c = cursor_of(reader->map, reader->size);
	struct file_layout layout = { 0 };
	uint64_t magic = cursor_u64(&c), size;
	int err = reader_check_magic(reader, magic);

	if (err)
		return err;
	c.swapped = is_swapped(magic, c);
	stream_set_order(&reader->stream, c.swapped);
	size = cursor_u64(&c);
	if (size == PERFDATA_PIPE_HEADER_SIZE)
		return parse_piped(reader);
	if (take_layout(&c, size, &layout))
		return parse_sections(reader, &layout);
	damage_add(reader->damages, reader->size,
		   "the file ends inside its header");
	return -EINVAL;
}
