/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files of this folder and no others. */
#ifndef KERMON_REGIONS_PRIVATE_H
#define KERMON_REGIONS_PRIVATE_H

#include <linux/kermon.h>

#include "marks/ring.h"
#include "perfdata/format/format.h"
#include "regions.h"
#include "util/hash.h"
#include "util/intern.h"
#include "util/numbering.h"

/**
 * struct name - a name of a process
 * @id: its number
 * @kind: enum mark_name
 * @may_pause: its end may be continued: see "Names that are branches" in regions.h
 * @is_branch: it is several names, or begins with a blank
 * @nr: number of @path
 * @path: interned names, outermost first
 * @text: as it is, interned
 * @next: of all
 */
struct name {
	uint32_t id;
	uint32_t kind;
	bool may_pause;
	bool is_branch;
	uint32_t nr;
	const char **path;
	const char *text;
	struct name *next;
};

/**
 * struct region_process - a process with marks
 * @names: by number
 * @texts: those of events and tasks, by text
 * @paused: ns before @paused_since in which nothing was collected
 * @paused_since: 0: it is not paused
 * @threads: those that have not ended, and others
 */
struct region_process {
	uint32_t pid;
	struct hash names;
	struct hash texts;
	uint64_t paused;
	uint64_t paused_since;
	struct track *threads;
};

/**
 * struct open - a region that a thread has open, or suspended
 * @name: its name, by which its end finds it
 * @excluded: it is the end of what was excluded
 * @suspended: it has ended at @ended, but may be continued
 * @base: node below which its branch begins
 * @node: its node
 * @stat: of @node and the thread
 * @begin: time
 * @ended: time
 * @paused: of the process, at @begin
 * @paused_end: likewise at @ended
 * @below: index of the open region that is the innermost one without it, plus one
 * @counts: of the thread at @begin, and as many at @ended; NULL: not wanted
 */
struct open {
	const struct name *name;
	bool excluded;
	bool suspended;
	uint32_t base;
	uint32_t node;
	struct stat_of *stat;
	uint64_t begin;
	uint64_t ended;
	uint64_t paused;
	uint64_t paused_end;
	uint32_t below;
	uint64_t *counts;
};

/**
 * struct stat_of - what a thread did in a node; @counts by position, NULL: none yet
 * @self: ns; the other members as in struct region_sum
 * @next: of the same thread
 */
struct stat_of {
	uint32_t node;
	uint32_t thread;
	uint64_t calls;
	uint64_t self;
	uint64_t missing;
	uint64_t unended;
	uint64_t lost;
	uint64_t mixed;
	uint64_t sampled;
	uint64_t *counts;
	struct durations durations;
	struct region_value *values;
	struct stat_of *next;
};

/**
 * struct track - a thread that is followed
 * @shown: the part for others
 * @process: that it belongs to
 * @open: @nr regions, outermost first
 * @now: index of the innermost that is not suspended, plus one
 * @deeper: number of regions beyond REGIONS_DEPTH
 * @paused: of the process, at the last mark
 * @counts: by position, as the last marks had them; NULL: no mark had any
 * @totals: what intervals have counted; NULL: there were none
 * @outside: what it does outside of all regions; NULL: nothing yet
 * @gone: its number may be that of another thread: what is counted now is not its own
 * @moved: it has changed its node at a mark without counts
 * @stats: of its nodes
 * @next: of @process
 */
struct track {
	struct region_thread shown;
	struct region_process *process;
	struct open *open;
	uint32_t nr;
	size_t room;
	uint32_t now;
	uint64_t deeper;
	uint64_t paused;
	uint64_t *counts;
	uint64_t *totals;
	bool moved;
	bool gone;
	struct stat_of *outside;
	struct stat_of *stats;
	struct track *next;
};

/**
 * struct positions - the events that a mark has counts of
 * @nr: number of them, over all sets
 * @event: by position; -1: none
 * @of_event: position by event; -1: not counted; @nr_events of them
 * @nr_fixed: number of those that are in all marks, but for ns on a CPU
 * @nr_sets: number of rotated sets; 0: there is no rotation
 * @first: position of the first event of a set
 * @in_set: number of its events
 */
struct positions {
	size_t nr;
	int *event;
	int *of_event;
	size_t nr_events;
	size_t nr_fixed;
	size_t nr_sets;
	size_t first[KERMON_MAX_SETS];
	size_t in_set[KERMON_MAX_SETS];
};

/**
 * struct regions - all regions of a recording
 * @strings: of names
 * @nodes: by number, @nr_nodes of them
 * @by_parent: numbers of nodes
 * @stat_numbers: of thread << 32 | node
 * @stats: by these
 * @values: numbers that were attached, by node, thread and name
 * @processes: by pid
 * @all_names: to be freed
 * @slots: numbers of pid << 32 | tid
 * @current: the last thread of each
 * @thread_names: that each was given
 * @threads: by number, @nr_threads of them
 * @tasks: that overlap, by pid and identity
 * @newest: time of the newest record
 * @paused_node: "(paused)"; REGIONS_NONE: none yet
 */
