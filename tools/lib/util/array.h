/* SPDX-License-Identifier: GPL-2.0 */
/* Arrays that grow by doubling, for the library and the tool. */
#ifndef KERMON_ARRAY_H
#define KERMON_ARRAY_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define ARRAY_FIRST_ROOM	16

/* Grow @elements of @size bytes to hold @nr, and update @room; NULL if out of memory. */
static inline void *array_grow(void *elements, size_t *room, size_t nr,
			       size_t size)
{
	size_t larger = *room ? *room : ARRAY_FIRST_ROOM;
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

/* Make room for @nr elements if there is only room for @room: 0 or -ENOMEM. */
#define array_room(elements, room, nr) ({				\
	typeof(elements) moved_ = NULL;					\
	int err_ = 0;							\
									\
	if ((nr) > (room)) {						\
		moved_ = array_grow((elements), &(room), (nr),		\
				    sizeof(*(elements)));		\
		if (moved_)						\
			(elements) = moved_;				\
		else							\
			err_ = -ENOMEM;					\
	}								\
	err_;								\
})

#endif /* KERMON_ARRAY_H */
