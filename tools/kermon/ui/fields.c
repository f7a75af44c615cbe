// SPDX-License-Identifier: GPL-2.0
/*
 * Names the quantities of a report for CSV and JSON, and takes their values.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"

/* Write "power/energy-pkg/" as "energy_pkg", an identifier in most languages. */
static void write_domain(const char *event, char name[FIELD_NAME])
{
	const char *slash = strchr(event, '/');

	snprintf(name, FIELD_NAME, "%s", slash ? slash + 1 : event);
	name[strcspn(name, "/")] = '\0';
	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
}

const char *field_unit(enum kermon_metric_kind kind)
{
	switch (kind) {
	case KERMON_METRIC_TIME:
		return "ns";
	case KERMON_METRIC_ENERGY:
		return "J";
	default:
		return NULL;
	}
}

static void append(char name[FIELD_NAME], const char *what)
{
	size_t len = strlen(name);

	snprintf(name + len, FIELD_NAME - len, "%s", what);
}

/* @part: "_alone" of energy. */
static void name_field(const char *event, enum kermon_metric_kind kind,
		       const char *part, const char *unit,
		       char name[FIELD_NAME])
{
	if (kind == KERMON_METRIC_ENERGY)
		write_domain(event, name);
	else
		snprintf(name, FIELD_NAME, "%s", event);
	append(name, part);
	append(name, unit ? "_" : "");
	append(name, unit ? unit : "");
}

void field_of_event(const char *event, enum kermon_metric_kind kind,
		    char name[FIELD_NAME])
{
	name_field(event, kind, "", field_unit(kind), name);
}

static void name_column(const struct kermon_column *column,
			char name[FIELD_NAME])
{
	enum kermon_metric_kind kind = column->metric.kind;

	name_field(column->name, kind, column->alone ? "_alone" : "",
		   column->branches ? "branches" : field_unit(kind), name);
}

static bool is_taken(const struct fields *fields, const char *name)
{
	for (size_t i = 0; i < fields->nr; i++)
		if (!strcmp(fields->all[i].name, name))
			return true;
	return false;
}

/*
 * A file may have an event twice: "cycles:u", "cycles:u#2". A long name is truncated for
 * the number. At most fields->nr + 1 numbers are tried.
 */
static void make_unique(const struct fields *fields, struct field *field)
{
	size_t len = strlen(field->name), size;
	char suffix[24];

	for (size_t number = 2; is_taken(fields, field->name); number++) {
		size = snprintf(suffix, sizeof(suffix), "#%zu", number);
		if (len > FIELD_NAME - 1 - size)
			len = FIELD_NAME - 1 - size;
		memcpy(field->name + len, suffix, size + 1);
	}
}

static int add(struct fields *fields, struct field *field)
{
	struct field *all = realloc(fields->all,
				    (fields->nr + 1) * sizeof(*all));

	if (!all)
		return -ENOMEM;
	fields->all = all;
	make_unique(fields, field);
	all[fields->nr++] = *field;
	return 0;
}

const char *fields_add(struct fields *fields, const char *name)
{
	struct field field = { .kind = FIELD_COLUMN, .column = fields->nr };

	snprintf(field.name, FIELD_NAME, "%s", name);
	return add(fields, &field) ? NULL : fields->all[fields->nr - 1].name;
}

static int add_columns(struct fields *fields, const struct kermon_report *report,
		       enum field_kind kind)
{
	const struct kermon_column *column;
	struct field field = { .kind = kind };
	int err = 0;

	for (size_t i = 0; i < kermon_report_nr_columns(report) && !err; i++) {
		column = kermon_report_column(report, i);
		if (column->metric.kind == KERMON_METRIC_SIDEBAND ||
		    (kind == FIELD_ESTIMATE && column->set < 0))
			continue;
		field.column = i;
		name_column(column, field.name);
		if (kind == FIELD_ESTIMATE)
			append(field.name, "_estimate");
		err = add(fields, &field);
	}
	return err;
}

