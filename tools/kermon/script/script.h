/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of kermon script, and the functions of its files that print parts of a line.
 */
#ifndef KERMON_SCRIPT_H
#define KERMON_SCRIPT_H

#include <kermon/profile.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "fields.h"
#include "ui/line.h"

/* What the printed times are relative to. */
enum script_clock {
	CLOCK_OF_FILE,
	CLOCK_SINCE_FIRST,	/* the first sample */
	CLOCK_SINCE_LAST,	/* the previous sample */
};

struct script_place_text;

/* Number of threads whose text is cached, by tid. */
#define SCRIPT_TASKS	64

/* Key of a cached text, from struct script_head; compared by memcmp(), so no padding. */
struct script_task_key {
	const char *comm;
	uint64_t mask;
	uint32_t pid;
	uint32_t tid;
	uint64_t has_frames;
};

/**
 * struct script_task - cached text of a thread
 * @key: its key
 * @size: bytes of @text; 0: none
 */
struct script_task {
	struct script_task_key key;
	size_t size;
	char text[64];
};

/**
 * struct script_day - wall-clock times
 * @at_zero: nanoseconds since 1970 at time 0 of the recording, modulo 2^64
 * @second: seconds since 1970, for which @text is
 * @size: bytes of @text; 0: none
 * @text: date and time of day, to the second
 */
struct script_day {
	uint64_t at_zero;
	time_t second;
	size_t size;
	char text[32];
};

/**
 * struct script - options and state of the output
 * @fields: the fields of -F
 * @masks: FIELD_BIT() of the fields to print, by event
 * @event_names: "  name: " as printed, by event; NULL after the last one
 * @no_frames: print the place of each sample instead of its call chain
 * @names: form of function names
 * @ns: print times with nine decimals instead of six
 * @clock: what times are relative to
 * @since: the time to subtract, 0 before the first sample
 * @day: for the field tod
 * @registers: names of registers, by bit of their masks
 * @memory_width: width of the longest data source so far
 * @records: bit mask of the types of other records to print
 * @has_counts: counts of perf stat were printed, after their title
 * @tasks: cached texts of threads
 * @places: cached texts of places, see place.c
 * @line: buffered output
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
	struct script_day day;
	const char *const *registers;
	size_t memory_width;
	uint32_t records;
	bool has_counts;
	struct script_task tasks[SCRIPT_TASKS];
	struct script_place_text *places;
	struct line line;
};

/**
 * struct script_head - the beginning of a line for a record
 * @comm: name of the thread, valid as long as the script
 * @mask: FIELD_BIT() of the fields to print
 * @type: PERF_RECORD_*
 * @misc: PERF_RECORD_MISC_*
 * @has_frames: frames follow on separate lines, so names are not aligned
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

/* head.c: print the beginning of a line. */
void script_head(struct script *script, const struct script_head *head);

/* sample.c */

/* Whether samples of an event are printed with their call chains. */
bool script_has_frames(const struct script *script,
		       const struct kermon_profile_event *event, uint64_t mask);

/* Print a sample, on one or more lines. Returns 0 or -errno. */
int script_sample(struct script *script,
		  const struct kermon_profile_sample *sample);

/* record.c: print any other record, if its type is to be printed. Returns 0 or -errno. */
int script_record(struct script *script,
		  const struct kermon_profile_record *record);

/*
 * count.c: print a count of perf stat, with the title before the first one. Returns 0 or
 * -EPIPE.
 */
int script_count(struct script *script,
		 const struct kermon_profile_count *count);

/* memory.c: print the data source of an access, PERF_MEM_*. Returns 0 or -ENOMEM. */
int script_memory(struct script *script, uint64_t source);

/* branches.c: print brstack or brstacksym, depending on @mask. Returns 0 or -ENOMEM. */
int script_branches(struct script *script,
		    const struct kermon_profile_sample *sample, uint64_t mask);

/*
 * registers.c: names by bit for architecture @arch, as in uname -m, or NULL. An unknown
 * register or architecture has NULL as names.
 */
const char *const *script_registers(const char *arch);

/* place.c */

/* The cache of texts; NULL if out of memory. */
struct script_place_text *script_places_new(void);
void script_places_free(struct script_place_text *places);

/*
 * Print the place of a sample: its address, and function and file as in @mask. Returns 0
 * or -ENOMEM, as do the next three.
 */
int script_place(struct script *script,
		 const struct kermon_profile_sample *sample,
		 const struct kermon_frame *frame, uint64_t mask);

/*
 * Print an end of a branch: its address, or "function+0x1f" with FIELD_BRSTACKSYM, and
 * "(file)" if @mask has it.
 */
int script_branch_end(struct script *script,
		      const struct kermon_profile_sample *sample,
		      const struct kermon_frame *frame, uint64_t mask);

/* Print the accessed variable or function and its file, as in @mask. */
int script_data(struct script *script,
		const struct kermon_profile_sample *sample, uint64_t mask);

/* Print a frame of a call chain: one line, and one more per inlined function. */
int script_frame(struct script *script,
		 const struct kermon_profile_sample *sample,
		 const struct kermon_frame *frame, uint64_t mask);

#endif /* KERMON_SCRIPT_H */
