// SPDX-License-Identifier: GPL-2.0
/*
 * The formats of the tracepoints of regions, in the words of tracefs. perf prints names instead
 * of numbers as far as the format has them: those that are the same in all processes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "marks/words.h"
#include "writer_private.h"

/* Most names in the format: perf looks through all of them for each line. */
#define NAMES_MAX	2000

#define COMMON									\
	"format:\n"								\
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"	\
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"	\
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"		\
	"\n"

static const char mark_fields[] = COMMON
	"\tfield:unsigned char kind;\toffset:8;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char nr_counts;\toffset:9;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char set;\toffset:10;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char flags;\toffset:11;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned int id;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned long long value;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long long other;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\n";

static const char name_fields[] = COMMON
	"\tfield:unsigned int id;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned int domain;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned int kind;\toffset:16;\tsize:4;\tsigned:0;\n"
	"\tfield:int thread;\toffset:20;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc char[] name;\toffset:24;\tsize:4;\tsigned:0;\n"
	"\n";

/* @differs: another process has another name of this number */
struct numbered_name {
	uint32_t id;
	bool differs;
	char text[];
};

static bool has_id(const void *item, const void *key)
{
	return ((const struct numbered_name *)item)->id == *(const uint32_t *)key;
}

/* What would end the string in the format, or continue it. */
static void copy_text(char *to, const char *from)
{
	for (; *from; from++)
		*to++ = *from == '"' ? '\'' : *from == '\\' ? '/' : *from;
	*to = '\0';
}

int tracing_remember(struct kermon_writer *writer, uint32_t id, const char *name)
{
	struct hash *names = &writer->marked.names;
	void **found = hash_find(names, hash_mix(id), has_id, &id);
	const size_t size = sizeof(struct numbered_name) + strlen(name) + 1;
	struct numbered_name *new, *old = found ? *found : NULL;
	int err = 0;

	if (!old && names->nr >= NAMES_MAX)
		return 0;
	new = calloc(1, size);
	if (!new)
		return -ENOMEM;
	new->id = id;
	copy_text(new->text, name);
	if (!old)
		err = hash_add(names, hash_mix(id), new);
	else if (strcmp(old->text, new->text))
		old->differs = true;
	if (old || err)
		free(new);
	return err;
}

void tracing_forget(struct kermon_writer *writer)
{
	struct hash *names = &writer->marked.names;

	for (size_t i = 0; i < names->room; i++)
		free(names->slots[i].item);
	hash_free(names);
}

static void put_text(struct blob *format, const char *text)
{
	blob_put(format, text, strlen(text));
}

static void put_head(struct blob *format, const char *name, uint64_t id, const char *fields)
{
	char text[128];

	snprintf(text, sizeof(text), "name: %s\nID: %llu\n", name, (unsigned long long)id);
	put_text(format, text);
	put_text(format, fields);
}

static void put_symbol(struct blob *format, uint32_t value, const char *text)
{
	char number[32];

	snprintf(number, sizeof(number), ", { %u, \"", value);
	put_text(format, number);
	put_text(format, text);
	put_text(format, "\" }");
}

static void put_kinds(struct blob *format, const char *const *texts, uint32_t nr)
{
	put_text(format, ", __print_symbolic(REC->kind");
	for (uint32_t i = 0; i < nr; i++)
		if (texts[i])
			put_symbol(format, i, texts[i]);
	put_text(format, ")");
}

static void put_names(struct blob *format, const struct hash *names)
{
	const struct numbered_name *name;

	put_text(format, ", __print_symbolic(REC->id");
	put_symbol(format, 0, "-");
	for (size_t i = 0; i < names->room; i++) {
		name = names->slots[i].item;
		if (name && !name->differs)
			put_symbol(format, name->id, name->text);
	}
	put_text(format, ")");
}

void tracing_regions(const struct kermon_writer *writer, const struct perf_event_attr *attr,
		     struct blob *format)
{
	if (perfdata_is_region(attr)) {
		put_head(format, "region", PERFDATA_REGION_ID, mark_fields);
		put_text(format, "print fmt: \"%s %s value=%llu other=%llu\"");
		put_kinds(format, mark_words, MARK_MAX);
		put_names(format, &writer->marked.names);
		put_text(format, ", REC->value, REC->other\n");
	} else if (perfdata_is_region_name(attr)) {
		put_head(format, "region_name", PERFDATA_REGION_NAME_ID, name_fields);
		put_text(format, "print fmt: \"%u %s '%s' domain=%u thread=%d\", REC->id");
		put_kinds(format, mark_name_words, MARK_NAME_MAX);
		put_text(format, ", __get_str(name), REC->domain, REC->thread\n");
	}
}
