// SPDX-License-Identifier: GPL-2.0
/* Takes marks and other records in order of time, and does what each of them means. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "private.h"
#include "util/cursor.h"

/* Node 0. */
static int make_outside(struct regions *regions)
{
	const char *name = intern(&regions->strings, "(outside)");

	return !name || tree_child(regions, REGIONS_NONE, name, REGION_NESTED) ? -ENOMEM : 0;
}

struct regions *regions_new(const struct regions_options *options)
{
	struct regions *regions = calloc(1, sizeof(*regions));

	if (!regions)
		return NULL;
	regions->paused_node = REGIONS_NONE;
	if (!make_outside(regions)) {
		if (options)
			regions->options = *options;
		return regions;
	}
	regions_free(regions);
	return NULL;
}

void regions_free(struct regions *regions)
{
	if (!regions)
		return;
	tracks_free(regions);
	overlaps_free(regions);
	region_names_free(regions);
	tree_free(regions);
	counts_unlearn(&regions->positions);
	intern_free(&regions->strings);
	free(regions);
}

int regions_open(struct regions *regions, const struct reader *reader)
{
	return counts_learn(&regions->positions, reader);
}

bool regions_are_in(const struct reader *reader)
{
	for (size_t i = 0; i < reader_nr_events(reader); i++)
		if (perfdata_is_mark(&reader_event(reader, i)->attr))
			return true;
	return false;
}

