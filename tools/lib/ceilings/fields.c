// SPDX-License-Identifier: GPL-2.0
/* Take ceilings from JSON: tables of their members, and checks of their values. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "private.h"

/* Longest text of a member. */
#define TEXT_MOST	1023

/* Most threads of a ceiling, and CPUs of a machine. */
#define THREADS_MOST	65536

/* Performance and bandwidth of a machine, and clocks, are less than this. */
#define VALUE_MOST	1e18

/* Where in the file a value is: "flops[3].value". */
struct position {
	struct kermon_ceilings_error *error;
	char array[32];
};

/**
 * struct text_member - a member that is text
 * @name: in the file
 * @offset: of the pointer in the structure
 * @words: valid values, ends with NULL; NULL: any
 * @optional: "" if it is missing
 */
struct text_member {
	const char *name;
	size_t offset;
	const char *const *words;
	bool optional;
};

#define WORDS(...)	((const char *const[]){ __VA_ARGS__, NULL })
#define CEILING(member)	#member, offsetof(struct kermon_ceiling, member)

static const struct text_member flops_texts[] = {
	{ CEILING(operation), WORDS("add", "mul", "fma", "add+mul", "fma+add") },
	{ CEILING(precision), WORDS("single", "double") },
	{ CEILING(isa), WORDS("scalar", "sse", "avx", "avx2", "avx512") },
	{ CEILING(placement), WORDS("one", "cores", "threads", "numa"), true },
	{ CEILING(cpus), NULL, true },
	{ CEILING(source), NULL, true },
	{}
};

static const struct text_member bandwidth_texts[] = {
	{ CEILING(level), WORDS("L1", "L2", "L3", "DRAM") },
	{ CEILING(pattern), WORDS("load", "store", "2:1", "1:1") },
	{ CEILING(isa), WORDS("scalar", "sse", "avx", "avx2", "avx512"), true },
	{ CEILING(pages), WORDS("4K", "2M"), true },
	{ CEILING(placement), WORDS("one", "cores", "threads", "numa"), true },
	{ CEILING(cpus), NULL, true },
	{ CEILING(source), NULL, true },
	{}
};

#define ABOUT(member)	#member, offsetof(struct kermon_ceilings_about, member)

static const struct text_member about_texts[] = {
	{ ABOUT(when), NULL, true },
	{ ABOUT(tool), NULL, true },
	{}
};

static const struct text_member machine_texts[] = {
	{ ABOUT(hostname), NULL, true },
	{ ABOUT(cpuid), NULL, true },
	{ ABOUT(cpudesc), NULL, true },
	{ ABOUT(kernel), NULL, true },
	{}
};

static int fail(const struct position *at, const char *name, const char *what)
{
	return ceilings_fail(at->error, -EINVAL, "%s%s%s: %s", at->array,
			     *at->array ? "." : "", name, what);
}

/* List the valid words. */
static int fail_word(const struct position *at, const struct text_member *member,
		     const char *word)
{
	char text[160];
	int length = snprintf(text, sizeof(text), "unknown value '%.32s'; valid:", word);

	for (size_t i = 0; member->words[i]; i++)
		length += snprintf(text + length, sizeof(text) - length, "%s %s",
				   i ? "," : "", member->words[i]);
	return fail(at, member->name, text);
}

static bool is_word(const struct text_member *member, const char *text)
{
	for (size_t i = 0; member->words[i]; i++)
		if (!strcmp(member->words[i], text))
			return true;
	return false;
}

/* Members that are missing and those that are null are the same. */
static int take_text(const struct position *at, struct json_object *from,
		     const struct text_member *member, void *into)
{
	const char **text = (const char **)((char *)into + member->offset);
	struct json_object *value = json_object_object_get(from, member->name);

	*text = "";
	if (!value)
		return member->optional ? 0 : fail(at, member->name, "missing");
	if (!json_object_is_type(value, json_type_string))
		return fail(at, member->name, "not a text");
	if (json_object_get_string_len(value) > TEXT_MOST)
		return fail(at, member->name, "the text is too long");
	*text = json_object_get_string(value);
	if (member->words && !is_word(member, *text))
		return fail_word(at, member, *text);
	return 0;
}

static int take_texts(const struct position *at, struct json_object *from,
		      const struct text_member *members, void *into)
{
	int err = 0;

	for (; !err && members->name; members++)
		err = take_text(at, from, members, into);
	return err;
}

