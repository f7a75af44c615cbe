/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is in each type of record: a table that dump prints by, and by which
 * records of the other byte order are turned.
 */
#ifndef KERMON_PERFDATA_RECORD_TYPES_H
#define KERMON_PERFDATA_RECORD_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"

enum record_field_kind {
	RECORD_END,		/* of the table */
	RECORD_U8,
	RECORD_U16,
	RECORD_U32,
	RECORD_U64,
	RECORD_S32,		/* -1: any, or nobody */
	RECORD_S64,
	RECORD_HEX,		/* u64: an address or flags */
	RECORD_TIME,		/* u64: ns */
	RECORD_BYTES,		/* @size of them; 0: all that is left */
	RECORD_TEXT,		/* up to a NUL, in @size bytes; 0: all that is left */
	RECORD_NAME,		/* the same, but the NUL may be missing */
	RECORD_WORDS,		/* u64 up to the end */
	RECORD_ATTR,		/* struct perf_event_attr */
	RECORD_CPUS,		/* struct perf_record_cpu_map_data of perf */
	RECORD_UPDATE,		/* what EVENT_UPDATE brings; depends on the first field */
	RECORD_REPEAT,		/* the fields behind come again and again */
	RECORD_COUNTED,		/* the @size fields behind come as often as the first field says */
	RECORD_NEWER,		/* older versions of perf end the record here */
};

struct record_field {
	const char *name;	/* NULL: padding */
	uint8_t kind;		/* enum record_field_kind */
	uint8_t size;
};

/**
 * struct record_type - a type of record
 * @type: PERF_RECORD_* or PERFDATA_RECORD_*
 * @misc: bits that have to be set; 0: whatever they are
 * @name: without PERF_RECORD_
 * @fields: behind the header; NULL: none, or a sample
 * @is_layout: of a layout that was replaced: whether a record has it; works in either
 *	byte order. NULL: always
 */
struct record_type {
	uint32_t type;
	uint16_t misc;
	const char *name;
	const struct record_field *fields;
	bool (*is_layout)(const unsigned char *record, size_t size);
};

/* Whether there are records of this type at all. */
bool record_type_exists(uint32_t type);

/* The layout of a record of @size bytes; NULL: its type is unknown. */
const struct record_type *record_type(uint32_t type, uint16_t misc,
				      const unsigned char *record, size_t size);

static inline const struct record_type *
record_type_of(const struct record *record)
{
	return record_type(record->type, record->misc, record->data,
			   record->size);
}

/* An MMAP2 as Linux 3.12 introduced it, without protection and flags. */
bool record_is_first_mmap2(const unsigned char *record, size_t size);

#endif /* KERMON_PERFDATA_RECORD_TYPES_H */
