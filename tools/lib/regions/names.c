// SPDX-License-Identifier: GPL-2.0
/* The names of each process, and the branches that some of them are. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "private.h"
#include "util/cursor.h"

static bool has_id(const void *item, const void *key)
{
	return ((const struct name *)item)->id == *(const uint32_t *)key;
}

static bool has_text(const void *item, const void *key)
{
	return ((const struct name *)item)->text == key;	/* interned */
}

static uint64_t hash_text(const char *text)
{
	return hash_mix((uintptr_t)text);
}

const struct name *region_names_known(const struct region_process *process, uint32_t id)
{
	void **place = hash_find(&process->names, hash_mix(id), has_id, &id);

	return place ? *place : NULL;
}

/* Of events and tasks, whose names may be branches. */
static bool may_branch(uint32_t kind)
{
	return kind == MARK_NAME_EVENT || kind == MARK_NAME_TASK;
}

/**
 * struct split - a name that is taken apart
 * @path: @nr names, outermost first
 */
struct split {
	const char *path[REGIONS_PATH];
	uint32_t nr;
	bool is_branch;
};

static int put(struct regions *regions, struct split *split, const char *text)
{
	split->path[split->nr] = intern(&regions->strings, text);
	return split->path[split->nr++] ? 0 : -ENOMEM;
}

/* The longest name of the process that is before one of the blanks; NULL: none. */
static const struct name *find_parent(struct regions *regions, struct region_process *process,
				      char *text)
{
	const struct name *parent = NULL;
	const char *before;
	unsigned int blanks = 0;
	void **place;

	for (char *blank = strchr(text + 1, ' '); blank && blanks < REGIONS_PATH;
	     blank = strchr(blank + 1, ' '), blanks++) {
		*blank = '\0';
		before = intern(&regions->strings, text);
		*blank = ' ';
		place = before ? hash_find(&process->texts, hash_text(before), has_text,
					   before) : NULL;
		parent = place ? *place : parent;
	}
	return parent;
}

/* Each word of what is left is a name, but for the last, which has all that is beyond. */
static int split_words(struct regions *regions, struct split *split, char *rest)
{
	char *end;
	int err = 0;

	while (!err && *(rest += strspn(rest, " "))) {
		end = split->nr + 1 < REGIONS_PATH ? strchr(rest, ' ') : NULL;
		if (end)
			*end = '\0';
		err = put(regions, split, rest);
		if (end)
			*end = ' ';
		rest = end ? end + 1 : rest + strlen(rest);
	}
	return err;
}

static int split_name(struct regions *regions, struct region_process *process, uint32_t kind,
		      char *text, struct split *split)
{
	const struct name *parent = may_branch(kind) ? find_parent(regions, process, text) : NULL;
	const bool topmost = may_branch(kind) && *text == ' ';
	char *rest = text;
	int err = 0;

	*split = (struct split){ .is_branch = parent || topmost };
	if (parent && parent->nr < REGIONS_PATH) {
		memcpy(split->path, parent->path, parent->nr * sizeof(*split->path));
		split->nr = parent->nr;
		rest += strlen(parent->text) + 1;
	}
	if (topmost)
		err = split_words(regions, split, rest);
	else if (*rest || !split->nr)
		err = put(regions, split, rest);
	if (!err && !split->nr)		/* nothing but blanks */
		err = put(regions, split, text);
	return err;
}

/* A name with this number may be there already: a later one replaces it. */
static int add(struct region_process *process, struct name *name)
{
	void **place = hash_find(&process->names, hash_mix(name->id), has_id, &name->id);

	if (place)
		*place = name;
	else if (hash_add(&process->names, hash_mix(name->id), name))
		return -ENOMEM;
	if (!may_branch(name->kind))
		return 0;
	place = hash_find(&process->texts, hash_text(name->text), has_text, name->text);
	return place ? 0 : hash_add(&process->texts, hash_text(name->text), name);
}

/* @text is modified, and restored. Return: 0 or -ENOMEM. */
static int make(struct regions *regions, struct region_process *process, uint32_t id,
		uint32_t kind, char *text)
{
	struct name *name = calloc(1, sizeof(*name));
	struct split split;

	if (!name)
		return -ENOMEM;
	name->next = regions->all_names;
	regions->all_names = name;
	name->id = id;
	name->kind = kind;
	name->text = intern(&regions->strings, text);
	if (!name->text || split_name(regions, process, kind, text, &split))
		return -ENOMEM;
	name->nr = split.nr;
	name->is_branch = split.is_branch;
	name->may_pause = kind == MARK_NAME_EVENT || split.is_branch;
	name->path = calloc(split.nr, sizeof(*name->path));
	if (!name->path)
		return -ENOMEM;
	memcpy(name->path, split.path, split.nr * sizeof(*name->path));
	return add(process, name);
}

int region_names_take(struct regions *regions, struct region_process *process,
	       const struct regions_sample *sample)
{
	struct cursor c = cursor_of(sample->raw, sample->raw_size);
	uint32_t id, kind, thread, place, offset, length;
	char text[REGIONS_NAME + 1];

	if (cursor_u16(&c) != PERFDATA_REGION_NAME_ID)
		return -EINVAL;
	cursor_take(&c, sizeof(struct perfdata_common) - sizeof(uint16_t));
	id = cursor_u32(&c);
	cursor_u32(&c);		/* the domain: a name is the same in any */
	kind = cursor_u32(&c);
	thread = cursor_u32(&c);
	place = cursor_u32(&c);
	offset = place & 0xffff;
	length = place >> 16;
	if (c.failed || offset > sample->raw_size || length > sample->raw_size - offset)
		return -EINVAL;
	if (length > REGIONS_NAME)
		length = REGIONS_NAME;
	memcpy(text, sample->raw + offset, length);
	text[length] = '\0';
	if (kind == MARK_NAME_THREAD)
		return tracks_set_name(regions, process->pid, thread, text);
	return make(regions, process, id, kind, text);
}

const struct name *region_names_find(struct regions *regions, struct region_process *process,
			      uint32_t id)
{
	const struct name *name = region_names_known(process, id);
	char text[32];

	if (name)
		return name;
	regions->trouble.unnamed++;
	snprintf(text, sizeof(text), "(name %u)", id);
	if (make(regions, process, id, MARK_NAME_REGION, text))
		return NULL;
	return region_names_known(process, id);
}

bool name_is_above(const struct name *name, const struct name *branch)
{
	return name->nr < branch->nr &&
	       !memcmp(name->path, branch->path, name->nr * sizeof(*name->path));
}

void region_names_forget(struct region_process *process)
{
	hash_free(&process->names);
	hash_free(&process->texts);
}

void region_names_free(struct regions *regions)
{
	struct name *name, *next;

	for (name = regions->all_names; name; name = next) {
		next = name->next;
		free(name->path);
		free(name);
	}
}
