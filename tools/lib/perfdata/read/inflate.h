/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records out of PERF_RECORD_COMPRESSED and COMPRESSED2.
 *
 * The contents of these records, one behind the other, are a stream of zstd with
 * one frame or several; what comes out is a stream of records, in which a record
 * may begin in one piece and end in another.
 */
#ifndef KERMON_PERFDATA_INFLATE_H
#define KERMON_PERFDATA_INFLATE_H

#include <zstd.h>

#include "perfdata/format/format.h"
#include "window.h"

/**
 * struct inflate - a stream; zero all but @window.chunks, @window.swapped and
 *	@damages before use
 * @stream: of the library; NULL: nothing compressed has come yet
 * @input: the contents of the record that came last
 * @chunk: that they are in
 * @offset: of that record
 * @full: there may be more to come out, there was no room for it
 * @broken: bytes are missing; nothing is read before a frame begins
 * @window: what comes out
 */
struct inflate {
	ZSTD_DStream *stream;
	ZSTD_inBuffer input;
	uint32_t chunk;
	uint64_t offset;
	bool full;
	bool broken;
	struct window window;
	struct damages *damages;
};

void inflate_close(struct inflate *inflate);

static inline bool record_is_compressed(const struct record *record)
{
	return record->type == PERFDATA_RECORD_COMPRESSED ||
	       record->type == PERFDATA_RECORD_COMPRESSED2;
}

/* Takes a compressed record in, once inflate_record() has nothing. 0, -ENOMEM. */
int inflate_feed(struct inflate *inflate, const struct record *record);

/* The next record that was in it: 1; 0 if there is none any more; -ENOMEM. */
int inflate_record(struct inflate *inflate, struct record *record);

/* There is nothing more to come: what is left is damage. */
void inflate_end(struct inflate *inflate);

#endif /* KERMON_PERFDATA_INFLATE_H */
