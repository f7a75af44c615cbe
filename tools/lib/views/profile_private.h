/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the profile share with each other and with nobody else. */
#ifndef KERMON_PROFILE_PRIVATE_H
#define KERMON_PROFILE_PRIVATE_H

#include <kermon/profile.h>

#include "calls/calls.h"
#include "counts.h"
#include "flow/pipeline.h"
#include "tracepoints.h"
#include "util/hash.h"
#include "util/intern.h"

/**
 * struct kermon_profile - a file on its way to callbacks
 * @events: those of the file, in its order
 * @now: the sample that is being told
 * @chain: its call chain; @frames are the same for the program, with room for
 *	@room_frames
 * @lines: of the source that was asked for last, with room for @room_lines
 * @names: of every symbol that was asked for
 * @strings: that they point to
 * @tracepoints: descriptions of the file's, once they were asked for
 * @counts: of perf stat, once there are some that are asked for
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
};

/* profile_place.c */
void profile_free_names(struct kermon_profile *profile);

#endif /* KERMON_PROFILE_PRIVATE_H */
