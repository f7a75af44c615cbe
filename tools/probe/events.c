// SPDX-License-Identifier: GPL-2.0
/* Events that every machine of a vendor has, for as many counters as are measured. */
#include <cpuid.h>

#include "probe.h"

/* Architectural: SDM vol. 3B, 20.2.1.2. */
static const uint16_t intel[] = { 0x00c0, 0x00c4, 0x003c, 0x013c };

/* Instructions, branches, mispredicted branches, cycles: PPR of family 17h and later. */
static const uint16_t amd[] = { 0x00c0, 0x00c2, 0x00c3, 0x0076 };

uint64_t probe_event(unsigned int i)
{
	unsigned int a, b, c, d;

	__cpuid(0, a, b, c, d);
	return (c == signature_AMD_ecx ? amd : intel)[i % 4];
}
