// SPDX-License-Identifier: GPL-2.0
/*
 * Parses an event file: lines of a keyword, words and properties, see kermon-events(5).
 * All strings of the table are parts of a copy of the text.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables.h"
#include "util/array.h"

#define MAX_WORDS	32
#define MAX_CPUS	32
#define MAX_EVENTS	512
#define MAX_SETS	24
#define MAX_USES	64

/* Bits of an event select that a code may have: event and unit mask. */
#define CODE_BITS	0xf0000ffffULL

/**
 * struct parser - a file being parsed
 * @line: number of the line
 * @words: of the line, @nr of them, without quotation marks
 * @message: what is wrong
 * @ranks: number of events of memory so far
 */
struct parser {
	struct event_table *table;
	unsigned int line;
	char *words[MAX_WORDS];
	size_t nr;
	char *message;
	uint8_t ranks;
};

__attribute__((format(printf, 2, 3)))
static int fail(struct parser *parser, const char *format, ...)
{
	int length = snprintf(parser->message, TABLES_MESSAGE, "%s:%u: ",
			      parser->table->path, parser->line);
	va_list arguments;

	if (length < 0 || length >= TABLES_MESSAGE)
		return -EINVAL;
	va_start(arguments, format);
	vsnprintf(parser->message + length, TABLES_MESSAGE - length, format, arguments);
	va_end(arguments);
	return -EINVAL;
}

/*
 * Remove the quotation marks of a word and end it. Return: what follows; NULL: there is no
 * closing one.
 */
static char *end_word(char *word)
{
	char *to = word;
	bool quoted = false;

	for (; *word && (quoted || !isblank((unsigned char)*word)); word++) {
		if (*word == '"')
			quoted = !quoted;
		else
			*to++ = *word;
	}
	if (quoted)
		return NULL;
	if (*word)
		word++;
	*to = '\0';
	return word;
}

static int split_line(struct parser *parser, char *line)
{
	parser->nr = 0;
	for (;;) {
		while (isblank((unsigned char)*line))
			line++;
		if (!*line || *line == '#')
			return 0;
		if (parser->nr == MAX_WORDS)
			return fail(parser, "more than %d words in a line", MAX_WORDS);
		parser->words[parser->nr++] = line;
		line = end_word(line);
		if (!line)
			return fail(parser, "missing closing quotation mark");
	}
}

static bool parse_number(const char *text, unsigned long long most,
			 unsigned long long *number)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*number = strtoull(text, &end, 0);
	return !errno && !*end && *number <= most;
}

/* A choice of a property: the names of its values, and their numbers. */
struct choice {
	const char *name;
	int value;
};

static const struct choice kinds[] = {
	{ "count", KERMON_METRIC_COUNT }, { "time", KERMON_METRIC_TIME },
	{ "instructions", KERMON_METRIC_INSTRUCTIONS },
	{ "cycles", KERMON_METRIC_CYCLES }, { "energy", KERMON_METRIC_ENERGY },
	{ "sideband", KERMON_METRIC_SIDEBAND }, {}
};

static const struct choice precisions[] = {
	{ "single", KERMON_SINGLE }, { "double", KERMON_DOUBLE },
	{ "mixed", KERMON_MIXED }, {}
};

static const struct choice simds[] = {
	{ "scalar", KERMON_SIMD_SCALAR }, { "128", KERMON_SIMD_128 },
	{ "256", KERMON_SIMD_256 }, { "512", KERMON_SIMD_512 }, {}
};

static const struct choice accesses[] = {
	{ "load", KERMON_LOAD }, { "store", KERMON_STORE }, {}
};

static int fail_choice(struct parser *parser, const char *name, const char *value,
		       const struct choice *choices)
{
	char names[128] = "";
	size_t length = 0;

	for (; choices->name; choices++)
		length += snprintf(names + length, sizeof(names) - length, "%s%s",
				   length ? ", " : "", choices->name);
	return fail(parser, "invalid %s '%s'; valid: %s", name, value, names);
}

static int choose(struct parser *parser, const char *name, const char *value,
		  const struct choice *choices, uint8_t *chosen)
{
	for (const struct choice *each = choices; each->name; each++) {
		if (strcmp(each->name, value))
			continue;
		*chosen = each->value;
		return 0;
	}
	return fail_choice(parser, name, value, choices);
}

