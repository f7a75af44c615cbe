/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The unit that flows from stage to stage: a record of the data section.
 *
 *	reader -> order -> delivery -> filter -> consumer
 *
 * Each stage receives records through a function of type record_fn and passes them to
 * the next one through another.
 */
#ifndef KERMON_PERFDATA_RECORD_H
#define KERMON_PERFDATA_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/**
 * struct record - a complete record
 * @data: its bytes, starting with struct perf_event_header; not aligned; owned
 *	by the reader and valid until reader_release()
 * @offset: in the file; if compressed, of the record that contained it
 * @time: nanoseconds of the recording's clock; 0 if it has none
 * @type: PERF_RECORD_* or one of perf's own from 64 on
 * @misc: PERF_RECORD_MISC_*
 * @size: bytes, at least sizeof(struct perf_event_header)
 * @event: index of its event
 * @inside: it was in a compressed record
 * @number: of all records in file order, from 0 on; wraps around at 2^32
 * @chunk: number of the reader's memory with @data; 0: the mapped file
 */
struct record {
	const unsigned char *data;
	uint64_t offset;
	uint64_t time;
	uint32_t type;
	uint16_t misc;
	uint16_t size;
	uint32_t event;
	uint32_t inside:1;
	uint32_t chunk:31;
	uint32_t number;
};

/* @offset of a record that the reader made up: it is not in any file. */
#define RECORD_MADE_UP	UINT64_MAX

/* Return: 0 to continue, -errno to stop. */
typedef int (*record_fn)(void *context, const struct record *record);

/* Read the header at @at, @swapped if it is in the other byte order. */
static inline struct perf_event_header record_header(const unsigned char *at,
						     bool swapped)
{
	struct perf_event_header header;

	memcpy(&header, at, sizeof(header));
	if (swapped) {
		header.type = __builtin_bswap32(header.type);
		header.misc = __builtin_bswap16(header.misc);
		header.size = __builtin_bswap16(header.size);
	}
	return header;
}

/* Whether the header is plausible if @left bytes remain from the header on. */
static inline bool record_fits(const struct perf_event_header *header,
			       uint64_t left)
{
	return header->size >= sizeof(*header) && header->size <= left;
}

static inline unsigned int record_mode(const struct record *record)
{
	return record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
}

#endif /* KERMON_PERFDATA_RECORD_H */
