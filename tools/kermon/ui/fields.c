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

static int add_ratios(struct fields *fields, const struct kermon_report *report)
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

/* What a report needs to have for a field. */
#define NEED_FLOP	0x1
#define NEED_BYTES	0x2
#define NEED_MEMORY	0x4
#define NEED_TIME	0x8
#define NEED_ENERGY	0x10
#define NEED_TURNS	0x20
#define NEED_SIMD	0x40

/* Operations of a SIMD class, in any precision. */
static double take_simd(const struct kermon_derived *derived, enum kermon_simd simd)
{
	double sum = 0;

	for (int i = 0; i < KERMON_PRECISIONS; i++)
		sum += derived->operations.flop[i][simd];
	return sum;
}

#define TAKE(name, value)							\
	static double take_##name(const struct kermon_derived *derived)	\
	{									\
		return value;							\
	}
TAKE(scalar, take_simd(derived, KERMON_SIMD_SCALAR))
TAKE(128, take_simd(derived, KERMON_SIMD_128))
TAKE(256, take_simd(derived, KERMON_SIMD_256))
TAKE(512, take_simd(derived, KERMON_SIMD_512))
TAKE(flop_rate, derived->flop_rate)
TAKE(bytes, derived->operations.bytes)
TAKE(bytes_low, derived->operations.bytes_low)
TAKE(bytes_high, derived->operations.bytes_high)
TAKE(byte_rate, derived->byte_rate)
TAKE(memory, derived->operations.memory_bytes)
TAKE(memory_rate, derived->operations.memory_bytes / derived->seconds)
TAKE(intensity, derived->intensity)
TAKE(intensity_low, derived->intensity_low)
TAKE(intensity_high, derived->intensity_high)
TAKE(joules, derived->joules_per_flop)
TAKE(flop_error, derived->flop_error)
TAKE(byte_error, derived->byte_error)
TAKE(intensity_error, derived->intensity_error)

static const struct {
	const char *name;
	double (*take)(const struct kermon_derived *derived);
	unsigned int needs;
} derived_fields[] = {
	{ "flop_scalar", take_scalar, NEED_SIMD },
	{ "flop_128", take_128, NEED_SIMD },
	{ "flop_256", take_256, NEED_SIMD },
	{ "flop_512", take_512, NEED_SIMD },
	{ "flop_per_s", take_flop_rate, NEED_FLOP | NEED_TIME },
	{ "flop_error", take_flop_error, NEED_FLOP | NEED_TURNS },
	{ "bytes", take_bytes, NEED_BYTES },
	{ "bytes_low", take_bytes_low, NEED_BYTES },
	{ "bytes_high", take_bytes_high, NEED_BYTES },
	{ "bytes_per_s", take_byte_rate, NEED_BYTES | NEED_TIME },
	{ "bytes_error", take_byte_error, NEED_BYTES | NEED_TURNS },
	{ "memory_bytes", take_memory, NEED_MEMORY },
	{ "memory_bytes_per_s", take_memory_rate, NEED_MEMORY | NEED_TIME },
	{ "flop_per_byte", take_intensity, NEED_FLOP | NEED_BYTES },
	{ "flop_per_byte_low", take_intensity_low, NEED_FLOP | NEED_BYTES },
	{ "flop_per_byte_high", take_intensity_high, NEED_FLOP | NEED_BYTES },
	{ "flop_per_byte_error", take_intensity_error, NEED_FLOP | NEED_BYTES | NEED_TURNS },
	{ "joules_per_flop", take_joules, NEED_FLOP | NEED_ENERGY },
};

/**
 * struct field_row - what follows from the values of a row
 * @values: of the row
 */
struct field_row {
	const uint64_t *values;
	struct kermon_derived derived;
};

/* What the events of a report count, as NEED_*. */
static unsigned int offers_of(const struct kermon_report *report,
			      const struct kermon_derived *derived)
{
	const struct kermon_operations *sum = &derived->operations;

	return (isnan(sum->all_flop) ? 0 : NEED_FLOP) |
	       (sum->basis == KERMON_BYTES_UNKNOWN ? 0 : NEED_BYTES) |
	       (isnan(sum->memory_bytes) ? 0 : NEED_MEMORY) |
	       (isnan(derived->seconds) ? 0 : NEED_TIME) |
	       (isnan(derived->joules_per_flop) ? 0 : NEED_ENERGY) |
	       (derived->rotated ? NEED_TURNS : 0) |
	       (has_kind(report, KERMON_METRIC_FLOP) && sum->simd ? NEED_SIMD : 0);
}

static int add_operations(struct fields *fields, const struct kermon_report *report)
{
	struct field field = { .kind = FIELD_DERIVED };
	struct kermon_derived derived;
	int err = kermon_report_derive(report, NULL, &derived);
	unsigned int offers;

	if (err)
		return err;
	offers = offers_of(report, &derived);
	for (size_t i = 0; i < sizeof(derived_fields) / sizeof(derived_fields[0]); i++) {
		if (derived_fields[i].needs & ~offers || err)
			continue;
		field.derived = i;
		snprintf(field.name, FIELD_NAME, "%s", derived_fields[i].name);
		err = add(fields, &field);
	}
	return err;
}

int fields_make(struct fields *fields, const struct kermon_report *report,
		const struct idle_power *idle)
{
	int err;

	*fields = (struct fields){ .idle = *idle };
	fields->row = calloc(1, sizeof(*fields->row));
	if (!fields->row)
		return -ENOMEM;
	err = add_columns(fields, report, FIELD_COLUMN);
	if (!err)
		err = add_columns(fields, report, FIELD_ESTIMATE);
	if (!err)
		err = add_watts(fields, report);
	if (!err)
		err = add_ratios(fields, report);
	return err ? err : add_operations(fields, report);
}

void fields_free(struct fields *fields)
{
	free(fields->all);
	free(fields->row);
}

static double take_derived(const struct kermon_report *report, const struct fields *fields,
			   const struct field *field, const uint64_t *values)
{
	struct field_row *row = fields->row;

	if (row->values != values && kermon_report_derive(report, values, &row->derived))
		return NAN;
	row->values = values;
	return derived_fields[field->derived].take(&row->derived);
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
	case FIELD_DERIVED:
		*real = take_derived(report, fields, field, values);
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
