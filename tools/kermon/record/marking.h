/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to marking.c: marks of regions of the command, see <kermon/region.h>. The command
 * finds the collector and the tool by its environment.
 */
#ifndef KERMON_RECORD_MARKING_H
#define KERMON_RECORD_MARKING_H

#include <stdbool.h>
#include <stdint.h>

#include <kermon/marks.h>
#include <kermon/recorder.h>

#include "ui/options.h"

/* @MARKING_AUTO: as much as there is, if another option asks for regions */
enum marking_how {
	MARKING_OFF,
	MARKING_TIME,
	MARKING_COUNTS,
	MARKING_AUTO,
};

/* Which iterations of the regions with a pattern are collected; see struct ring_config. */
struct iterations {
	const char *pattern;
	uint64_t first;
	uint64_t last;
};

/**
 * struct marking - what of regions is to be recorded
 * @how: enum marking_how
 * @include: patterns, separated by commas, or NULL
 * @exclude: likewise
 * @iterations: pattern is NULL if none are named
 * @ring_bytes: 0: not given
 * @wait: threads wait for room
 * @paused: the program says when it begins
 * @alone: nothing else is recorded
 */
struct marking {
	unsigned int how;
	const char *include;
	const char *exclude;
	struct iterations iterations;
	uint64_t ring_bytes;
	bool wait;
	bool paused;
	bool alone;
};

#define GROUP_marking	struct marking
extern const struct option_spec marking_options[];

/* The option that asks for regions, for messages; NULL: none does. */
const char *marking_asked(const struct marking *regions);

/*
 * Receive the marks of a command that is about to be forked. @counts: its threads may read
 * their own counts. @marks remains NULL if none are to be collected. Says what @name, the
 * command of kermon, has to say, unless @quiet. Return: 0 or -errno.
 */
int marking_open(const struct marking *regions, const char *name, bool counts, bool quiet,
		 struct kermon_marks **marks);

/* Set the environment of what is forked next, and restore that of the tool. */
void marking_enter(const struct kermon_marks *marks);
void marking_leave(const struct kermon_marks *marks);

/* Write notes: what was asked for, @counts as above, and in the end what became of it. */
void marking_note(const struct marking *regions, bool counts, const struct kermon_marks *marks,
		  struct kermon_writer *writer);
void marking_note_end(const struct kermon_recorder *recorder, const struct kermon_marks *marks,
		      struct kermon_writer *writer);

/* Say at the end how much there was, unless @quiet, and what is missing. */
void marking_say(const char *name, bool quiet, const struct kermon_recorder *recorder,
		 const struct kermon_marks *marks);

#endif /* KERMON_RECORD_MARKING_H */
