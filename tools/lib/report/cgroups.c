// SPDX-License-Identifier: GPL-2.0
/*
 * Names of control groups: samples only have an id, and earlier records map it to a
 * path.
 */
#include <errno.h>
#include <stdlib.h>

#include "report_private.h"
#include "util/cursor.h"

struct cgroup_name {
	uint64_t id;
	const char *path;	/* interned */
};

static bool is_cgroup(const void *item, const void *key)
{
	return ((const struct cgroup_name *)item)->id == *(const uint64_t *)key;
}

static struct cgroup_name *find(const struct kermon_report *report, uint64_t id)
{
	void **found = hash_find(&report->cgroups, hash_mix(id), is_cgroup,
				 &id);

	return found ? *found : NULL;
}

/* { u64 id, char path[] }. Ids are never reused: the first path counts. */
int report_add_cgroup(struct kermon_report *report, const struct record *record)
{
	struct cursor c = cursor_of(record->data, record->size);
	struct cgroup_name *name;
	const char *path;
	uint64_t id;

	cursor_take(&c, sizeof(struct perf_event_header));
	id = cursor_u64(&c);
	path = cursor_text(&c);
	if (c.failed || find(report, id))
		return 0;
	name = malloc(sizeof(*name));
	if (!name)
		return -ENOMEM;
	name->id = id;
	name->path = intern(&report->strings, path);
	if (name->path && !hash_add(&report->cgroups, hash_mix(id), name))
		return 0;
	free(name);
	return -ENOMEM;
}

const char *report_cgroup(const struct kermon_report *report, uint64_t id)
{
	const struct cgroup_name *name = find(report, id);

	return name ? name->path : NULL;
}

void report_free_cgroups(struct kermon_report *report)
{
	for (size_t i = 0; i < report->cgroups.room; i++)
		free(report->cgroups.slots[i].item);
	hash_free(&report->cgroups);
}
