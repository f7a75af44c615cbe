// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "halves.h"
#include "mapping.h"
#include "perfdata/cursor.h"

/* The 24 bytes that hold device and inode, or else the build id. */
static void take_identity(struct cursor *c, const struct record *record,
			  struct build_id *build_id)
{
	const unsigned char *bytes = cursor_take(c, 24);

	if (!bytes || !(record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) ||
	    bytes[0] > BUILD_ID_MAX)
		return;
	build_id->size = bytes[0];
	memcpy(build_id->bytes, bytes + 4, build_id->size);
}

bool mmap_parse(const struct record *record, struct mmap_record *mmap)
{
	struct cursor c = cursor_of(record->data, record->size);

	*mmap = (struct mmap_record){};
	cursor_take(&c, sizeof(struct perf_event_header));
	mmap->pid = cursor_u32(&c);
	mmap->tid = cursor_u32(&c);
	mmap->address = cursor_u64(&c);
	mmap->length = cursor_u64(&c);
	mmap->offset = cursor_u64(&c);
	if (record->type == PERF_RECORD_MMAP2) {
		take_identity(&c, record, &mmap->build_id);
		cursor_take(&c, 2 * sizeof(uint32_t));	/* prot, flags */
	}
	mmap->path = cursor_chars(&c, cursor_left(&c));
	mmap->is_data = record->misc & PERF_RECORD_MISC_MMAP_DATA;
	mmap->is_kernel = record_mode(record) == PERF_RECORD_MISC_KERNEL;
	return !c.failed;
}

/* Index of the first mapping that ends behind @address. */
static size_t first_behind(const struct mappings *mappings, uint64_t address)
{
	return count_while(mappings->nr, i, mappings->all[i].end <= address);
}

/* Replaces @count mappings from @at on by the @nr given. */
static void replace(struct mappings *mappings, size_t at, size_t count,
		    const struct mapping *with, size_t nr)
{
	struct mapping *all = mappings->all;

	memmove(all + at + nr, all + at + count,
		(mappings->nr - at - count) * sizeof(*all));
	if (nr)
		memcpy(all + at, with, nr * sizeof(*all));
	mappings->nr = mappings->nr - count + nr;
}

/* Cuts out what is there, keeping what sticks out at either side. */
static int put(struct mappings *mappings, const struct mapping *new)
{
	size_t at = first_behind(mappings, new->start);
	size_t end = at, nr = 0;
	struct mapping with[3];
	struct mapping old;

	if (array_room(mappings->all, mappings->room, mappings->nr + 2))
		return -ENOMEM;
	if (at < mappings->nr && mappings->all[at].start < new->start) {
		old = mappings->all[at];
		old.end = new->start;
		with[nr++] = old;
	}
	with[nr++] = *new;
	while (end < mappings->nr && mappings->all[end].start < new->end)
		end++;
	if (end > at && mappings->all[end - 1].end > new->end) {
		old = mappings->all[end - 1];
		old.offset += new->end - old.start;
		old.start = new->end;
		with[nr++] = old;
	}
	replace(mappings, at, end - at, with, nr);
	return 0;
}

int mappings_put_code(struct process *process, const struct mapping *new)
{
	if (put(&process->code, new))
		return -ENOMEM;
	return process->data.nr ? put(&process->data, new) : 0;
}

void mappings_remove(struct mappings *mappings, uint64_t start)
{
	size_t at = first_behind(mappings, start);

	if (at < mappings->nr && mappings->all[at].start == start)
		replace(mappings, at, 1, NULL, 0);
}

/* Memory from no file. */
static bool is_anonymous(const char *path)
{
	static const char *const starts[] = {
		"//anon", "/anon_hugepage", "/dev/zero", "/SYSV", "[heap]",
		"[stack",
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (!strncmp(path, starts[i], strlen(starts[i])))
			return true;
	return false;
}

static struct dso *mapped_dso(const struct mmap_record *mmap, struct dsos *dsos,
			      struct mapping *new)
{
	const struct build_id *id = mmap->build_id.size ? &mmap->build_id : NULL;
	char path[sizeof(DSO_JIT_PATH) + 12];

	if (mmap->is_kernel)
		return dsos_get_kernel(dsos, mmap->path, id, mmap->address);
	if (!is_anonymous(mmap->path))
		return dsos_get(dsos, mmap->path, id, false);
	new->offset = new->start;
	if (mmap->is_data)
		return dsos_get_as(dsos, mmap->path, DSO_ANONYMOUS);
	/* whoever runs there has made what it runs */
	snprintf(path, sizeof(path), DSO_JIT_PATH, (int)mmap->pid);
	return dsos_get(dsos, path, NULL, false);
}

int mappings_add(struct process *process, const struct mmap_record *mmap,
		 struct dsos *dsos)
{
	struct mapping new = {
		.start = mmap->address,
		.end = mmap->address + mmap->length,
		.offset = mmap->is_kernel ? mmap->address : mmap->offset,
	};

	if (new.end < new.start)
		new.end = UINT64_MAX;
	if (new.end == new.start)
		return 0;
	new.dso = mapped_dso(mmap, dsos, &new);
	if (!new.dso)
		return -ENOMEM;
	if (new.dso->kind == DSO_KERNEL) {
		dsos->kernel.text = mmap->offset;
		if (mmap->build_id.size)
			dsos->kernel.build_id = mmap->build_id;
	}
	new.dso->has_code |= !mmap->is_data;
	new.dso->has_data |= mmap->is_data;
	return mmap->is_data ? put(&process->data, &new) :
			       mappings_put_code(process, &new);
}

static int copy(struct mappings *to, const struct mappings *from)
{
	if (array_room(to->all, to->room, from->nr))
		return -ENOMEM;
	if (from->nr)
		memcpy(to->all, from->all, from->nr * sizeof(*from->all));
	to->nr = from->nr;
	return 0;
}

int mappings_copy(struct process *to, const struct process *from)
{
	to->version = from->version;
	return copy(&to->code, &from->code) || copy(&to->data, &from->data) ?
	       -ENOMEM : 0;
}

void mappings_free(struct process *process)
{
	free(process->code.all);
	free(process->data.all);
	process->code = (struct mappings){ 0 };
	process->data = (struct mappings){ 0 };
	process->version = 0;
}

/* The one that was found last, if it covers @address. */
static const struct mapping *last_found(const struct mappings *mappings,
					uint64_t address)
{
	const struct mapping *last;

	if (mappings->last >= mappings->nr)
		return NULL;
	last = &mappings->all[mappings->last];
	return last->start <= address && address < last->end ? last : NULL;
}

const struct mapping *mappings_find(struct mappings *mappings, uint64_t address)
{
	const struct mapping *found = last_found(mappings, address);

	if (found)
		return found;
	mappings->last = first_behind(mappings, address);
	return last_found(mappings, address);
}

const struct mapping *mappings_below(const struct mappings *mappings,
				     uint64_t address)
{
	size_t behind = first_behind(mappings, address);

	return behind ? &mappings->all[behind - 1] : NULL;
}
