// SPDX-License-Identifier: GPL-2.0
/* The header of the file and the table of its features. */
#include <errno.h>
#include <inttypes.h>

#include "cursor.h"
#include "reader_private.h"

/* "PERFFILE", version 1 of the format, replaced in 2010. */
#define MAGIC_VERSION_1		0x454c494646524550ULL

struct perfdata_section reader_clip(struct reader *reader,
				    struct perfdata_section section,
				    const char *what)
{
	uint64_t size = reader->size;

	if (section.offset > size) {
		damage_add(reader->damages, section.offset,
			   "%s should be here, behind the end of the file (%" PRIu64 " bytes)",
			   what, size);
		return (struct perfdata_section){ .offset = size };
	}
	if (section.size > size - section.offset) {
		damage_add(reader->damages, size,
			   "the file ends %" PRIu64 " bytes before the end of its %s",
			   section.size - (size - section.offset), what);
		section.size = size - section.offset;
	}
	return section;
}

static struct perfdata_section take_section(struct cursor *c)
{
	struct perfdata_section section;

	section.offset = cursor_u64(c);
	section.size = cursor_u64(c);
	return section;
}

/* Says what kind of file it is if it is not one to be read. */
int reader_check_magic(struct reader *reader, uint64_t magic)
{
	const char *reason;

	if (magic == PERFDATA_MAGIC || magic == __builtin_bswap64(PERFDATA_MAGIC))
		return 0;
	if (magic == MAGIC_VERSION_1)
		reason = "perf.data of version 1 (before 2010) is not read";
	else
		reason = "this is no perf.data file: it does not start with PERFILE2";
	damage_add(reader->damages, 0, "%s", reason);
	return strstr(reason, "is not read") ? -EOPNOTSUPP : -EINVAL;
}

/* The file was written to a pipe: its records say all. */
static int parse_piped(struct reader *reader)
{
	struct source *source = &reader->source;

	source->map = reader->map;
	source->begin = PERFDATA_PIPE_HEADER_SIZE;
	source->end = reader->size;
	source_rewind(source);
	return reader_read_descriptions(reader);
}

/*
 * While a recording is under way there are no features, and data.size is 0 or
 * what it was some time ago: the records go on to the end of the file.
 */
static void find_data(struct reader *reader, struct perfdata_section data,
		      bool finished)
{
	struct source *source = &reader->source;

	if (!finished && data.offset < reader->size) {
		damage_add(reader->damages, offsetof(struct perfdata_header, data),
			   "the recording was not finished: names and build ids are missing");
		data.size = reader->size - data.offset;
	}
	data = reader_clip(reader, data, "records");
	source->map = reader->map;
	source->begin = data.offset;
	source->end = data.offset + data.size;
	source_rewind(source);
}

/*
 * A 32-bit machine of the other byte order has its words the other way round: the
 * host name, which is in every file, tells.
 */
static void mend_features(uint64_t bits[4])
{
	uint64_t word = bits[0] >> 32 | bits[0] << 32;

	if (bits[0] >> PERFDATA_HOSTNAME & 1 || !(word >> PERFDATA_HOSTNAME & 1))
		return;
	for (size_t i = 0; i < 4; i++)
		bits[i] = bits[i] >> 32 | bits[i] << 32;
}

/* The table right behind the data: a section for each bit set. */
static void find_features(struct reader *reader, const uint64_t bits[4],
			  struct perfdata_section data)
{
	struct perfdata_section section;
	struct cursor c;

	if (data.offset + data.size < data.offset ||
	    data.offset + data.size > reader->size)
		return;
	c = cursor_of(reader->map, reader->size);
	c.swapped = reader->source.swapped;
	cursor_take(&c, data.offset + data.size);
	for (unsigned int bit = 0; bit < PERFDATA_FEATURES; bit++) {
		if (!(bits[bit / 64] >> bit % 64 & 1))
			continue;
		section = take_section(&c);
		if (c.failed) {
			damage_add(reader->damages, data.offset + data.size,
				   "the file ends inside the table of features");
			return;
		}
		section = reader_clip(reader, section, "features");
		reader->features[bit] = (struct feature){
			.bytes = reader->map + section.offset,
			.size = section.size,
			.offset = section.offset,
		};
	}
}

int reader_parse_header(struct reader *reader)
{
	struct cursor c = cursor_of(reader->map, reader->size);
	struct perfdata_section attrs, data;
	uint64_t magic, size, attr_size, bits[4];
	bool finished;
	int err;

	magic = cursor_u64(&c);
	err = reader_check_magic(reader, magic);
	if (err)
		return err;
	c.swapped = magic != PERFDATA_MAGIC;
	source_set_order(&reader->source, c.swapped);
	size = cursor_u64(&c);
	if (size == PERFDATA_PIPE_HEADER_SIZE)
		return parse_piped(reader);
	attr_size = cursor_u64(&c);
	attrs = take_section(&c);
	data = take_section(&c);
	take_section(&c);
	for (size_t i = 0; i < 4; i++)
		bits[i] = cursor_u64(&c);
	if (c.failed) {
		damage_add(reader->damages, reader->size,
			   "the file ends inside its header");
		return -EINVAL;
	}
	if (c.swapped)
		mend_features(bits);
	finished = data.size && (bits[0] | bits[1] | bits[2] | bits[3]);
	find_data(reader, data, finished);
	if (finished)
		find_features(reader, bits, data);
	return reader_parse_events(reader, &attrs, attr_size);
}
