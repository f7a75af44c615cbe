// SPDX-License-Identifier: GPL-2.0
/* Follows the regions of a recording that is exported, and keeps their calls. */
#include <errno.h>
#include <stdlib.h>

#include "regions.h"
#include "util/array.h"

static int keep(void *context, const struct region_call *call)
{
	struct export_regions *regions = context;

	if (array_room(regions->calls, regions->room, regions->nr + 1))
		return -ENOMEM;
	regions->calls[regions->nr++] = (struct export_call){ .call = *call };
	return 0;
}

int export_regions_begin(struct export_regions *regions)
{
	const struct regions_options options = {
		.call = regions->kept ? keep : NULL, .context = regions,
	};

	regions->all = regions_new(&options);
	return regions->all ? 0 : -ENOMEM;
}

void export_regions_free(struct export_regions *regions)
{
	regions_free(regions->all);
	free(regions->calls);
}

int export_regions_mark(struct export_regions *regions, const struct kermon_profile_sample *mark)
{
	return regions_mark(regions->all, &(struct regions_sample){
		.attr = mark->event->attr,
		.raw = mark->raw,
		.raw_size = mark->raw_size,
		.pid = mark->pid,
		.tid = mark->tid,
		.time = mark->time,
		.comm = mark->comm,
	});
}

int export_regions_record(struct export_regions *regions,
			  const struct kermon_profile_record *record)
{
	return regions_record(regions->all, &(struct record){
		.data = record->bytes,
		.size = record->size,
		.type = record->type,
		.misc = record->misc,
		.time = record->time,
	});
}

int export_regions_end(struct export_regions *regions)
{
	return regions_end(regions->all);
}

size_t export_regions_names(const struct export_regions *regions,
			    const struct kermon_profile_sample *sample,
			    const char *names[REGIONS_DEPTH])
{
	uint32_t path[REGIONS_DEPTH];
	size_t nr = regions_path(regions->all, regions_now(regions->all, sample->pid, sample->tid),
				 path);

	for (size_t i = 0; i < nr; i++)
		names[i] = regions_node(regions->all, path[i])->name;
	return nr;
}
