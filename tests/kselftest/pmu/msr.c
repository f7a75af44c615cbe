// SPDX-License-Identifier: GPL-2.0
#include "msr.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <x86intrin.h>

#define RDPMC_POLICY		"/sys/bus/event_source/devices/cpu/rdpmc"

int msr_open(void)
{
	cpu_set_t cpus;
	int fd;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	fd = open("/dev/cpu/0/msr", O_RDWR);
	if (fd < 0 || sched_setaffinity(0, sizeof(cpus), &cpus)) {
		fprintf(stderr, "cannot open /dev/cpu/0/msr: %m\n");
		exit(1);
	}
	return fd;
}

int msr_write(int fd, uint32_t msr, uint64_t value)
{
	return pwrite(fd, &value, sizeof(value), msr) < 0 ? -errno : 0;
}

int msr_read(int fd, uint32_t msr, uint64_t *value)
{
	return pread(fd, value, sizeof(*value), msr) < 0 ? -errno : 0;
}

uint64_t msr_value(int fd, uint32_t msr)
{
	uint64_t value;

	if (msr_read(fd, msr, &value)) {
		fprintf(stderr, "cannot read MSR %#x: %m\n", msr);
		exit(1);
	}
	return value;
}

bool rdpmc_allow(const char *policy)
{
	int fd = open(RDPMC_POLICY, O_WRONLY);
	ssize_t n = write(fd, policy, 1);

	close(fd);
	return n == 1;
}

static __thread sigjmp_buf after_fault;

static void on_fault(int sig)
{
	siglongjmp(after_fault, sig);
}

bool rdpmc(uint32_t index, uint64_t *value)
{
	signal(SIGSEGV, on_fault);
	if (sigsetjmp(after_fault, 1))
		return false;
	*value = __rdpmc(index);
	return true;
}
