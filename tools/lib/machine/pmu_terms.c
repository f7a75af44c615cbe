// SPDX-License-Identifier: GPL-2.0
/*
 * Parses the terms of a PMU. "format/TERM" in sysfs says which bits of an attr a term has,
 * "config:0-7,32-35", and "events/NAME" is a list of terms with a name of its own.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu_terms.h"
#include "util/sysfile.h"

#define DEVICES		"/sys/bus/event_source/devices"
#define WORD		64

/* A term, "umask=0x01" or "inv". */
struct term {
	char name[WORD];
	char value[WORD];
	bool has_value;
};

size_t pmu_terms_length(const char *text)
{
	bool inside = false;
	size_t i;

	for (i = 0; text[i] && (inside || text[i] != ','); i++)
		inside ^= text[i] == '/';
	/* A slash alone does not begin terms. */
	return inside ? strcspn(text, ",") : i;
}

/* Cut the next term off a list. Return: 1; 0 at the end; -EINVAL. */
static int next_term(const char **text, struct term *term)
{
	const size_t length = strcspn(*text, ","), name = strcspn(*text, ",=");

	if (!*text[0])
		return 0;
	*term = (struct term){ .has_value = name < length };
	if (!name || name >= WORD || length - name > WORD || (term->has_value &&
							      length == name + 1))
		return -EINVAL;
	memcpy(term->name, *text, name);
	if (term->has_value)
		memcpy(term->value, *text + name + 1, length - name - 1);
	*text += length + ((*text)[length] == ',');
	return 1;
}

/* As in perf, a term without a value is 1. */
static int number_of(const struct term *term, uint64_t *number)
{
	char *end;

	*number = 1;
	if (!term->has_value)
		return 0;
	errno = 0;
	*number = strtoull(term->value, &end, 0);
	return errno ? -ERANGE : *end || term->value[0] == '-' ? -EINVAL : 0;
}

/* Put the lowest bits of @number into bits @first to @last of @config. */
static void put_bits(uint64_t *config, unsigned int first, unsigned int last, uint64_t *number)
{
	const unsigned int width = last - first + 1;
	const uint64_t mask = width < 64 ? (1ULL << width) - 1 : UINT64_MAX;

	*config = (*config & ~(mask << first)) | (*number & mask) << first;
	*number = width < 64 ? *number >> width : 0;
}

/* The config that a format begins with; NULL: none that an attr has. */
static uint64_t *config_of(struct kermon_sampling *sampling, const char **format)
{
	static const char *const names[] = { "config:", "config1:", "config2:" };
	uint64_t *const configs[] = {
		&sampling->config, &sampling->config1, &sampling->config2,
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(*format, names[i], strlen(names[i]))) {
			*format += strlen(names[i]);
			return configs[i];
		}
	return NULL;
}

/* Distribute @number over the bits of @format: "config:0-7,32-35". */
static int put_number(struct kermon_sampling *sampling, const char *format, uint64_t number)
{
	uint64_t *config = config_of(sampling, &format);
	unsigned int first, last;
	char *end;

	if (!config)
		return -ENOENT;
	do {
		first = last = strtoul(format, &end, 10);
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (end == format || first > last || last > 63)
			return -ENOENT;
		put_bits(config, first, last, &number);
		format = end + 1;
	} while (*end == ',');
	return number ? -ERANGE : 0;
}

/* Terms that every PMU has. Return: 1 if it is none of them. */
static int set_common(struct kermon_sampling *sampling, const struct term *term)
{
	const struct {
		const char *name;
		uint64_t *value;
	} commons[] = {
		{ "config", &sampling->config },   { "config1", &sampling->config1 },
		{ "config2", &sampling->config2 }, { "period", &sampling->period },
		{ "freq", &sampling->freq },
	};

	if (!strcmp(term->name, "name") && term->has_value) {
		memcpy(sampling->name, term->value, WORD);
		return 0;
	}
	for (size_t i = 0; i < sizeof(commons) / sizeof(commons[0]); i++)
		if (!strcmp(term->name, commons[i].name) && term->has_value)
			return number_of(term, commons[i].value);
	return 1;
}

static int set_terms(struct kermon_sampling *sampling, const char *pmu, const char *text,
		     bool is_alias);

static int set_term(struct kermon_sampling *sampling, const char *pmu,
		    const struct term *term, bool in_alias)
{
	char line[SYSFILE_LINE];
	uint64_t number;
	int result = set_common(sampling, term);

	if (result <= 0)
		return result;
	if (strchr(term->name, '/') || *term->name == '.')
		return -ENOENT;
	if (!term->has_value && !in_alias &&
	    sysfile_line(line, DEVICES "/%s/events/%s", pmu, term->name))
		return set_terms(sampling, pmu, line, true);
	if (!sysfile_line(line, DEVICES "/%s/format/%s", pmu, term->name))
		return -ENOENT;
	result = number_of(term, &number);
	return result ? result : put_number(sampling, line, number);
}

static int set_terms(struct kermon_sampling *sampling, const char *pmu, const char *text,
		     bool is_alias)
{
	struct term term;
	int result;

	while ((result = next_term(&text, &term)) > 0) {
		result = set_term(sampling, pmu, &term, is_alias);
		if (result)
			return result;
	}
	return result;
}

int pmu_terms_find(struct kermon_sampling *sampling, const char *text)
{
	char pmu[WORD], terms[KERMON_EVENT_NAME];
	const size_t name = strcspn(text, "/"), length = strlen(text);
	uint64_t type;

	if (!name || name >= sizeof(pmu) || *text == '.' || length < name + 2 ||
	    length >= sizeof(terms) || text[length - 1] != '/' ||
	    strcspn(text + name + 1, "/") != length - name - 2)
		return -EINVAL;
	snprintf(pmu, sizeof(pmu), "%.*s", (int)name, text);
	snprintf(terms, sizeof(terms), "%.*s", (int)(length - name - 2), text + name + 1);
	if (!sysfile_number(&type, 10, DEVICES "/%s/type", pmu))
		return -ENXIO;
	sampling->type = type;
	return set_terms(sampling, pmu, terms, false);
}
