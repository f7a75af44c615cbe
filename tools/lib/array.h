/* SPDX-License-Identifier: GPL-2.0 */
/* Arrays that grow by doubling. */
#ifndef KERMON_ARRAY_H
#define KERMON_ARRAY_H

#include <errno.h>
#include <stddef.h>

/* @elements of @size bytes with room for @nr, and @room to say so; NULL: no memory. */
void *array_grow(void *elements, size_t *room, size_t nr, size_t size);

/* Makes sure that @elements, which have room for @room, have it for @nr: 0 or -ENOMEM. */
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
