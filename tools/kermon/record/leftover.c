// SPDX-License-Identifier: GPL-2.0
/* Counts processes of a recording that are still running after it. */
#include <stdlib.h>

#include "leftover.h"
#include "machine/proc.h"
#include "recording.h"
#include "util/array.h"

/**
 * struct pids - processes
 * @pids: their pids
 * @nr: length of @pids
 * @room: allocated length of @pids
 */
struct pids {
	pid_t *pids;
	size_t nr;
	size_t room;
};

static bool is_among(const struct pids *pids, pid_t pid)
{
	size_t i;

	for (i = 0; i < pids->nr; i++)
		if (pids->pids[i] == pid)
			return true;
	return false;
}

static void take_task(const struct kermon_task *task, void *data)
{
	struct pids *pids = data;

	if (!task->unrecorded && !is_among(pids, task->pid) &&
	    !array_room(pids->pids, pids->room, pids->nr + 1))
		pids->pids[pids->nr++] = task->pid;
}

unsigned int leftover_count(const struct recording *recording)
{
	const pid_t own = recording->workload.pid;
	struct pids processes = { 0 };
	unsigned int nr = 0;
	size_t i;

	/* A revoked recording has no tasks, but those that it had may run on. */
	if (!record_is_revoked(recording) && !proc_fdinfo(recording->log, "kermon-tasks"))
		return 0;
	kermon_recorder_tasks(recording->recorder, take_task, &processes);
	for (i = 0; i < processes.nr; i++)
		if (processes.pids[i] != own && proc_is_alive(processes.pids[i]))
			nr++;
	free(processes.pids);
	return nr;
}
