// SPDX-License-Identifier: GPL-2.0
#include "dice.h"

static uint64_t state;

void dice_seed(uint64_t seed)
{
	state = seed;
}

/* splitmix64: works with any seed, even consecutive ones. */
static uint64_t next(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

unsigned int dice(unsigned int sides)
{
	uint64_t number = next();

	return sides ? number % sides : 0;
}
