// SPDX-License-Identifier: GPL-2.0
/* Parses values of options: numbers with units, names, lists of sort keys. */
#include <errno.h>
#include <kermon/report.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "completion.h"
#include "units.h"
#include "util/nearmatch.h"
#include "values.h"

static void take_flag(struct options *options, const struct option_spec *spec,
		      void *to)
{
	(void)options;
	*(bool *)to = spec->type == &value_flag;
}

const struct value_type value_flag = { .take = take_flag };
const struct value_type value_off = { .take = take_flag };

static void take_number(struct options *options, const struct option_spec *spec,
			void *to)
{
	(void)options;
	*(unsigned int *)to = spec->number;
}

const struct value_type value_number = { .take = take_number };

static void take_bits(struct options *options, const struct option_spec *spec,
		      void *to)
{
	(void)options;
	*(unsigned int *)to |= spec->number;
}

const struct value_type value_bits = { .take = take_bits };

static void take_count(struct options *options, const struct option_spec *spec,
		       void *to)
{
	const char *text = options->value;
	const struct value_range *range = spec->of;
	const unsigned long most = range ? range->max : INT32_MAX;
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || !value || value > most)
		options_stop(options, "invalid number '%s' for '%s'; valid: 1 to %lu",
			     text, options->token, most);
	*(unsigned int *)to = value;
}

const struct value_type value_count = { .take = take_count };

void value_take_text(struct options *options, const struct option_spec *spec,
		     void *to)
{
	(void)spec;
	*(const char **)to = options->value;
}

const struct value_type value_text = { .take = value_take_text };

const struct value_type value_file = {
	.take = value_take_text,
	.complete = completion_files,
};

const struct value_type value_folder = {
	.take = value_take_text,
	.complete = completion_folders,
};

static void take_percent(struct options *options, const struct option_spec *spec,
			 void *to)
{
	double percent;
	char *end;

	(void)spec;
	percent = strtod(options->value, &end);
	if (end != options->value && *end == '%')
		end++;
	if (strpbrk(options->value, "xX") || end == options->value || *end ||
	    !(percent >= 0 && percent <= 100))
		options_stop(options, "invalid percentage '%s' for '%s'; valid: 0 to 100",
			     options->value, options->token);
	*(double *)to = percent;
}

const struct value_type value_percent = { .take = take_percent };

const struct value_range any_duration = {
	.min = 1, .max = 365 * 24 * 3600 * 1000000000ULL,
};

/* Report the valid range, with units. */
static void stop_at_range(struct options *options, const struct unit *units,
			  const struct value_range *range)
{
	char min[UNITS_TEXT], max[UNITS_TEXT];

	unit_format(units, range->min, min);
	unit_format(units, range->max, max);
	options_stop(options, "'%s' is out of range for '%s'; valid: %s%s to %s",
		     options->value, options->token,
		     range->power_of_two ? "a power of two from " : "", min,
		     max);
}

static bool is_in_range(uint64_t value, const struct value_range *range)
{
	return value >= range->min && value <= range->max &&
	       !(range->power_of_two && value & (value - 1));
}

static void take_unit(struct options *options, const struct unit *units,
		      const char *what, const struct value_range *range,
		      uint64_t *value)
{
	int err = unit_parse(units, options->value, value);
	char names[UNITS_TEXT];

	unit_names(units, names);
	if (err == -ENODATA)
		options_stop(options, "%s '%s' for '%s' has no unit; append %s",
			     what, options->value, options->token, names);
	else if (err == -EINVAL)
		options_stop(options, "invalid %s '%s' for '%s'; valid: a number followed by %s",
			     what, options->value, options->token, names);
	else if (err || !is_in_range(*value, range))
		stop_at_range(options, units, range);
}

static void take_duration(struct options *options,
			  const struct option_spec *spec, void *to)
{
	take_unit(options, duration_units, "duration", spec->of, to);
}

static void complete_duration(struct completion *completion)
{
	completion_units(completion, duration_units);
}