static double real_of(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static int take_begin(struct regions *regions, struct track *track, const struct region_mark *mark)
{
	const struct name *name = region_names_find(regions, track->process, mark->id);

	return name ? track_begin(regions, track, mark, name, mark->kind == MARK_SKIP) : -ENOMEM;
}

static int take_event(struct regions *regions, struct track *track, const struct region_mark *mark)
{
	const struct name *name = region_names_find(regions, track->process, mark->id);
	const uint32_t node = name ? tree_child(regions, track_node(track), name->text,
						REGION_EVENT) : REGIONS_NONE;
	struct stat_of *stat = node == REGIONS_NONE ? NULL : tree_stat(regions, track, node);
	struct region_call call = { .begin = mark->time, .end = mark->time };

	if (!stat)
		return -ENOMEM;
	stat->calls++;
	return calls_ended(regions, stat, &track->shown, &call);
}

static int take_value(struct regions *regions, struct track *track, const struct region_mark *mark)
{
	const struct name *name = region_names_find(regions, track->process, mark->id);
	struct stat_of *stat = track_stat(regions, track);
	const bool is_real = mark->kind == MARK_VALUE_DOUBLE;

	if (!name || !stat)
		return -ENOMEM;
	return tree_value(regions, stat, name->text, is_real ? real_of(mark->values[0]) :
			  (double)mark->values[0], is_real);
}

/* Counters are of no region. */
static int take_counter(struct regions *regions, struct track *track,
			const struct region_mark *mark)
{
	const struct name *name = region_names_find(regions, track->process, mark->id);
	struct stat_of *stat = tree_stat(regions, track, REGIONS_OUTSIDE);

	if (!name || !stat)
		return -ENOMEM;
	return tree_value(regions, stat, name->text, real_of(mark->values[0]), true);
}

static int take_pause(struct regions *regions, struct track *track, const struct region_mark *mark)
{
	(void)regions;
	if (!track->process->paused_since)
		track->process->paused_since = track->shown.last ? track->shown.last : 1;
	track->moved |= !mark->nr_counts;
	return 0;
}

static int take_resume(struct regions *regions, struct track *track, const struct region_mark *mark)
{
	struct region_process *process = track->process;

	(void)regions;
	process->paused = process_paused(process, track->shown.last);
	process->paused_since = 0;
	track->moved |= !mark->nr_counts;
	return 0;
}

static int take_lost(struct regions *regions, struct track *track, const struct region_mark *mark)
{
	struct stat_of *stat = track_stat(regions, track);

	if (!stat)
		return -ENOMEM;
	stat->lost += mark->values[0];
	regions->trouble.lost += mark->values[0];
	track->moved = true;
	return 0;
}

static int take_closed(struct regions *regions, struct track *track, const struct region_mark *mark)
{
	return track_close(regions, track, mark->time);
}

static int take_nothing(struct regions *regions, struct track *track,
			const struct region_mark *mark)
{
	(void)track;
	(void)mark;
	regions->trouble.damaged++;
	return 0;
}

/* What each kind of mark does, once time and counts before it have been added up. */
static int (*const takers[MARK_MAX])(struct regions *regions, struct track *track,
				     const struct region_mark *mark) = {
	[MARK_NONE] = take_nothing,
	[MARK_BEGIN] = take_begin,
	[MARK_END] = track_end,
	[MARK_EVENT] = take_event,
	[MARK_VALUE] = take_value,
	[MARK_VALUE_DOUBLE] = take_value,
	[MARK_OPEN] = overlaps_open,
	[MARK_CLOSE] = overlaps_close,
	[MARK_FRAME] = overlaps_frame,
	[MARK_COUNTER] = take_counter,
	[MARK_PAUSE] = take_pause,
	[MARK_RESUME] = take_resume,
	[MARK_SKIP] = take_begin,
	[MARK_COUNTED] = take_nothing,
	[MARK_LOST] = take_lost,
	[MARK_CLOSED] = take_closed,
};

static int take_mark(struct regions *regions, const struct regions_sample *sample)
{
	struct track *track;
	struct region_mark mark;
	int err;

	if (!mark_decode(sample, &mark) || mark.kind >= MARK_MAX) {
		regions->trouble.damaged++;
		return 0;
	}
	track = tracks_track(regions, sample->pid, sample->tid);
	if (!track)
		return -ENOMEM;
	track->shown.comm = sample->comm;
	err = track_advance(regions, track, mark.time);
	if (!err)
		err = counts_take(regions, track, &mark);
	return err ? err : takers[mark.kind](regions, track, &mark);
}

static void see_time(struct regions *regions, uint64_t time)
{
	if (time > regions->newest)
		regions->newest = time;
}

int regions_mark(struct regions *regions, const struct regions_sample *sample)
{
	struct region_process *process;
	int err;

	see_time(regions, sample->time);
	if (perfdata_is_region(sample->attr))
		return take_mark(regions, sample);
	process = tracks_process(regions, sample->pid);
	if (!process)
		return -ENOMEM;
	err = region_names_take(regions, process, sample);
	if (err != -EINVAL)
		return err;
	regions->trouble.damaged++;
	return 0;
}

/* All threads of a process end: another program takes its place. */
static int end_process(struct regions *regions, uint32_t pid, uint64_t time)
{
	struct region_process *process = tracks_process(regions, pid);
	int err = 0;

	if (!process)
		return -ENOMEM;
	for (struct track *track = process->threads; track && !err; track = track->next) {
		if (!track->shown.ended)
			err = track_close(regions, track, time);
		track->gone = true;
	}
	process->threads = NULL;
	process->paused = process_paused(process, time);
	process->paused_since = 0;
	region_names_forget(process);
	return err;
}

/* Its last interval may follow. */
static int end_thread(struct regions *regions, uint32_t pid, uint32_t tid, uint64_t time)
{
	struct track *track = tracks_known(regions, pid, tid);

	return track ? track_close(regions, track, time) : 0;
}

/* A new thread has this number, or a new process. */
static int begin_task(struct regions *regions, uint32_t pid, uint32_t parent, uint32_t tid,
		      uint64_t time)
{
	int err;

	if (pid != parent && pid == tid)
		return end_process(regions, pid, time);
	err = end_thread(regions, pid, tid, time);
	tracks_forget(regions, pid, tid);
	return err;
}

int regions_record(struct regions *regions, const struct record *record)
{
	struct cursor c = cursor_of(record->data, record->size);
	uint32_t words[4];

	see_time(regions, record->time);
	cursor_take(&c, sizeof(struct perf_event_header));
	for (int i = 0; i < 4; i++)
		words[i] = cursor_u32(&c);
	switch (record->type) {
	case PERF_RECORD_EXIT:		/* pid, ppid, tid, ptid */
		return c.failed ? 0 : end_thread(regions, words[0], words[2], record->time);
	case PERF_RECORD_FORK:		/* likewise */
		return c.failed ? 0 : begin_task(regions, words[0], words[1], words[2],
						 record->time);
	case PERF_RECORD_COMM:		/* pid, tid */
		if (c.failed || !(record->misc & PERF_RECORD_MISC_COMM_EXEC))
			return 0;
		return end_process(regions, words[0], record->time);
	default:
		return 0;
	}
}

int regions_end(struct regions *regions)
{
	struct track *track;
	int err = overlaps_end(regions);

	for (size_t i = 0; i < regions->nr_threads && !err; i++) {
		track = regions->threads[i];
		regions->trouble.threads += track->shown.marked;
		regions->trouble.uncounted += track->shown.marked && !track->shown.counted;
		if (!track->shown.ended)
			err = track_close(regions, track, regions->newest);
		if (!err)
			err = counts_settle(regions, track);
	}
	return err;
}

const struct regions_trouble *regions_trouble(const struct regions *regions)
{
	return &regions->trouble;
}
