/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fast path for samples that can be used directly from memory, the mapped file or
 * decompressed records: nearly all records of a recording. Users work on a local copy of
 * struct plain that can be kept in registers; the reader's would be reloaded for each sample.
 */
#ifndef KERMON_PERFDATA_PLAIN_H
#define KERMON_PERFDATA_PLAIN_H

#include "perfdata/format/format.h"

/**
 * struct plain - samples in memory
 * @map: the file, or a chunk with decompressed records
 * @end: offset in @map of the end of the records
 * @time_at: offset of the time in each sample; 0: there are no such samples, because the
 *	offset differs or they cannot be used directly from the file
 * @chunk: number of the chunk; 0: @map is the file
 * @offset: of decompressed records: that of the record in the file that contained them
 */
struct plain {
	const unsigned char *map;
	uint64_t end;
	int64_t time_at;
	uint32_t chunk;
	uint64_t offset;
};

static inline uint64_t plain_time(const struct plain *plain, uint64_t at)
{
	return sample_word(plain->map + at + plain->time_at, 0);
}

/* Minimum size of a sample that has a time. */
static inline int64_t plain_least(const struct plain *plain)
{
	return plain->time_at + (int64_t)sizeof(uint64_t);
}

/*
 * Whether there is a sample with a time at @at that another record can follow. Sets
 * @header.
 */
static inline bool plain_sample(const struct plain *plain, uint64_t at,
				struct perf_event_header *header)
{
	const unsigned char *sample = plain->map + at;
	int64_t left = plain->end - at;
	struct perf_event_header next;

	if (left < plain_least(plain))
		return false;
	*header = record_header(sample, false);
	if (header->type != PERF_RECORD_SAMPLE ||
	    header->size < plain_least(plain))
		return false;
	left -= header->size;
	if (left < (int64_t)sizeof(next))
		return left >= 0;
	next = record_header(sample + header->size, false);
	return record_fits(&next, left);
}

/*
 * Set the fields of @record that differ between samples, except for its number and, if
 * there are several events, @event. Fields that are 0 in all samples are not set.
 */
static inline void plain_record(const struct plain *plain, uint64_t at,
				struct perf_event_header header,
				struct record *record)
{
	record->data = plain->map + at;
	record->offset = plain->chunk ? plain->offset : at;
	record->inside = plain->chunk;
	record->time = plain_time(plain, at);
	record->type = header.type;
	record->misc = header.misc;
	record->size = header.size;
}

#endif /* KERMON_PERFDATA_PLAIN_H */
