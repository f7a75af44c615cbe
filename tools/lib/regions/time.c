// SPDX-License-Identifier: GPL-2.0
/* The time that threads spend in their nodes. */
#include <errno.h>

#include "private.h"

/* The node of what is paused, made when it is needed first. */
static uint32_t paused_node(struct regions *regions)
{
	const char *name = intern(&regions->strings, "(paused)");

	if (regions->paused_node == REGIONS_NONE && name)
		regions->paused_node = tree_child(regions, REGIONS_OUTSIDE, name,
						  REGION_PAUSED);
	return regions->paused_node;
}

/* What the thread does in the node that it is in; NULL: out of memory. */
struct stat_of *track_stat(struct regions *regions, struct track *track)
{
	if (track->now)
		return track->open[track->now - 1].stat;
	if (!track->outside)
		track->outside = tree_stat(regions, track, REGIONS_OUTSIDE);
	return track->outside;
}

static int add_paused(struct regions *regions, struct track *track, uint64_t ns)
{
	const uint32_t node = paused_node(regions);
	struct stat_of *stat = node == REGIONS_NONE ? NULL : tree_stat(regions, track, node);

	if (!stat)
		return -ENOMEM;
	stat->self += ns;
	regions->trouble.paused += ns;
	return 0;
}

/* The first mark of a thread: its time begins. */
static void begin_time(struct track *track, uint64_t time)
{
	track->shown.first = time;
	track->shown.last = time;
	track->shown.marked = true;
	track->paused = process_paused(track->process, time);
}

int track_advance(struct regions *regions, struct track *track, uint64_t time)
{
	struct stat_of *stat = track_stat(regions, track);
	uint64_t ns, paused;

	if (!stat)
		return -ENOMEM;
	if (!track->shown.marked) {
		begin_time(track, time);
		return 0;
	}
	if (time < track->shown.last) {
		regions->trouble.late++;
		return 0;
	}
	ns = time - track->shown.last;
	paused = process_paused(track->process, time) - track->paused;
	if (paused > ns)
		paused = ns;
	track->shown.last = time;
	track->paused = process_paused(track->process, time);
	stat->self += ns - paused;
	return paused ? add_paused(regions, track, paused) : 0;
}
