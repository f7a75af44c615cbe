/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How what is in a record or a feature is encoded: a list of fields, one behind the
 * other, by which it is printed, and turned if it is of the other byte order.
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
	FIELD_S32,		/* -1: any, or nobody */
	FIELD_S64,
	FIELD_HEX,		/* u64: an address or flags */
	FIELD_TIME,		/* u64: ns */
	FIELD_BYTES,		/* @size of them; 0: all that is left */
	FIELD_TEXT,		/* up to a NUL, in @size bytes; 0: all that is left */
	FIELD_NAME,		/* the same, but the NUL may be missing */
	FIELD_WORDS,		/* u64 up to the end */
	FIELD_ATTR,		/* struct perf_event_attr */
	FIELD_CPUS,		/* struct perf_record_cpu_map_data of perf */
	FIELD_UPDATE,		/* what EVENT_UPDATE brings; depends on the first field */
	FIELD_REPEAT,		/* the fields behind come again and again */
	FIELD_COUNTED,		/* the @size fields behind come as often as the first field says */
	FIELD_NEWER,		/* older versions of perf end the record here */
	FIELD_STRING,		/* u32 length, text, NUL, padding: of features */
	FIELD_DATA,		/* as many bytes as the field before says */
	FIELD_EACH32,		/* a u32: so often do the fields behind come */
	FIELD_EACH64,		/* a u64 */
	FIELD_OTHER,		/* what no kind can tell: @name says it */
};

struct data_field {
	const char *name;	/* NULL: padding */
	uint8_t kind;		/* enum field_kind */
	uint16_t size;
};

#endif /* KERMON_PERFDATA_FIELDS_H */
