/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where records come from: a section of a mapped file, or a pipe. What was
 * compressed comes right behind the record that it was in.
 */
#ifndef KERMON_PERFDATA_STREAM_H
#define KERMON_PERFDATA_STREAM_H

#include "inflate.h"
#include "perfdata/format/format.h"

/**
 * struct payload - what stands behind a record, and its header does not count
 * @bytes: @size of them; NULL: there is none, or it is passed over
 * @owned: @bytes, if they are not in the mapped file; whoever takes them sets it to NULL
 */
struct payload {
	const unsigned char *bytes;
	size_t size;
	unsigned char *owned;
};

/**
 * struct record_stream - records one behind the other
 * @map: the file; NULL: it is a pipe
 * @base: what is added to offsets in the file
 * @begin: offset of the first record
 * @at: of the next one
 * @end: of the first byte behind the records; of a pipe UINT64_MAX
 * @swapped: they are of the other byte order; their headers are turned
 * @ended: there are no more
 * @cut_off: the last record is not all there
 * @fd: of the pipe
 * @pipe: what came through it
 * @inflate: what is compressed
 * @payload: of the record that came last, if that describes tracepoints
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
};

/* Of nothing so far; the rest is filled in by whoever opens it. */
void stream_init(struct record_stream *stream, struct chunks *chunks,
		 struct damages *damages);
void stream_close(struct record_stream *stream);

/* The byte order of its records. */
void stream_set_order(struct record_stream *stream, bool swapped);

/* To the first record of a mapped file again. */
void stream_rewind(struct record_stream *stream);

/*
 * The next record: 1; 0 at the end, which may be that of what makes sense;
 * -errno if the pipe cannot be read or there is no memory.
 */
int stream_next(struct record_stream *stream, struct record *record);

/* Whether what comes next may be out of a compressed record. */
static inline bool stream_has_inflated(const struct record_stream *stream)
{
	return stream->inflate.stream;
}

#endif /* KERMON_PERFDATA_STREAM_H */