static bool is_number(struct json_object *value)
{
	return json_object_is_type(value, json_type_double) ||
	       json_object_is_type(value, json_type_int);
}

/* A number greater than 0; @number stays as it is if the member is missing. */
static int take_real(const struct position *at, struct json_object *from,
		     const char *name, double *number)
{
	struct json_object *value = json_object_object_get(from, name);
	double found;

	if (!value)
		return 0;
	if (!is_number(value))
		return fail(at, name, "not a number");
	found = json_object_get_double(value);
	if (!isfinite(found) || found <= 0 || found > VALUE_MOST)
		return fail(at, name, "not greater than 0 and at most 1e18");
	*number = found;
	return 0;
}

/* An integer from 0 to @most; 0 if the member is missing. */
static int take_count(const struct position *at, struct json_object *from,
		      const char *name, uint64_t most, uint64_t *number)
{
	struct json_object *value = json_object_object_get(from, name);
	char text[64];
	int64_t found;

	*number = 0;
	if (!value)
		return 0;
	found = json_object_get_int64(value);
	if (json_object_is_type(value, json_type_int) && found >= 0 &&
	    (uint64_t)found <= most) {
		*number = found;
		return 0;
	}
	snprintf(text, sizeof(text), "not an integer from 0 to %ju", (uintmax_t)most);
	return fail(at, name, text);
}

static int take_bool(const struct position *at, struct json_object *from,
		     const char *name, bool *flag)
{
	struct json_object *value = json_object_object_get(from, name);

	if (value && !json_object_is_type(value, json_type_boolean))
		return fail(at, name, "neither true nor false");
	*flag = json_object_get_boolean(value);
	return 0;
}

static int take_value(const struct position *at, struct json_object *from,
		      struct kermon_ceiling *ceiling)
{
	int err = take_real(at, from, "value", &ceiling->value);

	if (err)
		return err;
	if (!ceiling->value)
		return fail(at, "value", "missing");
	ceiling->low = ceiling->high = ceiling->value;
	err = take_real(at, from, "low", &ceiling->low);
	if (!err)
		err = take_real(at, from, "high", &ceiling->high);
	if (!err)
		err = take_real(at, from, "hertz", &ceiling->hertz);
	if (!err && ceiling->low > ceiling->value)
		return fail(at, "low", "greater than the value");
	if (!err && ceiling->high < ceiling->value)
		return fail(at, "high", "less than the value");
	return err;
}

static int take_counts(const struct position *at, struct json_object *from,
		       struct kermon_ceiling *ceiling)
{
	uint64_t threads;
	int err = take_count(at, from, "threads", THREADS_MOST, &threads);

	if (!err && !threads)
		return fail(at, "threads", "missing or 0");
	ceiling->threads = threads;
	if (!err)
		err = take_count(at, from, "windows", INT64_MAX, &ceiling->windows);
	if (!err)
		err = take_count(at, from, "outliers", INT64_MAX, &ceiling->outliers);
	if (!err)
		err = take_count(at, from, "bytes_per_thread", INT64_MAX,
				 &ceiling->bytes_per_thread);
	return err;
}

static void make_label(struct entry *entry)
{
	static const struct {
		const char *operation;
		const char *text;
	} operations[] = {
		{ "add", "ADD" },
		{ "mul", "MUL" },
		{ "fma", "FMA" },
		{ "add+mul", "ADD+MUL" },
		{ "fma+add", "FMA+ADD" },
	};
	struct kermon_ceiling *ceiling = &entry->ceiling;
	const char *operation = ceiling->operation;

	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if (!strcmp(operations[i].operation, ceiling->operation))
			operation = operations[i].text;
	snprintf(entry->label, sizeof(entry->label), "%s %s%s%s, %u thread%s%s%s%s",
		 *operation ? ceiling->precision : ceiling->level,
		 *operation ? operation : ceiling->pattern, *ceiling->isa ? " " : "",
		 ceiling->isa, ceiling->threads, ceiling->threads == 1 ? "" : "s",
		 *ceiling->pages ? ", " : "", ceiling->pages, *ceiling->pages ? " pages" : "");
	ceiling->label = entry->label;
}

static int take_ceiling(const struct position *at, struct json_object *from,
			enum kermon_ceiling_kind kind, struct entry *entry)
{
	struct kermon_ceiling *ceiling = &entry->ceiling;
	int err;

