/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to fields.c: quantities of rows in CSV and JSON. The name of a quantity is the
 * same in all formats, and ends with the unit unless it is a number of events.
 */
#ifndef KERMON_FIELDS_H
#define KERMON_FIELDS_H

#include <kermon/report.h>

#include "power.h"

#define FIELD_NAME	256

enum field_kind {
	FIELD_COLUMN,
	FIELD_ESTIMATE,		/* of an event in a rotated set */
	FIELD_WATTS,
	FIELD_PEAK,		/* of watts */
	FIELD_IPC,
	FIELD_FLOP,
	FIELD_FLOP_ESTIMATE,	/* of events in rotated sets */
	FIELD_DERIVED,		/* a member of struct kermon_derived */
};

/**
 * struct field - a quantity
 * @column: of FIELD_COLUMN, FIELD_ESTIMATE, FIELD_WATTS, FIELD_PEAK: index of the report's
 *	column
 * @precision: of FIELD_FLOP and FIELD_FLOP_ESTIMATE
 * @derived: of FIELD_DERIVED: which
 * @name: "oncpu_ns", "energy_pkg_J", "instructions:u"
 */
struct field {
	enum field_kind kind;
	size_t column;
	enum kermon_precision precision;
	size_t derived;
	char name[FIELD_NAME];
};

/**
 * struct fields - the quantities of a report
 * @idle: what is subtracted from watts
 * @row: what was last derived, which several fields have in common; NULL: not used
 */
struct fields {
	struct field *all;
	size_t nr;
	struct idle_power idle;
	struct field_row *row;
};

/* "oncpu" is "oncpu_ns", "power/energy-pkg/" is "energy_pkg_J". */
void field_of_event(const char *event, enum kermon_metric_kind kind,
		    char name[FIELD_NAME]);

/* Unit of an event's counts: "ns", "J"; NULL if it is a number of events. */
const char *field_unit(enum kermon_metric_kind kind);

/* Collect all quantities of a report under unique names. Returns 0 or -ENOMEM. */
int fields_make(struct fields *fields, const struct kermon_report *report,
		const struct idle_power *idle);

/*
 * Add a name, and append a number if it is not unique. Returns the name, valid until the
 * next call, or NULL if out of memory.
 */
const char *fields_add(struct fields *fields, const char *name);
void fields_free(struct fields *fields);

/**
 * struct field_source - where values are taken from
 * @values: sums of a row
 * @table: that the row is in
 * @row: its index; FIELD_NO_ROW: @values include callees, for which there is no peak
 */
struct field_source {
	const uint64_t *values;
	const struct kermon_table *table;
	size_t row;
};

#define FIELD_NO_ROW	SIZE_MAX

/* Take a value: true: an integer in @number; false: in @real, NaN if unknown. */
bool field_take(const struct kermon_report *report, const struct fields *fields,
		const struct field *field, const struct field_source *source,
		uint64_t *number, double *real);

#endif /* KERMON_FIELDS_H */
