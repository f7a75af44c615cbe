// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "walk.h"

/* A jump with a 32-bit offset, and one to the address in RDX. */
#define JMP		0xe9
#define JMP_SIZE	5
#define JMP_RDX		"\xff\xe2"

void walk_write_code(const struct walk *walk)
{
	const int32_t distance = walk->stride - JMP_SIZE;
	uint8_t *at = (uint8_t *)walk->start;
	uint64_t step;

	for (step = 1; step < walk->steps; step++) {
		*at = JMP;
		memcpy(at + 1, &distance, sizeof(distance));
		at += walk->stride;
	}
	memcpy(at, JMP_RDX, sizeof(JMP_RDX) - 1);
}
