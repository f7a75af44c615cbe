// SPDX-License-Identifier: GPL-2.0
#include <cpuid.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "registers.h"

int register_read(int cpu, uint32_t msr, uint64_t *value)
{
	char path[32];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = pread(fd, value, sizeof(*value), msr);
	close(fd);
	return n == sizeof(*value) ? 0 : -1;
}

bool cpu_is_amd(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid(0, &eax, &ebx, &ecx, &edx) &&
	       ebx == signature_AMD_ebx;
}
