// SPDX-License-Identifier: GPL-2.0
/* Events that every machine of a vendor has, for as many counters as are measured. */
#include <cpuid.h>
#include <stdlib.h>

#include "probe.h"

/* Architectural: SDM vol. 3B, 20.2.1.2. */
static const uint16_t intel[] = { 0x00c0, 0x00c4, 0x003c, 0x013c };

/* Instructions, branches, mispredicted branches, cycles: PPR of family 17h and later. */
static const uint16_t amd[] = { 0x00c0, 0x00c2, 0x00c3, 0x0076 };

static uint64_t raw[PROBE_MAX_EVENTS];
static unsigned int nr_raw;

bool probe_events_take(const char *text)
{
	char *end;

	for (nr_raw = 0; nr_raw < PROBE_MAX_EVENTS; text = end + 1) {
		raw[nr_raw] = strtoull(text, &end, 16);
		if (end == text || raw[nr_raw] > UINT16_MAX)
			return false;
		nr_raw++;
		if (*end != ',')
			return !*end;
	}
	return false;
}

bool probe_events_are_raw(void)
{
	return nr_raw > 0;
}

bool probe_is_amd(void)
{
	unsigned int a, b, c, d;

	__cpuid(0, a, b, c, d);
	return c == signature_AMD_ecx;
}

uint64_t probe_event(unsigned int i)
{
	if (nr_raw)
		return raw[i % nr_raw];
	return (probe_is_amd() ? amd : intel)[i % 4];
}
