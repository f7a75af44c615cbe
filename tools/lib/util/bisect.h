/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KERMON_HALVES_H
#define KERMON_HALVES_H

#include <stddef.h>

/*
 * Of @nr elements in order, how many @holds is true of: an expression of the index @i,
 * true of the first ones and of none behind them. It is found by halves.
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

#endif /* KERMON_HALVES_H */
