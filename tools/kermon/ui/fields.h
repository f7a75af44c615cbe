/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What rows have in CSV and JSON: one name for each quantity, the same in all formats,
 * which ends with the unit if that is not the event itself.
 */
#ifndef KERMON_FIELDS_H
#define KERMON_FIELDS_H

#include <kermon/report.h>

#define FIELD_NAME	256

enum field_kind {
	FIELD_COLUMN,
	FIELD_ESTIMATE,		/* of an event whose set took turns with others */
	FIELD_IPC,
	FIELD_FLOP,
	FIELD_FLOP_ESTIMATE,	/* where its events took turns */
};

/**
 * struct field - a quantity
 * @column: of FIELD_COLUMN and FIELD_ESTIMATE: index of the report's column
 * @precision: of FIELD_FLOP and FIELD_FLOP_ESTIMATE
 * @name: "oncpu_ns", "energy_pkg_J", "instructions:u"
 */
struct field {
	enum field_kind kind;
	size_t column;
	enum kermon_precision precision;
	char name[FIELD_NAME];
};

struct fields {
	struct field *all;
	size_t nr;
};

/* "oncpu" is "oncpu_ns", "power/energy-pkg/" is "energy_pkg_J". */
void field_of_event(const char *event, enum kermon_metric_kind kind,
		    char name[FIELD_NAME]);

/* Unit of an event's counts: "ns", "J"; NULL: it counts what its name says. */
const char *field_unit(enum kermon_metric_kind kind);

/* All that a report has; none is called as another one. 0 or -ENOMEM. */
int fields_make(struct fields *fields, const struct kermon_report *report);

/*
 * Adds a name, with a number behind it if there is one like it; it is valid until more are
 * added. NULL: out of memory.
 */
const char *fields_add(struct fields *fields, const char *name);
void fields_free(struct fields *fields);

/* Whether it is a whole number, which is then in @number, else in @real: NaN, unknown. */
bool field_take(const struct kermon_report *report, const struct field *field,
		const uint64_t *values, uint64_t *number, double *real);

#endif /* KERMON_FIELDS_H */
