/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files of the profile and no others. */
#ifndef KERMON_PROFILE_PRIVATE_H
#define KERMON_PROFILE_PRIVATE_H

#include <kermon/profile.h>

#include "calls/calls.h"
#include "counts.h"
#include "flow/pipeline.h"
#include "regions/regions.h"
#include "tracepoints.h"
#include "util/hash.h"
#include "util/intern.h"

/**
 * struct kermon_profile - a file whose contents are passed to callbacks
 * @events: those of the file, in its order
 * @now: the sample of the current callback
 * @chain: its call chain; @frames is the same for the program, with room for
 *	@room_frames
 * @lines: the source returned last, with room for @room_lines
 * @names: cached names of symbols
 * @strings: the strings that they point to
 * @tracepoints: descriptions in the file, once they have been needed
 * @counts: of perf stat, once they have been needed
 * @regions: that marks are about; NULL: no callback gets marks
 * @mark: what the last one that was asked for says
 */
struct kermon_profile {
	struct pipeline pipeline;
	struct kermon_profile_callbacks callbacks;
	void *context;
	struct kermon_profile_event *events;
	size_t nr_events;
	const struct pipeline_sample *now;
	struct callchain *chain;
	struct kermon_frame *frames;
	size_t room_frames;
	struct kermon_source_line *lines;
	size_t room_lines;
	struct hash names;
	struct interned strings;
	struct tracepoints *tracepoints;
	struct counts *counts;
	struct regions *regions;
	char mark[4096];
};

/* profile_place.c */
void profile_free_names(struct kermon_profile *profile);

#endif /* KERMON_PROFILE_PRIVATE_H */
