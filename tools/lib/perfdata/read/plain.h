/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples that are looked at where they are in the mapped file: the path that nearly
 * all records of a recording take. Whoever goes along it has a copy of struct plain of
 * its own, which stays in registers: the reader's would be read again for each sample.
 */
#ifndef KERMON_PERFDATA_PLAIN_H
#define KERMON_PERFDATA_PLAIN_H

#include "perfdata/format/format.h"

/**
 * struct plain - where they are
 * @map: the file
 * @end: offset of the first byte behind the records
 * @time_at: bytes from the start of each to its time; 0: there are no such samples,
 *	because it is not the same in all, or they are not in the file as they are
 */
struct plain {
	const unsigned char *map;
	uint64_t end;
	int64_t time_at;
};

static inline uint64_t plain_time(const struct plain *plain, uint64_t at)
{
	return sample_word(plain->map + at + plain->time_at, 0);
}

/* Bytes that a sample needs to have a time. */
static inline int64_t plain_least(const struct plain *plain)
{
	return plain->time_at + (int64_t)sizeof(uint64_t);
}

/*
 * Whether there is a sample with a time at @at, behind which something can follow;
 * its header.
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
 * Sets what differs from one to the next but for the number and, if there are several
 * events, @event. What is 0 in all is so in a record that began as 0.
 */
static inline void plain_record(const struct plain *plain, uint64_t at,
				struct perf_event_header header,
				struct record *record)
{
	record->data = plain->map + at;
	record->offset = at;
	record->time = plain_time(plain, at);
	record->type = header.type;
	record->misc = header.misc;
	record->size = header.size;
}

#endif /* KERMON_PERFDATA_PLAIN_H */
