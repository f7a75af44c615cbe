// SPDX-License-Identifier: GPL-2.0
/* Read stolen time from /proc/stat. */
#include <inttypes.h>
#include <stdio.h>

#include "steal.h"

uint64_t steal_of_cpu(unsigned int cpu)
{
	FILE *file = fopen("/proc/stat", "re");
	uint64_t ticks = 0, found;
	unsigned int number;
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		/* user, nice, system, idle, iowait, irq and softirq are before it */
		if (sscanf(line, "cpu%u %*u %*u %*u %*u %*u %*u %*u %" SCNu64, &number,
			   &found) == 2 && number == cpu) {
			ticks = found;
			break;
		}
	}
	if (file)
		fclose(file);
	return ticks;
}
