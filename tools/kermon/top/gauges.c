// SPDX-License-Identifier: GPL-2.0
/* What the machine as a whole did in an interval: busy CPUs, load, energy; and own cost. */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "top.h"
#include "util/monotonic.h"

#define STAT_LINE	256

/* Of the first line of /proc/stat; the order is that of the kernel. */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, NR_COLUMNS };

static uint64_t clock_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static bool read_columns(int fd, uint64_t columns[NR_COLUMNS])
{
	char text[STAT_LINE], *at = text;
	ssize_t size = fd < 0 ? -1 : pread(fd, text, sizeof(text) - 1, 0);

	if (size <= 0)
		return false;
	text[size] = '\0';
	if (strncmp(text, "cpu ", 4))
		return false;
	at += 4;
	for (unsigned int i = 0; i < NR_COLUMNS; i++)
		columns[i] = strtoull(at, &at, 10);
	return true;
}

/* The kernel's numbers are not always monotonic. */
static double used(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static void share_of_cpus(struct gauges *gauges, struct summary *summary)
{
	uint64_t now[NR_COLUMNS];
	double spent[NR_COLUMNS], total = 0;

	summary->busy = NAN;
	summary->steal = NAN;
	if (!read_columns(gauges->stat, now))
		return;
	for (unsigned int i = 0; i < NR_COLUMNS; i++) {
		spent[i] = used(now[i], gauges->columns[i]);
		total += spent[i];
	}
	memcpy(gauges->columns, now, sizeof(now));
	if (total <= 0)
		return;
	summary->steal = spent[STEAL] / total;
	summary->busy = 1 - (spent[IDLE] + spent[IOWAIT] + spent[STEAL]) / total;
}

static void take_watts(struct gauges *gauges, double seconds)
{
	const struct energy_total *total = &gauges->energy.total;

	energy_read(&gauges->energy);
	for (unsigned int i = 0; i < total->nr; i++) {
		gauges->watts[i] = seconds > 0 ?
				   (total->domains[i].joules - gauges->joules[i]) / seconds :
				   NAN;
		gauges->joules[i] = total->domains[i].joules;
	}
}

void gauges_open(struct gauges *gauges)
{
	gauges->stat = open("/proc/stat", O_RDONLY | O_CLOEXEC);
	read_columns(gauges->stat, gauges->columns);
	energy_open(&gauges->energy);
	gauges->monotonic_ns = monotonic_ns();
	gauges->own_ns = clock_now(CLOCK_PROCESS_CPUTIME_ID);
}

void gauges_read(struct gauges *gauges, struct summary *summary)
{
	const uint64_t now = monotonic_ns(), own = clock_now(CLOCK_PROCESS_CPUTIME_ID);

	summary->interval_ns = now - gauges->monotonic_ns;
	summary->wall_ns = clock_now(CLOCK_REALTIME);
	summary->own = (double)(own - gauges->own_ns) / summary->interval_ns;
	summary->nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	summary->nr_load = getloadavg(summary->load, 3);
	share_of_cpus(gauges, summary);
	take_watts(gauges, summary->interval_ns / 1e9);
	gauges->monotonic_ns = now;
	gauges->own_ns = own;
}

void gauges_keep(struct gauges *gauges)
{
	if (gauges->energy.wraps)
		energy_read(&gauges->energy);
}

void gauges_close(struct gauges *gauges)
{
	if (gauges->stat >= 0)
		close(gauges->stat);
	energy_close(&gauges->energy);
}
