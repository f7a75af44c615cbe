// SPDX-License-Identifier: GPL-2.0
#include <stdint.h>
#include <stdlib.h>

#include "array.h"

#define FIRST_ROOM	16

void *array_grow(void *elements, size_t *room, size_t nr, size_t size)
{
	size_t larger = *room ? *room : FIRST_ROOM;
	void *moved;

	if (nr > SIZE_MAX / 2)
		return NULL;
	while (larger < nr)
		larger *= 2;
	moved = reallocarray(elements, larger, size);
	if (moved)
		*room = larger;
	return moved;
}
