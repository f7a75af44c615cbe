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
 * readings_take - the difference to the previous reading of a counter
 * @readings: made by readings_make()
 * @reader: of the file
 * @thread: that was sampled. If threads inherit the event, each has a counter of its own
 *	with the same id: kernel 6.12 and later, attr.inherit with PERF_SAMPLE_READ
 * @value: of the counter
 * @event: set to the index of its event
 * @delta: set to the difference; at the first reading, to the whole value
 *
 * Return: 0; -ENOENT: no event has this id; -ENOMEM.
 */
int readings_take(struct readings *readings, const struct reader *reader,
		  const struct thread *thread, const struct sample_value *value,
		  int *event, uint64_t *delta);
void readings_free(struct readings *readings);

#endif /* KERMON_READINGS_H */
