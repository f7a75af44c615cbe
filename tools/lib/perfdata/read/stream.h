/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The source of records: a section of a mapped file, or a pipe. Decompressed records
 * follow the record that contains them.
 */
#ifndef KERMON_PERFDATA_STREAM_H
#define KERMON_PERFDATA_STREAM_H

#include <kermon/cancel.h>

#include "inflate.h"
#include "perfdata/format/format.h"

/**
 * struct payload - data behind a record that is not included in its header's size
 * @bytes: @size of them; NULL: none, or skipped
 * @owned: @bytes, if they are not in the mapped file; set to NULL when ownership is taken
 */
struct payload {
	const unsigned char *bytes;
	size_t size;
	unsigned char *owned;
};

/**
 * struct record_stream - consecutive records
 * @map: the file; NULL: it is a pipe
 * @base: added to offsets in the file
 * @begin: offset of the first record
 * @at: offset of the next one
 * @end: end of the records, exclusive; UINT64_MAX for a pipe
 * @swapped: they are in the other byte order; only headers are converted
 * @ended: there are no more
 * @cut_off: the last record is incomplete
 * @fd: of the pipe
 * @pipe: data from the pipe
 * @inflate: compressed data
 * @payload: of the last record, if it describes tracepoints
 */
struct record_stream {
	const unsigned char *map;
	uint64_t base;
	uint64_t begin;
	uint64_t at;
	uint64_t end;
	bool swapped;
	bool ended;
	bool cut_off;
	int fd;
	struct window pipe;
	struct inflate inflate;
	struct payload payload;
	struct damages *damages;
	const struct kermon_cancel *cancel;
};

/* Initialise an empty stream; the caller sets the rest. */
void stream_init(struct record_stream *stream, struct chunks *chunks,
		 struct damages *damages, const struct kermon_cancel *cancel);
void stream_close(struct record_stream *stream);

/* Set the byte order of the records. */
void stream_set_order(struct record_stream *stream, bool swapped);

/* Return to the first record of a mapped file. */
void stream_rewind(struct record_stream *stream);

/*
 * The next record. Return: 1; 0 at the end, or the end of what is valid; -errno if the
 * pipe cannot be read or out of memory; -ECANCELED.
 */
int stream_next(struct record_stream *stream, struct record *record);

/* Whether the next record may come from a compressed one, after inflate_more(). */
static inline bool stream_has_inflated(const struct record_stream *stream)
{
	return stream->inflate.window.chunk && window_left(&stream->inflate.window);
}

#endif /* KERMON_PERFDATA_STREAM_H */
