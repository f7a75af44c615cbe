// SPDX-License-Identifier: GPL-2.0
/* Compute how much each counter has counted since its previous reading. */
#include <errno.h>
#include <stdlib.h>

#include "readings.h"
#include "util/array.h"

int readings_make(struct readings *readings, const struct reader *reader)
{
	readings->last = calloc(reader_nr_slots(reader), sizeof(*readings->last));
	return readings->last ? 0 : -ENOMEM;
}

/* The last reading of a counter that each thread has on its own. */
static uint64_t *of_thread(struct readings *readings, uint32_t slot,
			   const struct thread *thread)
{
	uint32_t known = readings->inherited.nr;
	uint32_t number = numbering_get(&readings->inherited,
					(uint64_t)thread->number << 32 | slot);

	if (number == NUMBERING_FULL ||
	    array_room(readings->of_threads, readings->room, (size_t)number + 1))
		return NULL;
	if (number == known)
		readings->of_threads[number] = 0;
	return &readings->of_threads[number];
}

int readings_take(struct readings *readings, const struct reader *reader,
		  const struct thread *thread, const struct sample_value *value,
		  int *event, uint64_t *delta)
{
	ssize_t slot = reader_slot_of(reader, value->id, event);
	const struct perf_event_attr *attr;
	uint64_t *last;

	if (slot < 0)
		return -ENOENT;
	attr = &reader_event(reader, *event)->attr;
	last = &readings->last[slot];
	if (attr->inherit && attr->sample_type & PERF_SAMPLE_TID)
		last = of_thread(readings, slot, thread);
	if (!last)
		return -ENOMEM;
	*delta = value->value - *last;
	*last = value->value;
	return 0;
}

void readings_free(struct readings *readings)
{
	free(readings->last);
	free(readings->of_threads);
	numbering_free(&readings->inherited);
}
