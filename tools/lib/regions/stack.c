// SPDX-License-Identifier: GPL-2.0
/*
 * The regions that a thread has open, one in the other, and those that are suspended. The
 * rules are in regions.h.
 *
 * Time does not go on here: it is that of the last mark, shown.last.
 */
#include <errno.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "private.h"
#include "util/array.h"

uint32_t track_node(const struct track *track)
{
	return track->now ? track->open[track->now - 1].node : REGIONS_OUTSIDE;
}

static struct open *top_of(const struct track *track)
{
	return track->nr ? &track->open[track->nr - 1] : NULL;
}

/* What the thread has counted, at the begin (0) or the end (1) of a call. */
static void note_counts(const struct regions *regions, const struct track *track,
			struct open *open, int end)
{
	const size_t nr = regions->positions.nr;

	if (open->counts && track->counts)
		memcpy(open->counts + end * nr, track->counts, nr * sizeof(*track->counts));
}

/* The end of the innermost region, open or suspended, as of now. */
static void end_now(const struct regions *regions, struct track *track, struct open *open)
{
	open->ended = track->shown.last;
	open->paused_end = process_paused(track->process, open->ended);
	note_counts(regions, track, open, 1);
}

/* What it has counted meanwhile; NULL: that is not wanted, or not known. */
static const uint64_t *counts_of(const struct regions *regions, const struct track *track,
				 const struct open *open)
{
	const size_t nr = regions->positions.nr;

	if (!open->counts || !track->counts)
		return NULL;
	for (size_t i = 0; i < nr; i++)
		open->counts[i] = open->counts[nr + i] - open->counts[i];
	return open->counts;
}

/* Take the innermost region away, whose end has been noted. */
static int finish(struct regions *regions, struct track *track, bool cut)
{
	struct open *open = &track->open[--track->nr];
	const uint64_t paused = open->paused_end - open->paused;
	const uint64_t whole = open->ended - open->begin;
	struct region_call call = {
		.begin = open->begin,
		.end = open->ended,
		.duration = whole > paused ? whole - paused : 0,
		.counts = counts_of(regions, track, open),
		.cut = cut,
	};
	int err;

	if (!open->suspended)
		track->now = open->below;
	err = calls_ended(regions, open->stat, &track->shown, &call);
	free(open->counts);
	open->counts = NULL;
	return err;
}

/* End what is suspended, and has nothing open in it. */
static int finish_suspended(struct regions *regions, struct track *track)
{
	int err = 0;

	while (!err && track->nr > track->now)
		err = finish(regions, track, false);
	return err;
}

static int push(struct regions *regions, struct track *track, const struct open *like)
{
	const struct region_node *node = &regions->nodes[like->node];
	struct open *open;

	if (array_room(track->open, track->room, (size_t)track->nr + 1))
		return -ENOMEM;
	open = &track->open[track->nr];
	*open = *like;
	open->stat = tree_stat(regions, track, open->node);
	open->begin = track->shown.last;
	open->paused = process_paused(track->process, open->begin);
	open->below = track->now;
	if (!open->stat)
		return -ENOMEM;
	if (node->wanted) {
		open->counts = calloc(2 * regions->positions.nr, sizeof(*open->counts));
		if (!open->counts)
			return -ENOMEM;
		note_counts(regions, track, open, 0);
	}
	open->stat->calls++;
	track->now = ++track->nr;
	return 0;
}

/*
 * End what a begin of this name does not go on with, or continue it. Return: 1 if it was
 * continued, 0 if not, or an error.
 */
static int resume(struct regions *regions, struct track *track, const struct name *name)
{
	bool inner = false, same;
	struct open *top;
	int err;

	while (track->nr > track->now) {
		top = top_of(track);
		same = top->name->text == name->text;
		if (same && inner) {
			top->suspended = false;
			track->now = track->nr;
			return 1;
		}
		if (!same && name_is_above(top->name, name))
			return 0;
		inner = !same;
		err = finish(regions, track, false);
		if (err)
			return err;
	}
	return 0;
}

