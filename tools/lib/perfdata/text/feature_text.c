// SPDX-License-Identifier: GPL-2.0
/*
 * Print the features of a file as lines of name and value: according to the table of
 * features, or with a function here if that does not suffice.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "text.h"
#include "util/cursor.h"

#define LINE_SIZE	4096

/* Maximum number of printed fields of an element. */
#define MOST_FIELDS	12

struct feature_lines {
	void (*line)(void *context, const char *name, const char *value);
	void *context;
	uint32_t nr_cpus;	/* according to NRCPUS */
};

static void say(const struct feature_lines *lines, const char *name,
		const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void say(const struct feature_lines *lines, const char *name,
		const char *format, ...)
{
	char value[LINE_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	lines->line(lines->context, name, value);
}

/* The values of the fields of the table. */
struct feature_values {
	size_t nr;
	struct feature_value {
		const char *name;
		uint64_t number;
		const char *text;	/* NULL: it is a number */
	} all[MOST_FIELDS];
};

static void take_value(struct cursor *c, const struct data_field *field,
		       struct feature_values *values)
{
	struct feature_value value = { .name = field->name };

	if (field->kind == DATA_U32)
		value.number = cursor_u32(c);
	else if (field->kind == DATA_STRING)
		value.text = cursor_string(c);
	else if (field->kind == DATA_SIZED)
		cursor_take(c, values->all[values->nr - 1].number);
	else
		value.number = cursor_u64(c);
	if (values->nr < MOST_FIELDS)
		values->all[values->nr++] = value;
}

/* Read single values. Return: the first field that is not a single value. */
static const struct data_field *take_values(struct cursor *c,
					    const struct data_field *field,
					    struct feature_values *values)
{
	for (; field->kind != DATA_END && field->kind != DATA_OTHER &&
	     field->kind != DATA_EACH32 && field->kind != DATA_EACH64; field++)
		take_value(c, field, values);
	return field;
}

static const struct feature_value *find_value(const struct feature_values *values,
					      const char *name, size_t length)
{
	static const struct feature_value none = { .text = "?" };

	for (size_t i = 0; i < values->nr; i++)
		if (!strncmp(values->all[i].name, name, length) &&
		    !values->all[i].name[length])
			return &values->all[i];
	return &none;
}

/* Print a line: @text with the values of {fields}. */
static void say_values(const struct feature_lines *lines, const char *title,
		       const char *text, const struct feature_values *values)
{
	const struct feature_value *value;
	char line[LINE_SIZE] = "";
	size_t length, used = 0;

	while (*text && used < sizeof(line)) {
		length = strcspn(text, "{");
		used += snprintf(line + used, sizeof(line) - used, "%.*s",
				 (int)length, text);
		text += length;
		if (!*text || used >= sizeof(line))
			break;
		length = strcspn(++text, "}");
		value = find_value(values, text, length);
		used += value->text ?
			snprintf(line + used, sizeof(line) - used, "%s",
				 value->text) :
			snprintf(line + used, sizeof(line) - used, "%" PRIu64,
				 value->number);
		text += length + 1;
	}
	say(lines, title, "%s", line);
}

/* Print one line, or one for each element. */
static void show_fields(struct cursor *c, const char *title,
			const struct feature_type *type,
			const struct feature_lines *lines)
{
	struct feature_values values = { .nr = 0 };
	const struct data_field *each = take_values(c, type->fields, &values);
	bool is_wide = each->kind == DATA_EACH64;
	bool is_list = is_wide || each->kind == DATA_EACH32;
	size_t nr_before = values.nr;
	uint64_t nr = !is_list ? 1 : is_wide ? cursor_u64(c) : cursor_u32(c);

	for (; nr && !c->failed; nr--) {
		values.nr = nr_before;
		if (is_list)
			take_values(c, each + 1, &values);
		if (!c->failed)
			say_values(lines, title, type->text, &values);
	}
}

/* Quote words that a shell would split. */
static void show_words(struct cursor *c, const char *name,
		       const struct feature_lines *lines)
{
	char line[LINE_SIZE] = "";
	size_t used = 0;
	const char *word, *quote;

	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--) {
		word = cursor_string(c);
		quote = *word && !strpbrk(word, " \t\n\"$*?;&|<>()") ? "" : "'";
		used += snprintf(line + used, sizeof(line) - used, "%s%s%s%s",
				 used ? " " : "", quote, word, quote);
		if (used >= sizeof(line))
			break;
	}
	say(lines, name, "%s", line);
}

static void each_string(struct cursor *c, const char *name,
			const struct feature_lines *lines)
{
	const char *string;

	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--) {
		string = cursor_string(c);
		if (!c->failed)
			say(lines, name, "%s", string);
	}
}

