/* SPDX-License-Identifier: GPL-2.0 */
/* Checks of each record, however it was read. */
#ifndef TESTS_FUZZ_RECORDS_H
#define TESTS_FUZZ_RECORDS_H

#include "../input.h"
#include "perfdata/format/format.h"
#include "perfdata/read/read.h"

static inline void touch_words(const unsigned char *words, uint64_t nr)
{
	if (nr)
		input_touch(words, nr * sizeof(uint64_t));
}

static inline void touch_read(const struct sample_read *read)
{
	struct sample_value value;

	for (uint64_t i = 0; i < read->nr; i++)
		promise(sample_value(read, i, &value));
	promise(!sample_value(read, read->nr, &value));
}

/* All that a sample points to must be inside its record. */
static inline void touch_sample(const struct sample *sample)
{
	const struct sample_branches *branches = &sample->branches;

	touch_read(&sample->read);
	touch_words(sample->callchain, sample->nr_callchain);
	input_touch(sample->raw, sample->raw_size);
	input_touch(branches->entries, branches->nr * SAMPLE_BRANCH_SIZE);
	touch_words(branches->counters, branches->counters ? branches->nr : 0);
	touch_words(sample->user_regs.values, sample->user_regs.values ?
		    __builtin_popcountll(sample->user_regs.mask) : 0);
	touch_words(sample->intr_regs.values, sample->intr_regs.values ?
		    __builtin_popcountll(sample->intr_regs.mask) : 0);
	input_touch(sample->user_stack.data, sample->user_stack.size);
	input_touch(sample->aux.data, sample->aux.size);
}

/* A record_fn; its context is the reader. */
static inline int touch_record(void *context, const struct record *record)
{
	struct reader *reader = context;
	const struct reader_event *event;
	struct sample sample;

	promise(record->size >= sizeof(struct perf_event_header));
	promise(record->event < reader_nr_events(reader));
	input_touch(record->data, record->size);
	event = reader_event(reader, record->event);
	if (record->type == PERF_RECORD_SAMPLE &&
	    sample_parse(&event->attr, record, &sample))
		touch_sample(&sample);
	reader_release(reader, record);
	return 0;
}

/* Data besides records. */
static inline void touch_rest(struct reader *reader)
{
	const unsigned char *bytes;
	size_t size;

	for (unsigned int bit = 0; bit < PERFDATA_FEATURES; bit++) {
		bytes = reader_feature(reader, bit, &size);
		if (bytes)
			input_touch(bytes, size);
	}
	reader_note(reader, "hypervisor");
}

/* Reads everything; if a file cannot be opened there must be a reason. */
static inline void read_all(const char *path)
{
	struct damages damages = { .nr = 0 };
	struct reader *reader = NULL;

	if (reader_open(path, &reader, &damages)) {
		promise(damages.nr);
		return;
	}
	touch_rest(reader);
	promise(!reader_walk(reader, touch_record, reader));
	reader_close(reader);
}

#endif /* TESTS_FUZZ_RECORDS_H */