/* The node below which the branch of a name begins. */
static uint32_t base_for(const struct track *track, const struct name *name)
{
	const struct open *top = top_of(track);

	if (!top)
		return REGIONS_OUTSIDE;
	if (top->suspended || (name->is_branch && (top->name->is_branch ||
						   name_is_above(top->name, name))))
		return top->base;
	return top->node;
}

static uint32_t node_excluded(struct regions *regions, uint32_t base, const struct name *name)
{
	char text[REGIONS_NAME + 16];
	const char *excluded;

	snprintf(text, sizeof(text), "%s (excluded)", name->path[name->nr - 1]);
	excluded = intern(&regions->strings, text);
	for (uint32_t i = 0; i + 1 < name->nr && base != REGIONS_NONE; i++)
		base = tree_child(regions, base, name->path[i], REGION_NESTED);
	if (!excluded || base == REGIONS_NONE)
		return REGIONS_NONE;
	return tree_child(regions, base, excluded, REGION_EXCLUDED);
}

int track_begin(struct regions *regions, struct track *track, const struct region_mark *mark,
		const struct name *name, bool excluded)
{
	struct open new = { .name = name, .excluded = excluded };
	int resumed = name->may_pause && !excluded ? resume(regions, track, name) :
						     finish_suspended(regions, track);

	track->moved |= !mark->nr_counts;
	if (resumed)
		return resumed < 0 ? resumed : 0;
	if (track->nr == REGIONS_DEPTH) {
		track->deeper++;
		regions->trouble.too_deep++;
		return 0;
	}
	new.base = base_for(track, name);
	new.node = excluded ? node_excluded(regions, new.base, name) :
			      tree_branch(regions, new.base, name, REGION_NESTED);
	return new.node == REGIONS_NONE ? -ENOMEM : push(regions, track, &new);
}

/* The innermost open region of this name, as an index plus one; 0: none. */
static uint32_t find_open(const struct track *track, const char *text)
{
	uint32_t at = track->now;

	while (at && track->open[at - 1].name->text != text)
		at = track->open[at - 1].below;
	return at;
}

/* End all regions inside of the one with this index, which have no end of their own. */
static int end_inner(struct regions *regions, struct track *track, uint32_t index)
{
	struct open *top;
	bool missing;
	int err = 0;

	while (track->nr > index && !err) {
		top = top_of(track);
		missing = !top->suspended && !top->excluded;
		if (!top->suspended)
			end_now(regions, track, top);
		top->stat->missing += missing;
		regions->trouble.missing += missing;
		err = finish(regions, track, missing);
	}
	return err;
}

/* End the innermost open region, which is the innermost of all. */
static int end_top(struct regions *regions, struct track *track)
{
	struct open *top = top_of(track);

	end_now(regions, track, top);
	if (!top->name->may_pause || top->excluded)
		return finish(regions, track, false);
	top->suspended = true;
	track->now = top->below;
	return 0;
}

int track_end(struct regions *regions, struct track *track, const struct region_mark *mark)
{
	const struct name *name = mark->id ? region_names_known(track->process, mark->id) : NULL;
	uint32_t at = track->now;
	int err;

	if (track->deeper) {
		track->deeper--;
		return 0;
	}
	if (mark->id)
		at = name ? find_open(track, name->text) : 0;
	if (!at) {
		/* Any end is the end of what was excluded. */
		at = track->now && track->open[track->now - 1].excluded ? track->now : 0;
		regions->trouble.stray += !at;
	}
	if (!at)
		return 0;
	track->moved |= !mark->nr_counts;
	err = end_inner(regions, track, at);
	return err ? err : end_top(regions, track);
}

int track_close(struct regions *regions, struct track *track, uint64_t time)
{
	int err = track->shown.marked && time > track->shown.last ?
		  track_advance(regions, track, time) : 0;
	struct open *top;
	bool cut;

	while (track->nr && !err) {
		top = top_of(track);
		cut = !top->suspended;
		if (cut)
			end_now(regions, track, top);
		top->stat->unended += cut;
		regions->trouble.unended += cut;
		err = finish(regions, track, cut);
	}
	track->shown.ended = true;
	return err;
}
