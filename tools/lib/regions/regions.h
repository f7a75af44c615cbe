/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Regions that a program has marked: which branch of nested names each thread is in, when,
 * how long, and what it counts there. This is the header of this folder for other folders.
 *
 *	regions_new() -> regions_open() -> regions_mark(), regions_record()... in order of
 *	time -> regions_end() -> regions_sum(), regions_node()
 *
 * What the marks mean
 * -------------------
 *
 * A *node* is a branch of names, outermost first, whatever the process: Fit in Track is
 * another node than Fit in Vertex. Node 0, REGIONS_OUTSIDE, is where a thread is that has
 * no region open. Each moment of a thread, from its first mark on, belongs to one node: the
 * innermost that is open. That is its *self* time; *total* is the sum over the subtree. Both
 * add up, by construction.
 *
 * - Begin and end nest. A region in itself is a node of its own (A/A).
 * - The end of a region ends those open inside, too: *missing ends*, of the inner ones.
 * - The end of a region that is not open has no effect: an *end without begin*.
 * - When a thread ends, by its last mark, EXIT, exec or with the file, regions that are open
 *   end there: *unended*. A thread of the same number is another one.
 * - After fork(), the child is outside of all regions.
 * - While a process is paused, its threads are in the node "(paused)" under REGIONS_OUTSIDE,
 *   and neither time nor durations of regions go on.
 * - What was excluded is the node "NAME (excluded)", up to the next end.
 * - Marks that were lost make the node that is current then *incomplete*.
 * - Tasks that overlap have no time of their own, but calls and durations: nodes of
 *   REGION_TASK, inside of the task that they name, or else under REGIONS_OUTSIDE. So have
 *   frames (REGION_FRAME). Events (REGION_EVENT) have calls only, inside the current node.
 *
 * Names that are branches
 * -----------------------
 *
 * Gaudi's auditor names an event by its branch: the names of what is around it, separated by
 * blanks, with a blank in front of the topmost (" Top", " Top Sub"). It ends the event of the
 * parent when that of a child begins, and begins it again afterwards. A name of kind EVENT or
 * TASK is taken for a branch if it begins with a blank, or if what is before one of its
 * blanks is another such name of the process: the longest that is. Then
 *
 * - its node is below the node in which the topmost was begun;
 * - an end leaves it suspended: a begin of a name below it continues it, and so does a begin
 *   of the same name once something below it has ended. Any other begin, an end of a region
 *   around it, or the end of the thread ends it, as of when it was suspended;
 * - a begin that continues is no call, and the duration of a call is from the first begin to
 *   the last end.
 *
 * Counts
 * ------
 *
 * Counts in marks are those of the thread so far; differences between two marks belong to
 * the node that was current in between. If that changed at a mark without counts, they are
 * all counted at the next one that has some, and the node is *mixed*. Where sets of events
 * are rotated, differences are between marks of the same set, and all nodes are.
 */
#ifndef KERMON_REGIONS_H
#define KERMON_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "flow/pipeline.h"
#include "perfdata/read/read.h"

/* Names in a branch, and regions that a thread may have open; those beyond are not told apart. */
#define REGIONS_DEPTH		512

/* Names of a branch in one name; the rest is one name. */
#define REGIONS_PATH		32

/* Longest name; longer ones are cut. */
#define REGIONS_NAME		1000

#define REGIONS_OUTSIDE		0
#define REGIONS_NONE		UINT32_MAX

enum region_kind {
	REGION_NESTED,
	REGION_EXCLUDED,
	REGION_PAUSED,
	REGION_EVENT,
	REGION_TASK,
	REGION_FRAME,
};

/**
 * struct region_node - a branch
 * @name: innermost name; of REGIONS_OUTSIDE "(outside)"
 * @parent: node around it; REGIONS_NONE: none. Its number is lower
 * @kind: enum region_kind
 * @depth: number of names; 0: REGIONS_OUTSIDE
 * @calls: number of calls whose iterations are numbered
 * @wanted: see @iterations of struct regions_options
 */
struct region_node {
	const char *name;
	uint32_t parent;
	uint32_t depth;
	uint8_t kind;
	bool wanted;
	uint64_t calls;
};

/**
 * struct region_thread - a thread that was marked or counted
 * @pid: its process; @tid: the thread
 * @comm: its name in the last record, valid as long as the reader of the records
 * @name: that it has given itself; NULL: none
 * @number: among all, from 0 on
 * @first: time of the first mark; 0: there is none
 * @last: of the last one, or its end
 * @counted: its marks have counts
 * @marked: it has marks
 * @ended: with its last mark, or by exit or exec
 */
struct region_thread {
	uint32_t pid;
	uint32_t tid;
	const char *comm;
	const char *name;
	uint32_t number;
	uint64_t first;
	uint64_t last;
	bool counted;
	bool marked;
	bool ended;
};

/* Relative error of a percentile of durations: half a bucket. */
#define DURATIONS_ERROR		(1.0 / 32)

