/* SPDX-License-Identifier: GPL-2.0 */
/* Which fields of a sample 'kermon script' prints: the argument of -F. */
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

/* Kinds of events that have fields of their own. */
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
 * struct script_fields - what is to be printed
 * @masks: FIELD_BIT() of the fields, by kind
 * @asked: those of them that must be there, because they were asked for
 * @changed: by kind: it is no longer what is printed if nobody says what
 */
struct script_fields {
	uint64_t masks[KIND_COUNT];
	uint64_t asked[KIND_COUNT];
	bool changed[KIND_COUNT];
};

/* What is printed if nobody says what. */
void script_fields_default(struct script_fields *fields);

/*
 * "ip,sym", "+misc,-comm", "sw:pid,ip": changes @fields. NULL, or what is wrong,
 * in words: script_fields_unknown of a list with what is no field.
 */
const char *script_fields_parse(struct script_fields *fields, const char *text);

extern const char script_fields_unknown[];

/* "comm", "pid"...: those that there are, by index; NULL after the last. */
const char *script_fields_name(size_t index);

/* Tracepoints have call chains: by default, these are printed as well. */
void script_fields_chains(struct script_fields *fields);

/**
 * script_fields_of - the fields to print for an event
 * @fields: that are to be printed
 * @event: that may not have all of them
 * @mask: set to FIELD_BIT() of those that it has
 *
 * Return: NULL, or the name of one that was asked for and that it does not have.
 */
const char *script_fields_of(const struct script_fields *fields,
			     const struct kermon_profile_event *event,
			     uint64_t *mask);

#endif /* KERMON_SCRIPT_FIELDS_H */
