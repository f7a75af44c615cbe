/* SPDX-License-Identifier: GPL-2.0 */
/* What the formats of 'kermon export' share. */
#ifndef KERMON_EXPORT_H
#define KERMON_EXPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "input/input.h"
#include "stacks.h"

struct export;

/**
 * struct export_format - a format to export to
 * @name: as on the command line
 * @exact: see struct stacks; likewise @by_thread
 * @timeline: it shows each sample, not sums
 * @binary: it is no text
 * @write: writes all; 0 or -errno, errors of @out aside
 */
struct export_format {
	const char *name;
	bool exact;
	bool by_thread;
	bool timeline;
	bool binary;
	int (*write)(const struct export *export, FILE *out);
};

/* A sample of a timeline. */
struct export_sample {
	uint64_t time;
	uint32_t node;
};

/**
 * struct export - a file on its way to another format
 * @wanted: name of the event to export; NULL: the first one with samples
 * @event: index of that event; @has_event: it has a sample
 * @kinds: enum kermon_metric_kind by event: those of side-bands are not exported
 * @totals: sums of the periods by event
 * @samples: of that event, in the order of time, if the format shows them
 * @any: there was a sample
 * @first: time of the first sample, and @last of the last one
 */
struct export {
	struct source source;
	const struct export_format *format;
	const char *wanted;
	size_t event;
	bool has_event;
	uint8_t *kinds;
	uint64_t *totals;
	struct stacks stacks;
	struct export_sample *samples;
	size_t nr_samples;
	size_t room_samples;
	bool any;
	uint64_t first;
	uint64_t last;
};

extern const struct export_format folded_format;
extern const struct export_format firefox_format;
extern const struct export_format json_format;
extern const struct export_format pprof_format;

/* What to call a frame: its function, or the file that it is in, in brackets. */
void export_frame_name(const struct stack_frame *frame, char *name, size_t size);

#define EXPORT_NAME_MAX	4096

#endif /* KERMON_EXPORT_H */