/*
 * Newer files have the core and socket of each CPU behind the lists; still newer ones
 * have dies, too.
 */
static void show_topology(struct cursor *c, const char *name,
			  const struct feature_lines *lines)
{
	int32_t core, socket, die;	/* -1: the CPU is offline */

	each_string(c, "sibling cores", lines);
	each_string(c, "sibling threads", lines);
	for (uint32_t cpu = 0; cpu < lines->nr_cpus && cursor_left(c); cpu++) {
		core = cursor_u32(c);
		socket = cursor_u32(c);
		if (!c->failed)
			say(lines, name, "CPU %u: core %d, socket %d", cpu,
			    core, socket);
	}
	if (!cursor_left(c))
		return;
	each_string(c, "sibling dies", lines);
	for (uint32_t cpu = 0; cpu < lines->nr_cpus && cursor_left(c); cpu++) {
		die = cursor_u32(c);
		if (!c->failed)
			say(lines, name, "CPU %u: die %d", cpu, die);
	}
}

static void show_build_ids(struct cursor *c, const char *name,
			   const struct feature_lines *lines)
{
	struct perfdata_build_id element;
	const unsigned char *bytes;
	char hex[2 * sizeof(element.id) + 1];
	const char *path;

	while (cursor_left(c)) {
		bytes = cursor_take(c, sizeof(element));
		if (!bytes)
			return;
		memcpy(&element, bytes, sizeof(element));
		element.header = record_header(bytes, c->swapped);
		path = cursor_chars(c, element.header.size - sizeof(element));
		for (size_t i = 0; i < sizeof(element.id); i++)
			snprintf(hex + 2 * i, 3, "%02x", element.id[i]);
		if (element.header.misc & PERF_RECORD_MISC_BUILD_ID_SIZE &&
		    element.size < sizeof(element.id))
			hex[2 * element.size] = '\0';
		if (!c->failed)
			say(lines, name, "%s %s", hex, path);
	}
}

/* Number of bits that are set among the first @bits of a bitmap, which is whole words. */
static uint64_t count_blocks(struct cursor *c, uint64_t bits)
{
	uint64_t word, blocks = 0;

	while (bits && !c->failed) {
		word = cursor_u64(c);
		if (bits < 64)
			word &= (1ULL << bits) - 1;
		blocks += __builtin_popcountll(word);
		bits -= bits < 64 ? bits : 64;
	}
	return blocks;
}

static void show_memory_nodes(struct cursor *c, const char *name,
			      const struct feature_lines *lines)
{
	uint64_t block, node, blocks;

	cursor_u64(c);		/* version */
	block = cursor_u64(c);
	for (uint64_t nr = cursor_u64(c); nr && !c->failed; nr--) {
		node = cursor_u64(c);
		cursor_u64(c);	/* the same number of bits as that of the bitmap */
		blocks = count_blocks(c, cursor_u64(c));
		if (!c->failed)
			say(lines, name, "node %" PRIu64 ": %" PRIu64
			    " blocks of %" PRIu64 " bytes", node, blocks,
			    block);
	}
}

/* { u32 info_len, data_len; u64 arrays; struct bpf_prog_info; data } each. */
static void show_bpf_programs(struct cursor *c, const char *name,
			      const struct feature_lines *lines)
{
	uint32_t info_size, data_size, type, id;
	struct cursor info;

	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--) {
		info_size = cursor_u32(c);
		data_size = cursor_u32(c);
		cursor_u64(c);
		info = *c;
		type = cursor_u32(&info);
		id = cursor_u32(&info);
		cursor_take(c, info_size);
		cursor_take(c, data_size);
		if (!c->failed)
			say(lines, name, "id %u, type %u, %u bytes", id, type,
			    data_size);
	}
}

