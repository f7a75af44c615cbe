// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "registers.h"
#include "tracing.h"

#define TRACEFS		"/sys/kernel/tracing"
#define EVENTS		TRACEFS "/events/msr/enable"
/* Per CPU, enough for about 100,000 accesses. */
#define BUFFER_KB	"8192"

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = write(fd, text, strlen(text));
	close(fd);
	return n < 0 ? -1 : 0;
}

bool tracing_available(void)
{
	if (access(EVENTS, W_OK))
		mount("tracefs", TRACEFS, "tracefs", 0, NULL);
	return !access(EVENTS, W_OK);
}

int tracing_start(void)
{
	if (put(TRACEFS "/buffer_size_kb", BUFFER_KB) ||
	    put(TRACEFS "/trace", ""))
		return -1;
	return put(EVENTS, "1");
}

static bool is_pmu_register(unsigned int msr)
{
	return (msr >= MSR_PERFEVTSEL0 && msr < MSR_PERFEVTSEL0 + 16) ||
	       (msr >= MSR_PERFCTR0 && msr < MSR_PERFCTR0 + 16) ||
	       (msr >= MSR_FULL_PERFCTR0 && msr < MSR_FULL_PERFCTR0 + 16) ||
	       (msr >= MSR_FIXED_CTR0 && msr < MSR_FIXED_CTR0 + 4) ||
	       (msr >= MSR_FIXED_CTR_CTRL && msr <= MSR_PERF_GLOBAL_OVF_CTRL) ||
	       msr == MSR_OFFCORE_RSP_0 || msr == MSR_OFFCORE_RSP_1 ||
	       (msr >= MSR_K7_EVNTSEL0 && msr < MSR_K7_EVNTSEL0 + 8) ||
	       (msr >= MSR_PERF_CTL0 && msr < MSR_PERF_CTL0 + 12) ||
	       (msr >= MSR_CNTR_GLOBAL_STATUS &&
		msr < MSR_CNTR_GLOBAL_STATUS + 4);
}

static bool is_package_energy(unsigned int msr)
{
	return msr == MSR_PKG_ENERGY_STATUS || msr == MSR_AMD_PKG_ENERGY;
}

static bool is_energy(unsigned int msr)
{
	return is_package_energy(msr) || msr == MSR_DRAM_ENERGY_STATUS ||
	       msr == MSR_PP0_ENERGY_STATUS || msr == MSR_PP1_ENERGY_STATUS;
}

static void count_line(const char *line, struct accesses *accesses)
{
	const char *write = strstr(line, " write_msr: ");
	const char *read = strstr(line, " read_msr: ");
	unsigned int msr;

	if (strstr(line, " rdpmc: "))
		accesses->rdpmc++;
	else if (write && sscanf(write, " write_msr: %x", &msr) == 1)
		accesses->pmu_writes += is_pmu_register(msr);
	else if (read && sscanf(read, " read_msr: %x", &msr) == 1) {
		accesses->pmu_reads += is_pmu_register(msr);
		accesses->energy_reads += is_package_energy(msr);
		accesses->domain_reads += is_energy(msr);
	}
}

int tracing_stop(struct accesses *accesses)
{
	char line[512];
	FILE *file;

	memset(accesses, 0, sizeof(*accesses));
	if (put(EVENTS, "0"))
		return -1;
	file = fopen(TRACEFS "/trace", "re");
	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file))
		count_line(line, accesses);
	fclose(file);
	return put(TRACEFS "/trace", "");
}