static int take_number(struct parser *parser, const char *name, const char *value,
		       unsigned long long least, unsigned long long most,
		       unsigned long long *number)
{
	if (parse_number(value, most, number) && *number >= least)
		return 0;
	return fail(parser, "invalid %s '%s'; valid: %llu to %llu", name, value, least, most);
}

/* The code is checked by its bits: the modes are the user's. */
static int take_code(struct parser *parser, struct table_event *event, const char *value)
{
	unsigned long long number;

	if (!parse_number(value, CODE_BITS, &number) || !number || number & ~CODE_BITS)
		return fail(parser, "invalid code '%s'; valid: unit mask and event, such as "
			    "0x81d0", value);
	event->code = number;
	event->has_code = true;
	return 0;
}

/* A property with a value. Return: 0, -EINVAL, or -ENOENT if there is no such property. */
static int take_value(struct parser *parser, struct table_event *event, const char *name,
		      const char *value)
{
	unsigned long long number = 0;
	int err = -ENOENT;

	if (!strcmp(name, "kind"))
		return choose(parser, name, value, kinds, &event->metric.kind);
	if (!strcmp(name, "precision"))
		return choose(parser, name, value, precisions, &event->metric.precision);
	if (!strcmp(name, "simd"))
		return choose(parser, name, value, simds, &event->operation.simd);
	if (!strcmp(name, "access"))
		return choose(parser, name, value, accesses, &event->operation.access);
	if (!strcmp(name, "code"))
		return take_code(parser, event, value);
	if (!strcmp(name, "flop")) {
		err = take_number(parser, name, value, 1, UINT8_MAX, &number);
		event->metric.lanes = number;
	} else if (!strcmp(name, "bytes")) {
		err = take_number(parser, name, value, 1, 4096, &number);
		event->operation.bytes = number;
	} else if (!strcmp(name, "extra")) {
		err = take_number(parser, name, value, 0, UINT64_MAX, &number);
		event->extra = number;
	}
	return err;
}

/* Texts and flags. Return: whether there is such a property. */
static bool take_text(struct table_event *event, const char *name, const char *value)
{
	if (!strcmp(name, "heading"))
		event->metric.heading = value;
	else if (!strcmp(name, "about"))
		event->about = value;
	else if (!strcmp(name, "reference"))
		event->reference = value;
	else
		return false;
	return true;
}

static bool take_flag(struct table_event *event, const char *name)
{
	if (!strcmp(name, "whole"))
		event->metric.whole = true;
	else if (!strcmp(name, "executed"))
		event->metric.executed = true;
	else if (!strcmp(name, "memory"))
		event->operation.memory = true;
	else
		return false;
	return true;
}

static int take_property(struct parser *parser, struct table_event *event, char *word)
{
	char *value = strchr(word, '=');
	int err;

	if (!value) {
		if (take_flag(event, word))
			return 0;
		return fail(parser, "unknown property '%s'; valid: whole, executed, memory, and "
			    "kind, flop, precision, simd, access, bytes, code, extra, heading, "
			    "about, reference with '=' and a value", word);
	}
	*value++ = '\0';
	if (!*value)
		return fail(parser, "missing value of '%s'", word);
	if (take_text(event, word, value))
		return 0;
	err = take_value(parser, event, word, value);
	return err == -ENOENT ? fail(parser, "unknown property '%s='", word) : err;
}

/* Whether the properties of an event make sense together; fill in those that follow. */
static int finish_event(struct parser *parser, struct table_event *event)
{
	struct kermon_metric *metric = &event->metric;
	struct kermon_operation *operation = &event->operation;

	if (!metric->lanes != !metric->precision)
		return fail(parser, "'flop=' and 'precision=' belong together");
	if (metric->lanes && metric->kind != KERMON_METRIC_COUNT)
		return fail(parser, "'flop=' is of no event with another 'kind='");
	if ((metric->whole || metric->executed) && !metric->lanes)
		return fail(parser, "'whole' and 'executed' require 'flop='");
	if (operation->memory && (!operation->bytes || operation->access))
		return fail(parser, "'memory' requires 'bytes=', and no 'access='");
	if (operation->bytes && !operation->memory && !operation->access)
		return fail(parser, "'bytes=' requires 'access=' or 'memory'");
	if (operation->access && metric->lanes)
		return fail(parser, "'flop=' and 'access=' are of different events");
	if (event->extra && !event->has_code)
		return fail(parser, "'extra=' requires 'code='");
	if (event->has_code && !event->reference)
		return fail(parser, "'code=' requires 'reference=': where it is documented");
	if (metric->lanes)
		metric->kind = KERMON_METRIC_FLOP;
	event->has_meaning = metric->kind || metric->heading || operation->access ||
			     operation->bytes || operation->simd || event->about;
	operation->flop = metric->lanes;
	operation->precision = metric->precision;
	operation->whole = metric->whole;
	operation->executed = metric->executed;
	return 0;
}

