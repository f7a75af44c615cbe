/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface between kermon export and its formats.
 */
#ifndef KERMON_EXPORT_H
#define KERMON_EXPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "input/profile_input.h"
#include "regions.h"
#include "stacks.h"

struct export;

/**
 * struct export_format - a format to export to
 * @name: name on the command line
 * @exact: value for struct stacks
 * @by_thread: value for struct stacks
 * @timeline: it shows each sample, not sums
 * @of_regions: it shows each call of a region
 * @only_regions: and no samples
 * @binary: it is not text, and is not written to a terminal
 * @write: write the whole file; returns 0 or -errno, except for errors of @out
 */
struct export_format {
	const char *name;
	bool exact;
	bool by_thread;
	bool timeline;
	bool of_regions;
	bool only_regions;
	bool binary;
	int (*write)(const struct export *export, FILE *out);
};

/* A sample of a timeline: time in nanoseconds, and index of its node in the stacks. */
struct export_sample {
	uint64_t time;
	uint32_t node;
};

/**
 * struct export - a file that is converted to another format
 * @event: index of the event to export; @has_event: it has a sample
 * @kinds: enum kermon_metric_kind by event; side-band events are not exported
 * @totals: sum of the periods by event
 * @samples: samples of @event in time order, if the format has a timeline
 * @regions: that the program has marked
 * @with_regions: stacks begin with them
 * @any: the file has a sample
 * @begun: @first is known
 * @first: time of the first sample or mark in nanoseconds
 * @last: time of the last one in nanoseconds
 */
struct export {
	struct profile_input source;
	const struct export_format *format;
	size_t event;
	bool has_event;
	uint8_t *kinds;
	uint64_t *totals;
	struct stacks stacks;
	struct export_sample *samples;
	size_t nr_samples;
	size_t room_samples;
	struct export_regions regions;
	bool with_regions;
	bool any;
	bool begun;
	uint64_t first;
	uint64_t last;
};

extern const struct export_format folded_format;
extern const struct export_format firefox_format;
extern const struct export_format json_format;
extern const struct export_format perfetto_format;
extern const struct export_format pprof_format;

/* Write the name of a frame: its function, or its file in brackets. */
void export_frame_name(const struct stack_frame *frame, char *name, size_t size);

#define EXPORT_NAME_MAX	4096

#endif /* KERMON_EXPORT_H */
