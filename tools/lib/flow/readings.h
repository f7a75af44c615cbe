/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples with counter readings (PERF_SAMPLE_READ): one sample for all events of a
 * group. Each event that has counted since its previous reading gets a sample of its
 * own, whose period is the difference.
 */
#ifndef KERMON_READINGS_H
#define KERMON_READINGS_H

#include <stdint.h>

#include "perfdata/read/read.h"
#include "process.h"
#include "util/numbering.h"

/**
 * struct readings - the last reading of each counter
 * @last: by the slot of its id, see reader_slot_of()
 * @inherited: numbers of the counters that each thread has on its own
 * @of_threads: the last readings of these, with room for @room
 */
struct readings {
	uint64_t *last;
	struct numbering inherited;
	uint64_t *of_threads;
	size_t room;
};

/* Return: 0 or -ENOMEM. */
int readings_make(struct readings *readings, const struct reader *reader);

/**
 * readings_delta - the difference to the previous reading of the counter
 * @readings: made by readings_make()
 * @attr: of the counter's event. If threads inherit it, each has a counter of its own
 *	with the same id: kernel 6.12 and later, attr.inherit with PERF_SAMPLE_READ
 * @slot: of its id
 * @thread: that was sampled
 * @value: of the counter
 * @delta: at the first reading, the whole value
 *
 * Return: 0 or -ENOMEM.
 */
int readings_delta(struct readings *readings, const struct perf_event_attr *attr,
		   uint32_t slot, const struct thread *thread, uint64_t value,
		   uint64_t *delta);
void readings_free(struct readings *readings);

#endif /* KERMON_READINGS_H */
