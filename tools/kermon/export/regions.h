/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to regions.c: the regions of the recording that is exported. */
#ifndef KERMON_EXPORT_REGIONS_H
#define KERMON_EXPORT_REGIONS_H

#include <kermon/profile.h>

#include "regions/regions.h"

/**
 * struct export_call - a call of a region, or an event, which has no duration
 * @root: of its thread, in the stacks
 */
struct export_call {
	struct region_call call;
	uint32_t root;
};

/**
 * struct export_regions - all calls
 * @all: followed until now; NULL: not begun
 * @calls: in order of their end, @nr of them
 * @kept: calls are kept: the format has use for them
 */
struct export_regions {
	struct regions *all;
	struct export_call *calls;
	size_t nr;
	size_t room;
	bool kept;
};

/* Return, as all below: 0 or -ENOMEM. */
int export_regions_begin(struct export_regions *regions);
void export_regions_free(struct export_regions *regions);

/* Take a mark; any record that is no sample; and the end of the file. */
int export_regions_mark(struct export_regions *regions, const struct kermon_profile_sample *mark);
int export_regions_record(struct export_regions *regions,
			  const struct kermon_profile_record *record);
int export_regions_end(struct export_regions *regions);

/*
 * The names of the branch that a sample is in, outermost first; none if it is outside.
 * Return: their number.
 */
size_t export_regions_names(const struct export_regions *regions,
			    const struct kermon_profile_sample *sample,
			    const char *names[REGIONS_DEPTH]);

#endif /* KERMON_EXPORT_REGIONS_H */
