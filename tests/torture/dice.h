/* SPDX-License-Identifier: GPL-2.0 */
/* Random numbers, reproducible from a seed. */
#ifndef KERMON_TORTURE_DICE_H
#define KERMON_TORTURE_DICE_H

#include <stdbool.h>
#include <stdint.h>

void dice_seed(uint64_t seed);

/* 0 to sides - 1; 0 if @sides is 0. */
unsigned int dice(unsigned int sides);

static inline int dice_between(int low, int high)
{
	return low + (int)dice(high - low + 1);
}

static inline bool one_in(unsigned int n)
{
	return !dice(n);
}

#endif /* KERMON_TORTURE_DICE_H */
