/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The encoding of a record or a feature as a list of consecutive fields, by which it is
 * printed and converted from the other byte order.
 */
#ifndef KERMON_PERFDATA_FIELDS_H
#define KERMON_PERFDATA_FIELDS_H

#include <stdint.h>

enum field_kind {
	FIELD_END,		/* of the list */
	FIELD_U8,
	FIELD_U16,
	FIELD_U32,
	FIELD_U64,
	FIELD_S32,		/* -1: any, or none */
	FIELD_S64,
	FIELD_HEX,		/* u64: an address or flags */
	FIELD_TIME,		/* u64: ns */
	FIELD_BYTES,		/* @size of them; 0: all remaining */
	FIELD_TEXT,		/* up to a NUL, in @size bytes; 0: all remaining */
	FIELD_NAME,		/* the same, but the NUL may be missing */
	FIELD_WORDS,		/* u64 up to the end */
	FIELD_ATTR,		/* struct perf_event_attr */
	FIELD_CPUS,		/* struct perf_record_cpu_map_data of perf */
	FIELD_UPDATE,		/* contents of EVENT_UPDATE; depends on the first field */
	FIELD_REPEAT,		/* the following fields are repeated up to the end */
	FIELD_COUNTED,		/* first field: repetitions of the next @size ones */
	FIELD_NEWER,		/* records of older versions of perf end here */
	FIELD_STRING,		/* u32 length, text, NUL, padding: in features */
	FIELD_DATA,		/* number of bytes stated by the previous field */
	FIELD_EACH32,		/* u32: number of repetitions of the following fields */
	FIELD_EACH64,		/* u64: the same */
	FIELD_OTHER,		/* not described by any kind: @name is a description */
};

struct data_field {
	const char *name;	/* NULL: padding */
	uint8_t kind;		/* enum field_kind */
	uint16_t size;
};

#endif /* KERMON_PERFDATA_FIELDS_H */
