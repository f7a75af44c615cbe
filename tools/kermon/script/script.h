/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of 'kermon script' share. */
#ifndef KERMON_SCRIPT_H
#define KERMON_SCRIPT_H

#include <kermon/profile.h>
#include <stdbool.h>
#include <stdint.h>

#include "fields.h"
#include "ui/line.h"

enum script_clock {
	CLOCK_OF_FILE,
	CLOCK_SINCE_FIRST,	/* 0 at the first sample */
	CLOCK_SINCE_LAST,	/* from sample to sample */
};

struct script_place_text;

/* Threads of which the text is kept, by their numbers. */
#define SCRIPT_TASKS	64

/* What decides it: the fields of struct script_head; no padding. */
struct script_task_key {
	const char *comm;
	uint64_t mask;
	uint32_t pid;
	uint32_t tid;
	uint64_t has_frames;
};

/**
 * struct script_task - a thread as text
 * @key: of what
 * @size: bytes of @text; 0: there is none
 */
struct script_task {
	struct script_task_key key;
	size_t size;
	char text[64];
};

/**
 * struct script - samples on their way to lines of text
 * @fields: that were asked for
 * @masks: FIELD_BIT() of those to print, by event
 * @event_names: "  name: " as printed, likewise; NULL behind the last
 * @no_frames: print where each sample is, not its call chain
 * @names: how the names of functions are written
 * @ns: times with nine digits, not six
 * @clock: what times are since
 * @since: the time that is taken off, once there is one
 * @registers: names of the registers by bit of their masks
 * @memory_width: of the longest text of an access to memory so far
 * @records: which records are printed that are no samples: a bit for each type
 * @has_counts: counts of perf stat were printed
 * @tasks: texts of threads that were printed
 * @places: texts of places that were printed, see place.c
 * @line: what has been printed
 */
struct script {
	struct script_fields fields;
	uint64_t *masks;
	char **event_names;
	bool no_frames;
	enum kermon_name names;
	bool ns;
	enum script_clock clock;
	uint64_t since;
	const char *const *registers;
	size_t memory_width;
	uint32_t records;
	bool has_counts;
	struct script_task tasks[SCRIPT_TASKS];
	struct script_place_text *places;
	struct line line;
};

/**
 * struct script_head - what a line of a record begins with
 * @comm: name of the thread, as long as the script
 * @mask: FIELD_BIT() of the fields to print
 * @type: PERF_RECORD_*; @misc: PERF_RECORD_MISC_*
 * @has_frames: frames follow on lines of their own: names are not aligned
 */
struct script_head {
	const char *comm;
	uint64_t mask;
	uint64_t time;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	uint32_t type;
	uint16_t misc;
	bool has_frames;
};

/* head.c */
void script_head(struct script *script, const struct script_head *head);

/* sample.c */

/* Whether samples of an event are shown with their call chains. */
bool script_has_frames(const struct script *script,
		       const struct kermon_profile_event *event, uint64_t mask);

/* One sample, a line or several. 0 or -errno. */
int script_sample(struct script *script,
		  const struct kermon_profile_sample *sample);

/* record.c: any other record, if it is one of those to print. 0 or -errno. */
int script_record(struct script *script,
		  const struct kermon_profile_record *record);

/* count.c: a line of perf stat's, the title before the first one. 0 or -EPIPE. */
int script_count(struct script *script,
		 const struct kermon_profile_count *count);

/* memory.c: an access to memory, PERF_MEM_*. 0 or -ENOMEM. */
int script_memory(struct script *script, uint64_t source);

/* branches.c: brstack or brstacksym, as @mask has it. 0 or -ENOMEM. */
int script_branches(struct script *script,
		    const struct kermon_profile_sample *sample, uint64_t mask);

/* registers.c: the names for a machine, uname -m; NULL: it is not known. */
const char *const *script_registers(const char *arch);

/* place.c */

struct script_place_text *script_places_new(void);
void script_places_free(struct script_place_text *places);

/* Where a sample is: address, function, file, as far as @mask has them. 0 or -ENOMEM. */
int script_place(struct script *script,
		 const struct kermon_profile_sample *sample,
		 const struct kermon_frame *frame, uint64_t mask);

/*
 * An end of a branch: its address, or "function+0x1f" with FIELD_BRSTACKSYM, and its
 * "(file)" if @mask has it. 0 or -ENOMEM.
 */
int script_branch_end(struct script *script,
		      const struct kermon_profile_sample *sample,
		      const struct kermon_frame *frame, uint64_t mask);

/* The variable, or function, that was accessed, and its file, as far as @mask has them. */
int script_data(struct script *script,
		const struct kermon_profile_sample *sample, uint64_t mask);

/* The lines of a frame: one, or more where functions were inlined. As above. */
int script_frame(struct script *script,
		 const struct kermon_profile_sample *sample,
		 const struct kermon_frame *frame, uint64_t mask);

#endif /* KERMON_SCRIPT_H */
