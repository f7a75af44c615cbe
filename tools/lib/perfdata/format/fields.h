/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The encoding of a record or a feature as a list of consecutive fields, by which it is
 * printed and converted from the other byte order.
 */
#ifndef KERMON_PERFDATA_FIELDS_H
#define KERMON_PERFDATA_FIELDS_H

#include <stdint.h>

enum data_kind {
	DATA_END,		/* of the list */
	DATA_U8,
	DATA_U16,
	DATA_U32,
	DATA_U64,
	DATA_S32,		/* -1: any, or none */
	DATA_S64,
	DATA_HEX,		/* u64: an address or flags */
	DATA_TIME,		/* u64: ns */
	DATA_BYTES,		/* @size of them; 0: all remaining */
	DATA_TEXT,		/* up to a NUL, in @size bytes; 0: all remaining */
	DATA_NAME,		/* the same, but the NUL may be missing */
	DATA_WORDS,		/* u64 up to the end */
	DATA_ATTR,		/* struct perf_event_attr */
	DATA_CPUS,		/* struct perf_record_cpu_map_data of perf */
	DATA_UPDATE,		/* contents of EVENT_UPDATE; depends on the first field */
	DATA_REPEAT,		/* the following fields are repeated up to the end */
	DATA_COUNTED,		/* first field: repetitions of the next @size ones */
	DATA_NEWER,		/* records of older versions of perf end here */
	DATA_STRING,		/* u32 length, text, NUL, padding: in features */
	DATA_SIZED,		/* number of bytes stated by the previous field */
	DATA_EACH32,		/* u32: number of repetitions of the following fields */
	DATA_EACH64,		/* u64: the same */
	DATA_OTHER,		/* not described by any kind: @name is a description */
};

struct data_field {
	const char *name;	/* NULL: padding */
	uint8_t kind;		/* enum data_kind */
	uint16_t size;
};

#endif /* KERMON_PERFDATA_FIELDS_H */
