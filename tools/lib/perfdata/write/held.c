// SPDX-License-Identifier: GPL-2.0
/*
 * Samples that wait for older ones of their CPU, which a log that coalesces intervals
 * delivers late. The sums of a CPU must be in the order of time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "writer_private.h"

/* @number: in order of arrival, for samples of the same time */
struct held_sample {
	uint64_t time;
	uint64_t number;
	struct kermon_sample *sample;
};

void held_note(struct held *held, uint64_t time)
{
	if (time > held->newest)
		held->newest = time;
}

int held_add(struct held *held, const struct kermon_sample *sample, uint64_t time)
{
	struct kermon_sample *copy;

	if (array_room(held->samples, held->room, held->nr + 1))
		return -ENOMEM;
	copy = malloc(sample->record.size);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, sample, sample->record.size);
	held->samples[held->nr++] = (struct held_sample){
		.time = time, .number = held->added++, .sample = copy,
	};
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct held_sample *left = a, *right = b;

	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	return left->number < right->number ? -1 : 1;
}

int held_put(struct kermon_writer *writer, uint64_t until)
{
	struct held *held = &writer->held;
	size_t nr = 0;
	int err = 0;

	if (held->nr)
		qsort(held->samples, held->nr, sizeof(*held->samples), by_time);
	for (; nr < held->nr && held->samples[nr].time <= until && !err; nr++) {
		err = interval_put(writer, held->samples[nr].sample,
				   held->samples[nr].time);
		free(held->samples[nr].sample);
	}
	held->nr -= nr;
	if (held->nr)
		memmove(held->samples, held->samples + nr,
			held->nr * sizeof(*held->samples));
	return err;
}

int held_round(struct kermon_writer *writer)
{
	int err = held_put(writer, writer->held.round);

	writer->held.round = writer->held.newest;
	return err;
}

void held_free(struct held *held)
{
	for (size_t i = 0; i < held->nr; i++)
		free(held->samples[i].sample);
	free(held->samples);
}