	if (!json_object_is_type(from, json_type_object))
		return ceilings_fail(at->error, -EINVAL, "%s: not an object", at->array);
	*ceiling = (struct kermon_ceiling){
		.size = sizeof(*ceiling),
		.kind = kind,
		.operation = "", .precision = "", .level = "", .pattern = "", .pages = "",
	};
	err = take_texts(at, from, kind == KERMON_CEILING_FLOPS ? flops_texts :
								 bandwidth_texts, ceiling);
	if (!err)
		err = take_value(at, from, ceiling);
	if (!err)
		err = take_counts(at, from, ceiling);
	if (!err)
		make_label(entry);
	return err;
}

/* The array @name; NULL if it is missing. */
static int find_array(struct kermon_ceilings *ceilings, struct position *at,
		      const char *name, struct json_object **array, size_t *nr)
{
	*array = json_object_object_get(ceilings->root, name);
	*nr = 0;
	if (!*array)
		return 0;
	if (!json_object_is_type(*array, json_type_array))
		return fail(at, name, "not an array");
	*nr = json_object_array_length(*array);
	return *nr <= KERMON_CEILINGS_MOST ? 0 : fail(at, name, "too many ceilings");
}

static int take_arrays(struct kermon_ceilings *ceilings, struct position *at)
{
	static const char *const names[] = {
		[KERMON_CEILING_FLOPS] = "flops",
		[KERMON_CEILING_BANDWIDTH] = "bandwidths",
	};
	struct json_object *arrays[2];
	size_t nr[2];
	int err = 0;

	for (int kind = 0; !err && kind < 2; kind++)
		err = find_array(ceilings, at, names[kind], &arrays[kind], &nr[kind]);
	if (err)
		return err;
	ceilings->entries = calloc(nr[0] + nr[1] + 1, sizeof(*ceilings->entries));
	if (!ceilings->entries)
		return ceilings_fail(at->error, -ENOMEM, "out of memory");
	for (int kind = 0; kind < 2; kind++)
		for (size_t i = 0; !err && i < nr[kind]; i++) {
			snprintf(at->array, sizeof(at->array), "%s[%zu]", names[kind], i);
			err = take_ceiling(at, json_object_array_get_idx(arrays[kind], i),
					   kind, &ceilings->entries[ceilings->nr++]);
		}
	return err;
}

static int take_machine(struct kermon_ceilings *ceilings, struct position *at)
{
	struct json_object *machine = json_object_object_get(ceilings->root, "machine");
	struct kermon_ceilings_about *about = &ceilings->about;
	uint64_t cpus;
	int err;

	if (!json_object_is_type(machine, json_type_object))
		return fail(at, "machine", machine ? "not an object" : "missing");
	strcpy(at->array, "machine");
	err = take_texts(at, machine, machine_texts, about);
	if (!err)
		err = take_count(at, machine, "cpus", THREADS_MOST, &cpus);
	if (!err)
		err = take_bool(at, machine, "virtual", &about->is_virtual);
	if (!err)
		err = take_bool(at, machine, "model", &about->is_model);
	if (!err)
		about->cpus = cpus;
	at->array[0] = '\0';
	return err;
}

static int take_about(struct kermon_ceilings *ceilings, struct position *at)
{
	const struct text_member format = {
		"format", 0, WORDS(KERMON_CEILINGS_FORMAT),
	};
	const struct text_member kind = {
		"kind", 0, WORDS("measured", "theoretical"),
	};
	struct kermon_ceilings_about *about = &ceilings->about;
	bool complete = true;
	const char *word;
	int err;

	if (!json_object_is_type(ceilings->root, json_type_object))
		return ceilings_fail(at->error, -EINVAL, "not an object with ceilings");
	err = take_text(at, ceilings->root, &format, &word);
	if (!err)
		err = take_text(at, ceilings->root, &kind, &word);
	if (err)
		return err;
	about->size = sizeof(*about);
	about->theoretical = !strcmp(word, "theoretical");
	err = take_texts(at, ceilings->root, about_texts, about);
	if (!err && json_object_object_get(ceilings->root, "complete"))
		err = take_bool(at, ceilings->root, "complete", &complete);
	about->incomplete = !complete;
	return err;
}

int ceilings_take(struct kermon_ceilings *ceilings,
		  struct kermon_ceilings_error *error)
{
	struct position at = { .error = error };
	int err = take_about(ceilings, &at);

	if (!err)
		err = take_machine(ceilings, &at);
	if (!err)
		err = take_arrays(ceilings, &at);
	return err;
}
