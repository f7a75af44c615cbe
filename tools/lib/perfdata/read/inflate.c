// SPDX-License-Identifier: GPL-2.0
/* Decompress PERF_RECORD_COMPRESSED and COMPRESSED2, and split the output into records. */
#include <errno.h>

#include "inflate.h"
#include "util/cursor.h"

static void drop_input(struct inflate *inflate)
{
	inflate->input = (ZSTD_inBuffer){ 0 };
	inflate->full = false;
	if (inflate->chunk)
		chunks_release(inflate->window.chunks, inflate->chunk);
	inflate->chunk = 0;
}

void inflate_close(struct inflate *inflate)
{
	drop_input(inflate);
	window_close(&inflate->window);
	ZSTD_freeDStream(inflate->stream);
}

/* The start of the next record is unknown from now on. */
static void give_up(struct inflate *inflate, const char *reason)
{
	damage_add(inflate->damages, inflate->offset,
		   "compressed records cannot be read from here on: %s", reason);
	drop_input(inflate);
	window_drop(&inflate->window);
	inflate->broken = true;
}

static int begin_stream(struct inflate *inflate)
{
	if (!inflate->stream)
		inflate->stream = ZSTD_createDStream();
	if (!inflate->stream)
		return -ENOMEM;
	ZSTD_DCtx_reset(inflate->stream, ZSTD_reset_session_only);
	inflate->broken = false;
	return 0;
}

/* The compressed bytes; in COMPRESSED2, they end before the record. */
static struct cursor contents(const struct record *record, bool swapped)
{
	struct cursor c = cursor_of(record->data, record->size);
	uint64_t size;

	cursor_take(&c, sizeof(struct perf_event_header));
	if (record->type != PERFDATA_RECORD_COMPRESSED2)
		return c;
	size = cursor_u64(&c);
	if (swapped)
		size = __builtin_bswap64(size);
	if (size > cursor_left(&c))
		c.failed = true;
	else
		c.end = c.at + size;
	return c;
}

/* Decompressing a whole frame to where its records stay saves a copy. */
static int make_room(struct inflate *inflate, const struct cursor *c)
{
	unsigned long long size = ZSTD_getFrameContentSize(c->at, cursor_left(c));

	/* Unknown sizes and errors are larger than any chunk. */
	return window_reserve(&inflate->window, size);
}

static bool begins_frame(const struct cursor *c)
{
	struct cursor magic = *c;

	return cursor_u32(&magic) == ZSTD_MAGICNUMBER;
}

int inflate_feed(struct inflate *inflate, const struct record *record)
{
	struct cursor c = contents(record, inflate->window.swapped);
	int err;

	inflate->offset = record->offset;
	if (c.failed) {
		give_up(inflate, "it states more bytes than the record contains");
		return 0;
	}
	if (!inflate->stream || (inflate->broken && begins_frame(&c))) {
		err = begin_stream(inflate);
		if (err)
			return err;
	}
	if (inflate->broken)
		return 0;
	if (make_room(inflate, &c))
		return -ENOMEM;
	inflate->input = (ZSTD_inBuffer){ .src = c.at, .size = cursor_left(&c) };
	inflate->chunk = record->chunk;
	chunks_hold(inflate->window.chunks, record->chunk);
	return 0;
}

static bool may_give_more(const struct inflate *inflate)
{
	return inflate->full || inflate->input.pos < inflate->input.size;
}

/* Decompress some more bytes. */
static int step(struct inflate *inflate)
{
	ZSTD_outBuffer output = { 0 };
	size_t result;

	output.dst = window_room(&inflate->window, &output.size);
	if (!output.dst)
		return -ENOMEM;
	result = ZSTD_decompressStream(inflate->stream, &output,
				       &inflate->input);
	if (ZSTD_isError(result)) {
		give_up(inflate, ZSTD_getErrorName(result));
		return 0;
	}
	inflate->full = output.pos == output.size;
	window_fill(&inflate->window, output.pos);
	return 0;
}

int inflate_more(struct inflate *inflate)
{
	int err = 0;

	while (!err && !window_has_record(&inflate->window) && may_give_more(inflate))
		err = step(inflate);
	return err;
}

int inflate_record(struct inflate *inflate, struct record *record)
{
	int err = inflate_more(inflate), found;

	if (err)
		return err;
	found = window_record(&inflate->window, record);
	if (found < 0) {
		give_up(inflate, "the decompressed bytes are not records");
		return 0;
	}
	if (!found) {
		drop_input(inflate);
		return 0;
	}
	record->offset = inflate->offset;
	record->inside = true;
	return 1;
}

void inflate_end(struct inflate *inflate)
{
	size_t left = window_left(&inflate->window);

	if (left)
		damage_add(inflate->damages, inflate->offset,
			   "the decompressed data ends inside a record, after %zu bytes",
			   left);
	window_drop(&inflate->window);
}