const struct value_type value_duration = {
	.take = take_duration,
	.complete = complete_duration,
};

static void take_size(struct options *options, const struct option_spec *spec,
		      void *to)
{
	take_unit(options, size_units, "size", spec->of, to);
}

static void complete_size(struct completion *completion)
{
	completion_units(completion, size_units);
}

const struct value_type value_size = {
	.take = take_size,
	.complete = complete_size,
};

const char *value_name(const struct value_type *type, size_t index)
{
	if (type->names)
		return type->names[index];
	return type->name ? type->name(index) : NULL;
}

const char *value_names(const struct value_type *type, char text[VALUE_NAMES])
{
	size_t length = 0;

	*text = '\0';
	for (size_t i = 0; value_name(type, i) && length < VALUE_NAMES; i++)
		length += snprintf(text + length, VALUE_NAMES - length, "%s%s",
				   i ? ", " : "", value_name(type, i));
	return text;
}

int value_find(const struct value_type *type, const char *text, size_t length)
{
	const char *name;

	for (size_t i = 0; (name = value_name(type, i)); i++)
		if (strlen(name) == length && !strncmp(name, text, length))
			return i;
	return -1;
}

void value_unknown(struct options *options, const struct value_type *type,
		   const char *text, size_t length)
{
	char names[VALUE_NAMES], word[NEARMATCH_LENGTH];
	struct nearmatch match = { .word = word };

	snprintf(word, sizeof(word), "%.*s", (int)length, text);
	for (size_t i = 0; value_name(type, i); i++)
		nearmatch_offer(&match, value_name(type, i));
	options_unknown(options, &match, "", "unknown %s '%.*s'; valid %s: %s",
			type->what, (int)length, text, type->whats,
			value_names(type, names));
}

void value_take_name(struct options *options, const struct option_spec *spec,
		     void *to)
{
	size_t length = strlen(options->value);
	int index = value_find(spec->type, options->value, length);

	if (index < 0)
		value_unknown(options, spec->type, options->value, length);
	else
		*(unsigned int *)to = index;
}

void value_take_names(struct options *options, const struct option_spec *spec,
		      void *to)
{
	const char *text = options->value;
	unsigned int bits = 0;
	size_t length;
	int index;

	for (;; text += length + 1) {
		length = strcspn(text, ",");
		index = value_find(spec->type, text, length);
		if (index < 0) {
			value_unknown(options, spec->type, text, length);
			return;
		}
		bits |= 1U << index;
		if (!text[length])
			break;
	}
	*(unsigned int *)to = bits;
}

static const char *name_of_key(size_t index)
{
	const struct kermon_key *key = kermon_key_at(index);

	return key ? key->name : NULL;
}

static const char *help_of_key(size_t index)
{
	return kermon_key_at(index)->help;
}

/* The first key that is unknown or repeats one before it; NULL if all are valid. */
static const char *find_invalid_key(const char *keys)
{
	char before[VALUE_NAMES];
	size_t length = 0;

	do {
		length += strcspn(keys + length, ",");
		snprintf(before, sizeof(before), "%.*s", (int)length, keys);
		if (!kermon_keys_valid(before))
			return keys + (strrchr(before, ',') ?
				       strrchr(before, ',') + 1 - before : 0);
	} while (keys[length++]);
	return NULL;
}

static void take_keys(struct options *options, const struct option_spec *spec,
		      void *to)
{
	const char *key = find_invalid_key(options->value);
	char name[NEARMATCH_LENGTH];
	size_t length;

	*(const char **)to = options->value;
	if (!key)
		return;
	length = strcspn(key, ",");
	snprintf(name, sizeof(name), "%.*s", (int)length, key);
	if (kermon_keys_valid(name))
		options_stop(options, "sort key '%s' is given twice", name);
	else
		value_unknown(options, spec->type, key, length);
}

const struct value_type value_keys = {
	.what = "sort key",
	.whats = "keys",
	.separators = ",",
	.name = name_of_key,
	.help = help_of_key,
	.take = take_keys,
};