static int parse_event(struct parser *parser)
{
	struct event_table *table = parser->table;
	struct table_event event = { .line = parser->line };
	int err = 0;

	if (parser->nr < 2)
		return fail(parser, "missing name of the event");
	event.name = parser->words[1];
	if (!*event.name || strlen(event.name) > TABLES_EVENT_NAME)
		return fail(parser, "name of an event with less than 1 or more than %d bytes",
			    TABLES_EVENT_NAME);
	for (size_t i = 0; i < table->nr_events; i++)
		if (!strcasecmp(table->events[i].name, event.name))
			return fail(parser, "'%s' was defined in line %u", event.name,
				    table->events[i].line);
	if (table->nr_events == MAX_EVENTS)
		return fail(parser, "more than %d events", MAX_EVENTS);
	for (size_t i = 2; i < parser->nr && !err; i++)
		err = take_property(parser, &event, parser->words[i]);
	if (!err)
		err = finish_event(parser, &event);
	if (err)
		return err;
	if (event.operation.memory) {
		event.operation.rank = parser->ranks;
		parser->ranks += parser->ranks < UINT8_MAX;
	}
	if (array_room(table->events, table->room_events, table->nr_events + 1))
		return -ENOMEM;
	table->events[table->nr_events++] = event;
	return 0;
}

static bool is_set_name(const char *name)
{
	const size_t length = strlen(name);

	return length && length <= TABLES_SET_NAME &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789_-") == length;
}

static int add_set(struct parser *parser, const struct table_set *set)
{
	struct event_table *table = parser->table;

	for (size_t i = 0; i < table->nr_sets; i++)
		if (!strcasecmp(table->sets[i].name, set->name))
			return fail(parser, "set '%s' was defined in line %u", set->name,
				    table->sets[i].line);
	if (table->nr_sets == MAX_SETS)
		return fail(parser, "more than %d sets", MAX_SETS);
	if (array_room(table->sets, table->room_sets, table->nr_sets + 1))
		return -ENOMEM;
	table->sets[table->nr_sets++] = *set;
	return 0;
}

/* set NAME [needs=FEATURE] "TITLE" */
static int parse_set(struct parser *parser)
{
	static const char needs[] = "needs=";
	struct table_set set = { .line = parser->line };
	size_t title = 2;

	if (parser->nr > 2 && !strncmp(parser->words[2], needs, strlen(needs))) {
		set.needs = parser->words[2] + strlen(needs);
		title++;
	}
	if (parser->nr != title + 1)
		return fail(parser, "a set has a name and a title in quotation marks");
	if (set.needs && strcmp(set.needs, "avx512f"))
		return fail(parser, "invalid feature '%s'; valid: avx512f", set.needs);
	set.name = parser->words[1];
	set.title = parser->words[title];
	if (!is_set_name(set.name))
		return fail(parser, "invalid name of a set: '%s'; valid: up to %d letters, "
			    "digits, '-' and '_'", set.name, TABLES_SET_NAME);
	return add_set(parser, &set);
}

/* use EVENT-OR-SET... */
static int parse_use(struct parser *parser)
{
	struct event_table *table = parser->table;
	struct table_set *set;
	const char *name;

	if (!table->nr_sets)
		return fail(parser, "'use' before the first 'set'");
	set = &table->sets[table->nr_sets - 1];
	for (size_t i = 1; i < parser->nr; i++) {
		name = parser->words[i];
		if (!*name || strlen(name) > TABLES_EVENT_NAME)
			return fail(parser, "name of an event with less than 1 or more than %d "
				    "bytes", TABLES_EVENT_NAME);
		if (!strcasecmp(name, set->name))
			return fail(parser, "set '%s' uses itself", name);
		if (set->nr == MAX_USES)
			return fail(parser, "more than %d events in a set", MAX_USES);
		if (array_room(set->events, set->room, set->nr + 2))
			return -ENOMEM;
		set->events[set->nr++] = name;
		set->events[set->nr] = NULL;
	}
	return parser->nr > 1 ? 0 : fail(parser, "'use' without an event");
}

