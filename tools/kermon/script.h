/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of 'kermon script' share. */
#ifndef KERMON_SCRIPT_H
#define KERMON_SCRIPT_H

#include <kermon/profile.h>
#include <stdbool.h>

#include "line.h"
#include "script_fields.h"

enum script_clock {
	CLOCK_OF_FILE,
	CLOCK_SINCE_FIRST,	/* 0 at the first sample */
	CLOCK_SINCE_LAST,	/* from sample to sample */
};

struct script_place_text;

/**
 * struct script - samples on their way to lines of text
 * @fields: that were asked for
 * @masks: FIELD_BIT() of those to print, by event
 * @event_width: of the longest name of an event
 * @no_frames: print where each sample is, not its call chain
 * @names: how the names of functions are written
 * @ns: times with nine digits, not six
 * @clock: what times are since
 * @since: the time that is taken off, once there is one
 * @registers: names of the registers by bit of their masks
 * @places: texts of places that were printed, see script_place.c
 * @line: what has been printed
 */
struct script {
	struct script_fields fields;
	uint32_t *masks;
	size_t event_width;
	bool no_frames;
	enum kermon_name names;
	bool ns;
	enum script_clock clock;
	uint64_t since;
	const char *const *registers;
	struct script_place_text *places;
	struct line line;
};

/* script_sample.c: one sample, a line or several. 0 or -errno. */
int script_sample(struct script *script,
		  const struct kermon_profile_sample *sample);

/* script_registers.c: the names for a machine, uname -m; NULL: it is not known. */
const char *const *script_registers(const char *arch);

/* script_place.c */

struct script_place_text *script_places_new(void);
void script_places_free(struct script_place_text *places);

/*
 * Where a frame of a sample is: address, function, file, as far as @mask has them. @in_file:
 * addresses of user space are shown as offsets in their file. 0 or -ENOMEM.
 */
int script_place(struct script *script,
		 const struct kermon_profile_sample *sample,
		 const struct kermon_frame *frame, uint32_t mask, bool in_file);

/* The lines of a frame: one, or more where functions were inlined. As above. */
int script_frame(struct script *script,
		 const struct kermon_profile_sample *sample,
		 const struct kermon_frame *frame, uint32_t mask);

#endif /* KERMON_SCRIPT_H */
