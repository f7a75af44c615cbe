// SPDX-License-Identifier: GPL-2.0
/*
 * What may overlap: tasks, which have an identity in their process and may end in another
 * thread, and frames, which are known when they end.
 */
#include <errno.h>
#include <stdlib.h>

#include "private.h"

/**
 * struct task - a task; kept when it has ended, for the next one of the same identity
 * @stat: of its node and the thread in which it began
 * @process: that it belongs to
 * @begin: time; 0: it is not open
 * @paused: of the process, at @begin
 */
struct task {
	const struct region_process *process;
	uint64_t identity;
	struct stat_of *stat;
	uint64_t begin;
	uint64_t paused;
};

static bool same_task(const void *item, const void *key)
{
	const struct task *a = item, *b = key;

	return a->process == b->process && a->identity == b->identity;
}

static struct task *find(const struct regions *regions, const struct region_process *process,
			 uint64_t identity)
{
	const struct task key = { .process = process, .identity = identity };
	void **place = hash_find(&regions->tasks, hash_mix(hash_mix(identity) ^ process->pid),
				 same_task, &key);

	return place ? *place : NULL;
}

static struct task *make(struct regions *regions, const struct region_process *process,
			 uint64_t identity)
{
	struct task *task = calloc(1, sizeof(*task));

	if (!task)
		return NULL;
	task->process = process;
	task->identity = identity;
	if (!hash_add(&regions->tasks, hash_mix(hash_mix(identity) ^ process->pid), task))
		return task;
	free(task);
	return NULL;
}

static int end(struct regions *regions, struct task *task, uint64_t time, bool cut)
{
	const uint64_t paused = process_paused(task->process, time) - task->paused;
	struct region_call call = {
		.begin = task->begin,
		.end = time > task->begin ? time : task->begin,
		.cut = cut,
	};

	call.duration = call.end - call.begin;
	call.duration -= paused < call.duration ? paused : call.duration;
	task->begin = 0;
	return calls_ended(regions, task->stat, &regions->threads[task->stat->thread]->shown,
			   &call);
}

int overlaps_open(struct regions *regions, struct track *track, const struct region_mark *mark)
{
	const struct name *name = region_names_find(regions, track->process, mark->id);
	struct task *task = find(regions, track->process, mark->values[0]);
	const struct task *around = mark->values[1] ?
				    find(regions, track->process, mark->values[1]) : NULL;
	uint32_t node = around && around->begin ? around->stat->node : REGIONS_OUTSIDE;
	int err = 0;

	if (task && task->begin) {
		task->stat->missing++;
		regions->trouble.missing++;
		err = end(regions, task, track->shown.last, true);
	}
	if (!task)
		task = make(regions, track->process, mark->values[0]);
	node = name ? tree_branch(regions, node, name, REGION_TASK) : REGIONS_NONE;
	if (!task || err || node == REGIONS_NONE)
		return err ? err : -ENOMEM;
	task->begin = track->shown.last ? track->shown.last : 1;
	task->paused = process_paused(track->process, task->begin);
	task->stat = tree_stat(regions, track, node);
	if (!task->stat)
		return -ENOMEM;
	task->stat->calls++;
	return 0;
}

int overlaps_close(struct regions *regions, struct track *track, const struct region_mark *mark)
{
	struct task *task = find(regions, track->process, mark->values[0]);

	if (task && task->begin)
		return end(regions, task, track->shown.last, false);
	regions->trouble.stray++;
	return 0;
}

int overlaps_frame(struct regions *regions, struct track *track, const struct region_mark *mark)
{
	const struct name *name = region_names_find(regions, track->process, mark->id);
	const uint64_t begin = mark->values[0];
	const uint32_t node = name ? tree_branch(regions, REGIONS_OUTSIDE, name, REGION_FRAME) :
				     REGIONS_NONE;
	struct stat_of *stat = node == REGIONS_NONE ? NULL : tree_stat(regions, track, node);
	struct region_call call = { .begin = begin, .end = mark->time };

	if (!stat)
		return -ENOMEM;
	if (begin > mark->time || !begin) {
		regions->trouble.damaged++;
		return 0;
	}
	call.duration = mark->time - begin;
	stat->calls++;
	return calls_ended(regions, stat, &track->shown, &call);
}

int overlaps_end(struct regions *regions)
{
	struct task *task;
	int err = 0;

	for (size_t i = 0; i < regions->tasks.room && !err; i++) {
		task = regions->tasks.slots[i].item;
		if (!task || !task->begin)
			continue;
		task->stat->unended++;
		regions->trouble.unended++;
		err = end(regions, task, regions->newest, true);
	}
	return err;
}

void overlaps_free(struct regions *regions)
{
	for (size_t i = 0; i < regions->tasks.room; i++)
		free(regions->tasks.slots[i].item);
	hash_free(&regions->tasks);
}