static int add_cpu(struct parser *parser, const struct table_cpu *cpu)
{
	struct event_table *table = parser->table;

	if (table->nr_cpus == MAX_CPUS)
		return fail(parser, "more than %d CPUs", MAX_CPUS);
	if (array_room(table->cpus, table->room_cpus, table->nr_cpus + 1))
		return -ENOMEM;
	table->cpus[table->nr_cpus++] = *cpu;
	return 0;
}

/* cpu NAME..., by libpfm4 */
static int parse_cpu(struct parser *parser)
{
	int err = 0;

	if (parser->nr < 2)
		return fail(parser, "missing name of the CPU");
	for (size_t i = 1; i < parser->nr && !err; i++)
		err = add_cpu(parser, &(struct table_cpu){ .name = parser->words[i] });
	return err;
}

/* cpuid NAME VENDOR FAMILY MODELS */
static int parse_cpuid(struct parser *parser)
{
	struct table_cpu cpu = { 0 };
	unsigned long long family;
	const size_t nr = parser->nr;

	if (nr != 5 || !parse_number(parser->words[3], 0x1fe, &family) ||
	    (strcmp(parser->words[4], "*") &&
	     strspn(parser->words[4], "0123456789abcdefx,-") != strlen(parser->words[4])))
		return fail(parser, "'cpuid' requires name, vendor, family and models, such as "
			    "'gnr GenuineIntel 0x06 0xad,0xae'");
	cpu.name = parser->words[1];
	cpu.vendor = parser->words[2];
	cpu.family = family;
	cpu.models = parser->words[4];
	return add_cpu(parser, &cpu);
}

static int parse_words(struct parser *parser)
{
	static const struct {
		const char *keyword;
		int (*parse)(struct parser *parser);
	} keywords[] = {
		{ "cpu", parse_cpu }, { "cpuid", parse_cpuid },
		{ "event", parse_event }, { "set", parse_set }, { "use", parse_use },
	};

	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (!strcmp(keywords[i].keyword, parser->words[0]))
			return keywords[i].parse(parser);
	return fail(parser, "unknown keyword '%s'; valid: cpu, cpuid, event, set, use",
		    parser->words[0]);
}

/* Tabs and printable ASCII: names and titles are shown as they are. */
static int check_bytes(struct parser *parser, const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (line[i] != '\t' && (line[i] < ' ' || line[i] > '~'))
			return fail(parser, "invalid byte 0x%02x in column %zu",
				    (unsigned char)line[i], i + 1);
	return 0;
}

static int parse_line(struct parser *parser, char *line, size_t length)
{
	int err = check_bytes(parser, line, length);

	line[length] = '\0';
	if (!err)
		err = split_line(parser, line);
	return err || !parser->nr ? err : parse_words(parser);
}

static int parse_text(struct parser *parser, size_t size)
{
	char *line = parser->table->text, *end = line + size;
	size_t length;
	int err = 0;

	for (; line < end && !err; line += length + 1) {
		const char *newline = memchr(line, '\n', end - line);

		length = newline ? newline - line : end - line;
		parser->line++;
		err = parse_line(parser, line, length);
	}
	if (!err && !parser->table->nr_cpus && parser->table->nr_sets)
		err = fail(parser, "sets without 'cpu': name the CPUs that have them");
	return err;
}

struct event_table *event_table_parse(const char *path, const char *text, size_t size,
			  char message[TABLES_MESSAGE])
{
	struct event_table *table = calloc(1, sizeof(*table));
	struct parser parser = { .table = table, .message = message };

	*message = '\0';
	if (!table)
		return NULL;
	table->path = strdup(path);
	table->text = malloc(size + 1);
	if (table->path && table->text) {
		memcpy(table->text, text, size);
		table->text[size] = '\0';
		if (!parse_text(&parser, size))
			return table;
	}
	event_table_free(table);
	return NULL;
}

void event_table_free(struct event_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->nr_sets; i++)
		free(table->sets[i].events);
	free(table->sets);
	free(table->events);
	free(table->cpus);
	free(table->text);
	free(table->path);
	free(table);
}