/**
 * struct durations - durations of calls, in ns
 * @nr: number of them
 * @sum: of all; likewise the extremes
 * @buckets: number of durations in each of @nr_buckets buckets, the first of which is
 *	@first; 16 buckets have the same width, and the next 16 twice that
 */
struct durations {
	uint64_t nr;
	uint64_t sum;
	uint64_t least;
	uint64_t most;
	uint64_t *buckets;
	uint16_t first;
	uint16_t nr_buckets;
};

/* Return: 0 or -ENOMEM. */
int durations_add(struct durations *durations, uint64_t ns);
int durations_join(struct durations *to, const struct durations *from);
void durations_free(struct durations *durations);

/*
 * The duration that a share of all, from 0 to 1, does not exceed; 0 if there is none. Exact to
 * DURATIONS_ERROR.
 */
uint64_t durations_percentile(const struct durations *durations, double share);

/* The number of buckets in use; bucket @index has durations from @from to before @to. */
uint64_t durations_bucket(const struct durations *durations, size_t index, uint64_t *from,
			  uint64_t *to);

/**
 * struct region_value - numbers attached to a node under one name
 * @name: of the numbers
 * @nr: how many; and their sum and extremes
 * @is_real: they are floating-point numbers
 */
struct region_value {
	const char *name;
	uint64_t nr;
	double sum;
	double least;
	double most;
	bool is_real;
	struct region_value *next;
};

/**
 * struct region_sum - what happened in a node
 * @calls: begins that were no continuation
 * @self: ns in it, and in no node below
 * @total: ns in it and all nodes below
 * @missing: calls that were ended by the end of a region around them
 * @unended: calls that ended with their thread
 * @lost: marks that were lost in it
 * @mixed: how often counts had to be taken for its own that may be of others
 * @self_counts: by position in the marks, see regions_counted(): ns on a CPU first
 * @total_counts: likewise
 * @sampled: what samples of a clock say of the ns on a CPU, self; and of the @sampled_total
 * @durations: of the calls that have ended
 * @values: list of what was attached
 */
struct region_sum {
	uint64_t calls;
	uint64_t self;
	uint64_t total;
	uint64_t missing;
	uint64_t unended;
	uint64_t lost;
	uint64_t mixed;
	uint64_t *self_counts;
	uint64_t *total_counts;
	uint64_t sampled;
	uint64_t sampled_total;
	struct durations durations;
	struct region_value *values;
};

/**
 * struct region_call - a call that has ended, or an event
 * @node: its node
 * @thread: in which it began
 * @number: of the node's calls in all threads, in order of their end, from 1 on
 * @begin: time
 * @end: time; of an event the same
 * @duration: ns, without what was paused
 * @counts: of the call with all in it, by position in the marks; NULL: it has none
 * @cut: it ended with its thread, or by the end of a region around it
 */
struct region_call {
	uint32_t node;
	const struct region_thread *thread;
	uint64_t number;
	uint64_t begin;
	uint64_t end;
	uint64_t duration;
	const uint64_t *counts;
	bool cut;
};

/**
 * struct regions_options - what is wanted besides sums; all may be 0
 * @iterations: pattern of fnmatch(3), of the names or branches ("Loop/Event") whose calls
 *	have counts in @call; NULL: none
 * @call: told of each call when it ends, and of events; may be NULL
 * @counted: told of the difference of a count, before the mark that has it takes effect:
 *	where @thread was; may be NULL
 * @context: of both. They return 0, or -errno, which ends reading
 */
struct regions_options {
	const char *iterations;
	int (*call)(void *context, const struct region_call *call);
	int (*counted)(void *context, const struct region_thread *thread, uint32_t node,
		       size_t event, uint64_t delta);
	void *context;
};

/**
 * struct regions_trouble - what limits the numbers, of all threads
 * @lost: marks that were lost
 * @missing: regions that were ended by the end of one around them
 * @stray: ends without a begin
 * @unended: regions that ended with their thread
 * @too_deep: regions beyond REGIONS_DEPTH
 * @damaged: marks that make no sense
 * @late: marks that are older than one before them
 * @mixed: see above
 * @reset: counts that were smaller than before
 * @unnamed: marks whose name is not in the file
 * @paused: ns, of all threads
 * @uncounted: threads whose marks have no counts
 * @threads: threads with marks
 */
struct regions_trouble {
	uint64_t lost;
	uint64_t missing;
	uint64_t stray;
	uint64_t unended;
	uint64_t too_deep;
	uint64_t damaged;
	uint64_t late;
	uint64_t mixed;
	uint64_t reset;
	uint64_t unnamed;
	uint64_t paused;
	uint64_t uncounted;
	uint64_t threads;
};

struct regions;

/* @options are copied; NULL: defaults. Return: NULL if out of memory. */
struct regions *regions_new(const struct regions_options *options);
void regions_free(struct regions *regions);

/* Learn which events marks have counts of, once the file is open. Return: 0 or -ENOMEM. */
int regions_open(struct regions *regions, const struct reader *reader);

/* Whether the file can have marks: it has their events. */
bool regions_are_in(const struct reader *reader);

