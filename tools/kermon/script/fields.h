/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to fields.c: the fields of a sample that kermon script prints, as chosen by
 * -F.
 */
#ifndef KERMON_SCRIPT_FIELDS_H
#define KERMON_SCRIPT_FIELDS_H

#include <kermon/profile.h>
#include <stdbool.h>
#include <stdint.h>

/* In the order in which they are printed. */
enum script_field {
	FIELD_COMM,
	FIELD_PID,
	FIELD_TID,
	FIELD_CPU,
	FIELD_MISC,
	FIELD_TOD,
	FIELD_TIME,
	FIELD_PERIOD,
	FIELD_EVENT,
	FIELD_TRACE,
	FIELD_ADDR,
	FIELD_DATA_SRC,
	FIELD_WEIGHT,
	FIELD_INS_LAT,
	FIELD_IP,
	FIELD_SYM,
	FIELD_SYMOFF,
	FIELD_DSO,
	FIELD_SRCLINE,
	FIELD_IREGS,
	FIELD_UREGS,
	FIELD_BRSTACK,
	FIELD_BRSTACKSYM,
	FIELD_PHYS_ADDR,
	FIELD_DATA_PAGE_SIZE,
	FIELD_CODE_PAGE_SIZE,
	FIELD_COUNT,
};

#define FIELD_BIT(field)	(1ULL << FIELD_##field)

/* Kinds of events; each has its own list of fields. */
enum script_kind {
	KIND_HARDWARE,
	KIND_SOFTWARE,
	KIND_TRACEPOINT,
	KIND_RAW,
	KIND_BREAKPOINT,
	KIND_OTHER,
	KIND_COUNT,
};

/**
 * struct script_fields - the fields to print
 * @masks: FIELD_BIT() of the fields, by kind
 * @asked: the fields of @masks that -F names, which samples must have
 * @changed: by kind: -F has changed the default
 */
struct script_fields {
	uint64_t masks[KIND_COUNT];
	uint64_t asked[KIND_COUNT];
	bool changed[KIND_COUNT];
};

/* Set the defaults. */
void script_fields_default(struct script_fields *fields);

/*
 * "ip,sym", "+misc,-comm", "sw:pid,ip": changes @fields. NULL, or what is wrong,
 * in words: script_fields_unknown if @at, which ends at a comma, is not a field.
 */
const char *script_fields_parse(struct script_fields *fields, const char *text,
				const char **at);

extern const char script_fields_unknown[];

/* Names of all fields, by index: "comm", "pid", ...; NULL after the last one. */
const char *script_fields_name(size_t index);

/* Print call chains of tracepoints by default; call it if they have call chains. */
void script_fields_chains(struct script_fields *fields);

/**
 * script_fields_of - the fields to print for an event
 * @fields: the fields to print
 * @event: the event, whose samples may lack some of them
 * @mask: set to FIELD_BIT() of those that its samples have
 *
 * Return: NULL, or the name of a field that -F names and the samples lack.
 */
const char *script_fields_of(const struct script_fields *fields,
			     const struct kermon_profile_event *event,
			     uint64_t *mask);

#endif /* KERMON_SCRIPT_FIELDS_H */