static bool has_kind(const struct kermon_report *report,
		     enum kermon_metric_kind kind)
{
	for (size_t i = 0; i < kermon_report_nr_columns(report); i++)
		if (kermon_report_column(report, i)->metric.kind == kind)
			return true;
	return false;
}

static int add_flop(struct fields *fields, const struct kermon_report *report,
		    enum kermon_precision precision)
{
	static const char *const names[] = {
		[KERMON_SINGLE] = "flop_single",
		[KERMON_DOUBLE] = "flop_double",
		[KERMON_MIXED] = "flop",
	};
	struct field field = { .kind = FIELD_FLOP, .precision = precision };
	int err;

	if (!kermon_counts_flop(report, precision))
		return 0;
	snprintf(field.name, FIELD_NAME, "%s", names[precision]);
	err = add(fields, &field);
	if (err || !kermon_flop_took_turns(report, precision))
		return err;
	field.kind = FIELD_FLOP_ESTIMATE;
	append(field.name, "_estimate");
	return add(fields, &field);
}

static int add_power(struct fields *fields, const struct kermon_report *report,
		     size_t column, enum field_kind kind)
{
	struct field field = { .kind = kind, .column = column };

	write_domain(kermon_report_column(report, column)->name, field.name);
	append(field.name, kind == FIELD_PEAK ? "_peak" : "");
	append(field.name, power_is_above_idle(report, column, &fields->idle) ?
	       "_above_idle_W" : "_W");
	return add(fields, &field);
}

static int add_watts(struct fields *fields, const struct kermon_report *report)
{
	int err = 0;

	for (size_t i = 0; i < kermon_report_nr_columns(report) && !err; i++) {
		if (!power_has(report, i))
			continue;
		err = add_power(fields, report, i, FIELD_WATTS);
		if (!err)
			err = add_power(fields, report, i, FIELD_PEAK);
	}
	return err;
}

static int add_derived(struct fields *fields, const struct kermon_report *report)
{
	struct field field = { .kind = FIELD_IPC, .name = "ipc" };
	int err = 0;

	if (has_kind(report, KERMON_METRIC_INSTRUCTIONS) &&
	    has_kind(report, KERMON_METRIC_CYCLES))
		err = add(fields, &field);
	for (int i = KERMON_SINGLE; i <= KERMON_MIXED && !err; i++)
		err = add_flop(fields, report, i);
	return err;
}

int fields_make(struct fields *fields, const struct kermon_report *report,
		const struct idle_power *idle)
{
	int err;

	*fields = (struct fields){ .idle = *idle };
	err = add_columns(fields, report, FIELD_COLUMN);
	if (!err)
		err = add_columns(fields, report, FIELD_ESTIMATE);
	if (!err)
		err = add_watts(fields, report);
	return err ? err : add_derived(fields, report);
}

void fields_free(struct fields *fields)
{
	free(fields->all);
}

bool field_take(const struct kermon_report *report, const struct fields *fields,
		const struct field *field, const struct field_source *source,
		uint64_t *number, double *real)
{
	const uint64_t *values = source->values;
	const struct kermon_column *column;

	switch (field->kind) {
	case FIELD_WATTS:
		*real = power_watts(report, values, field->column, &fields->idle);
		return false;
	case FIELD_PEAK:
		*real = power_peak(report, source->table, source->row, field->column,
				   &fields->idle);
		return false;
	case FIELD_IPC:
		*real = kermon_ipc(report, values);
		return false;
	case FIELD_ESTIMATE:
		*real = kermon_column_estimate(report, field->column,
					       values[field->column]);
		return false;
	case FIELD_FLOP_ESTIMATE:
		*real = kermon_flop_estimate(report, values, field->precision);
		return false;
	case FIELD_FLOP:
		*number = kermon_flop(report, values, field->precision);
		return true;
	default:
		column = kermon_report_column(report, field->column);
		*number = values[field->column];
		*real = kermon_joules(*number);
		return column->metric.kind != KERMON_METRIC_ENERGY ||
		       column->branches;
	}
}