/**
 * struct regions_sample - a sample of the two events of perfdata/format/mark.h, or another
 * @attr: of its event
 * @raw: the data of a mark, @raw_size bytes
 * @comm: name of the thread, which must remain valid
 */
struct regions_sample {
	const struct perf_event_attr *attr;
	const unsigned char *raw;
	uint32_t raw_size;
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
	const char *comm;
};

/* A sample of the pipeline as the functions here take it; valid as long as that is. */
static inline struct regions_sample regions_sample_of(const struct pipeline_sample *from)
{
	return (struct regions_sample){
		.attr = &from->event->attr,
		.raw = from->fields->raw,
		.raw_size = from->fields->raw_size,
		.pid = from->fields->pid,
		.tid = from->fields->tid,
		.time = from->fields->time,
		.comm = from->thread->comm,
	};
}

/* Take a mark or a name, in order of time. Return: 0, -ENOMEM, or that of a callback. */
int regions_mark(struct regions *regions, const struct regions_sample *mark);

/*
 * Take what an interval of KerMon's log has counted of an event, so that what marks do not
 * cover is REGIONS_OUTSIDE. Return: 0 or -ENOMEM.
 */
int regions_count(struct regions *regions, const struct regions_sample *sample, size_t event,
		  uint64_t value);

/* Take a sample of a clock, of so many ns, for the node that its thread is in. Likewise. */
int regions_clock(struct regions *regions, const struct regions_sample *sample, uint64_t ns);

/* Take any record that is no sample: EXIT, exec. Return: likewise. */
int regions_record(struct regions *regions, const struct record *record);

/* No records follow: what is open ends with the newest of them. Return: likewise. */
int regions_end(struct regions *regions);

/* The node that a thread is in; REGIONS_OUTSIDE if it is not known. */
uint32_t regions_now(const struct regions *regions, uint32_t pid, uint32_t tid);

/* The thread that has these numbers now; NULL: it has no marks or counts, or has ended. */
const struct region_thread *regions_thread_now(const struct regions *regions, uint32_t pid,
					       uint32_t tid);

/*
 * Say what a mark means, as a line of text, before it is taken: "begin Track/Fit". Return:
 * number of bytes, or -ENOMEM.
 */
int regions_text(struct regions *regions, const struct regions_sample *mark, char *text,
		 size_t size);

/* Nodes by number; NULL beyond the last one. */
const struct region_node *regions_node(const struct regions *regions, uint32_t node);

/* The branch: names from outside in, with '/' in between, cut to @size. Return: @text. */
const char *regions_branch(const struct regions *regions, uint32_t node, char *text,
			   size_t size);

/* The nodes of the branch, outermost first, without REGIONS_OUTSIDE. Return: their number. */
size_t regions_path(const struct regions *regions, uint32_t node,
		    uint32_t path[REGIONS_DEPTH]);

/* Threads by number; NULL beyond the last one. */
const struct region_thread *regions_thread(const struct regions *regions, size_t number);

/*
 * The number of counts in marks, 0 if no mark has any; and the event of each: ns on a CPU
 * first. -1: not an event of the file.
 */
size_t regions_counted(const struct regions *regions);
int regions_counted_event(const struct regions *regions, size_t position);

/* The position of an event in the marks; -1: they do not have it. */
int regions_position(const struct regions *regions, size_t event);

/* Sets were rotated: each mark only has the counts of one. */
bool regions_rotated(const struct regions *regions);

/**
 * regions_sum - sum up by node, after regions_end()
 * @regions: all of them
 * @thread: only this one; NULL: all threads
 * @sums: set to an array with an element for each node, to be freed with regions_free_sums()
 *
 * Return: 0 or -ENOMEM.
 */
int regions_sum(const struct regions *regions, const struct region_thread *thread,
		struct region_sum **sums);
void regions_free_sums(const struct regions *regions, struct region_sum *sums);
/* Sort a list by name, and join those of the same name. Return: 0 or -ENOMEM. */
int region_values_join(struct region_value **list);
/* What one of them consists of, if it was copied to elsewhere and is zero there. */
void regions_free_sum(struct region_sum *sum);

const struct regions_trouble *regions_trouble(const struct regions *regions);

/**
 * struct regions_file - the regions of a file, read by itself; see regions_file_new()
 * @regions: these
 * @pipeline: of the file
 * @clock: the event whose samples say how long threads were on a CPU; SIZE_MAX: none, or
 *	marks or intervals say so
 */
struct regions_file {
	struct regions *regions;
	struct pipeline pipeline;
	size_t clock;
};

/*
 * Read a file. @options as for regions_new(), @reading as in <kermon/reading.h>: only samples
 * that pass its filter count. Call regions_file_end() in any case. Return: 0, -ENOMEM, or as
 * kermon_report_read().
 */
int regions_file_read(struct regions_file *file, const char *path,
		      const struct regions_options *options,
		      const struct kermon_report_options *reading);
void regions_file_end(struct regions_file *file);

#endif /* KERMON_REGIONS_H */