static void show_span(struct cursor *c, const char *name,
		      const struct feature_lines *lines)
{
	uint64_t first = cursor_u64(c), last = cursor_u64(c);

	if (c->failed || last < first)
		return;
	say(lines, name, "%" PRIu64 ".%09" PRIu64 " s to %" PRIu64 ".%09" PRIu64
	    " s", first / 1000000000, first % 1000000000, last / 1000000000,
	    last % 1000000000);
}

static const char *clock_name(uint32_t clock)
{
	static const char *const names[] = {
		[CLOCK_REALTIME] = "CLOCK_REALTIME",
		[CLOCK_MONOTONIC] = "CLOCK_MONOTONIC",
		[CLOCK_MONOTONIC_RAW] = "CLOCK_MONOTONIC_RAW",
		[CLOCK_BOOTTIME] = "CLOCK_BOOTTIME",
		[CLOCK_TAI] = "CLOCK_TAI",
	};

	if (clock == PERFDATA_CLOCK_PERF)
		return "perf's clock";
	if (clock >= sizeof(names) / sizeof(names[0]) || !names[clock])
		return "another clock";
	return names[clock];
}

static void show_clock_data(struct cursor *c, const char *name,
			    const struct feature_lines *lines)
{
	uint32_t clock;
	uint64_t wall, reference;

	cursor_u32(c);		/* version */
	clock = cursor_u32(c);
	wall = cursor_u64(c);
	reference = cursor_u64(c);
	if (!c->failed)
		say(lines, name, "%s (%d) was %" PRIu64 " ns at %" PRIu64
		    " ns since 1970", clock_name(clock), (int32_t)clock,
		    reference, wall);
}

static void show_compression(struct cursor *c, const char *name,
			     const struct feature_lines *lines)
{
	uint32_t type, level, ratio;

	cursor_u32(c);		/* version */
	type = cursor_u32(c);
	level = cursor_u32(c);
	ratio = cursor_u32(c);
	cursor_u32(c);		/* size of perf's buffers */
	if (!c->failed)
		say(lines, name, "%s, level %u, ratio %u",
		    type == 1 ? "zstd" : "unknown", level, ratio);
}

static void show_pmu_capabilities(struct cursor *c, const char *name,
				  const struct feature_lines *lines)
{
	const char *pmu;

	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--) {
		show_fields(c, name, feature_type(PERFDATA_CPU_PMU_CAPS),
			    lines);
		pmu = cursor_string(c);
		if (!c->failed)
			say(lines, name, "these are of %s", pmu);
	}
}

#define TEXT(text)	NULL
#define SIZE		NULL
#define BY(name)	show_##name
#define ROW(number, name, title, written, shown, ...)	[number] = shown,

static void (*const shows[PERFDATA_FEATURES])(struct cursor *c, const char *name,
					      const struct feature_lines *lines) = {
	PERFDATA_FEATURE_TABLE(ROW)
};

bool feature_text(const struct reader *reader, unsigned int bit,
		  void (*line)(void *context, const char *name,
			       const char *value),
		  void *context)
{
	struct cursor cpus = reader_feature_cursor(reader, PERFDATA_NRCPUS);
	const struct feature_lines lines = {
		.line = line,
		.context = context,
		.nr_cpus = cursor_u32(&cpus),
	};
	struct cursor c = reader_feature_cursor(reader, bit);
	const struct feature_type *type = feature_type(bit);
	size_t size = cursor_left(&c);

	if (!reader_has_feature(reader, bit))
		return true;
	if (type->title && type->fields->kind == DATA_END)
		say(&lines, type->title, "yes");
	else if (!c.at)
		return true;
	else if (!type->title)
		say(&lines, "unknown", "feature %u of %zu bytes", bit, size);
	else if (shows[bit])
		shows[bit](&c, type->title, &lines);
	else if (type->text)
		show_fields(&c, type->title, type, &lines);
	else
		say(&lines, type->title, "%zu bytes", size);
	if (c.failed)
		say(&lines, type->title, "(truncated)");
	return !c.failed;
}
