// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the brand string of the processor from CPUID.
 */
#include <cpuid.h>
#include <string.h>

#include "processor.h"

#define LEAF_BRAND	0x80000002
#define NR_LEAVES	3

void processor_name(char name[PROCESSOR_SIZE])
{
	unsigned int leaf, regs[4];

	memset(name, 0, PROCESSOR_SIZE);
	for (leaf = 0; leaf < NR_LEAVES; leaf++) {
		if (!__get_cpuid(LEAF_BRAND + leaf, &regs[0], &regs[1],
				 &regs[2], &regs[3]))
			return;
		memcpy(name + leaf * sizeof(regs), regs, sizeof(regs));
	}
}
