// SPDX-License-Identifier: GPL-2.0
/* Parse records of mappings and add them to address spaces. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/format/format.h"
#include "process_map.h"
#include "util/cursor.h"

/* The 24 bytes that contain either device and inode or the build id. */
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
		if (!record_is_first_mmap2(record->data, record->size))
			cursor_take(&c, 2 * sizeof(uint32_t));	/* prot, flags */
	}
	mmap->path = cursor_chars(&c, cursor_left(&c));
	mmap->is_data = record->misc & PERF_RECORD_MISC_MMAP_DATA;
	mmap->is_kernel = record_mode(record) == PERF_RECORD_MISC_KERNEL;
	return !c.failed;
}

/* Whether the memory is not backed by a file. */
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
	/* executable anonymous memory contains generated code */
	snprintf(path, sizeof(path), DSO_JIT_PATH, (int)mmap->pid);
	return dsos_get(dsos, path, NULL, false);
}

int process_map_code(struct process *process, const struct mapping *new)
{
	if (mappings_put(&process->code, new))
		return -ENOMEM;
	return process->data.nr_blocks ? mappings_put(&process->data, new) : 0;
}

int process_map(struct process *process, const struct mmap_record *mmap,
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
	return mmap->is_data ? mappings_put(&process->data, &new) :
			       process_map_code(process, &new);
}

int process_map_as(struct process *to, const struct process *from)
{
	to->version = from->version;
	return mappings_copy(&to->code, &from->code) ||
	       mappings_copy(&to->data, &from->data) ? -ENOMEM : 0;
}

void process_unmap(struct process *process)
{
	mappings_free(&process->code);
	mappings_free(&process->data);
	process->version = 0;
}
