// SPDX-License-Identifier: GPL-2.0
/* The processes and threads that are followed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "private.h"
#include "util/array.h"

static bool has_pid(const void *item, const void *key)
{
	return ((const struct region_process *)item)->pid == *(const uint32_t *)key;
}

struct region_process *tracks_process(struct regions *regions, uint32_t pid)
{
	void **place = hash_find(&regions->processes, hash_mix(pid), has_pid, &pid);
	struct region_process *process;

	if (place)
		return *place;
	process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	process->pid = pid;
	if (!hash_add(&regions->processes, hash_mix(pid), process))
		return process;
	free(process);
	return NULL;
}

/* A number of a thread, of which there may be several, one after the other. Or NUMBERING_FULL. */
static uint32_t slot_of(struct regions *regions, uint32_t pid, uint32_t tid)
{
	const uint32_t known = regions->slots.nr;
	uint32_t slot;

	if (array_room(regions->current, regions->room_current, (size_t)known + 1) ||
	    array_room(regions->thread_names, regions->room_names, (size_t)known + 1))
		return NUMBERING_FULL;
	slot = numbering_get(&regions->slots, (uint64_t)pid << 32 | tid);
	if (slot == known) {
		regions->current[slot] = NULL;
		regions->thread_names[slot] = NULL;
	}
	return slot;
}

static struct track *new_track(struct regions *regions, uint32_t pid, uint32_t tid)
{
	struct region_process *process = tracks_process(regions, pid);
	struct track *track;

	if (!process || array_room(regions->threads, regions->room_threads,
				   regions->nr_threads + 1))
		return NULL;
	track = calloc(1, sizeof(*track));
	if (!track)
		return NULL;
	track->shown.pid = pid;
	track->shown.tid = tid;
	track->shown.number = regions->nr_threads;
	track->process = process;
	track->next = process->threads;
	process->threads = track;
	regions->threads[regions->nr_threads++] = track;
	return track;
}

/* That of a number, or a new one. @even_ended: it need not go on. */
static struct track *find_track(struct regions *regions, uint32_t pid, uint32_t tid,
				bool even_ended)
{
	uint32_t slot = slot_of(regions, pid, tid);
	struct track *track;

	if (slot == NUMBERING_FULL)
		return NULL;
	track = regions->current[slot];
	if (track && !track->gone && (even_ended || !track->shown.ended))
		return track;
	track = new_track(regions, pid, tid);
	if (!track)
		return NULL;
	track->shown.name = regions->thread_names[slot];
	regions->current[slot] = track;
	return track;
}

struct track *tracks_track(struct regions *regions, uint32_t pid, uint32_t tid)
{
	return find_track(regions, pid, tid, false);
}

struct track *tracks_counting(struct regions *regions, uint32_t pid, uint32_t tid)
{
	return find_track(regions, pid, tid, true);
}

void tracks_forget(struct regions *regions, uint32_t pid, uint32_t tid)
{
	uint32_t slot = numbering_find(&regions->slots, (uint64_t)pid << 32 | tid);

	if (slot != NUMBERING_FULL && regions->current[slot])
		regions->current[slot]->gone = true;
}

struct track *tracks_known(const struct regions *regions, uint32_t pid, uint32_t tid)
{
	uint32_t slot = numbering_find(&regions->slots, (uint64_t)pid << 32 | tid);
	struct track *track = slot == NUMBERING_FULL ? NULL : regions->current[slot];

	return track && !track->gone && !track->shown.ended ? track : NULL;
}

int tracks_set_name(struct regions *regions, uint32_t pid, uint32_t tid, const char *name)
{
	uint32_t slot = slot_of(regions, pid, tid);
	const char *copy = intern(&regions->strings, name);

	if (slot == NUMBERING_FULL || !copy)
		return -ENOMEM;
	regions->thread_names[slot] = copy;
	if (regions->current[slot] && !regions->current[slot]->shown.ended)
		regions->current[slot]->shown.name = copy;
	return 0;
}

uint64_t process_paused(const struct region_process *process, uint64_t time)
{
	if (!process->paused_since || time < process->paused_since)
		return process->paused;
	return process->paused + (time - process->paused_since);
}

const struct region_thread *regions_thread(const struct regions *regions, size_t number)
{
	return number < regions->nr_threads ? &regions->threads[number]->shown : NULL;
}

const struct region_thread *regions_thread_now(const struct regions *regions, uint32_t pid,
					       uint32_t tid)
{
	const struct track *track = tracks_known(regions, pid, tid);

	return track ? &track->shown : NULL;
}

uint32_t regions_now(const struct regions *regions, uint32_t pid, uint32_t tid)
{
	const struct track *track = tracks_known(regions, pid, tid);

	if (!track)
		return REGIONS_OUTSIDE;
	if (track->process->paused_since && regions->paused_node != REGIONS_NONE)
		return regions->paused_node;
	return track_node(track);
}

int regions_clock(struct regions *regions, const struct regions_sample *sample, uint64_t ns)
{
	struct track *track = tracks_counting(regions, sample->pid, sample->tid);
	struct stat_of *stat;

	if (!track)
		return -ENOMEM;
	track->shown.comm = sample->comm;
	stat = tree_stat(regions, track, regions_now(regions, sample->pid, sample->tid));
	if (!stat)
		return -ENOMEM;
	stat->sampled += ns;
	return 0;
}

static void free_track(struct track *track)
{
	for (uint32_t i = 0; i < track->nr; i++)
		free(track->open[i].counts);
	free(track->open);
	free(track->counts);
	free(track->totals);
	free(track);
}

void tracks_free(struct regions *regions)
{
	struct region_process *process;

	for (size_t i = 0; i < regions->nr_threads; i++)
		free_track(regions->threads[i]);
	for (size_t i = 0; i < regions->processes.room; i++) {
		process = regions->processes.slots[i].item;
		if (process)
			region_names_forget(process);
		free(process);
	}
	hash_free(&regions->processes);
	numbering_free(&regions->slots);
	free(regions->threads);
	free(regions->current);
	free(regions->thread_names);
}