struct regions {
	struct regions_options options;
	struct interned strings;
	struct region_node *nodes;
	uint32_t nr_nodes;
	size_t room_nodes;
	struct hash by_parent;
	struct numbering stat_numbers;
	struct stat_of **stats;
	size_t room_stats;
	struct hash values;
	struct hash processes;
	struct name *all_names;
	struct numbering slots;
	struct track **current;
	const char **thread_names;
	size_t room_current;
	size_t room_names;
	struct track **threads;
	size_t nr_threads;
	size_t room_threads;
	struct hash tasks;
	struct positions positions;
	struct regions_trouble trouble;
	uint64_t newest;
	uint32_t paused_node;
};

/* A mark, decoded. @counts: @nr_counts words, not aligned. */
struct region_mark {
	uint8_t kind;
	uint8_t set;
	uint8_t nr_counts;
	uint32_t id;
	uint64_t time;
	uint64_t values[2];
	const unsigned char *counts;
};

/* decode.c: false: it is too short, or of another byte order. */
bool mark_decode(const struct regions_sample *sample, struct region_mark *mark);

/*
 * names.c: add the name that a sample of kermon:region_name has. @process: of the sample.
 * Return: 0; -EINVAL: it is no name; -ENOMEM.
 */
int region_names_take(struct regions *regions, struct region_process *process,
	       const struct regions_sample *sample);
/* The name with this number; one is made up if there is none. NULL: out of memory. */
const struct name *region_names_find(struct regions *regions, struct region_process *process,
			      uint32_t id);
/* The same, but NULL if there is none. */
const struct name *region_names_known(const struct region_process *process, uint32_t id);
/* Forget the names of a process: another program runs in it. */
void region_names_forget(struct region_process *process);
void region_names_free(struct regions *regions);

/* Whether all of @name is the begin of @branch, and is shorter. */
bool name_is_above(const struct name *name, const struct name *branch);

/*
 * tree.c: the node of a name in another one; a new one, or @parent if it is as deep as it can
 * be. @name: interned. Return: REGIONS_NONE if out of memory.
 */
uint32_t tree_child(struct regions *regions, uint32_t parent, const char *name,
		    enum region_kind kind);
/* That of a branch. */
uint32_t tree_branch(struct regions *regions, uint32_t base, const struct name *name,
		     enum region_kind kind);
/* What a thread does in a node. NULL: out of memory. */
struct stat_of *tree_stat(struct regions *regions, struct track *track, uint32_t node);
/* Attach a number. Return: 0 or -ENOMEM. */
int tree_value(struct regions *regions, struct stat_of *stat, const char *name, double value,
	       bool is_real);
void tree_free(struct regions *regions);

/* tracks.c */
struct region_process *tracks_process(struct regions *regions, uint32_t pid);
/* The thread now, a new one if there is none or it has ended. NULL: out of memory. */
struct track *tracks_track(struct regions *regions, uint32_t pid, uint32_t tid);
/* The same, but NULL if there is none that has not ended. */
struct track *tracks_known(const struct regions *regions, uint32_t pid, uint32_t tid);
/* The same, but one that has ended still counts: until another thread has its number. */
struct track *tracks_counting(struct regions *regions, uint32_t pid, uint32_t tid);
/* The thread that had these numbers has them no more. */
void tracks_forget(struct regions *regions, uint32_t pid, uint32_t tid);
int tracks_set_name(struct regions *regions, uint32_t pid, uint32_t tid, const char *name);
void tracks_free(struct regions *regions);
/* ns for which the process has been paused until @time. */
uint64_t process_paused(const struct region_process *process, uint64_t time);

/*
 * stack.c: all take a thread whose time and counts are up to date, see track_advance().
 * Return: 0, -ENOMEM, or that of a callback.
 */
int track_begin(struct regions *regions, struct track *track, const struct region_mark *mark,
		const struct name *name, bool excluded);
int track_end(struct regions *regions, struct track *track, const struct region_mark *mark);
/* End all that is open, with the thread. */
int track_close(struct regions *regions, struct track *track, uint64_t time);
/* The node that it is in, without regard to pauses. */
uint32_t track_node(const struct track *track);

/* time.c: what the thread does in the current node. NULL: out of memory. */
struct stat_of *track_stat(struct regions *regions, struct track *track);
/* Add the time since the last mark to the current node. Return: 0 or -ENOMEM. */
int track_advance(struct regions *regions, struct track *track, uint64_t time);

/* counts.c */
int counts_learn(struct positions *positions, const struct reader *reader);
void counts_unlearn(struct positions *positions);
/* Add the counts of a mark, if it has any, to the current node. Return: as track_begin(). */
int counts_take(struct regions *regions, struct track *track, const struct region_mark *mark);
/* Attribute what marks do not cover, after the last record. Return: 0 or -ENOMEM. */
int counts_settle(struct regions *regions, struct track *track);

/* overlaps.c: those that overlap, and frames. Return: as track_begin(). */
int overlaps_open(struct regions *regions, struct track *track, const struct region_mark *mark);
int overlaps_close(struct regions *regions, struct track *track, const struct region_mark *mark);
int overlaps_frame(struct regions *regions, struct track *track, const struct region_mark *mark);
/* End those that are open. */
int overlaps_end(struct regions *regions);
void overlaps_free(struct regions *regions);

/* calls.c: a call has ended: sum it up, and tell of it. Return: as track_begin(). */
int calls_ended(struct regions *regions, struct stat_of *stat, const struct region_thread *thread,
		struct region_call *call);

#endif /* KERMON_REGIONS_PRIVATE_H */
