// SPDX-License-Identifier: GPL-2.0
/* Compute how much each counter has counted since its previous reading. */
#include <errno.h>
#include <stdlib.h>

#include "readings.h"

struct reading {
	uint64_t id;
	uint64_t value;
};

static bool is_of(const void *item, const void *id)
{
	return ((const struct reading *)item)->id == *(const uint64_t *)id;
}

static struct reading *new_reading(struct readings *readings, uint64_t id)
{
	struct reading *reading = calloc(1, sizeof(*reading));

	if (!reading)
		return NULL;
	reading->id = id;
	if (!hash_add(&readings->last, hash_mix(id), reading))
		return reading;
	free(reading);
	return NULL;
}

int readings_delta(struct readings *readings, uint64_t id, uint64_t value,
		   uint64_t *delta)
{
	void **found = hash_find(&readings->last, hash_mix(id), is_of, &id);
	struct reading *reading = found ? *found : new_reading(readings, id);

	if (!reading)
		return -ENOMEM;
	*delta = value - reading->value;
	reading->value = value;
	return 0;
}

void readings_free(struct readings *readings)
{
	for (size_t i = 0; i < readings->last.room; i++)
		free(readings->last.slots[i].item);
	hash_free(&readings->last);
}
