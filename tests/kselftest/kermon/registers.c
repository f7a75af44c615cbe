// SPDX-License-Identifier: GPL-2.0
#include <cpuid.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "registers.h"

static int open_registers(int cpu, int mode)
{
	char path[32];

	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
	return open(path, mode | O_CLOEXEC);
}

int register_read(int cpu, uint32_t msr, uint64_t *value)
{
	int fd = open_registers(cpu, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = pread(fd, value, sizeof(*value), msr);
	close(fd);
	return n == sizeof(*value) ? 0 : -1;
}

uint32_t counter_register(unsigned int nr)
{
	if (!cpu_is_amd())
		return (cpu_is_core2() ? MSR_PERFCTR0 : MSR_FULL_PERFCTR0) + nr;
	return cpu_is_legacy() ? MSR_K7_PERFCTR0 + nr : MSR_PERF_CTR0 + 2 * nr;
}

uint32_t selector_register(unsigned int nr)
{
	if (!cpu_is_amd())
		return MSR_PERFEVTSEL0 + nr;
	return cpu_is_legacy() ? MSR_K7_EVNTSEL0 + nr : MSR_PERF_CTL0 + 2 * nr;
}

static int permit_writes(void)
{
	int fd = open("/sys/module/msr/parameters/allow_writes",
		      O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = write(fd, "on", 2);
	close(fd);
	return n == 2 ? 0 : -1;
}

int register_write(int cpu, uint32_t msr, uint64_t value)
{
	static bool permitted;
	ssize_t n;
	int fd;

	if (!permitted && permit_writes())
		return -1;
	permitted = true;
	fd = open_registers(cpu, O_WRONLY);
	if (fd < 0)
		return -1;
	n = pwrite(fd, &value, sizeof(value), msr);
	close(fd);
	return n == sizeof(value) ? 0 : -1;
}

bool cpu_is_amd(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid(0, &eax, &ebx, &ecx, &edx) &&
	       ebx == signature_AMD_ebx;
}

static unsigned int signature(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid(1, &eax, &ebx, &ecx, &edx) ? eax : 0;
}

unsigned int cpu_family(void)
{
	return (signature() >> 8 & 0xf) + (signature() >> 20 & 0xff);
}

unsigned int cpu_model(void)
{
	return (signature() >> 4 & 0xf) | (signature() >> 12 & 0xf0);
}

/* CPUID 8000_0001H, ECX: PerfCtrExtCore. */
bool cpu_is_legacy(void)
{
	unsigned int eax, ebx, ecx, edx;

	return cpu_is_amd() &&
	       (!__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) ||
		!(ecx & 1 << 23));
}

bool cpu_is_core2(void)
{
	return !cpu_is_amd() && cpu_family() == 6 && cpu_model() == 0x17;
}
