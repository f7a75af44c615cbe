/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Extract records from PERF_RECORD_COMPRESSED and COMPRESSED2.
 *
 * The concatenated contents of these records are a zstd stream of one or more frames.
 * It decompresses to a stream of records, in which a record may start in one piece and
 * end in another.
 */
#ifndef KERMON_PERFDATA_INFLATE_H
#define KERMON_PERFDATA_INFLATE_H

#include <zstd.h>

#include "perfdata/format/format.h"
#include "window.h"

/**
 * struct inflate - a stream; zero all but @window.chunks, @window.swapped and
 *	@damages before use
 * @stream: zstd's state; NULL: there was no compressed record yet
 * @input: the contents of the last compressed record
 * @chunk: the chunk that contains it
 * @offset: of that record
 * @full: the output buffer was filled, so there may be more output
 * @broken: bytes are missing; skip to the next frame
 * @window: the output
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

/*
 * Process a compressed record, after inflate_record() has returned 0. Return: 0 or
 * -ENOMEM.
 */
int inflate_feed(struct inflate *inflate, const struct record *record);

/*
 * Decompress until the next record is in the window, unless it needs more input. Return: 0 or
 * -ENOMEM.
 */
int inflate_more(struct inflate *inflate);

/* The next record of the output. Return: 1; 0 if there is none; -ENOMEM. */
int inflate_record(struct inflate *inflate, struct record *record);

/* End of the stream: report incomplete output as damage. */
void inflate_end(struct inflate *inflate);

#endif /* KERMON_PERFDATA_INFLATE_H */
