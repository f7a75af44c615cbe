/* SPDX-License-Identifier: GPL-2.0 */
/* Binary search in arrays and in anything else with an index. */
#ifndef KERMON_BISECT_H
#define KERMON_BISECT_H

#include <stddef.h>

/*
 * Binary search in @nr sorted elements: the number of leading ones for which @holds is
 * true. @holds is an expression of the index @i; it must not become true again once it
 * is false.
 */
#define count_while(nr, i, holds) ({					\
	size_t low_ = 0, high_ = (nr);					\
									\
	while (low_ < high_) {						\
		const size_t i = low_ + (high_ - low_) / 2;		\
									\
		if (holds)						\
			low_ = i + 1;					\
		else							\
			high_ = i;					\
	}								\
	low_;								\
})

#endif /* KERMON_BISECT_H */
